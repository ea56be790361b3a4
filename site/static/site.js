// @ts-check
// What the pages of the documentation do besides what their theme does.

// A game's page has a link to its board. A click opens the board on the page itself.
for (const panel of document.querySelectorAll(".play")) {
  panel.querySelector("a")?.addEventListener("click", (event) => {
    const { address, title } = /** @type {HTMLElement} */ (panel).dataset;
    if (!address || !title || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const frame = document.createElement("iframe");
    frame.src = address;
    frame.title = title;
    panel.replaceChildren(frame);
    frame.focus();
  });
}

// Where the site is: known here, wherever it was copied to.
for (const each of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-address]:not(.play)"))) {
  each.textContent = new URL(each.dataset.address ?? "", location.href).href;
}

// What is too wide for the page scrolls by itself; the keyboard has to reach it for that.
const scrolled = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
    else target.removeAttribute("tabindex");
  }
});
for (const each of document.querySelectorAll("pre, .table-wrapper")) scrolled.observe(each);

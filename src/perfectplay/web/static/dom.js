// @ts-check
// Helpers to make elements. Text is always inserted as text, so user input is never read as markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {Element} E
 * @param {E} element
 * @param {Page.Attributes} attributes
 * @param {Page.Child[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...flat(children));
  return element;
}

/**
 * @param {Page.Child[]} children
 * @returns {(Node | string)[]}
 */
function flat(children) {
  return children.flatMap((child) => (Array.isArray(child) ? flat(child) : child === null || child === undefined || child === false ? [] : [child]));
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Page.Attributes} attributes
 * @param {Page.Child[]} children
 */
export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
/**
 * @param {string} tag
 * @param {Page.Attributes} attributes
 * @param {Page.Child[]} children
 */
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/**
 * An element that is known to be on the page.
 * @template {string} I
 * @param {I} id
 */
export function find(id) {
  return /** @type {I extends keyof Page.Elements ? Page.Elements[I] : HTMLElement} */ (document.getElementById(id));
}

/**
 * Replace the children of an element.
 * @param {Element} element
 * @param {Page.Child[]} children
 */
export function put(element, ...children) {
  element.replaceChildren(...flat(children));
}

/**
 * Set a text only if it differs, so that a live region does not repeat itself.
 * @param {Element} element
 * @param {string} text
 */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Announce something to screen readers.
 * @param {string} text
 */
export function announce(text) {
  const region = find("announcer");
  // A new element is read out even if its text is the same as before.
  region.replaceChildren(h("p", {}, text));
}

/**
 * Show an error message; an empty text clears it.
 * @param {string} text
 * @param {Page.Child[]} more
 */
export function complain(text, ...more) {
  const box = find("complaint");
  box.hidden = !text;
  put(box, text, ...more);
}

/**
 * Ask for confirmation. Resolves to whether the user confirmed.
 * @param {string} question
 * @param {string} yes
 * @param {string} no
 * @returns {Promise<boolean>}
 */
export function ask(question, yes, no) {
  return new Promise((resolve) => {
    const agree = h("button", { type: "submit", value: "yes", class: "danger" }, yes);
    const dialog = h(
      "dialog",
      { class: "ask", "aria-labelledby": "question" },
      h(
        "form",
        { method: "dialog" },
        h("p", { id: "question" }, question),
        h("div", { class: "buttons" }, agree, h("button", { type: "submit", value: "no", autofocus: true }, no)),
      ),
    );
    const back = /** @type {HTMLElement | null} */ (document.activeElement);
    dialog.addEventListener("close", () => {
      dialog.remove();
      // The button may have been redrawn while the dialog was open.
      const again = back?.isConnected ? back : [...document.querySelectorAll("button")].find((each) => each.textContent === back?.textContent);
      (again ?? find("main")).focus();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Copy a text, and confirm it on the button.
 * @param {string} text
 * @param {HTMLButtonElement} button
 * @param {HTMLInputElement | HTMLTextAreaElement} field what has the text
 */
async function copy(text, button, field) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without https, pages have no access to the clipboard: select the text for the user to copy.
    field.focus();
    field.select();
    if (!document.execCommand("copy")) {
      announce("The text is selected. Copy it with your keyboard.");
      return;
    }
  }
  button.textContent = "Copied";
  announce(before?.includes("link") || before === "Copy" ? "Link copied." : "Copied.");
  setTimeout(() => {
    button.textContent = before;
  }, 2000);
}

/**
 * A button that copies a text.
 * @param {string} label
 * @param {() => string | Promise<string>} text
 */
export function copyButton(label, text) {
  const field = h("textarea", { class: "unseen", tabindex: "-1", "aria-hidden": "true" });
  /** @type {HTMLButtonElement} */
  const button = h("button", { type: "button", class: "plain", onclick: run }, label);
  async function run() {
    try {
      field.value = await text();
    } catch (error) {
      complain(error.message);
      return;
    }
    await copy(field.value, button, field);
    button.focus({ preventScroll: true });
  }
  return h("span", {}, button, field);
}

/**
 * A link in a field, with a button that copies it.
 * @param {string} id
 * @param {string} link
 * @param {string} label
 */
export function linkField(id, link, label, kind = "") {
  /** @type {HTMLInputElement} */
  const field = h("input", { id, readonly: true, onfocus: () => field.select() });
  field.value = link;
  /** @type {HTMLButtonElement} */
  const button = h("button", { type: "button", class: kind, onclick: () => copy(link, button, field) }, label);
  return h("span", { class: "joined" }, field, button);
}

/**
 * The permanent link to a game, shown once it is known.
 * @param {string | Promise<string>} link
 */
export function permanentLink(link) {
  const place = h("p", { class: "permanent" });
  /** @param {string} known */
  const show = (known) => put(place, h("label", { for: "permanent" }, "Link to this game"), linkField("permanent", known, "Copy"));
  if (typeof link === "string") show(link);
  else link.then(show, () => {});
  return place;
}

/**
 * Keep the room that an element has taken once, at this width of the window, so that nothing below it moves.
 * @param {HTMLElement} element
 */
export function keepRoom(element) {
  if (element.querySelector("details[open]")) return; // what was opened can be closed again
  const width = String(innerWidth);
  if (element.dataset.width !== width) element.style.minHeight = "";
  element.dataset.width = width;
  if (element.offsetHeight > (Number.parseFloat(element.style.minHeight) || 0)) element.style.minHeight = `${element.offsetHeight}px`;
}

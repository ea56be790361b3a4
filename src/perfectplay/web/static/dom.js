// @ts-check
// Elements made from plain calls. Text always goes in as text, so nothing a person typed is ever read as markup.

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
 * An element that the page is known to have.
 * @template {string} I
 * @param {I} id
 */
export function find(id) {
  return /** @type {I extends keyof Page.Elements ? Page.Elements[I] : HTMLElement} */ (document.getElementById(id));
}

/**
 * Replace what an element holds.
 * @param {Element} element
 * @param {Page.Child[]} children
 */
export function put(element, ...children) {
  element.replaceChildren(...flat(children));
}

/**
 * Set a text only where it differs, so that a live region does not repeat itself.
 * @param {Element} element
 * @param {string} text
 */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Tell screen readers what has happened.
 * @param {string} text
 */
export function announce(text) {
  const region = find("announcer");
  // A new element is read out even if its words are those of the last one.
  region.replaceChildren(h("p", {}, text));
}

/**
 * Show what went wrong, in words; an empty text clears it.
 * @param {string} text
 * @param {Page.Child[]} more
 */
export function complain(text, ...more) {
  const box = find("complaint");
  box.hidden = !text;
  put(box, text, ...more);
}

/**
 * Ask once more. Resolves to whether the person is sure.
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
      // What happened meanwhile may have drawn the button anew.
      const again = back?.isConnected ? back : [...document.querySelectorAll("button")].find((each) => each.textContent === back?.textContent);
      (again ?? find("main")).focus();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Copy a text and say on the button that it was done.
 * @param {string} text
 * @param {HTMLButtonElement} button
 * @param {HTMLInputElement} field
 */
async function copy(text, button, field) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without https the clipboard is closed to pages: the text is selected for the person to copy.
    field.focus();
    field.select();
    if (!document.execCommand("copy")) {
      announce("The link is selected: copy it with your keyboard.");
      return;
    }
  }
  button.textContent = "Copied";
  announce("The link was copied.");
  setTimeout(() => {
    button.textContent = before;
  }, 2000);
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
 * The permanent link to a game.
 * @param {string} link
 */
export function permanentLink(link) {
  return h("p", { class: "permanent" }, h("label", { for: "permanent" }, "Link to this game"), linkField("permanent", link, "Copy"));
}

/** The name a person plays under, kept on this device. */
export const ownName = {
  get() {
    try {
      return localStorage.getItem("name") ?? "";
    } catch {
      return "";
    }
  },
  /** @param {string} name */
  set(name) {
    try {
      localStorage.setItem("name", name);
    } catch {
      // A browser that keeps nothing forgets the name, and that is all.
    }
  },
};

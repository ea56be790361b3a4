// @ts-check
// The rules of a game. Supports the Markdown that rulebooks use: headings, paragraphs, lists, **strong** and `code`.

import { Refused, getText } from "./api.js";
import { h, put } from "./dom.js";
import { sentence } from "./words.js";

/**
 * A collapsed box with the rules of a game, fetched when it is first opened. Its headings are `heading` elements.
 * @param {string} name
 * @param {string} title
 * @param {"h2" | "h3"} heading
 */
export function rulesOf(name, title, heading) {
  const place = h("div", { class: "rules-text" });
  const box = h("details", { class: "rules" }, h("summary", {}, "Rules", h("span", { class: "unseen" }, ` of ${title}`)), place);
  box.addEventListener("toggle", async () => {
    if (!box.open || place.dataset.read) return;
    try {
      put(place, readable(await getText(`/api/games/${encodeURIComponent(name)}/rules`), heading));
      place.dataset.read = "yes";
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      put(place, h("p", {}, sentence(error.message)));
    }
  });
  return box;
}

/**
 * Markdown as elements, without its title, which is already on the page.
 * @param {string} markdown
 * @param {"h2" | "h3"} heading
 */
function readable(markdown, heading) {
  return markdown
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block && !block.startsWith("# "))
    .map((block) => {
      if (block.startsWith("## ")) return h(heading, {}, block.slice(3));
      if (block.startsWith("- ")) return list(block, "");
      return h("p", {}, inline(block));
    });
}

/**
 * A list whose items start at `indent`. An item may end with a nested list, indented by two more spaces.
 * @param {string} block
 * @param {string} indent
 * @returns {HTMLElement}
 */
function list(block, indent) {
  const items = block.slice(indent.length + 2).split(`\n${indent}- `);
  return h(
    "ul",
    {},
    items.map((item) => {
      const at = item.indexOf(`\n${indent}  - `);
      if (at < 0) return h("li", {}, inline(item));
      return h("li", {}, inline(item.slice(0, at)), list(item.slice(at + 1), `${indent}  `));
    }),
  );
}

/** @param {string} text */
function inline(text) {
  return text.split(/(\*\*.+?\*\*|`[^`]+`)/s).map((part) => {
    if (part.startsWith("**")) return h("strong", {}, part.slice(2, -2));
    return part.startsWith("`") ? h("code", {}, part.slice(1, -1)) : part;
  });
}

// @ts-check
// The line that puts what is on this page into another page, as a frame.

import { find, h, linkField, put } from "./dom.js";
import { gameLink, here } from "./host.js";
import { tables } from "./tables.js";

/** The address of what is on this page, so that it shows the same in any browser. */
async function address() {
  const at = here();
  if (!at) return location.href;
  if (location.pathname.endsWith("/study.html")) return gameLink(at.id, at.number);
  const table = await tables.get(at.id);
  return new URL(`table.html?${new URLSearchParams({ game: table?.table.game ?? "" })}`, location.href).href;
}

/**
 * @param {string} src
 * @param {string} title
 */
function embedCode(src, title) {
  const quote = (/** @type {string} */ text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<iframe src="${quote(src)}" title="${quote(title)}" width="420" height="640" loading="lazy" referrerpolicy="no-referrer"></iframe>`;
}

async function show() {
  const code = embedCode(await address(), document.querySelector("h1")?.textContent ?? "perfectplay");
  put(place, h("label", { for: "embed-code" }, "Embed code, for a page of your own"), linkField("embed-code", code, "Copy"));
}

const place = h("p", { class: "permanent embed" }, h("button", { type: "button", class: "plain", onclick: show }, "Embed code"));
find("main").append(place);

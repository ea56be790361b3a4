// @ts-check
// Taking a file along: as a link, as a file, or to the package. Its panel is one that each of the buttons can fill.

import { find, h, linkField, put } from "../../src/perfectplay/web/static/dom.js";
import { fragmentOf } from "./link.js";

const LONG_LINK = 8000; // characters that every program takes in a link
const FOLDED = ["drafts", "share", "install"]; // the buttons that show something below the bar

/** Whether what a button shows is shown. @param {HTMLElement} button */
export const isUnfolded = (button) => button.getAttribute("aria-expanded") === "true";

/**
 * Show something below the bar; the same button again puts it away.
 * @param {HTMLElement} button
 * @param {Page.Child[]} children
 */
export function unfold(button, ...children) {
  const place = find("extra");
  const again = !place.hidden && place.dataset.by === button.id;
  place.hidden = again;
  place.dataset.by = button.id;
  put(place, ...children);
  for (const each of FOLDED) find(each).setAttribute("aria-expanded", String(!again && each === button.id));
}

/**
 * Hand a file to the browser, to be saved.
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export function download(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * What carries a text: a link, or the reason why there is none.
 * @param {string} text
 * @returns {Promise<Page.Child[]>}
 */
async function linkTo(text) {
  const fragment = await fragmentOf(text).catch(() => null);
  if (fragment === null) return [h("p", { class: "complaint" }, "The file is too long for a link: it has more than a million bytes. Download it instead.")];
  const link = `${location.origin}${location.pathname}${fragment}`;
  return [
    h("h2", {}, "A link that carries this file"),
    h("p", { class: "permanent" }, h("label", { for: "file-link" }, "Anyone who opens it gets the file as it is now, and runs it with a click."), linkField("file-link", link, "Copy")),
    link.length > LONG_LINK && h("p", { class: "quiet" }, `The link has ${link.length.toLocaleString("en")} characters. Some programs cut long links: the download is safer.`),
  ];
}

/**
 * Let the buttons work. Returns what to call after the text has changed, so that a link that is shown changes with it.
 * @param {() => { text: string, name: string }} current the text in the editor, and what its file is called
 */
export function takeAlong(current) {
  const [share, install] = ["share", "install"].map((id) => find(id));
  share.addEventListener("click", async () => unfold(share, ...(await linkTo(current().text))));
  find("download").addEventListener("click", () => download(current().name, current().text, "text/x-python"));
  install.addEventListener("click", () => {
    const { name } = current();
    const commands = [`perfectplay play ./${name} --p2 perfect`, `perfectplay audit ./${name}`, `perfectplay check-game ./${name}`];
    unfold(
      install,
      h("h2", {}, "Use it with the package"),
      h("p", {}, "Download the file, and ", h("a", { href: "../docs/install.html" }, "install perfectplay"), ". Then, in the folder of the file:"),
      h("pre", {}, commands.join("\n")),
      h("p", {}, "In Python, ", h("code", {}, `perfectplay.load("./${name}")`), " is the game, and an environment can be made of it ", h("a", { href: "../docs/add-a-game.html#train-on-it" }, "to train on"), ". To make it one of the games that are listed, ", h("a", { href: "../docs/add-a-game.html" }, "put it into the package"), "."),
    );
  });
  return async () => {
    if (!isUnfolded(share)) return;
    const { text } = current();
    const parts = await linkTo(text);
    if (isUnfolded(share) && text === current().text) put(find("extra"), ...parts);
  };
}

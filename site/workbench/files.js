// @ts-check
// Where the file in the editor comes from: this browser, which keeps the last text, or the files that the site offers.

import { complain, h, put } from "../../src/perfectplay/web/static/dom.js";

const KEPT = "perfectplay-workbench";

/** Keep a text for the next visit. @param {string} text */
export function keep(text) {
  try {
    localStorage.setItem(KEPT, text);
  } catch {
    // Without storage the text is simply not kept.
  }
}

/** The text of the last visit; null if there is none. */
export function remembered() {
  try {
    return localStorage.getItem(KEPT) || null;
  } catch {
    return null;
  }
}

/** @param {string} name */
async function got(name) {
  const response = await fetch(`files/${name}`);
  if (!response.ok) throw new Error(`${name} could not be loaded (${response.status}).`);
  return response;
}

/**
 * The files that the site offers.
 * @returns {Promise<{ file: string, title: string }[]>}
 */
export const offeredFiles = async () => (await got("files.json")).json();

/** The text of one of them. @param {string} name */
export const offeredFile = async (name) => (await got(name)).text();

/**
 * List them. `chosen` is called with the text of the one that is chosen.
 * @param {HTMLSelectElement} chooser
 * @param {{ file: string, title: string }[]} offered
 * @param {(text: string) => unknown} chosen
 */
export function offer(chooser, offered, chosen) {
  put(chooser, h("option", { value: "" }, "…"), offered.map(({ file, title }) => h("option", { value: file }, title)));
  chooser.addEventListener("change", () => {
    if (chooser.value) offeredFile(chooser.value).then(chosen, (error) => complain(error.message));
  });
}

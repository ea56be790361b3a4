// @ts-check
// Where the file in the editor comes from: a link, this browser, which keeps the last text, or the files that the site offers.

import { complain, find, h, put } from "../../src/perfectplay/web/static/dom.js";
import { fileIn } from "./link.js";

const EXAMPLE = "tic_tac_toe.py";
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
function remembered() {
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
const offeredFile = async (name) => (await got(name)).text();

/**
 * List them below the text that is none of them. `chosen` is called with the text of the one that is chosen.
 * @param {HTMLSelectElement} chooser
 * @param {{ file: string, title: string }[]} offered
 * @param {(text: string) => unknown} chosen
 */
export function offer(chooser, offered, chosen) {
  chooser.append(...offered.map(({ file, title }) => h("option", { value: file }, title)));
  chooser.addEventListener("change", () => {
    if (chooser.value) offeredFile(chooser.value).then(chosen, (error) => complain(error.message));
  });
}

/**
 * Which of them the address names.
 * @param {{ file: string, title: string }[]} offered
 */
export const namedFile = (offered) => offered.find(({ file }) => `#${file}` === location.hash)?.file;

/**
 * The file to begin with: that of the link, one that the address names, the last text, or the example. `file` is its name if it
 * is one of those offered.
 * @param {{ file: string, title: string }[]} offered
 * @returns {Promise<{ text: string, file?: string, linked?: boolean }>}
 */
export async function firstFile(offered) {
  const linked = await fileIn(location.hash).catch(() => {
    put(find("extra"), h("p", { class: "complaint", role: "alert" }, "The file in this link cannot be read. Was the link cut?"));
    find("extra").hidden = false;
    return null;
  });
  if (linked !== null) return { text: linked, linked: true };
  const named = namedFile(offered);
  const kept = named ? null : remembered();
  const file = named ?? (kept === null ? EXAMPLE : undefined);
  return { text: file ? await offeredFile(file) : (kept ?? ""), file };
}

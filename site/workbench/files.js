// @ts-check
// Files that do not come from the drafts: those that the site offers as samples, and the one that a link carries.

import { find, h, put } from "../../src/perfectplay/web/static/dom.js";
import { fileIn, pairIn } from "./link.js";

/** @typedef {{ file: string, title: string }} Sample */

export const EXAMPLE = "tic_tac_toe.py";

/** @param {string} name */
async function request(name) {
  const response = await fetch(`files/${name}`);
  if (!response.ok) throw new Error(`${name} could not be loaded (${response.status}).`);
  return response;
}

/**
 * The samples that the site offers.
 * @returns {Promise<Sample[]>}
 */
export const listSamples = async () => (await request("files.json")).json();

/** The text of one of them. @param {string} name */
export const readSample = async (name) => (await request(name)).text();

/**
 * Which of them the address names.
 * @param {Sample[]} offered
 */
export const findNamedSample = (offered) => offered.find(({ file }) => `#${file}` === location.hash)?.file;

/** Whether the address carries files. */
export const isLink = () => /^#(file|compare)=/.test(location.hash);

/** The two rule sets that the address carries; null if it carries none that can be read. */
export const readLinkedPair = () => pairIn(location.hash).catch(() => null);

/** The file that the address carries; null if it carries none that can be read. */
export async function readLinkedFile() {
  const read = async () => (await pairIn(location.hash))?.one.source ?? fileIn(location.hash);
  return read().catch(() => {
    put(find("extra"), h("p", { class: "complaint", role: "alert" }, "The file in this link cannot be read. Was the link cut?"));
    find("extra").hidden = false;
    return null;
  });
}

// @ts-check
// A file in the fragment of a link. The fragment is never sent to the host.

import { packed, unpacked } from "../app/links.js";

const START = "#file=";

/**
 * The fragment that carries a file.
 * @param {string} text
 */
export const fragmentOf = async (text) => START + (await packed(text));

/**
 * The file that a fragment carries; null if it carries none. Raises an error if it cannot be read.
 * @param {string} fragment
 */
export const fileIn = async (fragment) => (fragment.startsWith(START) ? unpacked(fragment.slice(START.length)) : null);

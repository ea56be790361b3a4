// @ts-check
// Python in a worker of the app's pages, shared or not. Its files come from the host once, and from the browser's cache ever after.

import { serve } from "./boot.js";
import { fetchFile } from "./kept.js";

/** The bytes of each file of Python; written when the site is built. @type {Record<string, number>} */
const SIZES = {};
/** @type {Record<string, number>} */
const arrived = {};
let told = 0; // percent

const sum = (/** @type {Record<string, number>} */ sizes) => Object.values(sizes).reduce((all, each) => all + each, 0);

/**
 * @param {string} name
 * @param {number} bytes
 */
function count(name, bytes) {
  arrived[name] = bytes;
  const percent = Math.min(100, Math.floor((100 * sum(arrived)) / sum(SIZES)));
  if (percent > told) tell({ progress: percent / 100 });
  told = Math.max(told, percent);
}

/** @param {string} name */
async function file(name) {
  const response = await fetchFile(new URL(`../engine/${name}`, import.meta.url).href, (bytes) => count(name, bytes));
  count(name, SIZES[name] ?? 0);
  return response;
}

/** A module from a file that is kept like the others. @param {string} name */
async function load(name) {
  const script = new Blob([await (await file(name)).arrayBuffer()], { type: "text/javascript" });
  return import(URL.createObjectURL(script));
}

const tell = serve({ load, file });

// @ts-check
// Python in a worker of the app's own pages. Its files come from the host once, and from the browser's cache ever after.

import { serve } from "./boot.js";
import { kept } from "./kept.js";

/** @param {string} name */
const file = (name) => kept(new URL(`../engine/${name}`, import.meta.url).href);

/** A module from a file that is kept like the others. @param {string} name */
async function load(name) {
  const script = new Blob([await (await file(name)).arrayBuffer()], { type: "text/javascript" });
  return import(URL.createObjectURL(script));
}

serve({ load, file });

// @ts-check
// What the server refused, said on the page; any other error is one of ours and goes on.

import { Refused } from "./api.js";
import { complain, h } from "./dom.js";
import { sentence } from "./words.js";

/** @param {unknown} error */
export function trouble(error) {
  if (!(error instanceof Refused)) throw error;
  const there = error.table ? [" ", h("a", { href: `/t/${error.table}` }, "Go to that game")] : [];
  complain(sentence(error.message), ...there);
}

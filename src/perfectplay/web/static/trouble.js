// @ts-check
// Shows on the page why the server refused a request. Any other error is a bug and is thrown again.

import { Refused } from "./api.js";
import { complain, h } from "./dom.js";
import { sentence } from "./words.js";

/** @param {unknown} error */
export function trouble(error) {
  if (!(error instanceof Refused)) throw error;
  const there = error.table ? [" ", h("a", { href: `/t/${error.table}` }, "Go to that game")] : [];
  complain(sentence(error.message), ...there);
}

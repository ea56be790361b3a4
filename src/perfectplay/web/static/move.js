// @ts-check
// Moves a seat to this device, by the code that the other device shows. A link has the code behind its #.

import { post } from "./api.js";
import { complain, find } from "./dom.js";
import { trouble } from "./trouble.js";

/** @param {Event} event */
async function claim(event) {
  event.preventDefault();
  complain("");
  try {
    /** @type {Api.Joined} */
    const { table } = await post("/api/transfers", { code: find("code").value });
    location.replace(`/t/${table.id}`);
  } catch (error) {
    trouble(error);
    find("code").focus();
  }
}

find("code").value = location.hash.slice(1);
find("code").focus();
find("claim").addEventListener("submit", claim);

// @ts-check
// Records from files: chosen, or dropped on the page.

import { takeRecords } from "./api.js";
import { complain, find, h, say } from "./dom.js";
import { gameAddress } from "./host.js";
import { Refused } from "./refused.js";
import { trouble } from "./trouble.js";

const MOST = 2 ** 20;

/** @param {File | undefined} file */
async function take(file) {
  if (!file) return;
  complain("");
  say(status, `Opening ${file.name}…`);
  try {
    if (file.size > MOST) throw new Refused(0, "large", `${file.name} has more than a million bytes: it is not a record of games`);
    const ids = await takeRecords(await file.text());
    location.assign(ids.length === 1 ? gameAddress(ids[0], 1) : "games.html");
  } catch (error) {
    say(status, "");
    trouble(error);
    find("record").after(find("complaint"));
  }
}

const field = /** @type {HTMLInputElement} */ (find("record"));
const status = h("span", { class: "quiet", role: "status" });
field.after(status);
field.addEventListener("change", () => take(field.files?.[0]).finally(() => (field.value = "")));
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  take(event.dataTransfer?.files[0]);
});

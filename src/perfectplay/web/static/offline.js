// @ts-check
// Shown instead of a page while the server cannot be reached. It opens the page by itself once it can.

import { find } from "./dom.js";

const PATIENCE = 3000;

/** The address in the bar is that of the page that was wanted. */
const again = () => location.reload();

async function look() {
  try {
    if ((await fetch("/manifest.webmanifest", { cache: "no-store" })).ok) again();
  } catch {
    // Still nothing.
  }
}

find("again").addEventListener("click", again);
addEventListener("online", look);
if (location.pathname !== "/offline") setInterval(look, PATIENCE);

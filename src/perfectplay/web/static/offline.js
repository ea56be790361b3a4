// @ts-check
// Shown instead of a page while there is no connection. It tries again by itself when the network is back.

import { find } from "./dom.js";

/** The address in the bar is that of the page that was wanted. */
const again = () => location.reload();

find("again").addEventListener("click", again);
addEventListener("online", again);

// @ts-check
// What every page of the app does: starts Python, shows how it arrives, and makes the site work offline.

import { showKeeping, showProgress } from "./banner.js";
import { engine } from "./engine.js";
import { keepOffline } from "./keep_offline.js";
import { isLasting } from "./pythons.js";

// The service worker comes last: what Python has fetched by then is not fetched again. But where Python ends with the page, one that
// needs none leaves the download to the service worker, which goes on.
const later = document.body?.dataset.python === "later";
engine().start();
(later && !isLasting() ? Promise.resolve() : engine().started).then(keepOffline).catch(() => {});
showProgress();
showKeeping();

// A link to a place on the page would replace the position that is in the address.
addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a.skip") : null;
  if (!link) return;
  event.preventDefault();
  document.getElementById(link.getAttribute("href")?.slice(1) ?? "")?.focus();
});

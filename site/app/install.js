// @ts-check
// Starts Python, and registers the service worker, with which the site works offline from the second visit on.

import { engine } from "./engine.js";
import { keepPage } from "./kept.js";

async function install() {
  await keepPage();
  await navigator.serviceWorker?.register(new URL("../service-worker.js", import.meta.url));
}

// A page that needs no Python leaves the download to the service worker, which goes on when the page is left. On any other page
// the worker comes last: what the page has fetched by then is not fetched again.
const later = document.body?.dataset.python === "later";
if (!later) engine().start();
(later ? Promise.resolve() : engine().started).then(install).catch(() => {});

// A link to a place on the page would replace the position that is in the address.
addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a.skip") : null;
  if (!link) return;
  event.preventDefault();
  document.getElementById(link.getAttribute("href")?.slice(1) ?? "")?.focus();
});

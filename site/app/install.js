// @ts-check
// Registers the service worker, with which the site works offline from the second visit on. It is registered once Python runs:
// what the page has fetched by then need not be fetched again.

import { engine } from "./engine.js";

const { started } = engine();
engine().start();
started.then(() => navigator.serviceWorker?.register(new URL("../service-worker.js", import.meta.url))).catch(() => {});

// A link to a place on the page would replace the position that is in the address.
addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a.skip") : null;
  if (!link) return;
  event.preventDefault();
  document.getElementById(link.getAttribute("href")?.slice(1) ?? "")?.focus();
});

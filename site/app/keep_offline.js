// @ts-check
// Registers the service worker, with which the site works offline from the second visit on.

import { keepPage } from "./kept.js";

export async function keepOffline() {
  await keepPage();
  await navigator.serviceWorker?.register(new URL("../service-worker.js", import.meta.url));
}

// @ts-check
// Registers the service worker, which shows a page while there is no connection. Without one, nothing else changes.

navigator.serviceWorker?.register("/service-worker.js").catch(() => {});

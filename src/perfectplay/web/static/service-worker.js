// @ts-check
// Shows the offline page while there is no connection, and opens the right page for a notice. It keeps nothing else.

const OFFLINE = "/offline";
const CACHE = "offline";
const FILES = ["colors.css", "style.css", "forms.css", "board.css", "pieces.css", "controls.css", "home.css", "icon.svg", "dom.js", "offline.js", "install.js"];

/** @type {any} */
const worker = self;

/** Keep the offline page as the server has it now. */
async function keep() {
  const cache = await caches.open(CACHE);
  await cache.addAll([OFFLINE, ...FILES.map((file) => `/static/${file}`)]);
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(keep().then(() => worker.skipWaiting())));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
    // A new release may have changed the page: its files are fetched again with the home page.
    if (path === "/") event.waitUntil(keep().catch(() => {}));
  } else if (request.method === "GET" && FILES.includes(path.replace("/static/", ""))) {
    event.respondWith(fetch(request).catch(() => caches.match(request)));
  }
});

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  const address = event.notification.data;
  event.waitUntil(
    worker.clients.matchAll({ type: "window" }).then((/** @type {any[]} */ pages) => {
      const open = pages.find((page) => new URL(page.url).pathname === address);
      return open ? open.focus() : worker.clients.openWindow(address);
    }),
  );
});

// @ts-check
// Keeps everything that a visitor needs offline. A file that a page has already fetched, or an earlier release has kept, is not
// fetched again: its digest identifies it.

{
  /** Every file by its path, with its SHA-256; written when the site is built. @type {Record<string, string>} */
  const FILES = {};
  const RELEASE = "perfectplay-0"; // the build puts the version of the release here

  /** @type {any} */
  const worker = self;
  const ROOT = new URL("./", worker.location.href).href;
  // A host may have several sites, under different paths, and they share its caches.
  const CACHE = `${RELEASE} ${ROOT}`;
  const APP = /^(app|engine|workbench)\/|^manifest/; // these belong together: all are of this release
  const VISITED = `perfectplay-visited ${ROOT}`; // pages of the documentation, as they were last seen

  /** @param {Response | undefined} response */
  async function digest(response) {
    if (!response?.ok) return "";
    const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", await response.clone().arrayBuffer()));
    return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  /**
   * Keep one file: from this cache, one of an earlier release, what the browser has fetched for a page, or else the host.
   * @param {Cache} cache
   * @param {string} path
   */
  async function keep(cache, path) {
    const address = ROOT + path;
    // A page may be fetching it at this moment, see kept.js.
    await navigator.locks.request(`perfectplay ${address}`, () => keepOne(cache, path, address));
  }

  /**
   * @param {Cache} cache
   * @param {string} path
   * @param {string} address
   */
  async function keepOne(cache, path, address) {
    if ((await digest(await cache.match(address))) === FILES[path]) return;
    /** @type {(() => Promise<Response | undefined>)[]} */
    const sources = [() => caches.match(address), () => fetch(address, { cache: "force-cache" }), () => fetch(address, { cache: "reload" })];
    for (const source of sources) {
      const response = await source();
      if (response && (await digest(response)) === FILES[path]) {
        await cache.put(address, response);
        return;
      }
    }
    throw new Error(`${path} is not the file of this release`);
  }

  async function keepAll() {
    const cache = await caches.open(CACHE);
    const engine = Object.keys(FILES).filter((path) => path.startsWith("engine/"));
    await Promise.all(engine.map((path) => keep(cache, path))); // someone may already wait for these
    for (const path of Object.keys(FILES)) if (!engine.includes(path)) await keep(cache, path);
  }

  async function tidy() {
    for (const name of await caches.keys()) if (name.endsWith(` ${ROOT}`) && name !== CACHE && name !== VISITED) await caches.delete(name);
    await worker.clients.claim();
  }

  /**
   * A page of the documentation: the newest, or without a connection the one that was last seen, or that came with this release.
   * @param {Request} request
   * @param {string} path
   */
  async function openPage(request, path) {
    const cache = await caches.open(VISITED);
    try {
      const response = await fetch(request);
      if (response.ok) await cache.put(request, response.clone());
      return response;
    } catch (error) {
      const known = (await cache.match(request, { ignoreSearch: true })) ?? (await caches.match(ROOT + path, { cacheName: CACHE }));
      if (known) return known;
      throw error;
    }
  }

  worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(keepAll()));
  worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(tidy()));

  worker.addEventListener("fetch", (/** @type {any} */ event) => {
    const { request } = event;
    const address = new URL(request.url);
    if (request.method !== "GET" || !address.href.startsWith(ROOT)) return;
    let path = address.href.slice(ROOT.length).replace(/[?#].*$/, "");
    if (path === "" || path.endsWith("/")) path += "index.html";
    if (path in FILES && APP.test(path)) event.respondWith(caches.open(CACHE).then(async (cache) => (await cache.match(ROOT + path)) ?? fetch(request)));
    else event.respondWith(openPage(request, path));
  });
}

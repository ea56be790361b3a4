// @ts-check
// Files that are fetched once and kept, in the cache that the service worker answers from.

const RELEASE = "perfectplay-0"; // the build puts the version of the release here

/** The cache of this release of this site. The service worker removes those of earlier releases. */
export const CACHE = `${RELEASE} ${new URL("../", import.meta.url).href}`;

/**
 * The bytes of a response; `onBytes` hears how many have arrived.
 * @param {Response} response
 * @param {((bytes: number) => unknown) | undefined} onBytes
 */
async function read(response, onBytes) {
  if (!onBytes || !response.body) return response.arrayBuffer();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  let length = 0;
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts).arrayBuffer();
    parts.push(value);
    length += value.length;
    onBytes(length);
  }
}

/**
 * @param {string} address
 * @param {(bytes: number) => unknown} [onBytes]
 */
async function lookUp(address, onBytes) {
  const cache = await globalThis.caches?.open(CACHE).catch(() => null);
  const known = await cache?.match(address);
  if (known) return { response: known, stored: null };
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  const bytes = await read(answer, onBytes);
  // Browsers compile only what has the right type, which not every host knows.
  const type = address.endsWith(".wasm") ? "application/wasm" : (answer.headers.get("content-type") ?? "");
  const copy = () => new Response(bytes, { headers: { "content-type": type } });
  return { response: copy(), stored: cache?.put(address, copy()).catch(() => {}) };
}

/**
 * A file from the cache, or from the host, and then into the cache. While the service worker or another page fetches it, this waits.
 * @param {string} address
 * @param {(bytes: number) => unknown} [onBytes] hears how much has arrived from the host
 * @returns {Promise<Response>}
 */
export function fetchFile(address, onBytes) {
  return new Promise((resolve, reject) => {
    const look = async () => {
      try {
        const { response, stored } = await lookUp(address, onBytes);
        resolve(response);
        await stored; // others wait until it is there
      } catch (error) {
        reject(error);
      }
    };
    // A browser that keeps nothing for this site may refuse locks as well.
    if (navigator.locks) navigator.locks.request(`perfectplay ${address}`, look).catch(look);
    else look();
  });
}

/** Keep the page that is shown, under its address without what may follow it, so that it is not fetched again for that. */
export async function keepPage() {
  const cache = await globalThis.caches?.open(CACHE).catch(() => null);
  const { origin, pathname, search } = location;
  await cache?.put(origin + pathname, await fetch(pathname + search, { cache: "force-cache" }));
}

// @ts-check
// Files that are fetched once and kept: the same cache that the service worker answers from.

/** The cache of this release; the build puts its version into the name. The service worker removes those of earlier releases. */
const CACHE = "perfectplay-0";

/**
 * A file from the cache, or from the host, and then into the cache. Without a cache it is only fetched.
 * @param {string} address
 * @returns {Promise<Response>}
 */
export async function kept(address) {
  const cache = await globalThis.caches?.open(CACHE).catch(() => null);
  const known = await cache?.match(address);
  if (known) return known;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  const bytes = await response.arrayBuffer();
  // Browsers compile only what has the right type, which not every host knows.
  const type = address.endsWith(".wasm") ? "application/wasm" : (response.headers.get("content-type") ?? "");
  const headers = { "content-type": type };
  // It is stored while it is already being used.
  cache?.put(address, new Response(bytes, { headers })).catch(() => {});
  return new Response(bytes, { headers });
}

// @ts-check
// A text in a link: compressed, in letters that need no escaping.

const LONGEST = 1_000_000; // bytes of a text

/**
 * @param {string} text
 * @returns {Promise<string>}
 */
export async function pack(text) {
  const written = new TextEncoder().encode(text);
  if (written.length > LONGEST) throw new Error("the text is too long for a link");
  const bytes = await through(written, new CompressionStream("deflate-raw"));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * The text that `pack` made a link of. Throws if it is not one.
 * @param {string} link
 * @returns {Promise<string>}
 */
export async function unpack(link) {
  const letters = atob(link.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(await through(bytes, new DecompressionStream("deflate-raw")));
}

/**
 * Bytes after a stream has changed them: not many more than `LONGEST`, although a few bytes can stand for very many.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {CompressionStream | DecompressionStream} stream
 */
async function through(bytes, stream) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    length += value.length;
    if (length > 1.01 * LONGEST) throw new Error("the text is too long"); // what cannot be compressed grows a little
    parts.push(value);
  }
}

// @ts-check
// A file in the fragment of a link: compressed, in letters that a link may have. The fragment is never sent to the host.

const NAME = "file=";
const LONGEST = 1_000_000; // bytes of a file

/**
 * Bytes after a stream has changed them: at most `LONGEST`, because a few bytes can stand for very many.
 * @param {Uint8Array} bytes
 * @param {CompressionStream | DecompressionStream} stream
 */
async function through(bytes, stream) {
  const reader = new Blob([/** @type {any} */ (bytes)]).stream().pipeThrough(stream).getReader();
  /** @type {Uint8Array[]} */
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(/** @type {any} */ (parts)).arrayBuffer());
    length += value.length;
    if (length > LONGEST) throw new Error("the file is too long");
    parts.push(value);
  }
}

/**
 * The fragment that carries a file.
 * @param {string} text
 */
export async function fragmentOf(text) {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `#${NAME}${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/**
 * The file that a fragment carries; null if it carries none. Raises an error if it cannot be read.
 * @param {string} fragment
 */
export async function fileIn(fragment) {
  if (!fragment.startsWith(`#${NAME}`)) return null;
  const letters = atob(fragment.slice(NAME.length + 1).replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = await through(
    Uint8Array.from(letters, (letter) => letter.charCodeAt(0)),
    new DecompressionStream("deflate-raw"),
  );
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

// @ts-check
// The most memory that a WebAssembly module may use, written into the module itself: then the browser enforces it.

const MEMORY = 5; // the number of the section that describes a module's memory
const PAGE = 65_536;

/**
 * A module with a memory that grows to `most` bytes and no further. The bytes are changed in place.
 * @param {Uint8Array} module
 * @param {number} most
 */
export function capped(module, most) {
  let at = 8; // after the magic number and the version
  while (at < module.length) {
    const section = module[at];
    const [length, start] = number(module, at + 1);
    if (section === MEMORY) {
      // One memory, with a flag that says whether it has a greatest size, its first size and its greatest.
      const [count, flags] = number(module, start);
      const [kind, first] = number(module, flags);
      const [, greatest] = number(module, first);
      const [, end] = number(module, greatest);
      if (count !== 1 || kind !== 1) throw new Error("the module has no memory with a greatest size");
      write(module, greatest, end, Math.floor(most / PAGE));
      return module;
    }
    at = start + length;
  }
  throw new Error("the module has no memory");
}

/**
 * An unsigned number in LEB128 at a place, and the place after it.
 * @param {Uint8Array} bytes
 * @param {number} from
 * @returns {[number, number]}
 */
function number(bytes, from) {
  let [value, shift, at] = [0, 0, from];
  for (; at < bytes.length; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) break;
  }
  return [value, at];
}

/**
 * Write a number over one that takes at least as many bytes.
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {number} end
 * @param {number} value
 */
function write(bytes, at, end, value) {
  if (value >= 2 ** (7 * (end - at))) throw new Error("the number is too large for its place");
  let left = value;
  for (let i = at; i < end; i++) {
    bytes[i] = (left & 127) | (i < end - 1 ? 128 : 0);
    left >>>= 7;
  }
}

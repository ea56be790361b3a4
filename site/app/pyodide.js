// @ts-check
// What Pyodide has no option for: files as bytes, a module that is compiled already, and a limit to its memory. Written for this version;
// tests/js/pyodide.test.js fails for another one, and then each of these has to be looked at again.

export const VERSION = "314.0.7";

/** Where Pyodide looks for its files; nothing is ever fetched from there. */
export const NOWHERE = "https://engine.invalid/";

/**
 * Do some work while what Pyodide fetches comes from `file`: it takes addresses alone, not bytes.
 * @template T
 * @param {(name: string) => Promise<Response>} file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withFiles(file, work) {
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) => {
    const address = String(input);
    return address.startsWith(NOWHERE) ? file(address.slice(NOWHERE.length)) : fetch(input, init);
  };
  try {
    return await work();
  } finally {
    globalThis.fetch = fetch;
  }
}

/**
 * Do some work, in a worker, with a module that is compiled already: Pyodide compiles what it fetches.
 * @template T
 * @param {WebAssembly.Module} wasm
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withModule(wasm, work) {
  /** @type {any} */
  const worker = globalThis;
  WebAssembly.instantiateStreaming = async (_, imports) => ({ module: wasm, instance: await WebAssembly.instantiate(wasm, imports) });
  // Pyodide tries this to see whether it can import modules, and gives up if it works. Here it can import them anyway.
  worker.importScripts = () => {
    throw new Error("not here");
  };
  try {
    return await work();
  } finally {
    delete worker.importScripts;
  }
}

const MEMORY = 5; // the number of the section that describes a module's memory
const PAGE = 65_536;

/**
 * A module with a memory that grows to `most` bytes and no further, which the browser then enforces. The bytes are changed in place.
 * @param {Uint8Array} module
 * @param {number} most
 */
export function limitMemory(module, most) {
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

// @ts-check
// Drafts: the texts that this browser keeps, each with a name and its earlier versions. Every tab reads and writes the same ones.

/**
 * A draft that is `held` waits for a click before it runs. `linked` is whether it came with a link.
 * @typedef {{ name: string, text: string, time: number, held: boolean, linked: boolean }} Draft
 * @typedef {{ text: string, time: number }} Version
 * @typedef {Pick<Storage, "length" | "key" | "getItem" | "setItem" | "removeItem">} Place
 */

/**
 * What a tab has open: a draft, or a text that becomes one when somebody types. `text` is what this tab last saw stored of it.
 * @typedef {{ id: string | null, name: string, text: string, held: boolean, linked: boolean }} Opened
 */

const DRAFT = "perfectplay-draft ";
const VERSIONS = "perfectplay-versions ";
const MOST_VERSIONS = 50; // of a draft
const MOST_CHARACTERS = 300_000; // of all its versions: browsers give a site room for about five million
const LONGEST_NAME = 60;

/** As much of the browser's storage as drafts need, for a tab that has none. @returns {Place} */
function memory() {
  /** @type {Map<string, string>} */
  const kept = new Map();
  return {
    get length() {
      return kept.size;
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => void kept.set(key, text),
    removeItem: (key) => void kept.delete(key),
  };
}

/** The browser's storage; null if it keeps nothing for this page. @returns {Place | null} */
export function browserStorage() {
  try {
    localStorage.getItem(DRAFT);
    return localStorage;
  } catch {
    return null;
  }
}

/**
 * A name for a text: the title that its game has, or another.
 * @param {string} text
 * @param {string} otherwise
 */
export function nameOf(text, otherwise) {
  const title = /^ {4}title = (["'])(.+)\1/m.exec(text)?.[2].trim();
  return (title || otherwise).slice(0, LONGEST_NAME);
}

/**
 * Drop versions until no more than `most` are left and they fit. Of the recent ones more stay than of the old ones: the one that
 * goes is the closest to its neighbors for its age.
 * @param {Version[]} versions the oldest first
 * @param {number} now
 */
export function thin(versions, now, most = MOST_VERSIONS) {
  const left = [...versions];
  const size = () => left.reduce((sum, { text }) => sum + text.length, 0);
  while (left.length > most || (left.length > 0 && size() > MOST_CHARACTERS)) {
    const gap = (/** @type {number} */ i) => (left[i + 1].time - left[i - 1].time) / (now - left[i].time + 1);
    let worst = left.length > 2 ? 1 : 0;
    for (let i = 2; i < left.length - 1; i += 1) if (gap(i) < gap(worst)) worst = i;
    left.splice(worst, 1);
  }
  return left;
}

export class Drafts {
  #place;

  /**
   * @param {Place | null} place null if nothing can be kept: then drafts last as long as the tab
   * @param {() => number} [now]
   */
  constructor(place, now = Date.now) {
    this.lasting = place !== null;
    this.full = false; // whether the last text found no room
    this.#place = place ?? memory();
    this.now = now;
  }

  /** Whether a key of the storage is that of a draft. @param {string | null} key null if everything was cleared */
  static concerns = (key) => key === null || key.startsWith(DRAFT);

  /**
   * @template T
   * @param {string} key
   * @returns {T | null}
   */
  #read(key) {
    try {
      return JSON.parse(this.#place.getItem(key) ?? "null");
    } catch {
      return null; // written by something else
    }
  }

  /** @param {string} id @returns {Draft | null} */
  get(id) {
    return this.#read(DRAFT + id);
  }

  /** All drafts, the one that changed last first. @returns {(Draft & { id: string })[]} */
  all() {
    const keys = Array.from({ length: this.#place.length }, (_, i) => this.#place.key(i) ?? "");
    return keys
      .filter((key) => key.startsWith(DRAFT))
      .flatMap((key) => {
        const draft = this.get(key.slice(DRAFT.length));
        return draft ? [{ ...draft, id: key.slice(DRAFT.length) }] : [];
      })
      .sort((a, b) => b.time - a.time);
  }

  /** The versions of a draft, the oldest first. @param {string} id @returns {Version[]} */
  versions(id) {
    return this.#read(VERSIONS + id) ?? [];
  }

  /**
   * Add a draft. If there is one of its name, it gets a number.
   * @param {{ name: string, text: string, held?: boolean, linked?: boolean }} draft
   * @returns {string} its id
   */
  add({ name, text, held = false, linked = false }) {
    const id = `${this.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
    this.#put(id, { name: this.#freeName(name), text, time: this.now(), held, linked });
    return id;
  }

  /** @param {string} name */
  #freeName(name, except = "") {
    const taken = new Set(this.all().flatMap((draft) => (draft.id === except ? [] : [draft.name])));
    const plain = name.replace(/ \(\d+\)$/, "");
    let free = name;
    for (let number = 2; taken.has(free); number += 1) free = `${plain} (${number})`;
    return free;
  }

  /**
   * Keep the text of a draft. If another tab has changed or deleted that draft, the text becomes a draft of its own.
   * @param {Opened} opened
   * @param {string} text
   * @returns {Opened} what is open now
   */
  write(opened, text) {
    const stored = opened.id === null ? null : this.get(opened.id);
    if (opened.id !== null && stored?.text === opened.text) {
      this.#put(opened.id, { ...stored, text, time: this.now() });
      return this.full ? opened : { ...opened, text };
    }
    const id = this.add({ ...opened, name: stored?.name ?? opened.name, text });
    return this.full ? opened : { ...opened, id, name: this.get(id)?.name ?? opened.name, text };
  }

  /**
   * Keep the text of a draft as one of its versions.
   * @param {Opened} opened
   */
  keepVersion({ id, text }) {
    if (id === null || !this.get(id)) return;
    const others = this.versions(id).filter((version) => version.text !== text);
    this.#keepVersions(id, thin([...others, { text, time: this.now() }], this.now()));
  }

  /** @param {string} id @param {string} name */
  rename(id, name) {
    const draft = this.get(id);
    const wanted = name.trim().slice(0, LONGEST_NAME);
    if (draft && wanted) this.#put(id, { ...draft, name: this.#freeName(wanted, id) });
  }

  /** From now on a draft runs by itself. @param {string} id */
  release(id) {
    const draft = this.get(id);
    if (draft) this.#put(id, { ...draft, held: false });
  }

  /** @param {string} id */
  remove(id) {
    this.#place.removeItem(DRAFT + id);
    this.#place.removeItem(VERSIONS + id);
  }

  /** Everything that is kept, to be downloaded. */
  exportAll() {
    return JSON.stringify({ drafts: this.all().map(({ id, ...draft }) => ({ ...draft, versions: this.versions(id) })) }, null, 1);
  }

  /**
   * Store a draft. Without room for it, the longest histories are halved until there is.
   * @param {string} id
   * @param {Draft} draft
   */
  #put(id, draft) {
    this.full = false;
    while (!this.#set(DRAFT + id, draft)) {
      const histories = this.all().map((each) => ({ id: each.id, versions: this.versions(each.id) }));
      const [longest] = histories.sort((a, b) => JSON.stringify(b.versions).length - JSON.stringify(a.versions).length);
      this.full = !longest?.versions.length;
      if (this.full) return;
      this.#place.removeItem(VERSIONS + longest.id); // shorter, it has room
      this.#keepVersions(longest.id, thin(longest.versions, this.now(), Math.floor(longest.versions.length / 2)));
    }
  }

  /**
   * Store the versions of a draft: half of them, or a quarter, where there is no room for more. The stored ones stay if none has room.
   * @param {string} id
   * @param {Version[]} versions
   */
  #keepVersions(id, versions) {
    let kept = versions;
    while (kept.length && !this.#set(VERSIONS + id, kept)) kept = thin(kept, this.now(), Math.floor(kept.length / 2));
  }

  /**
   * @param {string} key
   * @param {unknown} data
   * @returns {boolean} whether there was room for it
   */
  #set(key, data) {
    try {
      this.#place.setItem(key, JSON.stringify(data));
      return true;
    } catch {
      return false;
    }
  }
}

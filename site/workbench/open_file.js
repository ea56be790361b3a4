// @ts-check
// The file in the editor: a draft, or a sample that becomes a draft when somebody types. Other tabs may have the same one.

import { ask, complain, find, h, put } from "../../src/perfectplay/web/static/dom.js";
import { Drafts, nameOf } from "./drafts.js";
import { EXAMPLE, findNamedSample, readLinkedFile, readSample } from "./files.js";

/** @typedef {import("./files.js").Sample} Sample */

const SESSION = "perfectplay-workbench-open"; // what this tab has open, for a reload

const UNKEPT = "This browser keeps nothing for this site: your drafts are lost when you close this tab. Download what you want to keep.";
const FULL = "This browser has no room left, so your changes are not saved. Download the file, or delete drafts.";

export class OpenFile {
  /** @type {import("./drafts.js").Opened} */
  #opened = { id: null, name: "", text: "", held: false, linked: false };
  /** @type {Sample[]} */
  #samples = [];
  #chooser = /** @type {HTMLSelectElement} */ (find("files"));

  /**
   * @param {Drafts} drafts
   * @param {(text: string) => unknown} show puts another text into the editor
   * @param {() => unknown} changed called after another draft was opened, or this one has changed its name or got a version
   */
  constructor(drafts, show, changed) {
    this.drafts = drafts;
    this.show = show;
    this.changed = changed;
    this.#chooser.addEventListener("change", () => this.#leave(this.#chooser.value));
    addEventListener("storage", ({ key }) => Drafts.concerns(key) && this.#compare());
    document.addEventListener("visibilitychange", () => (document.hidden ? this.keep() : this.#compare()));
    addEventListener("pagehide", () => this.keep());
    addEventListener("beforeunload", (event) => this.drafts.full && event.preventDefault()); // or what found no room is lost
  }

  /** Whether the file came with a link and nobody has run it yet. */
  get held() {
    return this.#opened.held;
  }

  /** The draft that is open; null if it is a sample. */
  get draft() {
    const { id } = this.#opened;
    const stored = id === null ? null : this.drafts.get(id);
    return id !== null && stored ? { ...stored, id } : null;
  }

  /**
   * Open the first file: that of the link, a sample that the address names, what this tab had open, the last draft, or the example.
   * @param {Sample[]} samples
   */
  async start(samples) {
    this.#samples = samples;
    if (!this.drafts.lasting) this.#note(UNKEPT);
    const linked = await readLinkedFile();
    if (linked !== null) return this.#openLink(linked);
    const last = this.drafts.all()[0]?.id;
    return this.choose(findNamedSample(samples) ?? this.#session() ?? last ?? EXAMPLE);
  }

  /** @param {string} text */
  #openLink(text) {
    const same = this.drafts.all().find((draft) => draft.linked && draft.text === text); // the link was opened before
    const id = same?.id ?? this.drafts.add({ name: nameOf(text, "From a link"), text, held: true, linked: true });
    if (this.drafts.get(id)) return this.#openDraft(id);
    this.#open({ id: null, name: nameOf(text, "From a link"), text, held: true, linked: true }, "");
    return this.#note(FULL);
  }

  /** Open another file, unless there is something to lose. @param {string} value */
  async #leave(value) {
    const lost = this.drafts.full && !(await ask("Your last changes are not saved. Open another file?", "Open", "Stay here"));
    if (lost) this.#list(this.#opened.id ?? "");
    else await this.choose(value);
  }

  /**
   * Open a draft or a sample.
   * @param {string} value the id of a draft, or the name of a sample's file
   */
  async choose(value) {
    if (this.drafts.get(value)) return this.#openDraft(value);
    const sample = this.#samples.find(({ file }) => file === value) ?? this.#samples.find(({ file }) => file === EXAMPLE);
    try {
      const { file = EXAMPLE, title = "" } = sample ?? {};
      const text = await readSample(file);
      return this.#open({ id: null, name: nameOf(text, title), text, held: false, linked: false }, file);
    } catch (error) {
      this.#list();
      return complain(error.message);
    }
  }

  /** @param {string} id */
  #openDraft(id) {
    const draft = this.drafts.get(id);
    if (draft) this.#open({ ...draft, id }, id);
  }

  /**
   * @param {import("./drafts.js").Opened} opened
   * @param {string} value what the chooser calls it
   */
  #open(opened, value) {
    this.keep();
    this.#opened = opened;
    this.drafts.full = false; // nobody has typed in this one
    this.#onOpen(value);
    this.keep();
    this.show(opened.text);
  }

  /** Something else is open. @param {string} value */
  #onOpen(value) {
    // A reload shows it again: the address of a link would bring back the link's file.
    if (this.drafts.lasting && value && this.#session(value) && value !== findNamedSample(this.#samples)) history.replaceState(null, "", location.pathname);
    this.#list(value);
    if (this.drafts.lasting) this.#note("");
    this.changed();
  }

  /**
   * What this tab has open; null if that is not known. With a value, remember it.
   * @param {string} [value]
   * @returns {string | null}
   */
  #session(value) {
    try {
      if (value) sessionStorage.setItem(SESSION, value);
      return sessionStorage.getItem(SESSION);
    } catch {
      return null;
    }
  }

  /** Somebody has typed. @param {string} text */
  onType(text) {
    const { id, name } = this.#opened;
    this.#opened = this.drafts.write(this.#opened, text);
    if (this.#opened.id !== id) {
      this.#onOpen(this.#opened.id ?? "");
      if (id !== null) this.#note(`Another tab has changed “${name}”. Your changes here are kept as “${this.#opened.name}”.`);
    }
    if (this.drafts.full) this.#note(FULL);
    else if (find("draft-note").textContent === FULL) this.#note("");
  }

  /** Keep the text as a version of the draft. */
  keep() {
    this.drafts.keepVersion(this.#opened);
    this.changed();
  }

  /** The file has been looked at, and runs from now on. */
  release() {
    this.#opened = { ...this.#opened, held: false };
    if (this.#opened.id !== null) this.drafts.release(this.#opened.id);
  }

  /** @param {string} name */
  rename(name) {
    if (this.#opened.id !== null) this.drafts.rename(this.#opened.id, name);
    this.#opened = { ...this.#opened, name: this.draft?.name ?? this.#opened.name };
    this.#list();
    this.changed();
  }

  /** Delete the draft that is open, and open the last of the others. */
  async remove() {
    if (this.#opened.id !== null) this.drafts.remove(this.#opened.id);
    this.#opened = { ...this.#opened, id: null };
    await this.choose(this.drafts.all()[0]?.id ?? EXAMPLE);
  }

  /** Another tab may have changed the draft that is open here. */
  #compare() {
    const { id, name, text } = this.#opened;
    this.#list();
    if (id === null) return;
    const stored = this.drafts.get(id);
    if (!stored) this.#note(`Another tab has deleted “${name}”. If you type here, your text becomes a draft again.`);
    else if (stored.text !== text) {
      this.keep(); // what is shown here stays in the history of the draft
      const button = h("button", { type: "button", class: "small", onclick: () => this.#openDraft(id) }, "Show that text");
      this.#note(`Another tab has changed “${stored.name}”. If you type here, your text becomes a draft of its own. `, button);
    }
  }

  /** @param {Page.Child[]} words */
  #note(...words) {
    put(find("draft-note"), ...words);
  }

  /** List the drafts and the samples. */
  #list(chosen = this.#chooser.value) {
    const drafts = this.drafts.all().map(({ id, name }) => h("option", { value: id }, name));
    const samples = this.#samples.map(({ file, title }) => h("option", { value: file }, title));
    put(this.#chooser, drafts.length > 0 && h("optgroup", { label: "Your drafts" }, drafts), h("optgroup", { label: "Samples" }, samples));
    this.#chooser.value = chosen;
  }
}

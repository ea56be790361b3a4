// @ts-check
// The panel of the draft that is open: its name, its versions, and what can be done with it.

import { ask, find, h, put } from "../../src/perfectplay/web/static/dom.js";
import { download, isUnfolded, unfold } from "./take_along.js";

/** @param {number} time */
const timeWords = (time) => new Date(time).toLocaleString("en", { dateStyle: "medium", timeStyle: "medium" });

/**
 * Let the button work. Returns what to call after the draft has changed.
 * @param {import("./open_file.js").OpenFile} file
 * @param {(text: string) => unknown} restore puts an earlier text into the editor, as if somebody had typed it
 */
export function draftsPanel(file, restore) {
  const button = find("drafts");
  const { drafts } = file;

  function parts() {
    const { draft } = file;
    return [
      h("h2", {}, "Draft"),
      draft ? ofDraft(draft) : h("p", {}, "This is a sample. When you type, it becomes a draft of yours, and the sample stays as it is."),
      h(
        "p",
        { class: "buttons" },
        draft && h("button", { type: "button", class: "danger", onclick: () => remove(draft) }, "Delete this draft"),
        h("button", { type: "button", onclick: () => download("perfectplay-drafts.json", drafts.exportAll(), "application/json") }, "Download all drafts"),
      ),
    ];
  }

  /** @param {import("./drafts.js").Draft & { id: string }} draft */
  function ofDraft({ id, name, text }) {
    /** @type {HTMLInputElement} */
    const field = h("input", { id: "draft-name", maxlength: "60", autocomplete: "off", onchange: () => file.rename(field.value) });
    field.value = name;
    const versions = drafts.versions(id).reverse();
    const options = versions.map((version, i) => h("option", { value: i }, `${timeWords(version.time)}${version.text === text ? " (as it is now)" : ""}`));
    /** @type {HTMLSelectElement} */
    const chooser = h("select", { id: "versions" }, options);
    return [
      h("p", {}, h("label", { for: "draft-name" }, "Name "), field),
      h("p", { class: "versions" }, h("label", { for: "versions" }, "Versions"), chooser, h("button", { type: "button", id: "restore", onclick: () => restore(versions[Number(chooser.value)].text) }, "Restore")),
    ];
  }

  /** @param {{ name: string }} draft */
  async function remove({ name }) {
    if (await ask(`Delete “${name}” and all its versions?`, "Delete", "Keep")) await file.remove();
  }

  button.addEventListener("click", () => unfold(button, ...parts()));
  return () => {
    if (!isUnfolded(button)) return;
    const focused = document.activeElement?.id;
    if (focused === "versions" || focused === "draft-name") return; // somebody is choosing
    put(find("extra"), ...parts());
    if (focused) document.getElementById(focused)?.focus();
  };
}

// @ts-check
// The editor: CodeMirror in a shadow root, where its styles need no exception from the page's policy.

import { indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";

// The colors are those of the page, light or dark: custom properties reach into a shadow root.
const LOOK = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--card)", fontSize: "14px" },
  "&.cm-focused": { outline: "3px solid var(--ring)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: "ui-monospace, 'Cascadia Mono', Consolas, 'Liberation Mono', monospace", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--sunk)", color: "var(--soft)", border: "0" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--glow-soft) 35%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--glow-soft)", color: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--two-soft)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--glow-soft)" },
  ".cm-selectionMatch": { backgroundColor: "var(--glow-soft)" },
  ".cm-panels, .cm-tooltip": { color: "var(--ink)", backgroundColor: "var(--card)", borderColor: "var(--edge)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { color: "var(--on-accent)", backgroundColor: "var(--accent)" },
  ".cm-foldPlaceholder": { color: "var(--ink)", backgroundColor: "var(--sunk)", border: "0" },
});

const COLORS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--even)", fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
  { tag: [tags.comment, tags.meta], color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--glow)" },
  { tag: [tags.definition(tags.variableName), tags.definition(tags.className), tags.function(tags.definition(tags.variableName))], color: "var(--two)" },
  { tag: [tags.className, tags.function(tags.variableName)], color: "var(--two)" },
]);

/** @typedef {{ line: number, text: string }} Mark */

export class Editor {
  /** @type {any} */
  #view;
  /** @type {any[]} */
  #extensions;

  /**
   * @param {HTMLElement} place
   * @param {(text: string) => unknown} changed called with the text after each change, except when another file is opened
   */
  constructor(place, changed) {
    const root = place.attachShadow({ mode: "open" });
    this.#extensions = [
      basicSetup,
      keymap.of([indentWithTab]),
      indentUnit.of("    "),
      python(),
      lintGutter(),
      LOOK,
      syntaxHighlighting(COLORS),
      EditorView.contentAttributes.of({ "aria-label": "Game file. Escape, then Tab, leaves it.", spellcheck: "false", tabindex: "0" }),
      EditorView.updateListener.of((/** @type {any} */ update) => update.docChanged && changed(this.text)),
    ];
    // Before a file is open, there is nothing that a text could be kept in.
    this.#view = new EditorView({ root, parent: root, extensions: [this.#extensions, EditorView.editable.of(false)] });
  }

  get text() {
    return this.#view.state.doc.toString();
  }

  /**
   * Put another file into the editor. What was typed in the last one cannot be undone into this one.
   * @param {string} text
   */
  open(text) {
    this.#view.setState(EditorState.create({ doc: text, extensions: this.#extensions }));
    this.#view.dispatch({ effects: EditorView.scrollIntoView(0) });
  }

  /**
   * Replace the text, as one change that can be undone.
   * @param {string} text
   */
  replace(text) {
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true });
  }

  /**
   * Point at the lines that something is wrong with.
   * @param {Mark[]} marks
   */
  mark(marks) {
    const { doc } = this.#view.state;
    const diagnostics = marks
      .filter(({ line }) => line >= 1 && line <= doc.lines)
      .map(({ line, text }) => {
        const { from, to, text: written } = doc.line(line);
        return { from: from + written.search(/\S|$/), to, severity: "error", message: text };
      });
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
  }

  /**
   * Put the cursor on a line.
   * @param {number} line
   */
  go(line) {
    const { doc } = this.#view.state;
    if (line < 1 || line > doc.lines) return;
    this.#view.dispatch({ selection: { anchor: doc.line(line).from }, effects: EditorView.scrollIntoView(doc.line(line).from, { y: "center" }) });
    this.#view.focus();
  }

  focus() {
    this.#view.focus();
  }
}

// @ts-check
// A form for typing a move, in games in which an invalid move costs the turn.

import { ask, h } from "./dom.js";

/**
 * The form. `draft` keeps what has been typed, and whether the form is open, when it is drawn again.
 * @param {Api.TextField} field
 * @param {string[]} legal
 * @param {{ text: string, open: boolean }} draft
 * @param {boolean} open whether it is the user's turn
 * @param {(text: string) => unknown} play
 */
export function typedMove({ wants, buttons }, legal, draft, open, play) {
  const field = h("input", {
    id: "typed-number",
    type: "text",
    inputmode: "numeric",
    autocomplete: "off",
    maxlength: "40",
    disabled: !open,
    "aria-describedby": "typed-help",
  });
  field.value = draft.text;
  field.addEventListener("input", () => {
    draft.text = field.value;
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || buttons.length === 1) return;
    // Enter would press the first button; let the user choose one.
    event.preventDefault();
    field.form?.querySelector("button")?.focus();
  });
  /** @param {string} ending */
  const send = async (ending) => {
    const typed = field.value.trim();
    // Text after the first word is wrong too, but costs no turn: the server refuses it.
    if (!legal.includes(`${typed.split(/\s+/)[0]}${ending}`)) {
      const shown = typed === "" ? "An empty field" : `“${typed}”`;
      const sure = await ask(`${shown} is not ${wants}. Sending it costs you the turn.`, "Send it anyway", "Go back");
      if (!sure) return;
    }
    draft.text = "";
    play(`${typed}${ending}`);
  };
  const form = h(
    "form",
    {
      class: "typed",
      onsubmit: (event) => {
        event.preventDefault();
        send(/** @type {HTMLButtonElement} */ (event.submitter).value);
      },
    },
    h("label", { for: "typed-number" }, `Type ${wants}`),
    field,
    buttons.map(({ label, ending }) => h("button", { type: "submit", value: ending, disabled: !open }, label)),
    h("small", { id: "typed-help" }, `${buttons.length > 1 ? "Then choose a button. " : ""}Anything else costs you the turn.`),
  );
  const box = h("details", { class: "typing", open: draft.open }, h("summary", {}, "Type it instead"), form);
  box.addEventListener("toggle", () => {
    if (box.open && !draft.open) form.scrollIntoView({ block: "nearest" });
    draft.open = box.open;
  });
  return box;
}

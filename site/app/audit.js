// @ts-check
// The audit of the rules that are being studied: what they do, with moves that show it.

import { audit } from "./api.js";
import { find, h, put } from "./dom.js";
import { studyAddress } from "./host.js";
import { inMoves, sentence } from "./words.js";

/** @typedef {{ code: string, severity: string, text: string, witness: string[] }} Finding */

/**
 * A finding, with a link to the position that shows it.
 * @param {string} spec
 * @param {Finding} finding
 */
function entry(spec, { code, severity, text, witness }) {
  const query = new URLSearchParams({ game: spec, moves: witness.join(",") });
  return h(
    "li",
    { class: `finding ${severity}`, "data-finding": JSON.stringify({ code, severity, text, witness }) },
    h("p", {}, h("b", {}, severity), " ", h("code", {}, code)),
    h("p", { class: "finding-text" }, inMoves(text)),
    witness.length > 0 && h("p", {}, h("a", { href: studyAddress(query) }, "See it on the board"), h("small", { class: "witness" }, witness.join(", "))),
  );
}

/** Add the panel to the page. It is filled when it is opened, for the rules on the board. */
export function drawAudit() {
  const place = h("div", {});
  const box = h("details", { class: "panel audit" }, h("summary", {}, "Audit of these rules"), place);
  document.querySelector(".beside")?.append(box);
  let shown = "";
  const draw = async () => {
    const { spec = "" } = find("spec").dataset;
    if (!box.open || shown === spec) return;
    shown = spec;
    put(place, h("p", { role: "status" }, "Looking at every position…"));
    try {
      const { data } = await audit(spec);
      if (shown !== spec) return;
      const found = data.findings.map((/** @type {Finding} */ each) => entry(spec, each));
      put(place, found.length ? h("ul", { class: "findings", "data-spec": spec }, found) : h("p", {}, "Nothing was found."));
    } catch (error) {
      put(place, h("p", { class: "complaint" }, sentence(error.message)));
      if (shown === spec) shown = "";
    }
  };
  box.addEventListener("toggle", draw);
  new MutationObserver(draw).observe(find("spec"), { attributes: true, attributeFilter: ["data-spec"] });
}

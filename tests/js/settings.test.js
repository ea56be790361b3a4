import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSpec, settingsWords, specOf } from "../../src/perfectplay/web/static/settings.js";

test("a spec is taken apart", () => {
  assert.deepEqual(parseSpec("bit-flip"), { name: "bit-flip", values: {} });
  assert.deepEqual(parseSpec("mirror-match:digits=3,forfeit=move"), {
    name: "mirror-match",
    values: { digits: "3", forfeit: "move" },
  });
});

test("a spec names only the fields that say something else than usual", () => {
  const field = (parameter, value, standard) => ({ value, dataset: { parameter, standard } });
  const place = (...fields) => ({ querySelectorAll: () => fields });
  const game = { name: "bit-flip" };
  assert.equal(specOf(game, place(field("bits", "", "10"), field("first", "1", "1"))), "bit-flip");
  assert.equal(specOf(game, place(field("bits", " 12 ", "10"), field("first", "2", "1"))), "bit-flip:bits=12,first=2");
  assert.equal(specOf(game, place(field("bits", "10", "10"))), "bit-flip");
});

test("settings are said in words", () => {
  assert.equal(settingsWords("bit-flip"), "by the rulebook");
  assert.equal(settingsWords("mirror-match:digits=3,disqualify_after=2"), "digits 3, disqualify after 2");
});

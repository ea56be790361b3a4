import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const css = readFileSync(new URL("../../src/perfectplay/web/static/colors.css", import.meta.url), "utf8");
const [light, dark] = css.split("@media (prefers-color-scheme: dark)").map((part) => Object.fromEntries([...part.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value])));

/** The relative luminance of a color, as WCAG defines it. */
function luminance(color) {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one, other) {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

/** What is written or drawn on what. */
const TEXTS = {
  paper: ["ink", "soft", "link", "one", "two", "good", "bad", "even"],
  card: ["ink", "soft", "link", "one", "two", "good", "bad", "even", "glow"],
  sunk: ["ink", "soft", "bad"],
  well: ["ink", "soft", "good", "bad", "even"],
  "glow-soft": ["ink", "soft"],
  accent: ["on-accent"],
  one: ["on-side"],
  two: ["on-side"],
  ink: ["glow-soft"],
};
const SHAPES = { paper: ["glow", "one", "two"], well: ["glow", "one", "two", "good", "bad", "even"], rail: ["glow", "one", "two"], card: ["edge"] };

for (const [name, theme] of [["light", light], ["dark", { ...light, ...dark }]]) {
  test(`texts and shapes stand out in the ${name}`, () => {
    for (const [pairs, least] of [[TEXTS, 4.5], [SHAPES, 3]]) {
      for (const [ground, colors] of Object.entries(pairs)) {
        for (const color of colors) {
          const found = contrast(theme[color], theme[ground]);
          assert.ok(found >= least, `${color} on ${ground}: ${found.toFixed(2)}`);
        }
      }
    }
  });
}

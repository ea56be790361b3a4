import assert from "node:assert/strict";
import { test } from "node:test";
import { packed, unpacked } from "../../site/app/links.js";

test("a text comes out of a link as it went in", async () => {
  const text = `perfectplay record 1\n${"1. Player 1: left → ä\n".repeat(500)}`;
  const link = await packed(text);
  assert.match(link, /^[\w-]+$/);
  assert.ok(link.length < text.length / 20);
  assert.equal(await unpacked(link), text);
});

test("a link that was cut off is refused", async () => {
  const link = await packed("perfectplay record 1\n".repeat(20));
  await assert.rejects(unpacked(link.slice(0, -4)));
  await assert.rejects(unpacked("%%%"));
});

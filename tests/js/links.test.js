import assert from "node:assert/strict";
import { test } from "node:test";
import { pack, unpack } from "../../site/app/links.js";

test("a text comes out of a link as it went in", async () => {
  const text = `perfectplay record 1\n${"1. Player 1: left → ä\n".repeat(500)}`;
  const link = await pack(text);
  assert.match(link, /^[\w-]+$/);
  assert.ok(link.length < text.length / 20);
  assert.equal(await unpack(link), text);
});

test("a link that was cut off is refused", async () => {
  const link = await pack("perfectplay record 1\n".repeat(20));
  await assert.rejects(unpack(link.slice(0, -4)));
  await assert.rejects(unpack("%%%"));
});

test("a link takes a long text, but none that would fill the memory", async () => {
  const text = Array.from({ length: 300_000 }, (_, i) => String.fromCharCode(33 + ((i * i * 7919) % 9973) % 90)).join("");
  assert.equal(await unpack(await pack(text)), text);
  await assert.rejects(pack("x".repeat(1_000_001)), /too long/);
  const bomb = new Blob([new Uint8Array(50_000_000)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = Buffer.from(await new Response(bomb).arrayBuffer());
  await assert.rejects(unpack(bytes.toString("base64url")), /too long/);
});

test("a link of version 1 stays readable", async () => {
  const link = "K0gtSktNLinISaxUKEpNzi9KUTDkSk_MTbVSSMos0U3LySzgMtRTCMhJrEwtUjC0UjBReNQ2SeHwEi4A";
  assert.equal(await unpack(link), "perfectplay record 1\ngame: bit-flip\n1. Player 1: 4 → ä\n");
});

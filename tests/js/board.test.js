import assert from "node:assert/strict";
import { test } from "node:test";
import { folded } from "../../src/perfectplay/web/static/board.js";

test("a row that fits is not folded", () => {
  assert.deepEqual(folded(11, 1000), { bands: 1, columns: 11, size: 76 });
  assert.deepEqual(folded(11, 560), { bands: 1, columns: 11, size: 47 });
  assert.deepEqual(folded(0, 300), { bands: 1, columns: 1, size: 76 });
});

test("a row that does not fit is folded into as few bands as do, all about as long", () => {
  assert.deepEqual(folded(11, 320), { bands: 2, columns: 6, size: 50 });
  assert.deepEqual(folded(200, 320), { bands: 29, columns: 7, size: 42 });
});

test("no cell is narrower than the narrowest, unless the page is", () => {
  for (const width of [41, 90, 320, 700]) {
    for (let count = 1; count <= 60; count += 1) {
      const { bands, columns, size } = folded(count, width);
      assert.ok(size >= 40 && columns * (size + 4) - 4 <= width, `${count} cells in ${width}`);
      assert.ok(bands * columns >= count && (bands - 1) * columns < count, `${count} cells in ${width}`);
    }
  }
  assert.equal(folded(5, 30).size, 30);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { FINGER, WIDEST, fitRow, layOut } from "../../src/perfectplay/web/static/geometry.js";

const SCREENS = [328, 720, 900];

test("a row that fits is one band, with cells as large as there is room", () => {
  assert.equal(fitRow(3, 900).size, WIDEST);
  for (const width of SCREENS) {
    const { bands, size } = fitRow(11, width);
    assert.equal(bands, 1);
    assert.ok(size > width / 14 && size < width / 11, `${size} of ${width}`);
  }
});

test("a track that pieces travel shrinks before it bends; cells that are chosen bend before they get too small", () => {
  assert.equal(fitRow(12, 328).bands, 1);
  assert.ok(fitRow(12, 328).size < FINGER);
  assert.equal(fitRow(12, 328, FINGER).bands, 2);
  assert.ok(fitRow(12, 328, FINGER).size >= FINGER);
});

/** @param {{ x: number, y: number, width: number, height: number }} one */
const overlap = (one, other) =>
  one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;

test("no track is wider than its place, no cells overlap, and every bend joins two bands", () => {
  for (const width of SCREENS) {
    for (const narrowest of [undefined, FINGER]) {
      for (let count = 1; count <= 200; count += count < 30 ? 1 : 17) {
        const { cells, rails, bends, ...all } = layOut([count], width, { narrowest, foot: 20, head: () => 2 });
        const what = `${count} cells in ${width}`;
        assert.equal(cells.length, count, what);
        assert.equal(bends.length, rails.length - 1, what);
        assert.ok(all.width <= width, what);
        for (const [i, cell] of cells.entries()) {
          assert.ok(cell.x >= 0 && cell.x + cell.width <= all.width && cell.y + cell.height <= all.height, what);
          if (i > 0) assert.ok(!overlap(cell, cells[i - 1]), what);
          assert.ok(cell.width >= (narrowest ?? 22), what);
        }
        for (const [i, rail] of rails.entries()) if (i > 0) assert.ok(!overlap(rail, rails[i - 1]), what);
      }
    }
  }
});

test("the places where a row grows stay large enough to be chosen, with room for their names, and its cells to be read", () => {
  const foot = 20;
  for (const width of SCREENS) {
    for (let count = 0; count <= 150; count += 1) {
      const { slots, cells, rails, ...all } = layOut([count], width, { widest: 76, foot, slots: true, head: () => 40 });
      const what = `${count} in ${width}`;
      assert.equal(cells.length, count, what);
      assert.equal(slots.length, 2, what);
      for (const slot of slots) {
        assert.ok(slot.width >= FINGER && slot.x >= 0 && slot.x + slot.width <= all.width, what);
        for (const cell of cells) assert.ok(!overlap(slot, cell), what);
      }
      for (const [i, cell] of cells.entries()) {
        assert.ok(cell.width >= 22 && cell.x + cell.width <= all.width, what);
        if (i > 0) assert.ok(!overlap(cell, cells[i - 1]), what);
      }
      const [above, below] = slots.map((slot) => slot.y + slot.height + foot);
      assert.ok(below <= all.height, what);
      if (rails.length > 1) assert.ok(above < rails[1].y - 40, what); // there is a bend in between
    }
  }
});

test("the two places of an empty row stand in its middle", () => {
  const { slots, width } = layOut([0], 328, { widest: 76, foot: 20, slots: true, head: () => 40 });
  assert.equal(slots[0].x, width - slots[1].x - slots[1].width);
});

test("room above a band that was needed once is kept", () => {
  const head = (cell) => (cell === 0 ? 40 : 2);
  const { tops, height } = layOut([5], 900, { foot: 20, head });
  assert.deepEqual(tops, [40]);
  assert.equal(layOut([5], 900, { foot: 20, head: () => 2, tops }).height, height);
});

// @ts-check
// Where the cells of a board are. A row that does not fit shrinks first; below the narrowest cell it bends into bands.

export const WIDEST = 110;
export const FINGER = 44; // the narrowest cell that can be chosen by touch
const NARROWEST = 22;
const MARGIN = 14; // beside a bent track, for its bends
const CHANNEL = 16; // between the bands of a bent track

/** @param {number} value @param {number} least @param {number} most */
const between = (value, least, most) => Math.min(most, Math.max(least, value));

/** @param {number} pitch */
const gapOf = (pitch) => between(Math.round(pitch * 0.08), 2, 9);

/**
 * The number of bands and columns of a row, and the size of its cells.
 * @param {number} count
 * @param {number} width
 * @param {number} [narrowest]
 * @param {number} [widest]
 */
export function fitRow(count, width, narrowest = NARROWEST, widest = WIDEST) {
  /** @param {number} columns @param {number} room */
  const sizeFor = (columns, room) => {
    const pitch = room / columns;
    return { size: between(Math.floor(pitch - gapOf(pitch)), 1, widest), gap: gapOf(Math.min(pitch, widest)) };
  };
  const pad = between(Math.round(width * 0.012), 4, 12);
  const whole = sizeFor(Math.max(1, count), width - 2 * pad);
  if (whole.size >= Math.min(narrowest, widest) || count <= 1) return { bands: 1, columns: Math.max(1, count), pad, margin: 0, ...whole };
  const room = width - 2 * pad - 2 * MARGIN;
  const most = Math.max(1, Math.floor(room / (narrowest + gapOf(narrowest * 1.09))));
  const bands = Math.ceil(count / most);
  const columns = Math.ceil(count / bands);
  return { bands, columns, pad, margin: MARGIN, ...sizeFor(columns, room) };
}

/**
 * The same for a row with a place for a new cell at both ends: `slot` is its size, `end` the room that it takes in a band. It stays
 * large enough to be chosen, so where the row bends it takes the room of two cells.
 * @param {number} count
 * @param {number} width
 * @param {number} [narrowest]
 * @param {number} [widest]
 */
function fitGrowingRow(count, width, narrowest = NARROWEST, widest = WIDEST) {
  const whole = fitRow(count + 2, width, narrowest, widest);
  const { pad, gap } = whole;
  const slot = Math.max(whole.size, Math.min(FINGER, widest));
  const room = width - 2 * pad - 2 * (slot + gap);
  const size = Math.min(whole.size, Math.floor((room + gap) / Math.max(1, count)) - gap);
  if (whole.bands === 1 && size >= narrowest) return { ...whole, columns: count, size, slot, end: slot + gap };
  const bent = fitRow(count + 4, width, narrowest, widest);
  return { ...bent, slot: Math.max(bent.size, Math.min(FINGER, widest)), end: 2 * (bent.size + bent.gap) };
}

/**
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 * @typedef {{
 *   cells: Box[], rails: Box[], bends: string[], slots: Box[], empty: Box | null, size: number,
 *   width: number, height: number, tops: number[], band: number[],
 * }} Layout
 */

/**
 * Where everything is. `heads` says how much room a cell needs above it; `tops`, from an earlier layout, keeps the room above each
 * band from shrinking. With `slots`, there is a place for a new cell at both ends.
 * @param {number[]} rows the number of cells in each row
 * @param {number} width
 * @param {{
 *   narrowest?: number, widest?: number, foot: number, slots?: boolean,
 *   head: (cell: number, size: number) => number, tops?: number[],
 * }} options
 * @returns {Layout}
 */
export function layOut(rows, width, { narrowest, widest, foot, slots = false, head, tops: before = [] }) {
  const longest = Math.max(...rows);
  const fit = slots ? fitGrowingRow(longest, width, narrowest, widest) : { ...fitRow(longest, width, narrowest, widest), slot: 0, end: 0 };
  const { columns, pad, gap, margin, size, slot, end } = fit;
  /** @type {Layout} */
  const layout = { cells: [], rails: [], bends: [], slots: [], empty: null, size, width: 0, height: 0, tops: [], band: [] };
  const single = rows.length === 1;
  const step = size + gap;
  const inner = columns * step - gap + (fit.bands === 1 ? 2 * end : 0);
  const overhang = Math.max(0, (slot - size) / 2);
  /** @type {number[]} */
  const feet = [];
  let [y, first] = [0, 0];
  for (const count of rows) {
    let [from, more] = [0, true];
    while (more) {
      const lead = from === 0 ? end : 0;
      const inBand = Math.min(count - from, Math.max(1, Math.floor((inner + gap - lead) / step)));
      const number = layout.tops.length;
      const heads = Array.from({ length: inBand }, (_, i) => head(first + from + i, size));
      const top = Math.max(before[number] ?? 0, single && inBand === 0 ? head(0, size) : 0, ...heads);
      layout.tops.push(top);
      const at = { x: margin, y: y + top, width: inner + 2 * pad, height: size + 2 * pad };
      const left = at.x + pad + lead;
      for (let i = 0; i < inBand; i += 1) {
        layout.cells.push({ x: left + i * step, y: at.y + pad, width: size, height: size });
        layout.band.push(number);
      }
      const right = left + inBand * step;
      more = from + inBand < count || (inBand > 0 && right + end > at.x + pad + inner + gap); // the last slot may need a band of its own
      const ends = slots ? [from === 0 && left - gap - slot, !more && right].filter((x) => x !== false) : [];
      layout.slots.push(...ends.map((x) => ({ x, y: at.y + pad + (size - slot) / 2, width: slot, height: slot })));
      if (count === 0 && !slots) layout.empty = { x: at.x + pad, y: at.y + pad, width: size, height: size };
      layout.rails.push(inBand < columns && !slots ? { ...at, width: Math.max(inBand, 1) * step - gap + 2 * pad } : at);
      feet.push(foot + (ends.length ? overhang : 0));
      y = at.y + at.height + feet[number] + (more ? CHANNEL : 0);
      from += inBand;
    }
    first += count;
    if (!single) y += gap - 2 * pad;
  }
  for (let i = 1; single && i < layout.rails.length; i += 1) layout.bends.push(bend(layout.rails[i - 1], layout.rails[i], feet[i - 1]));
  layout.width = Math.min(width, inner + 2 * pad + 2 * margin);
  layout.height = y;
  return layout;
}

/**
 * The path along which a bent track goes on, from the right end of a band to the left end of the next.
 * @param {Box} above
 * @param {Box} below
 * @param {number} foot
 */
function bend(above, below, foot) {
  const [right, left] = [above.x + above.width, below.x];
  const from = above.y + above.height / 2;
  const channel = above.y + above.height + foot + CHANNEL / 2 - 4;
  const to = below.y + below.height / 2;
  const r = MARGIN / 2;
  return [
    `M${right - 2} ${from}h2q${r} 0 ${r} ${r}V${channel - r}q0 ${r} ${-r} ${r}`,
    `H${left}q${-r} 0 ${-r} ${r}V${to - r}q0 ${r} ${r} ${r}h2`,
  ].join("");
}

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
export function fitted(count, width, narrowest = NARROWEST, widest = WIDEST) {
  /** @param {number} columns @param {number} room */
  const sized = (columns, room) => {
    const pitch = room / columns;
    return { size: between(Math.floor(pitch - gapOf(pitch)), 1, widest), gap: gapOf(Math.min(pitch, widest)) };
  };
  const pad = between(Math.round(width * 0.012), 4, 12);
  const whole = sized(Math.max(1, count), width - 2 * pad);
  if (whole.size >= Math.min(narrowest, widest) || count <= 1) return { bands: 1, columns: Math.max(1, count), pad, margin: 0, ...whole };
  const room = width - 2 * pad - 2 * MARGIN;
  const most = Math.max(1, Math.floor(room / (narrowest + gapOf(narrowest * 1.09))));
  const bands = Math.ceil(count / most);
  const columns = Math.ceil(count / bands);
  return { bands, columns, pad, margin: MARGIN, ...sized(columns, room) };
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
export function laidOut(rows, width, { narrowest, widest, foot, slots = false, head, tops: before = [] }) {
  const longest = Math.max(1, ...rows);
  const ends = slots ? 2 : 0;
  const fit = fitted(longest + ends, width, narrowest, widest);
  const { columns, pad, gap, margin } = fit;
  // A slot stays large enough to be chosen, so a row with slots has less room for its cells.
  const slot = Math.max(fit.size, Math.min(FINGER, widest ?? FINGER));
  const perBand = fit.bands === 1 ? longest : columns;
  const room = width - 2 * pad - 2 * margin - ends * (slot + gap);
  const size = slots ? between(Math.floor((room + gap) / perBand) - gap, 12, fit.size) : fit.size;
  /** @type {Layout} */
  const layout = { cells: [], rails: [], bends: [], slots: [], empty: null, size, width: 0, height: 0, tops: [], band: [] };
  const single = rows.length === 1;
  const inner = perBand * (size + gap) - gap + ends * (slot + gap) + 2 * pad;
  const across = Math.min(width, inner + 2 * margin);
  let [y, first] = [0, 0];
  for (const count of rows) {
    for (let from = 0; from < Math.max(count, 1); from += perBand) {
      const inBand = Math.min(perBand, count - from);
      const number = layout.tops.length;
      const heads = Array.from({ length: inBand }, (_, i) => head(first + from + i, size));
      const top = Math.max(before[number] ?? 0, single && count === 0 ? head(0, size) : 0, ...heads);
      layout.tops.push(top);
      const at = { x: margin, y: y + top, width: inner, height: size + 2 * pad };
      const left = at.x + pad + (slots ? slot + gap : 0);
      for (let i = 0; i < inBand; i += 1) {
        layout.cells.push({ x: left + i * (size + gap), y: at.y + pad, width: size, height: size });
        layout.band.push(number);
      }
      const right = left + inBand * (size + gap) - gap;
      if (slots && from === 0) layout.slots.push({ x: at.x + pad, y: at.y + pad + (size - slot) / 2, width: slot, height: slot });
      if (slots && from + inBand >= count) {
        layout.slots.push({ x: (inBand > 0 ? right : left - gap) + gap, y: at.y + pad + (size - slot) / 2, width: slot, height: slot });
      }
      if (count === 0 && !slots) layout.empty = { x: at.x + pad, y: at.y + pad, width: size, height: size };
      layout.rails.push(inBand < perBand && !slots ? { ...at, width: Math.max(inBand, 1) * (size + gap) - gap + 2 * pad } : at);
      y = at.y + at.height + foot;
      if (from + perBand < count) y += CHANNEL;
    }
    first += count;
    if (!single) y += gap - 2 * pad;
  }
  for (let i = 1; single && i < layout.rails.length; i += 1) layout.bends.push(bend(layout.rails[i - 1], layout.rails[i], foot));
  layout.width = across;
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

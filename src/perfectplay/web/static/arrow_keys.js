// @ts-check
// Where the arrow keys lead on a board.

/** @typedef {SVGElement | HTMLButtonElement} Target */

/**
 * The element that a key leads to from `target`; undefined if the key leads nowhere.
 * @param {string} key
 * @param {Target | null} target
 * @param {Target[]} reached everything that can be chosen, in reading order
 * @param {() => Target | null} nearest
 * @returns {Target | null | undefined}
 */
export function neighbor(key, target, reached, nearest) {
  /** @type {Record<string, number>} */
  const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 };
  const step = steps[key];
  if (key === "Home") return reached[0] ?? null;
  if (key === "End") return reached[reached.length - 1] ?? null;
  if (step === undefined) return undefined;
  if (!target) return nearest();
  const i = reached.indexOf(target);
  if (key === "ArrowRight" || key === "ArrowLeft") return reached[(i + step + reached.length) % reached.length];
  return vertical(target, step, reached) ?? target;
}

/**
 * @param {Element} target
 * @param {number} step
 * @param {Target[]} reached
 */
function vertical(target, step, reached) {
  const from = target.getBoundingClientRect();
  /** @param {DOMRect} box */
  const middle = (box) => box.left + box.width / 2;
  const ahead = reached
    .map((each) => ({ each, box: each.getBoundingClientRect() }))
    .filter(({ box }) => (step > 0 ? box.top >= from.bottom - 2 : box.bottom <= from.top + 2));
  if (!ahead.length) return null;
  /** @param {{ box: DOMRect }} each */
  const edge = ({ box }) => (step > 0 ? box.top - from.bottom : from.top - box.bottom);
  const line = Math.min(...ahead.map(edge));
  const nearby = ahead.filter((each) => edge(each) < line + 12);
  /** @param {{ box: DOMRect }} each */
  const sideways = ({ box }) => Math.abs(middle(box) - middle(from));
  return nearby.reduce((best, each) => (sideways(each) < sideways(best) ? each : best)).each;
}

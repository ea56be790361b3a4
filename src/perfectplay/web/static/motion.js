// @ts-check
// What moves on a board when a position changes: pieces slide, new ones grow, a flag jumps. Nothing moves where the user asks for less motion.

const SLIDE = 200; // milliseconds
const JUMP = 250;

/** Whether things may move. */
export const mayMove = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * @param {import("./drawing.js").DrawnPiece[]} all
 * @param {string} name
 */
const only = (all, name) => {
  const found = all.filter((each) => each.name === name);
  return found.length === 1 ? found[0] : null;
};

/**
 * Move from one drawing to the next.
 * @param {import("./drawing.js").Drawn} before
 * @param {import("./drawing.js").Drawn} after
 * @param {number[]} changed the cells that the last move changed
 */
export function move(before, after, changed) {
  if (!mayMove()) return;
  for (const { name, x, y, element } of after.pieces) {
    const from = only(before.pieces, name);
    if (from && only(after.pieces, name)) {
      if (from.x !== x || from.y !== y) slide(element, from.x - x, from.y - y);
    } else if (changed.includes(Number(element.parentElement?.dataset.cell))) {
      element.animate({ opacity: [0, 1], scale: ["0.6", "1"], transformOrigin: [`${x}px ${y}px`, `${x}px ${y}px`] }, { duration: SLIDE, easing: "ease-out" });
    }
  }
  for (const { name, x, y, element } of after.flags) {
    const from = only(before.flags, name);
    if (from && from.x !== x) jump(element, from.x - x, from.y - y);
  }
}

/**
 * Move something above everything else on the board: what is drawn later would cover it. Then it goes back to its cell.
 * @param {SVGElement} element
 * @param {PropertyIndexedKeyframes} frames
 * @param {KeyframeAnimationOptions} timing
 */
function lift(element, frames, timing) {
  const place = document.createComment("");
  const { ownerSVGElement } = element;
  element.replaceWith(place);
  ownerSVGElement?.append(element);
  const back = () => place.replaceWith(element);
  element.animate(frames, timing).finished.then(back, back);
}

/**
 * @param {SVGElement} element
 * @param {number} dx
 * @param {number} dy
 */
function slide(element, dx, dy) {
  lift(element, { translate: [`${dx}px ${dy}px`, "0px 0px"] }, { duration: SLIDE, easing: "cubic-bezier(0.3, 0, 0.2, 1)" });
}

/**
 * @param {SVGElement} element
 * @param {number} dx
 * @param {number} dy
 */
function jump(element, dx, dy) {
  const high = Math.min(90, 30 + Math.abs(dx) / 6);
  const steps = Array.from({ length: 9 }, (_, i) => i / 8);
  const path = steps.map((t) => `${dx * (1 - t)}px ${dy * (1 - t) - high * 4 * t * (1 - t)}px`);
  lift(element, { translate: path }, { duration: JUMP, easing: "ease-in-out" });
}

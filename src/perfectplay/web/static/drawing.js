// @ts-check
// A View as SVG: cells on a track, what they are for, the pieces on them, and which of them can be chosen.
// It knows rows of cells, roles, owners and links, but nothing about any game.

import { h, s } from "./dom.js";
import { FINGER, WIDEST, layOut } from "./geometry.js";
import { flag, hint, piece, valueDot } from "./pieces.js";
import { cellWords } from "./words.js";

const ADDED = 76; // the widest cell of a row that grows
const MOST_ARCS = 3; // between the cells of a row
const CORNER = 6; // between a label in the corner of a cell and its side

/**
 * A place at an end of a row where a move adds a cell; `text` is the move, once what to add has been picked.
 * @typedef {{ end: 0 | 1, group: string, text: string | null, label: string }} Slot
 *
 * @typedef {Partial<Page.Showing> & {
 *   width: number, widest?: number, mini?: boolean, tops?: number[], foot?: number, slots?: Slot[],
 *   choose?: (text: string) => void,
 * }} Drawing
 *
 * @typedef {{ name: string, x: number, y: number, element: SVGElement }} DrawnPiece
 *
 * @typedef {{
 *   svg: SVGElement, targets: SVGElement[], pieces: DrawnPiece[], flags: DrawnPiece[], size: number, tops: number[], foot: number, height: number
 * }} Drawn
 */

/** @param {number} size */
const fontOf = (size) => Math.round(Math.min(15, Math.max(9, size * 0.21)));
/** @param {number} size */
const flagOf = (size) => Math.round(Math.min(46, Math.max(13, size * 0.55)));
/** @param {number} size */
const arcOf = (size) => Math.round(Math.min(84, Math.max(30, size)));

/**
 * @param {Api.View} view
 * @param {Drawing} options
 * @returns {Drawn}
 */
export function drawView(view, options) {
  const { width, mini, slots = [] } = options;
  const cells = view.rows.flat();
  const single = view.rows.length === 1;
  const grows = view.controls.some((control) => control.adds != null) || view.links.length > 0 || (single && cells.length === 0);
  const widest = Math.min(options.widest ?? WIDEST, grows ? ADDED : WIDEST);
  const room = Math.min(widest, width / Math.max(1, ...view.rows.map((row) => row.length)));
  const font = mini ? 0 : fontOf(room);
  // In a corner of its cell a short label is clear of the pieces; longer ones are below their cells, as along a track.
  const long = CORNER + 0.62 * font * Math.max(0, ...cells.map((cell) => cell.label.length)) > room / 6;
  const foot = mini ? 2 : single ? Math.max(font, 11) + 9 : Math.max(options.foot ?? 0, long ? font + 6 : 0);
  const layout = layOut(
    view.rows.map((row) => row.length),
    width,
    {
      widest,
      // Cells that are set one by one are chosen on the board, so they stay large. A track that pieces travel may shrink.
      narrowest: view.hollow.length && !mini ? FINGER : mini ? 6 : undefined,
      foot,
      slots: slots.length > 0,
      tops: options.tops,
      head: (cell, size) => (grows ? arcOf(size) : cells[cell]?.role?.endsWith("goal") ? flagOf(size) + 4 : 2),
    },
  );
  const svg = s("svg", {
    class: "board",
    role: mini ? "img" : "group",
    "aria-label": options.label ?? "Board",
    viewBox: `0 0 ${layout.width} ${layout.height}`,
    width: layout.width,
    height: layout.height,
  });
  /** @type {Drawn} */
  const drawn = { svg, targets: [], pieces: [], flags: [], size: layout.size, tops: layout.tops, foot, height: layout.height };
  for (const d of layout.bends) svg.append(s("path", { class: "bend", d }));
  if (single && !grows) for (const rail of layout.rails) svg.append(rect("rail", rail, Math.min(26, rail.height * 0.24)));
  for (const box of layout.empty ? [layout.empty] : []) svg.append(emptyRow(box, mini));
  // In a long row, arcs would be a tangle: a mark over each cell, and a line where the mirror is.
  const many = view.links.length > MOST_ARCS;
  for (const link of view.links) svg.append(drawLink(link, layout, many));
  if (many) svg.append(...mirror(layout));
  const arc = !mini && single ? lastStep(view, options, layout) : null;
  if (arc) svg.append(arc);
  const { slots: places } = layout;
  const [before, after] = [0, 1].map((end) => slots.filter((slot) => slot.end === end));
  svg.append(...before.map((slot) => drawSlot(slot, places[0], drawn, options)));
  for (const [number, cell] of cells.entries()) svg.append(drawCell(cell, number, layout.cells[number], drawn, { ...options, view, font, foot, single }));
  svg.append(...after.map((slot) => drawSlot(slot, places[1], drawn, options)));
  return drawn;
}

/**
 * @param {string} name
 * @param {import("./geometry.js").Box} box
 * @param {number} rx
 */
function rect(name, { x, y, width, height }, rx, inset = 0) {
  return s("rect", { class: name, x: x + inset, y: y + inset, width: width - 2 * inset, height: height - 2 * inset, rx });
}

/** @param {number} size */
const radius = (size) => Math.max(3, Math.min(18, size * 0.2));

/**
 * @param {import("./geometry.js").Box} box
 * @param {boolean} [mini]
 */
function emptyRow(box, mini) {
  return s("g", mini ? {} : { role: "img", "aria-label": "Nothing on the board yet" }, rect("slot", box, radius(box.width), 2));
}

/**
 * An arc between two cells, or, where there are many or a bend is between them, a bar over each.
 * @param {Api.Link} link
 * @param {import("./geometry.js").Layout} layout
 */
function drawLink({ a, b, matched }, layout, many = false) {
  const [from, to] = [layout.cells[a], layout.cells[b]];
  const kind = `link ${matched ? "matched" : "open"}`;
  const y = from.y - 5;
  /** @param {import("./geometry.js").Box} box */
  const middle = (box) => box.x + box.width / 2;
  if (many || layout.band[a] !== layout.band[b]) {
    const bar = (/** @type {import("./geometry.js").Box} */ box) => `M${middle(box) - box.width * 0.3} ${box.y - 5}h${box.width * 0.6}`;
    return s("path", { class: kind, d: `${bar(from)}${bar(to)}` });
  }
  const span = (b - a) / Math.max(1, layout.cells.length - 1);
  const height = (arcOf(layout.size) - 8) * (0.35 + 0.65 * span);
  return s("path", { class: kind, d: `M${middle(from)} ${y}C${middle(from)} ${y - height * 1.3} ${middle(to)} ${y - height * 1.3} ${middle(to)} ${y}` });
}

/**
 * The line in the middle of a row, or through its middle cell, on both sides of which the same has to stand.
 * @param {import("./geometry.js").Layout} layout
 */
function mirror({ cells, band }) {
  const half = Math.floor(cells.length / 2);
  const [left, right] = [cells[cells.length - half - 1], cells[half]];
  if (band[cells.length - half - 1] !== band[half]) return []; // it is at the bend
  const x = (left.x + right.x + right.width) / 2;
  const odd = cells.length % 2 === 1;
  const path = (/** @type {number} */ y, /** @type {number} */ height) => s("path", { class: "mirror", d: `M${x} ${y}v${height}` });
  return odd ? [path(left.y - 12, 9), path(left.y + left.height + 3, 9)] : [path(left.y - 12, left.height + 24)];
}

/**
 * A dotted arc over the step of the piece that moved last.
 * @param {Api.View} view
 * @param {Drawing} options
 * @param {import("./geometry.js").Layout} layout
 */
function lastStep(view, { changed = [], lastSide }, layout) {
  if (changed.length !== 2 || lastSide === undefined || view.links.length) return null;
  const cells = view.rows.flat();
  const own = view.sides[lastSide];
  /** @param {number} cell */
  const holds = (cell) => (own.length ? cells[cell].pieces.some((name) => own.includes(name)) : cells[cell].pieces.length > 0);
  const [to, from] = holds(changed[0]) ? changed : [changed[1], changed[0]];
  if (!holds(to) || holds(from) || view.hollow.length || layout.band[from] !== layout.band[to]) return null;
  const [a, b] = [layout.cells[from], layout.cells[to]];
  const [x1, x2] = [a.x + a.width / 2, b.x + b.width / 2];
  const y = a.y + Math.min(4, a.height * 0.06);
  const rise = Math.min(26, a.height * 0.36);
  return s("path", { class: `step side-${lastSide}`, d: `M${x1} ${y}Q${(x1 + x2) / 2} ${y - rise * 1.6} ${x2} ${y}` });
}

/**
 * @param {Slot} slot
 * @param {import("./geometry.js").Box} box
 * @param {Drawn} drawn
 * @param {Drawing} options
 */
function drawSlot({ group, text, label }, box, drawn, { width, playable, choose, mini }) {
  const open = playable && text !== null;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const element = s(
    "g",
    {
      class: `slot-place${open ? " playable" : ""}`,
      ...(mini ? {} : open ? { role: "button", "aria-label": `${group} ${label}`, "data-move": text, tabindex: "-1" } : { "aria-hidden": "true" }),
    },
    rect("slot", box, radius(box.width), 2),
    s("text", { class: "slot-text", x, y, "font-size": box.width * 0.4, "text-anchor": "middle", "dominant-baseline": "central" }, open ? label : "+"),
    !mini && s("text", { class: "label", x, y: box.y + box.height + railPad(width) + 15, "font-size": Math.min(13, box.width * 0.25), "text-anchor": "middle" }, group),
    open && rect("ring", box, radius(box.width), 1),
  );
  if (open && choose) {
    element.addEventListener("click", () => choose(text));
    drawn.targets.push(element);
  }
  return element;
}

/**
 * @param {Api.Cell} cell
 * @param {number} number
 * @param {import("./geometry.js").Box} box
 * @param {Drawn} drawn
 * @param {Drawing & { view: Api.View, font: number, foot: number, single: boolean }} look
 */
function drawCell(cell, number, box, drawn, look) {
  const { view, mini, font, foot, single, names = view.sides.map((own) => own[0] ?? ""), pressed } = look;
  const size = box.width;
  const [x, y] = [box.x + size / 2, box.y + size / 2];
  const mark = cell.action === null ? undefined : look.marks?.get(cell.action);
  const legal = cell.action !== null && !mini;
  const open = legal && look.playable === true;
  const chosen = open && size >= FINGER; // a smaller cell is too small for a finger: a button plays its move
  const changed = !mini && look.changed?.includes(number);
  const owner = look.owners?.[number] ?? null;
  const role = cell.role ?? "";
  const kind = cell.owner === 0 || cell.owner === 1 ? `side-${cell.owner}` : "both";
  const classes = ["cell", role, role && kind, legal && "legal", open && "playable", changed && "changed", changed && look.decided && "deciding"];
  const group = s("g", {
    class: [...classes, mark?.best && "best", legal && pressed === cell.text && "pressed"].filter(Boolean).join(" "),
    ...(mini
      ? {}
      : {
          role: chosen ? "button" : "img",
          "aria-label": cellWords(cell, { owner, names, changed, legal: open, mark }),
          "data-cell": number,
          "data-label": cell.label,
          "data-move": chosen ? cell.text : null,
          tabindex: chosen ? "-1" : null,
        }),
  });
  if (!view.links.length || !cell.pieces.length) group.append(rect("ground", box, radius(size)));
  else group.append(rect("ground bare", box, radius(size)));
  if (role.endsWith("goal")) group.append(rect("goal-ring", box, radius(size), 1.5));
  // The shape in a goal is that of its owner's pieces: round for the first side, square for the second.
  if (role === "goal" && kind !== "side-1") group.append(s("circle", { class: "target", cx: x, cy: y, r: size * 0.36 }));
  else if (role === "goal") group.append(s("rect", { class: "target", x: x - size * 0.32, y: y - size * 0.32, width: size * 0.64, height: size * 0.64, rx: size * 0.1 }));
  if (role.endsWith("goal")) {
    const element = flag(x - flagOf(size) * 0.2, box.y - 1, flagOf(size) - 1, kind, role === "later-goal");
    group.append(element);
    drawn.flags.push({ name: `${role} ${kind}`, x, y: box.y, element });
  }
  const reach = size * 0.17;
  if (role === "closed") group.append(s("path", { class: "cross", d: `M${x - reach} ${y - reach}l${2 * reach} ${2 * reach}m0 ${-2 * reach}l${-2 * reach} ${2 * reach}` }));
  if (changed && (cell.pieces.length || look.changed?.length === 1)) group.append(rect("last", box, radius(size), 1));
  if (open && !mark) group.append(hint(x, cell.pieces.length && role !== "closed" ? box.y + size * 0.86 : y, size, direction(view, number, look.mover)));
  group.append(...drawPieces(cell, { x, y: mark && cell.pieces.length ? y - size * 0.1 : y, size, owner }, drawn, view));
  if (mark) {
    const r = Math.max(5, Math.min(11, size * 0.15));
    group.append(valueDot(mark.kind, x, cell.pieces.length ? box.y + size - r - 3 : y, cell.pieces.length ? r : r * 1.3));
    if (mark.best) group.append(s("text", { class: "star", x: box.x + size - 3, y: box.y + Math.max(11, size * 0.2), "font-size": Math.max(10, size * 0.19), "text-anchor": "end" }, "★"));
  }
  if (font) {
    const below = { x, y: box.y + size + (single ? railPad(look.width) + 3 : 1) + font, "text-anchor": "middle" };
    group.append(s("text", { class: "label", "font-size": font, ...(foot ? below : { x: box.x + CORNER, y: box.y + font + 4 }) }, cell.label));
  }
  if (chosen) group.append(rect("ring", box, radius(size), 1));
  if (open && look.choose) {
    const { choose } = look;
    group.addEventListener("click", () => choose(cell.text ?? ""));
    if (chosen) drawn.targets.push(group);
  }
  return group;
}

/** @param {number} width */
const railPad = (width) => Math.min(12, Math.max(4, Math.round(width * 0.012)));

/**
 * The direction of a step to a cell of a track, -1 for left and 1 for right: of the mover's piece, or of the only piece on it.
 * @param {Api.View} view
 * @param {number} number
 * @param {number} [mover]
 */
export function direction(view, number, mover) {
  if (view.rows.length !== 1 || view.hollow.length) return 0;
  const [row] = view.rows;
  const own = mover === undefined ? [] : view.sides[mover];
  const held = row.flatMap((cell, i) => (cell.pieces.some((name) => !own.length || own.includes(name)) ? [i] : []));
  return held.length === 1 ? Math.sign(number - held[0]) : 0;
}

/**
 * @param {Api.Cell} cell
 * @param {{ x: number, y: number, size: number, owner: number | null }} place
 * @param {Drawn} drawn
 * @param {Api.View} view
 */
function drawPieces({ pieces, role }, { x, y, size, owner }, drawn, { sides, hollow }) {
  const count = pieces.length;
  const r = count > 1 ? (size * 0.43) / count : size * 0.37;
  return pieces.map((name, i) => {
    const side = sides.findIndex((own) => own.includes(name));
    const empty = hollow.includes(name);
    const kind = side >= 0 ? `side-${side}` : empty ? "hollow" : owner === null ? "nobody" : `side-${owner}`;
    const cx = x + (i - (count - 1) / 2) * 2 * r;
    const element = piece(name, role === "closed" ? `${kind} covered` : kind, cx, y, r);
    if (!empty) drawn.pieces.push({ name, x: cx, y, element });
    return element;
  });
}

/**
 * A small picture of a position, without controls.
 * @param {Api.View} view
 * @param {string} label
 * @param {(0 | 1 | null)[]} [owners]
 */
export function miniature(view, label, owners) {
  const { svg } = drawView(view, { width: 330, widest: 42, mini: true, label, owners });
  return h("div", { class: "miniature" }, svg);
}

// @ts-check
// A picture to share of the board that is shown, with the game and how it stands in words: the browser draws it, on every host.

import { find, h, s } from "./dom.js";

/** What style sheets say about the shapes of a board: a picture has no style sheet. */
const LOOK =
  "display fill opacity stroke stroke-dasharray stroke-linecap stroke-linejoin stroke-width font-family font-size font-weight text-anchor dominant-baseline".split(" ");
const MARGIN = 24;
const LINE = 24; // the height of a line of words
const NARROWEST = 440;
const LETTER = 8.5; // the width of most letters

/**
 * Buttons that save what the board shows. The words are asked for when a picture is made: the title, and what is said below it.
 * @param {() => string[]} words
 */
export function pictureButtons(words) {
  const button = (/** @type {"svg" | "png"} */ end, /** @type {(svg: string) => Promise<Blob>} */ make) => {
    const kind = end.toUpperCase();
    return h("button", { type: "button", class: "plain", "aria-label": `Save a picture (${kind})`, onclick: async () => save(await make(picture(words())), end) }, kind);
  };
  return h("span", {}, "Save a picture: ", button("svg", async (svg) => new Blob([svg], { type: "image/svg+xml" })), " ", button("png", paint));
}

/**
 * @param {Blob} made
 * @param {string} end
 */
function save(made, end) {
  const href = URL.createObjectURL(made);
  h("a", { href, download: `perfectplay.${end}` }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

/** @param {string[]} words */
function picture([title, ...said]) {
  const shown = /** @type {SVGElement} */ (find("board").querySelector("svg.board"));
  const board = /** @type {SVGElement} */ (shown.cloneNode(true));
  const copies = board.querySelectorAll("*");
  for (const [i, each] of shown.querySelectorAll("*").entries()) {
    const look = getComputedStyle(each);
    for (const name of LOOK) copies[i].setAttribute(name, look.getPropertyValue(name));
    for (const name of ["class", "tabindex"]) copies[i].removeAttribute(name);
  }
  const [width, height] = ["width", "height"].map((name) => Number(shown.getAttribute(name)));
  const whole = Math.max(NARROWEST, width + 2 * MARGIN);
  const { color, backgroundColor, fontFamily } = getComputedStyle(document.body);
  const lines = said.flatMap((text) => wrap(text, (whole - 2 * MARGIN) / LETTER));
  const top = MARGIN + LINE * (lines.length + 1.5);
  for (const [name, value] of Object.entries({ x: (whole - width) / 2, y: top, role: "img" })) board.setAttribute(name, String(value));
  const bottom = top + height + MARGIN;
  const text = (/** @type {string} */ words, /** @type {number} */ row, size = 17) =>
    s("text", { x: MARGIN, y: MARGIN + LINE * (row + 0.5), fill: color, "font-family": fontFamily, "font-size": size, "font-weight": row ? 400 : 700 }, words);
  const drawn = s(
    "svg",
    { width: whole, height: bottom, viewBox: `0 0 ${whole} ${bottom}`, role: "img" },
    s("title", {}, [title, ...said].join(". ")),
    s("rect", { width: whole, height: bottom, fill: backgroundColor }),
    text(title, 0, 22),
    lines.map((line, i) => text(line, i + 1)),
    board,
  );
  return new XMLSerializer().serializeToString(drawn);
}

/**
 * A text in lines.
 * @param {string} text
 * @param {number} most letters of a line
 */
function wrap(text, most) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length && longer.length <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/**
 * An SVG as a PNG, twice as large so that it is sharp.
 * @param {string} svg
 * @returns {Promise<Blob>}
 */
async function paint(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [2 * image.naturalWidth, 2 * image.naturalHeight];
  const brush = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  brush.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture could not be drawn.")))));
}

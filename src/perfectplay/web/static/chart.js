// @ts-check
// The chart of a game: what each position was worth, seen from the first side. It is one slider for the keyboard, and a table for those who want text.

import { h, put, s } from "./dom.js";
import { capital, moveWords, moves as countMoves } from "./words.js";

const MIDDLE = 64;
const FULL = 48; // the height of a column at the end of a game
const SIGNS = { tie: "= tie", endless: "○ endless", undecided: "○ undecided" };

/**
 * What a point says, such as "Ann wins in 3 moves".
 * @param {Api.ChartPoint} point
 * @param {string[]} names
 */
export function pointWords({ kind, plies }, names) {
  const far = plies ? ` in ${countMoves(plies)}` : "";
  if (kind === "win" || kind === "loss") return `${names[kind === "win" ? 0 : 1]} ${plies === 0 ? "has won" : `wins${far}`}`;
  return `${{ tie: "a tie", endless: "endless play", undecided: "undecided" }[kind]}${far}`;
}

/**
 * The point that a key leads to; Page Up and Page Down lead to mistakes. Undefined if it leads nowhere.
 * @param {string} key
 * @param {Api.ChartPoint[]} points
 * @param {number} shown
 */
export function pointAt(key, points, shown) {
  const mistakes = points.filter((point) => point.mistake).map((point) => point.ply);
  /** @type {Record<string, number | undefined>} */
  const places = {
    ArrowLeft: shown - 1,
    ArrowDown: shown - 1,
    ArrowRight: shown + 1,
    ArrowUp: shown + 1,
    Home: 0,
    End: points.length - 1,
    PageUp: mistakes.filter((ply) => ply < shown).at(-1),
    PageDown: mistakes.find((ply) => ply > shown),
  };
  const place = places[key];
  return place !== undefined && points[place] ? place : undefined;
}

export class Chart {
  /** @type {Api.ChartPoint[]} */
  #points = [];
  #shown = 0;
  #last = 0;

  /**
   * `go(ply)` is called with the ply to show.
   * @param {HTMLElement} place
   * @param {(ply: number) => unknown} go
   */
  constructor(place, go) {
    this.place = place;
    this.go = go;
    this.svg = s("svg", { class: "game-chart", role: "slider", tabindex: "0", "aria-labelledby": "chart-title", "aria-valuemin": "0" });
    this.svg.addEventListener("click", (event) => this.#click(/** @type {MouseEvent} */ (event)));
    this.svg.addEventListener("keydown", (event) => this.#key(/** @type {KeyboardEvent} */ (event)));
    this.frame = h("div", { class: "chart-frame" }, this.svg);
    this.above = h("p", { class: "chart-end side-0" });
    this.below = h("p", { class: "chart-end side-1" });
    this.legend = h("p", { class: "quiet small-print" });
    this.rows = h("tbody", {});
    put(
      place,
      h("h2", { id: "chart-title" }, "Chart of the game"),
      this.above,
      this.frame,
      this.below,
      this.legend,
      h(
        "details",
        {},
        h("summary", {}, "The chart as a table"),
        h("table", { "aria-labelledby": "chart-title" }, h("thead", {}, h("tr", {}, ["Move", "With best play"].map((head) => h("th", { scope: "col" }, head)))), this.rows),
      ),
    );
  }

  /**
   * Show the points of a game; `shown` is the ply on the board. Without a move there is no chart.
   * @param {Api.ChartPoint[]} points
   * @param {string[]} names
   * @param {import("./subjects.js").Ply[]} moves
   * @param {number} shown
   */
  show(points, names, moves, shown) {
    this.place.hidden = points.length < 2;
    [this.#points, this.#shown, this.#last] = [points, shown, moves.length];
    if (this.place.hidden) return;
    const title = (/** @type {Api.ChartPoint} */ { ply }) => {
      const move = moves[ply - 1];
      return move ? `${ply}. ${names[move.side]}: ${moveWords(move)}` : ply ? "Resignation" : "Start";
    };
    const words = points.map((point) => `${capital(pointWords(point, names))}${point.mistake ? ", a mistake" : ""}`);
    const here = points[shown];
    put(this.svg, this.#drawing(words.map((text, i) => `${title(points[i])}. ${text}`)));
    this.svg.style.minWidth = `${points.length * 8}px`;
    this.svg.style.maxWidth = `${points.length * 3.5}rem`;
    this.frame.scrollLeft = ((shown + 0.5) / points.length) * this.frame.scrollWidth - this.frame.clientWidth / 2;
    this.svg.setAttribute("aria-valuemax", String(points.length - 1));
    this.svg.setAttribute("aria-valuenow", String(shown));
    this.svg.setAttribute("aria-valuetext", here ? `${title(here)}. ${words[shown]}.` : "");
    put(this.above, `↑ ${names[0]} wins`);
    put(this.below, `↓ ${names[1]} wins`);
    const signs = Object.entries(SIGNS).flatMap(([kind, text]) => (points.some((point) => point.kind === kind) ? [text] : []));
    if (points.some((point) => point.mistake)) signs.push("? mistake");
    put(this.legend, "The taller a bar, the closer the end.", signs.length > 0 ? ` ${signs.join(", ")}.` : "");
    put(this.rows, points.map((point, i) => h("tr", {}, h("th", { scope: "row" }, title(point)), h("td", {}, words[i]))));
  }

  /** @param {string[]} titles */
  #drawing(titles) {
    const wide = 100 / this.#points.length;
    return [
      s("path", { class: "chart-axis", d: `M0 ${MIDDLE}h9999` }),
      this.#points.map(({ ply, kind, mistake, height }) => {
        const [x, tall] = [ply * wide, Math.abs(height) * FULL];
        const center = `${x + wide / 2}%`;
        const bar = (/** @type {number} */ y, /** @type {number} */ high, kindOf = "") =>
          s("rect", { class: `chart-bar ${kindOf}`, x: `${x + wide * 0.12}%`, width: `${wide * 0.76}%`, y, height: high });
        return s(
          "g",
          { class: kind === "loss" ? "side-1" : "side-0", "data-ply": ply },
          s("title", {}, titles[ply]),
          s("rect", { class: ply === this.#shown ? "chart-here" : "chart-column", x: `${x + wide * 0.02}%`, width: `${wide * 0.96}%`, y: 1, height: 2 * MIDDLE - 2 }),
          kind === "win" && bar(MIDDLE - tall, tall),
          kind === "loss" && bar(MIDDLE, tall),
          kind === "tie" && [bar(MIDDLE - 5, 3, "even"), bar(MIDDLE + 2, 3, "even")],
          (kind === "endless" || kind === "undecided") && s("circle", { class: "chart-ring", cx: center, cy: MIDDLE, r: 3 }),
          mistake && s("text", { class: "chart-mistake", x: center, y: height < 0 ? MIDDLE - 8 : MIDDLE + 20 }, "?"),
        );
      }),
    ];
  }

  /** @param {number} place */
  #pick(place) {
    const ply = Math.min(place, this.#last); // a resignation is a point too
    if (ply !== this.#shown) this.go(ply);
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const { left, width } = this.svg.getBoundingClientRect();
    const place = Math.floor(((event.clientX - left) / width) * this.#points.length);
    this.#pick(Math.max(0, Math.min(place, this.#points.length - 1)));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const place = pointAt(event.key, this.#points, this.#shown);
    if (place === undefined) return;
    event.preventDefault();
    this.#pick(place);
  }
}

// @ts-check
// The puzzles of a day: a board on which one move keeps the value, an answer at once, and the streak.

import { get, post } from "./api.js";
import { Board } from "./board.js";
import { announce, complain, find, h, put, say } from "./dom.js";
import { studyAddress } from "./host.js";
import { patiently } from "./patience.js";
import { token } from "./pieces.js";
import { keptDays, remember, resultOf } from "./results.js";
import { rulesOf } from "./rules.js";
import { settingsWords } from "./settings.js";
import { dayOf, notADay, shareText, shiftDay, sign, streak } from "./streak.js";
import { stepsWords } from "./table_words.js";
import { trouble } from "./trouble.js";
import { sentence, whyNot, withNames } from "./words.js";

/**
 * @typedef {Api.DailyPuzzle} Puzzle
 * @typedef {Api.PuzzleAttempt} Judged
 */

const board = new Board(find("board"), tryMove, explain, find("controls"));
const share = /** @type {HTMLTextAreaElement} */ (/** @type {unknown} */ (find("share")));
const copy = /** @type {HTMLButtonElement} */ (/** @type {unknown} */ (find("copy")));

const BOARD = "#board"; // where the link goes that skips to the board

const today = () => dayOf(new Date()); // a page may stay open over midnight
let day = today();
/** @type {Puzzle[]} */
let puzzles = [];
/** @type {Puzzle | null} */
let puzzle = null;
/** @type {string[]} */
let moves = []; // the right ones so far
/** @type {Judged | null} */
let judged = null;
let asked = 0;

/** The day and the game in the address; today if there is no day, or a wrong one, with what is wrong with it. */
function readAddress() {
  const [text, name = ""] = location.hash === BOARD ? [""] : location.hash.slice(1).split("/");
  const wrong = text && notADay(text, today());
  return { wanted: wrong ? today() : text || today(), name, wrong };
}

/** @param {string} [name] */
const address = (wanted = day, name) => `#${wanted}${name ? `/${name}` : ""}`;

async function open() {
  const { wanted, name, wrong } = readAddress();
  if (wanted !== day || !puzzles.length) {
    asked += 1;
    const request = asked;
    find("main").setAttribute("aria-busy", "true");
    /** @type {Puzzle[]} */
    const found = await patiently(() => get(`/api/puzzles/${wanted}`), trouble);
    complain("");
    if (request !== asked) return;
    find("main").removeAttribute("aria-busy");
    [day, puzzles] = [wanted, found];
  }
  const first = puzzles.find((each) => !isSettled(each)) ?? puzzles[0];
  const named = puzzles.find((each) => each.name === name);
  show(named ?? first);
  if (wrong) complain(`${wrong} Here are today's puzzles.`);
  else if (name && !named) complain(`There is no puzzle for “${name}”. Here is another one.`);
}

/** @param {Puzzle} each */
function isSettled(each) {
  const result = resultOf(day, each.name);
  return Boolean(result?.solved || result?.shown);
}

/** @param {Puzzle} wanted */
function show(wanted) {
  if (wanted !== puzzle) board.forget();
  [puzzle, moves, judged] = [wanted, [], null];
  complain("");
  put(find("rules"), rulesOf(puzzle.name, puzzle.title, "h2"));
  draw();
}

/** @param {string} text */
async function tryMove(text) {
  const current = puzzle;
  if (!current) return;
  const tried = [...moves, text];
  const found = await asking(() => post(`${pathOf(current)}/attempt`, { moves: tried }));
  if (!found || current !== puzzle) return;
  judged = found;
  if (found.right) moves = tried;
  if (found.solved) remember(day, current.name, "solved", today());
  if (!found.right) remember(day, current.name, "wrong", today());
  draw();
  announce(answerWords().join(" "));
}

async function showAnswer() {
  const current = puzzle;
  if (!current) return;
  const found = await asking(() => get(`${pathOf(current)}/answer`));
  if (!found || current !== puzzle) return;
  remember(day, current.name, "shown", today());
  judged = found;
  draw();
  announce(answerWords().join(" "));
}

/** @param {Puzzle} puzzle */
const pathOf = ({ name }) => `/api/puzzles/${day}/${name}`;

/**
 * @param {() => Promise<Judged>} ask
 * @returns {Promise<Judged | null>}
 */
async function asking(ask) {
  complain("");
  try {
    return await ask();
  } catch (error) {
    complain(sentence(error.message));
    draw();
    return null;
  }
}

function again() {
  judged = null;
  // The right moves so far stay on the board.
  const kept = moves;
  moves = [];
  if (!puzzle || !kept.length) draw();
  else replay(puzzle, kept);
}

/**
 * @param {Puzzle} current
 * @param {string[]} kept
 */
async function replay(current, kept) {
  const found = await asking(() => post(`${pathOf(current)}/attempt`, { moves: kept }));
  if (!found || current !== puzzle) return;
  [judged, moves] = [found, kept];
  draw();
}

/** @param {Api.Cell} cell */
function explain(cell) {
  if (!puzzle) return;
  const { position } = judged ?? puzzle;
  if (isOpen()) complain(whyNot(cell, position.view, "dot"));
}

const isOpen = () => judged === null || (judged.right && !judged.solved);

/** What there is to say about the last answer. */
function answerWords() {
  if (!puzzle || !judged) return [];
  const { right, solved, words, line } = judged;
  const sides = puzzle.sides;
  const head = line ? `The answer is: ${line.join(", ")}.` : solved ? "Solved." : right ? "Right. And now?" : "Not this one.";
  return [head, ...words.map((each) => withNames(each, sides, sides))];
}

function draw() {
  if (!puzzle) return;
  const { position, owners } = judged ?? puzzle;
  say(find("day"), `${day === today() ? "Today, " : ""}${day}`);
  say(find("status"), `${puzzle.title}: ${puzzle.question}`);
  say(find("note"), `Settings: ${settingsWords(puzzle.spec)}. ${position.view.note}`.trim());
  drawSides(puzzle, position.view);
  find("board").hidden = false;
  board.show(position.view, {
    playable: isOpen(),
    changed: position.changed,
    legal: position.legal,
    mover: position.side,
    lastSide: position.last?.side,
    owners,
    names: puzzle.sides,
    decided: Boolean(position.result?.finished),
    label: `Board of ${puzzle.title}`,
  });
  const [head, ...words] = answerWords();
  const kind = judged?.right && !judged.line ? "right" : "wrong";
  put(find("verdict"), head ? h("p", { class: judged?.line ? "" : kind }, head) : null, words.map((each) => h("p", {}, each)));
  drawActions();
  drawList();
}

/**
 * Which pieces are whose, and what the solver wants to reach.
 * @param {Puzzle} current
 * @param {Api.View} view
 */
function drawSides({ sides, position: { side } }, view) {
  say(find("aim"), `${view.aims[side]} ${stepsWords(view)}`.trim());
  find("aim").className = `aim side-${side}`;
  const pieces = sides.map((name, each) => h("li", {}, token(each, view.sides[each][0] ?? ""), h("span", {}, name, each === side && " (you)")));
  put(find("sides"), pieces);
}

function drawActions() {
  if (!puzzle) return;
  const done = isSettled(puzzle);
  const next = puzzles.find((each) => each !== puzzle && !isSettled(each));
  const place = find("actions");
  const pressed = place.contains(document.activeElement);
  const held = pressed || find("stage").contains(document.activeElement);
  put(
    place,
    judged && !judged.right && h("button", { type: "button", class: "primary", onclick: again }, "Try again"),
    done && judged?.right !== false && next && h("a", { class: "button primary", href: address(day, next.name) }, "Next puzzle"),
    !done && h("button", { type: "button", onclick: showAnswer }, "Show the answer"),
    // The study board shows what every move is worth, so it is for afterwards.
    done && h("a", { class: "button", href: studyAddress(new URLSearchParams({ game: puzzle.spec, moves: puzzle.moves.join(",") })) }, "Study this position"),
  );
  /** @type {HTMLElement | null} */
  const first = place.querySelector(".primary");
  if (held && !isOpen()) first?.focus({ preventScroll: true });
  else if (pressed) find("board").focus({ preventScroll: true });
}

function drawList() {
  const rows = puzzles.map((each) => {
    const result = sign(resultOf(day, each.name));
    return h(
      "li",
      {},
      h(
        "a",
        { href: address(day, each.name), "aria-current": each === puzzle ? "true" : null },
        h("span", { "aria-hidden": "true" }, result.sign),
        h("span", {}, each.title),
        h("span", { class: "result" }, result.words === "open" ? each.difficulty : result.words),
      ),
    );
  });
  const held = find("days").contains(document.activeElement) || find("list").contains(document.activeElement);
  put(find("list"), rows);
  put(
    find("days"),
    h("a", { href: address(shiftDay(day, -1)) }, `Earlier: ${shiftDay(day, -1)}`),
    day < today() && h("a", { href: address(shiftDay(day, 1)) }, `Later: ${shiftDay(day, 1)}`),
    day !== today() && h("a", { href: address(today()) }, "Today"),
  );
  /** @type {HTMLElement | null} */
  const current = find("list").querySelector("[aria-current]");
  if (held) current?.focus({ preventScroll: true }); // the link that was pressed has been drawn anew
  const length = streak(keptDays(), today());
  put(find("streak"), h("b", {}, String(length)), length === 1 ? " day" : " days");
  const results = puzzles.map((each) => ({ title: each.title, result: resultOf(day, each.name) }));
  find("shared").hidden = results.every(({ result }) => !result);
  share.value = shareText({ day, results, length, link: new URL(address(), location.href).href });
}

async function onCopy() {
  try {
    await navigator.clipboard.writeText(share.value);
    announce("Copied.");
    copy.textContent = "Copied";
    setTimeout(() => {
      copy.textContent = "Copy";
    }, 2000);
  } catch {
    // Without https there is no clipboard: the text is selected for the visitor to copy.
    share.focus();
    share.select();
  }
}

/** On a phone the list is far below the board. */
function bringIntoView() {
  if (find("stage").getBoundingClientRect().top < 0) find("stage").scrollIntoView();
}

/** @param {Error} error */
function showFailure(error) {
  find("main").removeAttribute("aria-busy");
  say(find("status"), "The puzzles could not be shown");
  complain(sentence(error.message));
}

copy.addEventListener("click", onCopy);
addEventListener("hashchange", () => {
  if (location.hash !== BOARD) open().then(bringIntoView, showFailure);
});
open().catch(showFailure);

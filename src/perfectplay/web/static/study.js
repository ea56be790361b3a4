// @ts-check
// The study page: a finished game or a study board, with the exact value of every move.

import { get, post } from "./api.js";
import { Board } from "./board.js";
import { announce, complain, find, h, ownName, permanentLink, put, say } from "./dom.js";
import { MoveList } from "./moves.js";
import { parameterFields, specOf, takenApart } from "./settings.js";
import { trouble } from "./trouble.js";
import { capital, longValue, percent, sentence, shortValue, signOf, whyNot } from "./words.js";

const [, first, id, , number] = location.pathname.split("/");
const GAME = /^[1-9][0-9]{0,8}$/; // the number of a game, in an address

/** @typedef {{ ply: number, text: string, side: 0 | 1, events: string[] }} Ply a move in the list */

/**
 * A move on a study board. Its side and what it caused are known once the server has studied it.
 * @param {number} ply
 * @param {string} text
 * @returns {Ply}
 */
const tried = (ply, text) => ({ ply, text, side: 0, events: [] });

/** A game that was played at a table. */
class Played {
  constructor() {
    this.path = `/api/tables/${id}/games/${number}`;
    /** @type {false} */
    this.solo = false;
    this.spec = "";
    this.title = "";
    this.heading = "";
    this.result = "";
    this.ply = 0;
    /** @type {string[]} */
    this.sideNames = [];
    /** @type {(string | null)[]} */
    this.names = [];
    /** @type {Ply[]} */
    this.moves = [];
  }

  async load() {
    /** @type {Api.Played} */
    const played = await get(this.path);
    this.spec = played.game;
    this.title = played.title;
    this.sideNames = played.side_names;
    this.names = played.names;
    this.moves = played.moves.flatMap((move) => (move.ply === null ? [] : [{ ...move, ply: move.ply }]));
    this.result = played.result?.text ?? "in progress";
    this.heading = `${played.title}, game ${number}`;
    this.ply = location.hash ? Math.min(Number(location.hash.slice(1)) || 0, this.moves.length) : this.moves.length;
  }

  /**
   * The name of a side's player.
   * @param {number} side
   */
  player(side) {
    return this.names[side];
  }

  /**
   * @param {number} ply
   * @returns {Promise<Api.Position>}
   */
  position(ply) {
    return get(`${this.path}/positions/${ply}`);
  }

  get line() {
    return this.path;
  }

  /**
   * @param {number} ply
   * @returns {Promise<Api.Study>}
   */
  study(ply) {
    return get(`${this.path}/study/${ply}`);
  }

  /**
   * @param {number} ply
   * @returns {Promise<Api.Made>}
   */
  playOn(ply) {
    return post(`${this.path}/play-on`, { ply, level: "perfect" });
  }
}

/** A study board: a game and the moves tried so far, both in the address. */
class Solo {
  /**
   * @param {string} spec
   * @param {string[]} [moves]
   */
  constructor(spec, moves = []) {
    this.spec = spec;
    /** @type {true} */
    this.solo = true;
    this.title = "";
    this.heading = "";
    this.sideNames = ["", ""]; // known, like the sides of the moves, once they have been studied
    this.moves = moves.map((text, i) => tried(i + 1, text));
    this.ply = this.moves.length;
  }

  /** The board in the address. The position that was shown is in the browser's history. */
  static addressed() {
    const query = new URLSearchParams(location.search);
    const texts = (query.get("moves") ?? "").split(",").filter((text) => text);
    const board = new Solo(query.get("game") || games[0].name, texts);
    board.ply = Math.min(history.state?.ply ?? texts.length, texts.length);
    return board;
  }

  get line() {
    return this.addressOf(this.moves.length);
  }

  /**
   * The address of the board after its first `plies` moves.
   * @param {number} plies
   */
  addressOf(plies) {
    const query = new URLSearchParams({ game: this.spec });
    if (plies) query.set("moves", this.moves.slice(0, plies).map((move) => move.text).join(","));
    return `/study?${query}`;
  }

  /** @returns {string | null} */
  player() {
    return null;
  }

  async load() {
    const { name } = takenApart(this.spec);
    const game = games.find((each) => each.name === name);
    this.title = game?.title ?? name;
    this.heading = `${this.title}, study board`;
  }

  /**
   * @param {number} ply
   * @returns {Promise<Api.Study>}
   */
  study(ply) {
    return post("/api/study", { game: this.spec, moves: this.moves.map((move) => move.text), ply });
  }

  /**
   * Take the sides of the moves from a study.
   * @param {Api.Study} study
   */
  learn({ side_names, played }) {
    this.sideNames = side_names;
    this.moves = this.moves.map((move, i) => ({ ...move, side: played[i].side, events: played[i].events }));
  }

  /**
   * @param {number} ply
   * @param {0 | 1} side
   * @returns {Promise<Api.Made>}
   */
  playOn(ply, side) {
    const moves = this.moves.slice(0, ply).map((move) => move.text);
    return post("/api/tables", { game: this.spec, seat: side, opponent: "perfect", name: ownName.get(), public: false, moves });
  }
}

/** @type {Api.Game[]} */
let games = [];
/** @type {(spec: string) => void} */
let choose; // shows a spec in the form
/** @type {Played | Solo} */
let subject;
let asked = 0;
/** @type {Map<string, Promise<Api.Study>>} */
const studies = new Map(); // by the whole line of moves and the ply
/** @type {Map<number, Api.Mark> | null} */
let marks = null;
let sent = false;
/** @type {{ subject: Played | Solo, moves: Ply[], ply: number, position: Api.Position } | null} */
let shown = null; // the subject, moves, ply and position on the board

const board = new Board(find("board"), tryMove, explain);
const list = new MoveList(find("moves"), go);

/**
 * The study of a ply, kept as a promise so that callers share one request.
 * @param {number} ply
 */
function studyAt(ply) {
  const key = `${subject.line} ${ply}`;
  const known = studies.get(key);
  if (known) return known;
  const study = subject.study(ply);
  studies.set(key, study);
  study.catch(() => studies.delete(key));
  return study;
}

/**
 * @param {number} ply
 * @param {{ spoken?: boolean, fresh?: boolean }} [options]
 */
async function go(ply, { spoken = true, fresh = false } = {}) {
  subject.ply = ply;
  asked += 1;
  const request = asked;
  complain("");
  const place = find("main");
  place.setAttribute("aria-busy", "true");
  /** @type {Api.Study | null} */
  let study = null;
  /** @type {Api.Position | null} */
  let position = null;
  try {
    study = await studyAt(ply);
    position = study.position;
  } catch (error) {
    if (request === asked) trouble(error);
    // Without the values, the game can still be shown.
    if (!subject.solo) position = await subject.position(ply).catch(() => null);
  }
  if (request !== asked) return;
  place.removeAttribute("aria-busy");
  if (!position) {
    restore();
    return;
  }
  remember(fresh);
  if (subject.solo && study) subject.learn(study);
  draw(study, position);
  if (spoken) announce([lastWords(ply), study ? valueWords(study) : ""].filter(Boolean).join(" "));
}

/** Go back to what the board still shows, after something else could not be shown. */
function restore() {
  if (!shown) return;
  const another = subject !== shown.subject;
  subject = shown.subject;
  [subject.moves, subject.ply] = [shown.moves, shown.ply];
  if (another) drawHead();
}

/**
 * Put what is shown into the address. If it is `fresh`, the browser's Back button undoes it.
 * @param {boolean} fresh
 */
function remember(fresh) {
  if (!subject.solo) history.replaceState(null, "", `#${subject.ply}`);
  else if (fresh) history.pushState({ ply: subject.ply }, "", subject.line);
  else history.replaceState({ ply: subject.ply }, "", subject.line);
}

/** @param {string} text */
function tryMove(text) {
  // Ignore a second click until the board shows the first move.
  if (!subject.solo || shown?.ply !== subject.ply || shown.moves !== subject.moves) return;
  const { moves, ply } = subject;
  if (moves[ply]?.text !== text) subject.moves = [...moves.slice(0, ply), tried(ply + 1, text)];
  go(ply + 1, { fresh: true });
}

/**
 * Say why a cell cannot be chosen, on a study board.
 * @param {Api.Cell} cell
 */
function explain(cell) {
  if (!subject.solo || !shown) return;
  const { result, view } = shown.position;
  complain(result ? "The game is over in this position." : whyNot(cell, view, "value"));
}

/**
 * Start a new study board.
 * @param {string} spec
 */
function setUp(spec) {
  subject = new Solo(spec);
  open({ fresh: true }).catch(trouble);
}

/** After the browser's Back or Forward button: show the board in the address. */
function travelled() {
  const addressed = Solo.addressed();
  // A link within the page, such as the one to the board, changes nothing.
  if (history.state === null && addressed.line === subject.line) return;
  if (addressed.spec !== subject.spec) choose(addressed.spec);
  subject = addressed;
  open().catch(trouble);
}

/**
 * Show a subject that has not been shown before.
 * @param {{ spoken?: boolean, fresh?: boolean }} [options]
 */
async function open(options) {
  asked += 1; // earlier requests are out of date
  await subject.load();
  drawHead();
  await go(subject.ply, options);
}

// Drawing

/** @param {Api.Study} study */
function valueWords(study) {
  if (study.position.result) return sentence(study.position.result.text);
  return `${study.position.side_name} to move: ${longValue(study.value)} with best play.`;
}

/** @param {number} ply */
function lastWords(ply) {
  const move = subject.moves[ply - 1];
  if (!move) return "Start position.";
  return `After ${ply}. ${subject.sideNames[move.side]}: ${move.text}.`;
}

/**
 * @param {Api.Study | null} study
 * @param {Api.Position} position
 */
function draw(study, position) {
  shown = { subject, moves: subject.moves, ply: subject.ply, position };
  find("record").hidden = false;
  find("board").hidden = false;
  if (study?.marks) marks = new Map(study.marks.map((mark) => [mark.ply, mark]));
  say(find("status"), study ? valueWords(study) : position.result ? sentence(position.result.text) : `${position.side_name} to move.`);
  board.show(position.view, {
    playable: subject.solo && !position.result,
    marks: study ? new Map(study.moves.map((move) => [move.action, markOf(move)])) : null,
    changed: position.changed,
    legal: position.result ? [] : position.legal,
    label: `Board of ${subject.title}`,
  });
  say(find("last"), lastWords(subject.ply));
  drawMoves();
  drawValues(study);
  drawActions(study, position);
  drawReview(study);
}

/** @param {Api.StudiedMove} move */
function markOf(move) {
  return { short: shortValue(move), long: longValue(move), best: move.best, kind: move.kind };
}

function drawMoves() {
  list.show(
    subject.moves.map((move) => {
      const mark = marks?.get(move.ply);
      const same = mark && (mark.text === move.text || !subject.solo);
      return {
        ...move,
        name: subject.sideNames[move.side],
        note: move.events.join(", "),
        sign: same ? signOf(mark.mark) : "",
        signWords: same ? mark.mark : "",
        kept: same ? mark.kept : undefined,
      };
    }),
    subject.ply,
    subject.moves.length,
  );
}

/** @param {Api.Study | null} study */
function drawValues(study) {
  const place = find("values");
  if (!study || study.moves.length === 0) {
    put(place);
    return;
  }
  const next = subject.moves[subject.ply]?.text;
  const rows = study.moves.map((move) =>
    h(
      "tr",
      { class: move.best ? "best" : "" },
      h("th", { scope: "row" }, move.text, move.text === next && h("small", {}, subject.solo ? " (tried)" : " (played)")),
      h("td", { class: `value ${move.kind}` }, shortValue(move), move.best && h("span", { title: "best" }, " ★"), move.best && h("span", { class: "unseen" }, " best")),
      h("td", {}, move.words),
    ),
  );
  put(
    place,
    study.why?.length > 0 && h("div", { class: "why" }, h("h2", {}, "Coach"), study.why.map((line) => h("p", {}, line))),
    h("h2", { id: "values-title" }, "Every move"),
    h("p", { class: "quiet" }, "W3: wins in 3 moves. L4: loses in 4. T: tie. ∞: endless. ★: best. Moves of both players count."),
    h(
      "table",
      { "aria-labelledby": "values-title" },
      h("thead", {}, h("tr", {}, ["Move", "Value", "In words"].map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, rows),
    ),
  );
}

/**
 * @param {Api.Study | null} study
 * @param {Api.Position} position
 */
function drawActions(study, position) {
  /** @type {HTMLButtonElement[]} */
  const buttons = [];
  // Where studying is not allowed, playing on is not allowed either.
  if (study && !position.result) {
    const button = h("button", { type: "button", class: "primary" }, "Play on from here against perfect play");
    button.addEventListener("click", () => playOn(button, position.side));
    buttons.push(button);
  }
  if (subject.solo && subject.moves.length) {
    buttons.push(
      h(
        "button",
        {
          type: "button",
          onclick: () => {
            subject.moves = [];
            go(0, { fresh: true });
          },
        },
        "Clear the board",
      ),
    );
  }
  const place = find("actions");
  const held = place.contains(document.activeElement);
  put(place, buttons);
  if (held) (place.querySelector("button") ?? find("board")).focus({ preventScroll: true });
}

/**
 * @param {HTMLButtonElement} button
 * @param {0 | 1} side
 */
async function playOn(button, side) {
  if (sent) return;
  sent = true;
  button.disabled = true;
  try {
    const { table } = await subject.playOn(subject.ply, side);
    location.assign(`/t/${table.id}`);
  } catch (error) {
    trouble(error);
    button.disabled = false;
  }
  sent = false;
}

/** @param {number} side */
function whoPlayed(side) {
  const name = subject.sideNames[side];
  const player = subject.player(side);
  return player ? [`${player} `, h("span", { class: "whole" }, `(${name})`)] : name;
}

/** @param {Api.Study | null} study */
function drawReview(study) {
  if (!study) return;
  const shares = (study.accuracy ?? []).map((share, side) =>
    h("tr", {}, h("th", { scope: "row" }, whoPlayed(side)), h("td", {}, share === null ? "nothing to lose" : percent(share))),
  );
  const touched = subject.moves.length > 0;
  put(find("accuracy"), touched && shares.length > 0 && h("table", { class: "accuracy" }, h("caption", {}, "Accuracy"), h("tbody", {}, shares)));
  const lines = study.review ?? [];
  put(find("review"), touched && lines.length > 0 && [h("h2", {}, "Review"), h("ul", { class: "review" }, lines.map((line) => h("li", {}, line)))]);
}

function drawHead() {
  say(find("title"), subject.heading);
  say(find("spec"), subject.spec);
  document.title = `${subject.heading} · perfectplay`;
  if (subject.solo) return;
  say(find("people"), `${subject.player(0)} against ${subject.player(1)}`);
  const link = `${location.origin}/t/${id}/g/${number}`;
  put(
    find("links"),
    h("p", {}, h("b", {}, capital(subject.result))),
    h("a", { class: "button", href: `/t/${id}` }, "Back to the table"),
    h("a", { class: "button", href: `${subject.path}/record`, download: `${id}-${number}.txt` }, "Download the record"),
    permanentLink(link),
    h("a", { class: "button", href: `/study?game=${encodeURIComponent(subject.spec)}` }, "Open on a study board"),
  );
}

/** Draw the form that chooses the game of the study board; returns a function that shows a spec in it. */
function drawChoice() {
  const form = find("choose");
  const chooser = h("select", { id: "study-game" }, games.map((game) => h("option", { value: game.name }, game.title)));
  const fields = h("div", {});
  /** @param {Record<string, string>} settings */
  const fill = (settings) => put(fields, parameterFields(games.find((game) => game.name === chooser.value) ?? games[0], "study", settings));
  chooser.addEventListener("change", () => {
    fill({});
    setUp(chooser.value);
  });
  put(
    form,
    h("p", { class: "parameter" }, h("label", { for: "study-game" }, h("b", {}, "game")), chooser),
    h("details", {}, h("summary", {}, "Settings"), fields),
    h("button", { type: "submit" }, "Use these settings"),
  );
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    setUp(specOf(games.find((game) => game.name === chooser.value) ?? games[0], fields));
  });
  return (/** @type {string} */ spec) => {
    const { name, values } = takenApart(spec);
    chooser.value = name;
    fill(values);
  };
}

function missing() {
  say(find("title"), "Game not found");
  document.title = "Game not found · perfectplay";
  put(find("people"), h("a", { class: "button", href: "/" }, "Go to the games"));
  find("centre").hidden = true;
}

async function start() {
  try {
    if (first === "t") {
      if (!GAME.test(number)) return missing();
      subject = new Played();
    } else {
      games = await get("/api/games");
      subject = Solo.addressed();
      choose = drawChoice();
      choose(subject.spec);
      addEventListener("popstate", travelled);
    }
    await open({ spoken: false });
  } catch (error) {
    if (error.status === 404) return missing();
    say(find("title"), "The game could not be opened");
    trouble(error);
  }
}

start();

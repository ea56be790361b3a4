// A finished game or a board of one's own, with the exact value of every move.

import { Refused, get, getText, post } from "./api.js";
import { Board, changedCells } from "./board.js";
import { announce, complain, copy, find, h, ownName, put, say } from "./dom.js";
import { MoveList } from "./moves.js";
import { parameterFields, specOf, takenApart } from "./settings.js";
import { capital, longValue, percent, sentence, shortValue, signOf } from "./words.js";

const [, first, id, , number] = location.pathname.split("/");
const query = new URLSearchParams(location.search);

/** A finished game of a table. */
class Played {
  constructor() {
    this.path = `/api/tables/${id}/games/${number}`;
    this.solo = false;
  }

  async load() {
    const [table, record] = await Promise.all([get(`/api/tables/${id}`), getText(`${this.path}/record`)]);
    Object.assign(this, readRecord(record));
    this.title = table.title;
    this.sideNames = table.side_names;
    this.names = table.names;
    this.heading = `${table.title}, game ${number}`;
    this.ply = location.hash ? Math.min(Number(location.hash.slice(1)) || 0, this.moves.length) : this.moves.length;
  }

  position(ply) {
    return get(`${this.path}/positions/${ply}`);
  }

  study(ply) {
    return get(`${this.path}/study/${ply}`);
  }

  playOn(ply) {
    return post(`${this.path}/play-on`, { ply, level: "perfect" });
  }
}

/** A board of one's own: a game and the moves tried so far, both in the address. */
class Solo {
  constructor(spec) {
    this.spec = spec;
    this.solo = true;
    this.result = "";
    this.moves = (query.get("moves") ?? "")
      .split(",")
      .filter((text) => text)
      .map((text, i) => ({ ply: i + 1, text, side: i % 2, name: "" }));
    this.ply = this.moves.length;
  }

  async load() {
    const { name } = takenApart(this.spec);
    const game = games.find((each) => each.name === name);
    this.title = game?.title ?? name;
    this.heading = `${this.title}, study board`;
    this.sideNames = game?.side_names ?? [null, null];
  }

  study(ply) {
    return post("/api/study", { game: this.spec, moves: this.moves.map((move) => move.text), ply });
  }

  async position(ply) {
    return (await studyAt(ply)).position;
  }

  playOn(ply, side) {
    const moves = this.moves.slice(0, ply).map((move) => move.text);
    return post("/api/tables", { game: this.spec, seat: side, opponent: "perfect", name: ownName.get(), public: false, moves });
  }
}

/** The moves and the result that a record states. */
export function readRecord(text) {
  const moves = [];
  let result = "";
  let spec = "";
  for (const line of text.split("\n")) {
    const move = /^(\d+)\. (.+?): (.*?)(?: -> .*?)?(?: \{(.*)\})?$/.exec(line);
    if (move) moves.push({ ply: Number(move[1]), name: move[2], text: move[3], note: move[4] ?? "" });
    result = /^result: (.*)$/.exec(line)?.[1] ?? result;
    spec = /^game: (.*)$/.exec(line)?.[1] ?? spec;
  }
  return { moves, result, spec };
}

let games = [];
let subject;
let asked = 0;
let studies = new Map();
let marks = null;
let sent = false;

const board = new Board(find("board"), tryMove);
const list = new MoveList(find("moves"), go);

function trouble(error) {
  if (!(error instanceof Refused)) throw error;
  complain(sentence(error.message), ...(error.table ? [" ", h("a", { href: `/t/${error.table}` }, "Go to that game")] : []));
}

/** The study of a ply, kept as a promise so that two askers share one request. */
function studyAt(ply) {
  if (!studies.has(ply)) {
    const study = subject.study(ply);
    studies.set(ply, study);
    study.catch(() => studies.delete(ply));
  }
  return studies.get(ply);
}

async function go(ply, spoken = true) {
  subject.ply = ply;
  asked += 1;
  const request = asked;
  remember();
  complain("");
  const place = find("main");
  place.setAttribute("aria-busy", "true");
  let [study, position, before] = [null, null, null];
  try {
    study = await studyAt(ply);
    position = study.position;
  } catch (error) {
    if (request === asked) trouble(error);
    // Where nothing can be said of the values, the game can still be looked at.
    if (!subject.solo) position = await subject.position(ply).catch(() => null);
  }
  if (request !== asked) return;
  place.removeAttribute("aria-busy");
  if (!position) return;
  if (ply > 0) before = await Promise.resolve(subject.position(ply - 1)).catch(() => null);
  if (request !== asked) return;
  draw(study, position, before);
  if (spoken) announce([lastWords(ply), study ? valueWords(study) : ""].filter(Boolean).join(" "));
}

function remember() {
  if (!subject.solo) {
    history.replaceState(null, "", `#${subject.ply}`);
    return;
  }
  const address = new URLSearchParams({ game: subject.spec });
  if (subject.moves.length) address.set("moves", subject.moves.map((move) => move.text).join(","));
  history.replaceState(null, "", `/study?${address}`);
}

function tryMove(text) {
  if (!subject.solo) return;
  const kept = subject.moves.slice(0, subject.ply);
  const again = subject.moves[subject.ply]?.text === text;
  if (!again) {
    subject.moves = [...kept, { ply: kept.length + 1, text, side: kept.length % 2, name: "" }];
    studies = new Map([...studies].filter(([ply]) => ply < subject.moves.length));
  }
  go(subject.ply + 1);
}

// Drawing

function valueWords(study) {
  if (study.position.result) return sentence(study.position.result.text);
  return `${study.position.side_name} to move: ${longValue(study.value)} with best play.`;
}

function lastWords(ply) {
  const move = subject.moves[ply - 1];
  return move ? `After ${ply}. ${move.name ? `${move.name}: ` : ""}${move.text}.` : "The start.";
}

function draw(study, position, before) {
  find("record").hidden = false;
  find("board").hidden = false;
  for (const each of [position, before]) {
    if (each) subject.sideNames[each.side] ??= each.side_name; // on a board of one's own they become known as they move
  }
  if (study?.marks) marks = new Map(study.marks.map((mark) => [mark.ply, mark]));
  if (before && subject.solo && position.last) {
    Object.assign(subject.moves[subject.ply - 1], { side: position.last.side, name: subject.sideNames[position.last.side] ?? "" });
  }
  say(find("status"), study ? valueWords(study) : position.result ? sentence(position.result.text) : `${position.side_name} to move.`);
  board.show(position.view, {
    playable: subject.solo && !position.result,
    marks: study ? new Map(study.moves.map((move) => [move.action, markOf(move)])) : null,
    changed: before ? changedCells(before.view, position.view, position.last?.text) : new Set(),
    sideNames: subject.sideNames.includes(null) ? null : subject.sideNames,
    legal: position.result ? [] : position.legal,
    label: `Board of ${subject.title}`,
  });
  say(find("last"), lastWords(subject.ply));
  drawMoves();
  drawValues(study);
  drawActions(position);
  drawReview(study);
}

function markOf(move) {
  return { short: shortValue(move), long: longValue(move), best: move.best, kind: move.kind };
}

function drawMoves() {
  list.show(
    subject.moves.map((move) => {
      const mark = marks?.get(move.ply);
      const same = mark && (mark.text === move.text || !subject.solo);
      const side = subject.sideNames.indexOf(move.name);
      return {
        ...move,
        side: side >= 0 ? side : move.side,
        name: move.name || `Move ${move.ply}`,
        sign: same ? signOf(mark.mark) : "",
        signWords: same ? mark.mark : "",
        kept: same ? mark.kept : undefined,
      };
    }),
    subject.ply,
    subject.moves.length,
  );
}

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
    study.why?.length > 0 && h("div", { class: "why" }, h("h2", {}, "Why"), study.why.map((line) => h("p", {}, line))),
    h("h2", { id: "values-title" }, "Every move"),
    h("p", { class: "quiet" }, "W3: wins in 3 plies. L4: loses in 4. T: tie. ∞: goes on for ever. ★: best."),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-labelledby": "values-title" },
      h("table", {}, h("thead", {}, h("tr", {}, ["Move", "Value", "In words"].map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, rows)),
    ),
  );
}

function drawActions(position) {
  const buttons = [];
  if (!position.result) {
    const button = h("button", { type: "button", class: "primary" }, "Play on from here against perfect");
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
            studies = new Map();
            marks = null;
            go(0);
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

function drawReview(study) {
  if (!study) return;
  const shares = (study.accuracy ?? []).map((share, side) =>
    h("tr", {}, h("th", { scope: "row" }, subject.sideNames[side] ?? `Side ${side + 1}`), h("td", {}, share === null ? "nothing to lose" : percent(share))),
  );
  const some = subject.moves.length > 0 && shares.length > 0;
  put(find("accuracy"), some && h("table", { class: "accuracy" }, h("caption", {}, "Accuracy"), h("tbody", {}, shares)));
  const lines = study.review ?? [];
  put(find("review"), lines.length > 0 && [h("h2", {}, "Review"), h("ul", { class: "review" }, lines.map((line) => h("li", {}, line)))]);
}

function drawHead() {
  say(find("title"), subject.heading);
  say(find("spec"), subject.spec);
  document.title = `${subject.heading} · perfectplay`;
  if (subject.solo) return;
  const link = `${location.origin}/t/${id}/g/${number}`;
  const field = h("input", { id: "permanent", readonly: true, onfocus: () => field.select() });
  field.value = link;
  const button = h("button", { type: "button", onclick: () => copy(link, button, field) }, "Copy");
  put(
    find("links"),
    subject.result && h("p", {}, h("b", {}, capital(subject.result))),
    h("a", { class: "button", href: `/t/${id}` }, "Back to the table"),
    h("a", { class: "button", href: `${subject.path}/record`, download: `${id}-${number}.txt` }, "Download the record"),
    h("p", { class: "permanent" }, h("label", { for: "permanent" }, "Link to this game"), h("span", { class: "joined" }, field, button)),
    h("a", { class: "button", href: `/study?game=${encodeURIComponent(subject.spec)}` }, "Open on a study board"),
  );
}

/** The form in which a game for the study board is chosen. */
function drawChoice(spec) {
  const form = find("choose");
  const { name, values } = takenApart(spec);
  const chooser = h("select", { id: "study-game" }, games.map((game) => h("option", { value: game.name }, game.title)));
  chooser.value = name;
  const fields = h("div", {});
  const fill = (settings) => put(fields, parameterFields(games.find((game) => game.name === chooser.value) ?? games[0], "study", settings));
  fill(values);
  chooser.addEventListener("change", () => fill({}));
  put(
    form,
    h("p", { class: "parameter" }, h("label", { for: "study-game" }, h("b", {}, "game")), chooser),
    h("details", {}, h("summary", {}, "Settings"), fields),
    h("button", { type: "submit" }, "Set up the board"),
  );
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const game = games.find((each) => each.name === chooser.value);
    location.assign(`/study?game=${encodeURIComponent(specOf(game, fields))}`);
  });
}

async function start() {
  try {
    if (first === "t") {
      subject = new Played();
    } else {
      games = await get("/api/games");
      subject = new Solo(query.get("game") || games[0].name);
      drawChoice(subject.spec);
    }
    await subject.load();
    drawHead();
    await go(subject.ply, false);
  } catch (error) {
    say(find("title"), error.status === 404 ? "There is no such game" : "The game cannot be opened");
    trouble(error);
  }
}

start();

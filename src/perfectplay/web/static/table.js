// @ts-check
// The page of a table: what happens there, what the user does, and everything that is drawn for it.

import { Absence } from "./absence.js";
import { get } from "./api.js";
import { Board } from "./board.js";
import { clockText, controlWords, isUrgent, reading, silence, timeLeft } from "./clock.js";
import { announce, ask, complain, find, h, keepRoom, put, say } from "./dom.js";
import { moving } from "./motion.js";
import { MoveList } from "./moves.js";
import { ownersOf } from "./owners.js";
import { Pace } from "./pace.js";
import { rulesOf } from "./rules.js";
import { seatCard } from "./seats.js";
import { settingsWords, takenApart } from "./settings.js";
import { TableSocket } from "./socket.js";
import { soundButton, sounded } from "./sound.js";
import { drawActions, drawLinks, drawOffers, drawShare } from "./table_actions.js";
import { drawExtras } from "./table_extras.js";
import { drawStatus } from "./table_status.js";
import { isComputer, lastWords, nameOf, other, sideNames, story, turnWords } from "./table_words.js";
import { trouble } from "./trouble.js";
import { capital, whyNot } from "./words.js";

const id = location.pathname.split("/")[2];
const path = `/api/tables/${id}`;
const THINKING = 650; // milliseconds until a move of the computer is shown

/** @type {Api.Table} */
let table;
/** @type {TableSocket} */
let socket;
let waitingFor = 0;
let connection = "connected";
/** @type {number | null} */
let browsing = null; // the ply that is shown, or null to follow the game
/** @type {{ words: string, next: number } | null} */
let declined = null; // the last declined offer in words, and the number of the next event at that time
let closable = false; // whether the button to close the table, or to claim the game, is shown
/** @type {import("./clock.js").Reading} */
let clocks;
/** @type {WeakMap<Api.EventMessage, number>} */
const arrived = new WeakMap(); // when a message came, which may be shown later
/** @type {Map<string, Api.Position>} */
const seen = new Map(); // positions by game and ply
const absence = new Absence();

const board = new Board(find("board"), (text) => act("move", text), explain, find("controls"));
const list = new MoveList(find("moves"), look);
const pace = new Pace(happened, ({ event }) => {
  const watched = moving() && document.visibilityState === "visible";
  return watched && event.kind === "move" && isComputer(table, event.seat) ? THINKING : 0;
});

const mine = () => table.seat;

// Events

/** @param {Api.Position} position */
function remember(position) {
  seen.set(`${position.game}/${position.ply}`, position);
}

/** @param {number} ply */
async function fetchPosition(ply) {
  const { game } = table.position;
  if (!seen.has(`${game}/${ply}`)) remember(await get(`${path}/games/${game}/positions/${ply}`));
}

/** @param {Api.Table} fresh */
function adopt(fresh) {
  const before = table;
  table = fresh;
  if (before && before.games !== table.games) browsing = null;
  seen.clear();
  remember(table.position);
  absence.count(table.away);
  clocks = reading(table, performance.now(), table.ran);
}

async function reload() {
  const fresh = await get(path);
  pace.flush();
  if (fresh.next < table.next) return; // newer events arrived while it was on its way
  adopt(fresh);
  render();
}

/** @param {Api.EventMessage} message */
function happened(message) {
  const { event, table: brief, position } = message;
  if (event.number < table.next) return; // received twice
  if (event.number > table.next) {
    reload().catch(trouble);
    return;
  }
  const { ply, game } = table.position;
  Object.assign(table, brief);
  table.next = event.number + 1;
  table.position = position;
  clocks = reading(table, arrived.get(message) ?? performance.now(), 0);
  if (position.game !== game) {
    table.moves = [];
    browsing = null;
    seen.clear();
  } else if (position.ply < ply) {
    table.moves = table.moves.filter((move) => move.ply !== null && move.ply <= position.ply);
    for (const key of [...seen.keys()]) if (Number(key.split("/")[1]) > position.ply) seen.delete(key);
    browsing = null;
  }
  if (event.seat !== null && (event.kind === "move" || event.kind === "forfeit")) {
    const { side, events, placed } = position.last ?? { side: table.sides[event.seat], events: [], placed: null };
    table.moves.push({ ply: position.ply, side, seat: event.seat, text: event.text, kind: event.kind, events, placed });
  }
  remember(position);
  complain("");
  const words = story(table, event);
  if (event.kind === "decline") declined = { words, next: table.next };
  render();
  announce(words);
  makeSound(event);
}

/** @param {Api.Event} event */
function makeSound(event) {
  const { result, last } = table.position;
  if (result?.finished && table.seat !== null && result.winner_seat !== null) sounded(result.winner_seat === table.seat ? "won" : "lost");
  else if (event.kind === "move" || event.kind === "forfeit") sounded(last?.events.length ? "flag" : event.seat === mine() ? "own" : "other");
}

// What the user does

/**
 * Say why a cell cannot be chosen. Spectators cannot choose anything, so they are told nothing.
 * @param {Api.Cell} cell
 */
function explain(cell) {
  if (mine() === null) return;
  const { position, status } = table;
  if (browsing !== null) complain("You are looking at an earlier position. Return to the game to move.");
  else if (status === "over") complain("The game is over.");
  else if (status !== "running" || position.seat !== mine()) complain(turnWords(table));
  else if (busy()) complain("Your last move is still being sent.");
  else complain(whyNot(cell, position.view, "sign"));
}

/** @param {Api.NewEvent["kind"]} kind */
async function act(kind, text = "") {
  pace.flush();
  const { ply, game } = table.position;
  complain("");
  const number = table.next;
  waitingFor = number;
  const sending = socket.send({ number, kind, text });
  render();
  try {
    await sending;
    render();
  } catch (error) {
    waitingFor = 0;
    if (error.code === "number") {
      // Another event, such as an offer, took this number. Ours did not happen, so it can be sent again.
      await reload().catch(trouble);
      const same = table.position.ply === ply && table.position.game === game;
      if (kind === "move" && same && table.status === "running" && table.next > number) {
        act(kind, text);
        return;
      }
      complain("Something else happened first. Check the table and try again.");
    } else {
      trouble(error);
    }
    render();
  }
}

/** @param {number} ply */
async function look(ply) {
  pace.flush();
  browsing = ply === table.position.ply ? null : ply;
  complain("");
  if (browsing !== null) {
    try {
      await fetchPosition(ply);
    } catch (error) {
      browsing = null;
      trouble(error);
    }
  }
  render();
  const move = table.moves.find((each) => each.ply === ply);
  announce(move ? `Position after ${ply}. ${nameOf(table, move.seat)}: ${move.text}.` : "Start position.");
}

async function resign() {
  if (await ask("Give up this game?", "Resign", "Play on")) act("resign");
}

/** The computer accepts every offer, so this ends the game at once. */
async function abandon() {
  if (await ask("Leave this game unfinished? It ends at once.", "Abandon", "Play on")) act("offer", "abandon");
}

async function claim() {
  if (await ask("Leave this game unfinished, because your opponent does not play?", "Claim the game", "Wait")) act("claim");
}

async function close() {
  if (await ask("Close this table?", "Close the table", "Keep it open")) act("close");
}

// Drawing

function busy() {
  return socket?.pending !== null || table.next <= waitingFor;
}

function render() {
  say(find("title"), table.title);
  say(find("spec"), `${settingsWords(table.game)}${table.clock ? `, ${controlWords(table.clock)}` : ""}`);
  find("record").hidden = false;
  find("board").hidden = false;
  drawSeats();
  drawShare(table);
  drawStatus(table, browsing, Boolean(socket?.pending) && connection !== "connected");
  drawOffers(table, declined, act);
  drawButtons();
  drawLinks(table);
  drawWatching();
  drawBoard();
  drawExtras(table);
  for (const place of ["aim", "note", "hand"]) keepRoom(find(place));
}

function drawWatching() {
  say(find("watching"), table.watching ? `${table.watching} watching` : "");
}

function drawSeats() {
  // The user is at the bottom, as at a real board.
  const below = mine() ?? 1;
  for (const [place, seat] of /** @type {[string, 0 | 1][]} */ ([["seat-top", other(below)], ["seat-bottom", below]])) {
    put(find(place), seatCard(table, seat, absence.of(seat) !== null));
  }
  tick();
}

function tick() {
  absence.tell();
  drawClocks();
  if (closable === mayClose()) return;
  closable = !closable;
  drawButtons();
  if (closable && table.status === "running") announce(`${nameOf(table, other(mine()))} does not play. You can claim the game now.`);
}

function drawClocks() {
  /** @type {NodeListOf<HTMLElement>} */
  const places = document.querySelectorAll(".clock");
  for (const place of places) {
    const seat = Number(place.dataset.seat);
    const left = timeLeft(clocks, seat, performance.now());
    if (left !== null) say(place, clockText(left));
    place.classList.toggle("urgent", table.status === "running" && isUrgent(left));
  }
}

/** Whether the user may end it: before an opponent came, or when the opponent has been away or silent for long enough. */
function mayClose() {
  if (mine() === null || table.status !== "running") return mine() !== null && table.status === "open";
  if (table.away_limit === null) return false;
  const limit = Math.ceil(table.away_limit) * 1000; // the server counts whole seconds
  const opponent = other(mine());
  return (absence.of(opponent) ?? -1) >= limit || (silence(clocks, opponent, performance.now()) ?? -1) >= limit;
}

function drawButtons() {
  drawActions(table, {
    waiting: busy() && connection === "connected",
    browsing: browsing !== null,
    mayClose: mayClose(),
    offer: (what) => act("offer", what),
    back: () => look(table.position.ply),
    abandon,
    resign,
    close: table.status === "open" ? close : claim,
  });
}

function drawBoard() {
  const { position } = table;
  const ply = browsing ?? position.ply;
  const shown = browsing === null ? position : (seen.get(`${position.game}/${ply}`) ?? position);
  const playable = browsing === null && table.status === "running" && position.seat === mine() && mine() !== null && !busy();
  board.show(shown.view, {
    playable,
    changed: shown.changed,
    legal: table.status === "running" ? shown.legal : [],
    typing: true,
    idle: mine() === null || browsing !== null,
    mover: shown.side,
    lastSide: shown.last?.side,
    owners: ownersOf(table.moves, ply),
    names: sideNames(table),
    decided: Boolean(shown.result?.finished) && shown.last !== null,
    label: `Board of ${table.title}`,
  });
  const last = table.moves.find((move) => move.ply === ply);
  say(find("last"), last ? lastWords(table, last) : "");
  list.show(table.moves.flatMap(listed), ply, position.ply, Boolean(position.result?.finished));
}

/** What is known about the game, for those who try to find out how. */
async function drawPuzzle() {
  /** @type {Api.Game[]} */
  const games = await get("/api/games");
  const text = games.find((game) => game.name === takenApart(table.game).name)?.puzzle;
  if (!text) return;
  put(find("puzzle"), h("h2", {}, "Puzzle"), h("p", {}, text));
  find("puzzle").hidden = false;
}

/**
 * A move for the list. A resignation is not listed.
 * @param {Api.Move} move
 * @returns {Page.ListedMove[]}
 */
function listed({ ply, side, seat, kind, text, events }) {
  if (ply === null) return [];
  return [{ ply, side, name: nameOf(table, seat), text: kind === "forfeit" ? "lost turn" : text, note: events.join(", ") }];
}

/** @param {"connected" | "reconnecting"} state */
function connected(state) {
  const before = connection;
  connection = state;
  const line = find("connection");
  line.className = `connection ${state}`;
  say(line, state === "connected" ? "Connected" : "Reconnecting…");
  if (table && before !== state) render();
}

async function failing() {
  try {
    await reload();
  } catch (error) {
    if (error.status !== 404) return; // the socket keeps trying
    socket.stop();
    say(find("connection"), "Not connected");
    trouble(error);
  }
}

/** @param {Api.Sent} message */
function heard(message) {
  if (message.type === "table") {
    pace.flush();
    adopt(message.table);
    render();
  } else if (message.type === "event") {
    arrived.set(message, performance.now());
    pace.add(message);
  } else if (message.type === "present") {
    table.present = message.present;
    table.watching = message.watching;
    absence.count(message.away);
    pace.flush(); // it says how long the clock has run since the last event
    clocks = reading(table, performance.now(), message.ran);
    drawSeats();
    drawButtons();
    drawWatching();
  }
}

async function start() {
  say(find("connection"), "Connecting…");
  soundButton(find("sound"));
  try {
    adopt(await get(path));
  } catch (error) {
    say(find("title"), error.status === 404 ? "Table not found" : "The table could not be opened");
    say(find("connection"), "Not connected");
    trouble(error);
    return;
  }
  socket = new TableSocket(id, { after: () => table.next - 1, heard, changed: connected, failing });
  if (location.hash === "#puzzle") drawPuzzle().catch(() => {}); // the game goes on without it
  put(find("rules"), rulesOf(takenApart(table.game).name, table.title, "h2"));
  render();
  announce(`${capital(table.title)}. ${turnWords(table)}`);
  setInterval(tick, 1000);
  if (table.clock) setInterval(drawClocks, 100);
}

start();

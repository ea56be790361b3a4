// @ts-check
// The page of a table: what happens there, what the user does, and everything that is drawn for it.

import { get } from "./api.js";
import { Board } from "./board.js";
import { controlWords } from "./clock.js";
import { hint } from "./coach.js";
import { KeptGames } from "./kept_games.js";
import { announce, complain, find, keepRoom, put, say } from "./dom.js";
import { CONNECTION, NO_TABLE, PEOPLE, here } from "./host.js";
import { mayMove } from "./motion.js";
import { MoveList } from "./moves.js";
import { ownersOf } from "./owners.js";
import { Pace } from "./pace.js";
import { patiently } from "./patience.js";
import { Positions } from "./positions.js";
import { rulesOf } from "./rules.js";
import { seatCard } from "./seats.js";
import { parseSpec, settingsWords } from "./settings.js";
import { TableSocket } from "./socket.js";
import { playSound, soundButton, soundOf } from "./sound.js";
import { drawActions, drawLinks, drawOffers, drawShare } from "./table_actions.js";
import { applyEvent } from "./table_events.js";
import { drawExtras, readAbout } from "./table_extras.js";
import { drawStatus } from "./table_status.js";
import { TableTime } from "./table_time.js";
import { BACK, MOVED, isComputer, isShared, lastWords, listMoves, nameOf, other, sideNames, story, turnWords, whyNotNow } from "./table_words.js";
import { showMissing, trouble } from "./trouble.js";
import { Turning } from "./turning.js";
import { capital, moveWordsInFull } from "./words.js";

const id = here()?.id ?? "";
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
let looks = 0; // how often another ply was asked for
/** @type {{ words: string, next: number } | null} */
let declined = null; // the last declined offer in words, and the number of the next event at that time
let closable = false; // whether the button to close the table, or to claim the game, is shown
let moved = false; // whether the user had a seat here until another device took it
/** @type {WeakMap<Api.EventMessage, number>} */
const arrived = new WeakMap(); // when a message came, which may be shown later
const positions = new Positions(path);
const time = new TableTime();
const turning = new Turning(path, render);
const kept = new KeptGames(render);

const explain = (/** @type {Api.Cell} */ cell) => complain(whyNotNow(table, cell, { browsing: browsing !== null, sending: busy() }));
const board = new Board(find("board"), (text) => act("move", text), explain, find("controls"));
const list = new MoveList(find("moves"), look);
const pace = new Pace(onEvent, ({ event }) => {
  const watched = mayMove() && document.visibilityState === "visible";
  return watched && event.kind === "move" && isComputer(table, event.seat) ? THINKING : 0;
});

const mine = () => table.seat;

// Events

/** @param {Api.Table} fresh */
function adopt(fresh) {
  const before = table;
  table = fresh;
  browsing = null; // earlier positions may not be what they were
  if (PEOPLE && before && before.seat !== table.seat) {
    moved = table.seat === null;
    announce(moved ? MOVED : BACK);
  }
  positions.restart(table.position);
  time.adopt(table);
}

async function reload() {
  const fresh = await get(path);
  pace.flush();
  if (fresh.next < table.next) return; // newer events arrived while it was on its way
  adopt(fresh);
  render();
}

/** @param {Api.EventMessage} message */
function onEvent(message) {
  const { event } = message;
  if (event.number < table.next) return; // received twice
  if (event.number > table.next) {
    patiently(reload).catch(trouble);
    return;
  }
  if (applyEvent(table, message) !== "further") browsing = null;
  if (event.kind !== "assisted") find("hint").hidden = true;
  time.onMove(table, arrived.get(message));
  positions.follow(table.position);
  complain("");
  const words = story(table, event);
  if (event.kind === "decline") declined = { words, next: table.next };
  render();
  announce(words);
  playSound(soundOf(table, event));
}

// What the user does

/** @param {Api.NewEvent["kind"] | "assisted"} kind */
async function act(kind, text = "") {
  pace.flush();
  const { ply, game } = table.position;
  complain("");
  const number = table.next;
  waitingFor = number;
  // Only pages with a coach send that a player was assisted.
  const sending = socket.send({ number, kind: /** @type {Api.NewEvent["kind"]} */ (kind), text });
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
      if (kind === "move" && same && table.status === "running" && table.next > number) return act(kind, text);
      complain("Something else happened first. Check the table and try again.");
    } else {
      if (error.code === "seat") await reload().catch(trouble); // it may have moved while this page was not connected
      trouble(error);
    }
    render();
  }
}

/** @param {number} ply */
async function look(ply) {
  pace.flush();
  complain("");
  looks += 1;
  const [request, { game }] = [looks, table.position];
  try {
    await positions.fetch(game, ply);
  } catch (error) {
    if (request !== looks) return;
    trouble(error);
    return render();
  }
  if (request !== looks) return; // another step was faster
  browsing = positions.get(table.position.game, ply) && ply < table.position.ply ? ply : null;
  render();
  const move = table.moves.find((each) => each.ply === ply);
  const shown = browsing === null ? table.position : positions.get(table.position.game, browsing);
  announce(move && shown ? `Position after ${ply}. ${nameOf(table, move.seat)}: ${moveWordsInFull(move, shown)}.` : "Start position.");
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
  drawStatus(table, browsing, connection === "connected" ? "" : (socket?.sending ?? ""), turning.of(table)?.words ?? "");
  drawOffers(table, [declined?.next === table.next && declined.words, moved && MOVED], act);
  drawButtons();
  drawLinks(table, browsing);
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
  const below = isShared(table) ? 1 : (mine() ?? 1);
  for (const [place, seat] of /** @type {[string, 0 | 1][]} */ ([["seat-top", other(below)], ["seat-bottom", below]])) {
    put(find(place), seatCard(table, seat, time.isAway(seat)));
  }
  tick();
}

function tick() {
  time.show(table);
  if (closable === time.mayClose(table)) return;
  closable = !closable;
  drawButtons();
  if (closable && table.status === "running") announce(`${nameOf(table, other(mine()))} does not play. You can claim the game now.`);
}

function drawButtons() {
  drawActions(table, {
    waiting: busy() && connection === "connected",
    browsing,
    mayClose: time.mayClose(table),
    erred: turning.of(table)?.erred ?? false,
    exercise: kept.exerciseOf(table),
    act,
    back: () => look(table.position.ply),
    hint: () => hint(table, act),
  });
}

function drawBoard() {
  const { position } = table;
  const ply = browsing ?? position.ply;
  const shown = browsing === null ? position : (positions.get(position.game, ply) ?? position);
  const turn = turning.of(table)?.ply ?? null;
  const playable = browsing === null && table.status === "running" && position.seat === mine() && mine() !== null && !busy();
  board.show(shown.view, {
    playable,
    changed: shown.changed,
    legal: table.status === "running" ? shown.legal : [],
    typing: true,
    idle: mine() === null || browsing !== null,
    resting: table.status === "running" && position.seat !== mine(),
    mover: shown.side,
    lastSide: shown.last?.side,
    owners: ownersOf(table.moves, ply),
    names: sideNames(table),
    decided: turn !== null && turn === shown.ply,
    label: `Board of ${table.title}`,
  });
  const last = table.moves.find((move) => move.ply === ply);
  say(find("last"), last ? lastWords(table, last) : "");
  list.show(listMoves(table), ply, position.ply, turn);
}

/** @param {"connected" | "reconnecting"} state */
function onConnection(state) {
  const before = connection;
  connection = state;
  const line = find("connection");
  line.className = `connection ${state}`;
  say(line, CONNECTION[state]);
  if (table && before !== state) render();
}

async function reloadOrStop() {
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
function onMessage(message) {
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
    pace.flush(); // it says how long the clock has run since the last event
    time.onNews(table, message);
    drawSeats();
    drawButtons();
    drawWatching();
  } else if (message.type === "ready" && message.seat !== table.seat) {
    patiently(reload).catch(trouble); // it has moved, or come back, while this page was not connected
  }
}

async function start() {
  say(find("connection"), "Connecting…");
  soundButton(find("sound"));
  try {
    adopt(await patiently(() => get(path), trouble));
    complain("");
  } catch (error) {
    find("connection").hidden = !PEOPLE || error.status === 404;
    say(find("connection"), "Not connected");
    if (error.status === 404) return showMissing(...NO_TABLE);
    say(find("title"), "The table could not be opened");
    return trouble(error);
  }
  socket = new TableSocket(id, { after: () => table.next - 1, onMessage, onState: onConnection, onFailure: reloadOrStop });
  readAbout(table).then(render, () => {}); // the game goes on without it
  put(find("rules"), rulesOf(parseSpec(table.game).name, table.title, "h2"));
  render();
  announce(`${capital(table.title)}. ${turnWords(table)}`);
  setInterval(tick, 1000);
  if (table.clock) setInterval(() => time.showClocks(table), 100);
}

start();

// @ts-check
// The page of a table: the board, the players, their offers, and the games so far.

import { get } from "./api.js";
import { Board } from "./board.js";
import { announce, ask, complain, find, h, linkField, permanentLink, put, say } from "./dom.js";
import { MoveList } from "./moves.js";
import { rulesOf } from "./rules.js";
import { takenApart } from "./settings.js";
import { TableSocket } from "./socket.js";
import { trouble } from "./trouble.js";
import { capital, isLocal, sentence, whyNot } from "./words.js";

const id = location.pathname.split("/")[2];
const path = `/api/tables/${id}`;

/** @type {Record<string, [string, string, string]>} */
const OFFERS = {
  takeback: ["take back a move", "Ask to take back your last move", "Take back"],
  abandon: ["abandon the game", "Offer to leave the game unfinished", "Abandon"],
  rematch: ["play again with roles swapped", "Offer another game with roles swapped", "Rematch"],
};

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
let closable = false; // whether the button to close the table is shown
/** @type {Map<string, Api.Position>} */
const seen = new Map(); // positions by game and ply
/** @type {(number | null)[]} */
const awaySince = [null, null];

const board = new Board(find("board"), (text) => act("move", text), explain);
const list = new MoveList(find("moves"), look);

// The players

const mine = () => table.seat;
/** @param {number | null} seat */
const other = (seat) => (seat === 0 ? 1 : 0);
/** @param {number} seat */
const isComputer = (seat) => table.players[seat] !== null;

/** @param {number | null} seat */
function nameOf(seat) {
  if (seat === null) return "Someone";
  return table.names[seat] || (table.names[seat] === null ? "Nobody yet" : `Guest ${seat + 1}`);
}

/** @param {number | null} seat */
function subject(seat) {
  return seat !== null && seat === mine() ? "You" : nameOf(seat);
}

/** @param {number} seat */
const sideOf = (seat) => table.side_names[table.sides[seat]];

/** @param {Api.Result | null} result */
function outcome(result) {
  if (!result) return "";
  if (!result.finished) return sentence(result.text);
  if (result.winner_seat === null) return `A tie: ${result.reason}.`;
  const won = result.winner_seat;
  return `${subject(won)} ${won === mine() ? "have" : "has"} won: ${result.reason}.`;
}

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
  countAway(table.away);
}

/** @param {(number | null)[]} away */
function countAway(away) {
  for (const seat of [0, 1]) {
    const seconds = away[seat];
    awaySince[seat] = seconds === null ? null : performance.now() - seconds * 1000;
  }
}

async function reload() {
  const fresh = await get(path);
  if (fresh.next < table.next) return; // newer events arrived while it was on its way
  adopt(fresh);
  render();
}

/** @param {Api.EventMessage} message */
function happened({ event, table: brief, position }) {
  if (event.number < table.next) return; // received twice
  if (event.number > table.next) {
    reload().catch(trouble);
    return;
  }
  const { ply, game } = table.position;
  Object.assign(table, brief);
  table.next = event.number + 1;
  table.position = position;
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
    const { side, events } = position.last ?? { side: table.sides[event.seat], events: [] };
    table.moves.push({ ply: position.ply, side, seat: event.seat, text: event.text, kind: event.kind, events });
  }
  remember(position);
  complain("");
  const words = story(event, position);
  if (event.kind === "decline") declined = { words, next: table.next };
  render();
  announce(words);
}

/**
 * @param {Api.Event} event
 * @param {Api.Position} position
 */
function story(event, position) {
  const who = subject(event.seat);
  const next = position.result ? outcome(position.result) : turnWords();
  const offered = OFFERS[event.text]?.[0] ?? event.text;
  const told = {
    sit: `${who} sat down.`,
    move: `${who} played ${event.text}.`,
    forfeit: `${who} lost the turn: “${event.text}” is not valid.`,
    resign: `${who} resigned.`,
    offer: `${who} ${event.seat === mine() ? "ask" : "asks"} to ${offered}.`,
    accept: `${who} accepted the request to ${offered}.`,
    decline: `${who} declined the request to ${offered}.`,
    close: `The table was closed: ${table.closed ?? event.text}.`,
  }[event.kind];
  return event.kind === "offer" || event.kind === "decline" ? told : `${told} ${next}`.trim();
}

function turnWords() {
  if (table.status === "open") return "Waiting for an opponent.";
  if (table.status === "closed") return `The table is closed: ${table.closed}.`;
  if (table.status === "over") return outcome(table.position.result);
  const { seat } = table.position;
  return seat === mine() ? "It is your turn." : `${nameOf(seat)} to move.`;
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
  else if (status !== "running" || position.seat !== mine()) complain(turnWords());
  else if (busy()) complain("Your last move is still being sent.");
  else complain(whyNot(cell, position.view, "dot"));
}

/** @param {Api.NewEvent["kind"]} kind */
async function act(kind, text = "") {
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
  announce(move ? `Position after ${ply}. ${nameOf(move.seat)}: ${move.text}.` : "Start position.");
}

// Drawing

function busy() {
  return socket?.pending !== null || table.next <= waitingFor;
}

function render() {
  say(find("title"), table.title);
  say(find("spec"), table.game);
  drawPlayers();
  drawShare();
  drawStatus();
  drawOffers();
  drawActions();
  drawLinks();
  say(find("watching"), table.watching ? `${table.watching} watching` : "");
  find("record").hidden = false;
  find("board").hidden = false;
  drawBoard();
}

function drawPlayers() {
  const { position } = table;
  const rows = [0, 1].map((seat) => {
    const turn = table.status === "running" && position.seat === seat;
    const taken = table.names[seat] !== null || isComputer(seat);
    const here = isComputer(seat) || table.present[seat];
    const away = awaySince[seat];
    const state = !taken ? "seat is free" : here ? (isComputer(seat) ? "ready" : "here") : "not connected";
    const side = table.sides[seat];
    return h(
      "li",
      { class: `player${turn ? " turn" : ""}`, "data-seat": seat },
      h("span", { class: `badge side-${side}`, "aria-hidden": "true" }),
      h(
        "span",
        { class: "player-name" },
        h("b", {}, nameOf(seat)),
        seat === mine() && h("span", { class: "you" }, " (you)"),
        h(
          "small",
          {},
          h("span", {}, sideOf(seat), turn && h("span", { class: "to-move" }, ", to move")),
          " ",
          h("span", { class: `presence${here ? " here" : ""}` }, state, away !== null && h("span", { class: "seconds", "data-seat": seat })),
        ),
      ),
      h("span", { class: "score", "aria-label": `Games won: ${table.score[seat]}` }, String(table.score[seat])),
    );
  });
  // The user is at the bottom, as at a real board.
  put(find("players"), mine() === 0 ? rows.reverse() : rows);
  tick();
}

function tick() {
  /** @type {NodeListOf<HTMLElement>} */
  const spans = document.querySelectorAll(".seconds");
  for (const span of spans) {
    const since = awaySince[Number(span.dataset.seat)];
    say(span, since === null ? "" : ` for ${Math.max(0, Math.floor((performance.now() - since) / 1000))} s`);
  }
  if (closable === mayClose()) return;
  closable = !closable;
  drawActions();
  if (closable && table.status === "running") announce(`${nameOf(other(mine()))} has left. You can close the table now.`);
}

/** Whether the user may close the table: before an opponent came, or when the opponent has been away for long enough. */
function mayClose() {
  if (mine() === null || table.status !== "running") return mine() !== null && table.status === "open";
  const since = awaySince[other(mine())];
  return since !== null && performance.now() - since >= Math.ceil(table.away_limit) * 1000; // the server counts whole seconds
}

const LISTED = "It is also listed on the home page. The first person to sit down gets the other seat.";
const UNLISTED = "The first person to sit down gets the other seat. Others can watch at this page's address.";

function drawShare() {
  const box = find("share");
  const code = table.status === "open" ? table.join : null;
  const link = code ? `${location.origin}/join/${id}/${code}` : null;
  if (box.dataset.link === (link ?? "")) return;
  box.dataset.link = link ?? "";
  box.hidden = !link;
  if (!link) {
    put(box);
    return;
  }
  put(
    box,
    h("label", { for: "share-link" }, "Send this link to your opponent:"),
    linkField("share-link", link, "Copy link", "primary"),
    h("small", {}, table.public ? LISTED : UNLISTED),
    isLocal(location.hostname) &&
      h(
        "small",
        { class: "near" },
        "This link works only on this machine. To invite others, start the server with ",
        h("code", {}, "--host 0.0.0.0"),
        " and open the address that it prints.",
      ),
  );
}

function drawStatus() {
  const turn = table.status === "running" && table.position.seat === mine();
  let text = turnWords();
  if (browsing !== null) {
    text = `Looking back: ${browsing === 0 ? "before move 1" : `after move ${browsing}`} of ${table.position.ply}.${turn ? " It is your turn." : ""}`;
  } else if (socket?.pending && connection !== "connected") {
    text = "Your move will be sent when the connection is back.";
  }
  say(find("status"), text);
  find("status").classList.toggle("yours", turn && browsing === null);
  document.title = `${turn ? "Your turn · " : ""}${table.title} · perfectplay`;
}

function drawOffers() {
  const lines = Object.entries(table.offers).map(([what, seat]) => {
    const [words] = OFFERS[what] ?? [what];
    if (seat === mine()) return h("p", { class: "offer" }, `You asked to ${words}. Waiting for an answer.`);
    return h(
      "p",
      { class: "offer" },
      `${nameOf(seat)} asks to ${words}.`,
      mine() !== null && [
        h("button", { type: "button", class: "primary", onclick: () => act("accept", what) }, "Accept"),
        h("button", { type: "button", onclick: () => act("decline", what) }, "Decline"),
      ],
    );
  });
  if (declined?.next === table.next) lines.push(h("p", { class: "offer" }, declined.words));
  keepFocus(find("offers"), lines);
}

/**
 * Replace buttons. If the focused one is still there, it keeps the focus.
 * @param {HTMLElement} place
 * @param {HTMLElement[]} children
 */
function keepFocus(place, children) {
  const active = document.activeElement;
  const held = active && place.contains(active) ? active.textContent : null;
  put(place, children);
  if (held === null) return;
  /** @type {NodeListOf<HTMLElement>} */
  const now = place.querySelectorAll("button:enabled, a");
  const again = [...now].find((each) => each.textContent === held);
  (again ?? find("board")).focus({ preventScroll: true });
}

function drawActions() {
  /** @type {HTMLButtonElement[]} */
  const buttons = [];
  /**
   * @param {string} label
   * @param {string} title
   * @param {() => unknown} run
   */
  const button = (label, title, run, kind = "", open = true) =>
    buttons.push(h("button", { type: "button", class: kind, title, disabled: !open || (busy() && connection === "connected"), onclick: run }, label));
  // An offer's button stays, disabled, after it is made: the next button must not move under the pointer.
  /** @param {string} what */
  const offer = (what) => button(OFFERS[what][2], OFFERS[what][1], () => act("offer", what), "", !(what in table.offers));
  if (browsing !== null) buttons.push(h("button", { type: "button", class: "primary", onclick: () => look(table.position.ply) }, "Return to the game"));
  if (mine() !== null && table.status === "running") {
    if (table.moves.some((move) => move.seat === mine())) offer("takeback");
    if (isComputer(other(mine()))) button(OFFERS.abandon[2], "Leave the game unfinished", abandon);
    else offer("abandon");
    button("Resign", "Give up this game", resign, "danger");
  }
  if (mine() !== null && table.status === "over") offer("rematch");
  if (mayClose()) button("Close the table", "Close the table and leave the game unfinished", close);
  keepFocus(find("actions"), buttons);
}

async function resign() {
  if (await ask("Give up this game?", "Resign", "Play on")) act("resign");
}

/** The computer accepts every offer, so this ends the game at once. */
async function abandon() {
  if (await ask("Leave this game unfinished? It ends at once.", "Abandon", "Play on")) act("offer", "abandon");
}

async function close() {
  if (await ask("Close this table? The game stays unfinished.", "Close the table", "Keep it open")) act("close");
}

function drawLinks() {
  const game = table.position.game;
  const ended = table.status === "over" || (table.status === "closed" && table.games > 0);
  const earlier = Array.from({ length: Math.max(0, table.games - 1) }, (_, i) => i + 1).slice(-20);
  const key = JSON.stringify([game, ended, earlier.length]);
  const place = find("links");
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  put(
    place,
    ended && h("a", { class: "button primary", href: `/t/${id}/g/${game}` }, "Study this game"),
    game > 0 && h("a", { class: "button", href: `${path}/games/${game}/record`, download: `${id}-${game}.txt` }, "Download the record"),
    ended && permanentLink(`${location.origin}/t/${id}/g/${game}`),
    earlier.length > 0 &&
      h("p", { class: "earlier" }, "Earlier games: ", earlier.map((number) => [h("a", { href: `/t/${id}/g/${number}` }, `game ${number}`), " "])),
  );
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
    label: `Board of ${table.title}`,
  });
  const last = table.moves.find((move) => move.ply === ply);
  say(find("last"), last ? lastWords(last) : playable ? "Choose a marked cell or a button. Or use the arrow keys, then Enter." : "");
  list.show(
    table.moves.flatMap(listed),
    ply,
    position.ply,
  );
}

/** @param {Api.Move} move */
function lastWords(move) {
  const also = move.events.length ? ` (${move.events.join(", ")})` : "";
  if (move.kind === "forfeit") return `Last: ${subject(move.seat)} lost the turn.`;
  return `Last: ${subject(move.seat)} played ${move.text}${also}.`;
}

/**
 * A move for the list. A resignation is not listed.
 * @param {Api.Move} move
 * @returns {Page.ListedMove[]}
 */
function listed({ ply, side, seat, kind, text, events }) {
  if (ply === null) return [];
  return [{ ply, side, name: nameOf(seat), text: kind === "forfeit" ? "lost turn" : text, note: events.join(", ") }];
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
    adopt(message.table);
    render();
  } else if (message.type === "event") {
    happened(message);
  } else if (message.type === "present") {
    table.present = message.present;
    table.watching = message.watching;
    countAway(message.away);
    drawPlayers();
    drawActions();
    say(find("watching"), table.watching ? `${table.watching} watching` : "");
  }
}

async function start() {
  say(find("connection"), "Connecting…");
  try {
    adopt(await get(path));
  } catch (error) {
    say(find("title"), error.status === 404 ? "Table not found" : "The table could not be opened");
    say(find("connection"), "Not connected");
    trouble(error);
    return;
  }
  socket = new TableSocket(id, { after: () => table.next - 1, heard, changed: connected, failing });
  put(find("rules"), rulesOf(takenApart(table.game).name, table.title, "h2"));
  render();
  announce(`${capital(table.title)}. ${turnWords()}`);
  setInterval(tick, 1000);
}

start();

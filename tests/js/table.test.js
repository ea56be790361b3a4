import assert from "node:assert/strict";
import { test } from "node:test";

import { soundOf } from "../../src/perfectplay/web/static/sound.js";
import { applyEvent } from "../../src/perfectplay/web/static/table_events.js";
import { TableTime } from "../../src/perfectplay/web/static/table_time.js";
import { offerWords, story } from "../../src/perfectplay/web/static/table_words.js";

const last = (ply) => ({ side: (ply + 1) % 2, events: [], placed: null });
const position = (ply, game = 1) => ({ game, ply, seat: ply % 2, last: ply ? last(ply) : null, result: null });

/** A message about an event, after which a game stands at a ply. */
function message(number, kind, ply, { seat = 0, text = "", game = 1 } = {}) {
  return { event: { number, kind, seat, text }, table: { status: "running", games: game }, position: position(ply, game) };
}

const fresh = () => ({ next: 3, sides: [0, 1], moves: [], position: position(0), status: "running" });

test("a table follows its events: moves, takebacks, another game", () => {
  const table = fresh();
  assert.equal(applyEvent(table, message(3, "move", 1, { text: "left" })), "further");
  assert.equal(applyEvent(table, message(4, "forfeit", 2, { seat: 1 })), "further");
  assert.equal(applyEvent(table, message(5, "offer", 2, { text: "takeback" })), "further");
  assert.deepEqual([table.next, table.moves.map(({ ply, kind, text }) => `${ply} ${kind} ${text}`)], [6, ["1 move left", "2 forfeit "]]);
  assert.equal(applyEvent(table, message(6, "accept", 1, { seat: 1, text: "takeback" })), "back");
  assert.deepEqual(table.moves.map((move) => move.ply), [1]);
  assert.equal(applyEvent(table, message(7, "accept", 0, { seat: 1, game: 2 })), "another");
  assert.deepEqual([table.moves, table.games, table.position.game], [[], 2, 2]);
});

test("a move is told with where its marker stands and what it caused", () => {
  const told = (text, { board, changed = [], sides = [[], []], placed = null, events = [] }) => {
    const table = { ...fresh(), seat: 0, names: ["Ann", "Bob"], players: [null, null], moves: [] };
    const cells = board.map((pieces, i) => ({ label: `${i + 1}`, pieces: [...pieces] }));
    const view = { rows: [cells.slice(0, 2), cells.slice(2)], sides };
    const news = message(3, "move", 1, { text });
    applyEvent(table, { ...news, position: { ...news.position, view, changed, last: { side: 0, text, kind: "move", events, placed } } });
    return story(table, news.event).replace(" Bob to move.", "");
  };
  const shared = { board: ["", "", "*", ""], changed: [1, 2] };
  assert.equal(told("right", shared), "You played right, to 3.");
  const race = { sides: [["A"], ["B"]], changed: [1, 2] };
  assert.equal(told("left", { ...race, board: ["", "A", "B", ""] }), "You played left, to 2.");
  assert.equal(told("right", { ...race, board: ["", "B", "A", ""], events: ["inversion", "leap"] }), "You played right, to 3, inversion, leap.");
  const row = { board: ["1", "0", "0"], changed: [0] };
  assert.equal(told("0", { ...row, placed: { cell: 0, adds: false } }), "You played 0.");
  assert.equal(told("1 B", { ...row, placed: { cell: 0, adds: true } }), "You played 1 B.");
  assert.equal(told("pass", { ...race, board: ["A", "B"], changed: [], events: ["pass"] }), "You played pass.");
});

test("what happens sounds different for whom it happens to", () => {
  const after = (result, events = []) => ({ seat: 0, position: { result, last: { events } } });
  const move = { kind: "move", seat: 0 };
  assert.equal(soundOf(after(null), move), "own");
  assert.equal(soundOf(after(null), { ...move, seat: 1 }), "other");
  assert.equal(soundOf(after(null, ["inversion"]), move), "flag");
  assert.equal(soundOf(after(null), { ...move, kind: "offer" }), null);
  assert.equal(soundOf(after({ finished: true, winner_seat: 0 }), { ...move, kind: "resign" }), "won");
  assert.equal(soundOf(after({ finished: true, winner_seat: 1 }), move), "lost");
  assert.equal(soundOf({ ...after({ finished: true, winner_seat: 1 }), seat: null }, move), "other");
});

test("a game can be claimed once the opponent has been away or silent for the whole limit", () => {
  const time = new TableTime();
  const table = { seat: 0, status: "running", away_limit: 59.2, position: { seat: 1 }, left: null, waited: 0 };
  const may = (news, change = {}) => {
    time.onNews({ ...table, ...change }, { away: [null, null], ran: 0, ...news });
    return time.mayClose({ ...table, ...change });
  };
  assert.ok(!may({ away: [null, 59.5] }));
  assert.ok(may({ away: [null, 60] }));
  assert.ok(!may({ away: [70, null] }));
  assert.ok(!may({ ran: 59_500 }));
  assert.ok(may({ ran: 60_000 }));
  assert.ok(may({ ran: 1_000 }, { waited: 59_000 }));
  assert.ok(!may({ ran: 60_000 }, { position: { seat: 0 } }));
  assert.ok(!may({ away: [null, 60] }, { away_limit: null }));
  assert.ok(may({}, { status: "open" }));
  assert.ok(!may({}, { status: "open", seat: null }));
});

test("whoever goes first in a rematch is named, once it is known who went first", () => {
  const table = (seat, moves) => ({ seat, moves, names: ["Ann", "Bob"], players: [null, null] });
  const moves = [{ ply: 1, seat: 0 }, { ply: 2, seat: 1 }];
  assert.equal(offerWords(table(1, moves), "rematch"), "play again, this time with you going first");
  assert.equal(offerWords(table(0, moves), "rematch"), "play again, this time with Bob going first");
  assert.equal(offerWords(table(0, [{ ply: null, seat: 1 }]), "rematch"), "play again, this time with the other player going first");
  assert.equal(offerWords(table(0, moves), "takeback"), "take back a move");
});

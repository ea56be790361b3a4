// The home page without a browser: which game invites to play, the order of one's own games, and words about them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { guideWords } from "../../src/perfectplay/web/static/guide.js";
import { invitingGame } from "../../src/perfectplay/web/static/home_hero.js";
import { allWords, inOrder } from "../../src/perfectplay/web/static/home_lists.js";
import { isNews, turnOf } from "../../src/perfectplay/web/static/notice.js";
import { resultWords } from "../../src/perfectplay/web/static/words.js";

const game = (name, actions) => ({ name, view: { rows: [actions.map((action) => ({ action }))] } });

test("the game with the most moves on its board invites to play, and the first of equals", () => {
  const games = [game("a", [null, 1]), game("b", [0, 1, null]), game("c", [2, 3])];
  assert.equal(invitingGame(games).name, "b");
});

test("one's own tables come in the order in which they want something", () => {
  const table = (id, status, turn) => ({ id, status, seat: 0, turn });
  const over = [1, 2, 3, 4].map((id) => table(`over ${id}`, "over", null));
  const all = [table("open", "open", null), ...over, table("mine", "running", 0)];
  assert.deepEqual(
    inOrder(all).map((each) => each.id),
    ["mine", "open", "over 1", "over 2", "over 3"],
  );
});

test("a few of one's own tables are listed, and it is said how many more go on", () => {
  const tables = (number) => Array.from({ length: number }, (_, id) => ({ id, status: "running", seat: 0, turn: id < 6 ? 1 : 0 }));
  const over = { id: "over", status: "over", seat: 0, turn: null };
  assert.deepEqual(
    inOrder([...tables(7), over]).map((each) => each.id),
    [6, 0, 1, 2, 3],
  );
  assert.equal(allWords([...tables(5), over]), "See all");
  assert.equal(allWords([...tables(7), over]), "See all (2 more)");
});

test("a game in a list says how it stands or ended", () => {
  const words = (more) => resultWords({ seat: 1, names: ["Bob", "Ann"], status: "over", turn: null, result: null, ...more });
  assert.equal(words({ status: "open" }), "waiting for an opponent");
  assert.equal(words({ status: "running", turn: 1 }), "your turn");
  assert.equal(words({ status: "running", turn: 0 }), "Bob to move");
  assert.equal(words({ status: "closed" }), "nobody came");
  assert.equal(words({ result: { finished: false, winner_seat: null } }), "unfinished");
  assert.equal(words({ result: { finished: true, winner_seat: null } }), "a tie");
  assert.equal(words({ result: { finished: true, winner_seat: 1 } }), "you won");
  assert.equal(words({ result: { finished: true, winner_seat: 0 } }), "you lost");
});

/** A table against the computer at which Ann, on seat 0, has made `own` moves. */
function table(own, more = {}) {
  const view = { aims: ["Reach the flag.", "Stop Ann."], note: "", rows: [[{ text: "left" }, { text: null }, { text: "right" }]], controls: [] };
  return {
    status: "running",
    seat: 0,
    sides: [0, 1],
    names: ["Ann", "Computer (level 1)"],
    players: [null, "level:1"],
    moves: Array.from({ length: own }, () => ({ seat: 0 })),
    position: { seat: 0, game: 1, ply: own, view, result: null },
    ...more,
  };
}

test("the guide says something else at every step, and nothing to those who watch", () => {
  const result = (winner_seat, finished = true) => ({ status: "over", position: { ...table(3).position, result: { finished, winner_seat } } });
  const steps = [
    table(0),
    table(1),
    table(1, { position: { ...table(1).position, seat: 1 } }),
    table(2),
    table(3),
    table(3, result(0)),
    table(3, result(1)),
    table(3, result(null, false)),
  ].map((each) => guideWords(each, { buttons: [], study: "Where did I go wrong?" }));
  assert.match(steps[0], /^You play the round, orange pieces. Reach the flag\. Press a cell with a sign\.$/);
  assert.match(steps[1], /^The computer answered/);
  assert.equal(steps[2], "The computer is to move. Your goal: reach the flag.");
  assert.equal(steps[4], "Keep going: reach the flag.");
  assert.match(steps[5], /^You won/);
  assert.equal(steps[6], "That was a whole game. Press “Where did I go wrong?” to see what every move was worth.");
  assert.equal(new Set(steps).size, steps.length);
  assert.equal(guideWords(table(0, { seat: null }), { buttons: [], study: "" }), "");
});

test("the guide names only what is there to press", () => {
  const how = (...buttons) => /Press .*/.exec(guideWords(table(0), { buttons, study: "" }))[0];
  assert.equal(how(), "Press a cell with a sign.");
  assert.equal(how("left", "right"), "Press a button below the board.");
  assert.equal(how("left", "right", "pass"), "Press a button below the board.");
  assert.equal(how("pass"), "Press a cell with a sign or a button below the board.");
});

test("there is news when a turn has come, not while it lasts or when a page is opened", () => {
  const mine = turnOf(table(1));
  const theirs = turnOf(table(2, { position: { ...table(2).position, seat: 1 } }));
  assert.equal(isNews(null, mine), false);
  assert.equal(isNews(theirs, mine), true);
  assert.equal(isNews(mine, mine), false);
  assert.equal(isNews(mine, theirs), false);
  const waiting = { ...mine, status: "open", turn: false, at: "0/0" };
  assert.equal(isNews(waiting, mine), true);
});

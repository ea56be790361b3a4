// @ts-check
// What a study page shows: a game that was played at a table, or a study board.

import { get, post } from "./api.js";
import { ownName } from "./storage.js";
import { studyAddress, studyQuery } from "./host.js";
import { parseSpec, settingsWords } from "./settings.js";
import { endWords } from "./study_words.js";

/** @typedef {{ ply: number, text: string, side: 0 | 1, events: string[], placed: Api.Placed | null }} Ply a move in the list */

/**
 * A move on a study board. Its side and what it caused are known once the server has studied it.
 * @param {number} ply
 * @param {string} text
 * @returns {Ply}
 */
export const newMove = (ply, text) => ({ ply, text, side: 0, events: [], placed: null });

/**
 * The ply that an address asks for in a game of `moves` moves: the last one unless it names another.
 * @param {string | null} text
 * @param {number} moves
 */
const readPly = (text, moves) => (/^\d{1,9}$/.test(text ?? "") ? Math.min(Number(text), moves) : moves);

/** A game that was played at a table. */
export class Played {
  /**
   * @param {string} id
   * @param {string} number
   */
  constructor(id, number) {
    this.table = id;
    this.number = number;
    this.path = `/api/tables/${id}/games/${number}`;
    /** @type {false} */
    this.solo = false;
    this.spec = "";
    this.title = "";
    this.heading = "";
    this.result = "";
    this.ply = 0;
    this.start = "";
    /** @type {string[]} */
    this.names = ["", ""];
    /** @type {Ply[]} */
    this.moves = [];
  }

  async load() {
    /** @type {Api.Played & { start?: string | null }} */
    const played = await get(this.path);
    this.start = played.start ?? "";
    this.spec = played.game;
    this.title = played.title;
    this.names = played.names.map((name, side) => name || played.side_names[side]);
    this.moves = played.moves.flatMap((move) => (move.ply === null ? [] : [{ ...move, ply: move.ply }]));
    this.result = played.result ? endWords(played.result, this.names) : "In progress.";
    this.heading = `${played.title}, game ${this.number}`;
    this.ply = readPly(location.hash.slice(1), this.moves.length);
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

/** A study board: a game, the position in which it begins if that is not its start, and the moves tried so far, all in the address. */
export class Solo {
  /**
   * @param {Api.Game[]} games
   * @param {string} spec
   * @param {string[]} [moves]
   * @param {string} [start]
   */
  constructor(games, spec, moves = [], start = "") {
    this.games = games;
    this.spec = spec;
    this.start = start;
    /** @type {true} */
    this.solo = true;
    this.title = "";
    this.heading = "";
    this.result = "";
    this.names = ["", ""]; // known, like the sides of the moves, once they have been studied
    this.moves = moves.map((text, i) => newMove(i + 1, text));
    this.ply = this.moves.length;
  }

  /**
   * The board in the address. The position that was shown is in the browser's history; before that, the address may name one.
   * @param {Api.Game[]} games
   */
  static fromAddress(games) {
    const query = studyQuery();
    const texts = (query.get("moves") ?? "").split(",").filter((text) => text);
    const board = new Solo(games, query.get("game") || games[0].name, texts, query.get("start") ?? "");
    board.ply = Math.min(history.state?.ply ?? readPly(query.get("ply"), texts.length), texts.length);
    return board;
  }

  get line() {
    return this.lineAt(this.moves.length);
  }

  /**
   * The address of the board, to be opened at a ply.
   * @param {number} ply
   */
  lineAt(ply) {
    const query = new URLSearchParams({ game: this.spec });
    if (this.start) query.set("start", this.start);
    if (this.moves.length) query.set("moves", this.moves.map((move) => move.text).join(","));
    if (ply < this.moves.length) query.set("ply", String(ply));
    return studyAddress(query);
  }

  async load() {
    const { name } = parseSpec(this.spec);
    this.title = this.games.find((each) => each.name === name)?.title ?? name;
    this.heading = `${this.title}, study board`;
  }

  get settings() {
    return settingsWords(this.spec);
  }

  /**
   * @param {number} ply
   * @returns {Promise<Api.Study>}
   */
  study(ply) {
    return post("/api/study", this.question(ply));
  }

  /**
   * A position of the board, as the server is asked about it.
   * @param {number} ply
   */
  question(ply) {
    const begun = this.start ? { start: this.start } : {};
    return { game: this.spec, moves: this.moves.map((move) => move.text), ply, ...begun };
  }

  /**
   * Take the sides of the moves from a study.
   * @param {Api.Study} study
   */
  learn({ side_names, played }) {
    this.names = side_names;
    this.moves = this.moves.map((move, i) => ({ ...move, side: played[i].side, events: played[i].events, placed: played[i].placed }));
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

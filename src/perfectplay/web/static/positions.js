// @ts-check
// The positions of a game that the page has seen, so that none is fetched twice.

import { get } from "./api.js";

export class Positions {
  /** @type {Map<number, Api.Position>} by ply */
  #seen = new Map();
  #game = 0;

  /** @param {string} path the table's address in the API */
  constructor(path) {
    this.path = path;
  }

  /**
   * Forget everything but the newest position.
   * @param {Api.Position} position
   */
  restart(position) {
    this.#seen.clear();
    this.#game = position.game;
    this.#seen.set(position.ply, position);
  }

  /**
   * Take the newest position. Later ones have been taken back, and those of another game are dropped.
   * @param {Api.Position} position
   */
  follow(position) {
    if (position.game !== this.#game) this.restart(position);
    for (const ply of [...this.#seen.keys()]) if (ply > position.ply) this.#seen.delete(ply);
    this.#seen.set(position.ply, position);
  }

  /**
   * @param {number} game
   * @param {number} ply
   */
  get(game, ply) {
    return game === this.#game ? this.#seen.get(ply) : undefined;
  }

  /**
   * See to it that a position can be shown.
   * @param {number} game
   * @param {number} ply
   */
  async fetch(game, ply) {
    if (this.get(game, ply)) return;
    /** @type {Api.Position} */
    const position = await get(`${this.path}/games/${game}/positions/${ply}`);
    if (game === this.#game) this.#seen.set(ply, position);
  }
}

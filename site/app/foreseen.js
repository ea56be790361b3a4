// @ts-check
// A new table as it will look, before Python has made it: the build has put down what each game looks like at the start.

import { loadKnown } from "./known.js";

/**
 * The table that a wish makes; null if only Python knows.
 * @param {string} id
 * @param {{ game: string, opponent: string | null, seat: 0 | 1, name: string, moves: string[] }} wish
 * @returns {Promise<Api.Table | null>}
 */
export async function foreseeTable(id, { game, opponent, seat, name, moves: [move, ...more] }) {
  const { starts, computers } = await loadKnown();
  const start = move === undefined ? starts[game] : starts[game]?.after[move];
  const rival = opponent === null ? "" : computers[opponent];
  if (!start || rival === undefined || more.length > 0 || (move !== undefined && seat !== 0)) return null;
  const { table } = start;
  return {
    ...table,
    id,
    seat: opponent === null ? table.position.seat : seat,
    names: seat === 0 ? [name, rival] : [rival, name],
    players: seat === 0 ? [null, opponent] : [opponent, null],
  };
}

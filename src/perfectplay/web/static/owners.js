// @ts-check
// Who put what on the board. A position does not know it; the moves of a game do.

const MOST = 200; // in a longer game, nobody tells the pieces apart by who placed them

/**
 * The side that filled each cell of the board after `ply` moves.
 * @param {Pick<Api.Move, "ply" | "side" | "placed">[]} moves
 * @param {number} ply
 * @returns {(0 | 1 | null)[]}
 */
export function ownersOf(moves, ply) {
  /** @type {(0 | 1 | null)[]} */
  const owners = [];
  if (moves.length > MOST) return owners;
  for (const { ply: at, side, placed } of moves) {
    if (at === null || at > ply || !placed) continue;
    if (placed.adds) owners.splice(placed.cell, 0, side);
    else owners[placed.cell] = side;
  }
  return Array.from(owners, (owner) => owner ?? null);
}

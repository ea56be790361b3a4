// @ts-check
// What an event changes about a table.

/**
 * Let an event happen at a table. Returns whether the game went "further", "back", or "another" one began.
 * @param {Api.Table} table
 * @param {Api.EventMessage} message
 * @returns {"further" | "back" | "another"}
 */
export function applyEvent(table, { event, table: brief, position }) {
  const { ply, game } = table.position;
  Object.assign(table, brief);
  table.next = event.number + 1;
  table.position = position;
  const way = position.game !== game ? "another" : position.ply < ply ? "back" : "further";
  if (way === "another") table.moves = [];
  if (way === "back") table.moves = table.moves.filter((move) => move.ply !== null && move.ply <= position.ply);
  if (event.seat !== null && (event.kind === "move" || event.kind === "forfeit")) {
    const { side, events, placed } = position.last ?? { side: table.sides[event.seat], events: [], placed: null };
    table.moves.push({ ply: position.ply, side, seat: event.seat, text: event.text, kind: event.kind, events, placed });
  }
  if (event.seat !== null && event.kind === "assisted") {
    table.moves.push({ ply: null, side: table.sides[event.seat], seat: event.seat, text: "", kind: "assisted", events: [], placed: null });
  }
  return way;
}

// @ts-check
// What is known about the games without asking Python, written when the site is built: a page need not wait to show them.

/**
 * @typedef {{ table: Api.Table }} Start a table at the start of a game, or after the first move
 * @typedef {{
 *   games: Api.Game[],
 *   opponents: { spec: string, title: string }[],
 *   starts: Record<string, Start & { after: Record<string, Start> }>,
 *   computers: Record<string, string>,
 * }} Known `computers` has the names of computer players at a table
 */

/** @type {Promise<Known> | null} */
let asked = null;

export function loadKnown() {
  asked ??= fetch(new URL("games.json", import.meta.url)).then((response) => {
    if (!response.ok) throw new Error(`games.json: ${response.status}`);
    return response.json();
  });
  return asked;
}

// @ts-check
// What is known about the games without asking Python, written when the site is built: a page need not wait to show them.

/** @type {Promise<{ games: Api.Game[], opponents: { spec: string, title: string }[] }> | null} */
let asked = null;

export function known() {
  asked ??= fetch(new URL("games.json", import.meta.url)).then((response) => {
    if (!response.ok) throw new Error(`games.json: ${response.status}`);
    return response.json();
  });
  return asked;
}

// @ts-check
// A card for each game: its picture, ways to play it, and, when opened, its settings and rules.

import { get } from "./api.js";
import { clockChoice } from "./clock_choice.js";
import { h, put } from "./dom.js";
import { miniature } from "./drawing.js";
import { PEOPLE, studyAddress, tableAddress } from "./host.js";
import { goToTable } from "./new_table.js";
import { ownersOf } from "./owners.js";
import { rulesOf } from "./rules.js";
import { fillFields, markPreset, parameterFields, presetChoice, settingField, specOf, takenApart } from "./settings.js";

const MOST = 40; // cells of a miniature

/** @typedef {{ game: Api.Game, picture: HTMLElement, example: HTMLElement, shows: string }} Picture */
/** @type {Map<string, Picture>} */
const pictures = new Map();

/**
 * @param {Api.Game} game
 * @param {HTMLElement[]} clock
 */
function tableFields(game, clock) {
  return [
    settingField(
      "your seat",
      "",
      h(
        "select",
        { id: `${game.name}-seat`, class: "seat" },
        h("option", { value: "" }, "random"),
        h("option", { value: "0" }, "first"),
        h("option", { value: "1" }, "second"),
      ),
    ),
    ...(PEOPLE ? clock : []),
    PEOPLE &&
      h(
        "p",
        { class: "parameter check" },
        h("input", { id: `${game.name}-public`, type: "checkbox", class: "public" }),
        h("label", { for: `${game.name}-public` }, "List it here, so that anyone can join or watch"),
      ),
  ];
}

/**
 * @param {Api.Game} game
 * @param {{ spec: string, title: string }[]} others computer players besides the levels
 */
export function card(game, others) {
  const titled = `game-${game.name}`;
  const clock = clockChoice(game.name);
  const settings = h(
    "details",
    { class: "settings" },
    h("summary", {}, "Settings", h("span", { class: "unseen" }, ` of ${game.title}`)),
    h("div", { class: "fields" }, parameterFields(game, game.name), tableFields(game, clock.fields)),
  );
  const presets = presetChoice(game, game.name, (spec) => fillFields(settings, spec));
  if (presets) settings.addEventListener("input", () => markPreset(presets, specOf(game, settings)));
  const chosen = () => {
    const seat = /** @type {HTMLSelectElement} */ (settings.querySelector(".seat")).value;
    const times = PEOPLE ? clock.chosen() : {};
    const listed = /** @type {HTMLInputElement | null} */ (settings.querySelector(".public"))?.checked ?? false;
    return { game: specOf(game, settings), seat: seat === "" ? null : /** @type {0 | 1} */ (Number(seat)), public: listed, ...times };
  };
  const level = h(
    "select",
    { id: `${game.name}-level` },
    game.levels.map((number) => h("option", { value: `level:${number}` }, `level ${number}`)),
    others.map(({ spec, title }) => h("option", { value: spec }, title)),
  );
  level.value = `level:${game.level}`;
  const play = h("button", { type: "button", class: "primary", "data-play": game.name }, "Play the computer");
  play.addEventListener("click", () => goToTable("/api/tables", { ...chosen(), opponent: level.value }, play));
  const share = h("button", { type: "button", "data-share": game.name }, PEOPLE ? "Play a friend" : "Two players here");
  share.addEventListener("click", () => goToTable("/api/tables", { ...chosen(), opponent: null }, share));
  const anyone = h("button", { type: "button", "data-anyone": game.name }, "Play anyone");
  anyone.addEventListener("click", () => {
    const { public: _, ...wishes } = chosen(); // whoever waits for anyone is listed
    return goToTable("/api/play", wishes, anyone);
  });
  const example = drawn(game.picture.view, game.picture.owners, `${game.title}, a position`);
  const picture = h("div", { class: "picture" }, example);
  pictures.set(game.name, { game, picture, example, shows: "" });
  return h(
    "article",
    { class: "card game", "aria-labelledby": titled },
    picture,
    h(
      "div",
      { class: "heading" },
      h("h2", { id: titled }, game.title),
      h("a", { href: studyAddress(new URLSearchParams({ game: game.name })) }, "Study", h("span", { class: "unseen" }, ` ${game.title}`)),
    ),
    h("p", { class: "summary" }, game.summary),
    presets,
    game.puzzle && puzzle(game),
    h(
      "div",
      { class: "buttons" },
      h("label", { class: "unseen", for: `${game.name}-level` }, `Strength of the computer in ${game.title}`),
      h("span", { class: "joined" }, level, play),
      PEOPLE && anyone,
      share,
    ),
    h(
      "details",
      { class: "more" },
      h("summary", {}, "Settings and rules", h("span", { class: "unseen" }, ` of ${game.title}`)),
      settings,
      rulesOf(game.name, game.title, "h3"),
    ),
  );
}

/**
 * What is known about a game, as a question, and a game against perfect play to find the answer.
 * @param {Api.Game} game
 */
function puzzle(game) {
  const button = h("button", { type: "button", "data-puzzle": game.name }, "Try it");
  button.addEventListener("click", () => goToTable("/api/tables", { game: game.name, seat: 0, opponent: "perfect", public: false }, button));
  return h("div", { class: "puzzle" }, h("p", {}, h("b", {}, "Puzzle. "), game.puzzle), button);
}

/**
 * @param {Api.View} view
 * @param {(0 | 1 | null)[]} owners
 * @param {string} label
 */
function drawn(view, owners, label) {
  const cells = view.rows.flat();
  const shown = cells.length > MOST ? { ...view, rows: [cells.slice(0, MOST)] } : view;
  return miniature(shown, label, owners);
}

/**
 * Show games in progress instead of an example, the newest of each kind, as long as there is one.
 * @param {Api.Brief[]} running
 */
export async function drawPicture(running) {
  for (const place of pictures.values()) {
    const brief = running.find((each) => takenApart(each.game).name === place.game.name);
    const shows = brief ? `${brief.id}/${brief.score}/${brief.plies}` : "";
    if (place.shows === shows) continue;
    if (!brief) {
      place.shows = "";
      put(place.picture, place.example);
      continue;
    }
    try {
      /** @type {Api.Table} */
      const { position, moves } = await get(`/api/tables/${brief.id}`);
      const label = `${place.game.title}, a game in progress`;
      put(place.picture, h("a", { href: tableAddress(brief.id) }, drawn(position.view, ownersOf(moves, position.ply), label), h("small", {}, "Live")));
      place.shows = shows;
    } catch {
      // The old picture is as good, until the next refresh.
    }
  }
}

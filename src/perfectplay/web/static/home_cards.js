// @ts-check
// A card for each game: its picture, ways to play it, and, when opened, its settings and rules.

import { get } from "./api.js";
import { isSolved } from "./challenges.js";
import { clockChoice } from "./clock_choice.js";
import { h, put } from "./dom.js";
import { miniature } from "./drawing.js";
import { PEOPLE, studyAddress, tableAddress } from "./host.js";
import { goToTable } from "./new_table.js";
import { ownersOf } from "./owners.js";
import { rulesOf } from "./rules.js";
import { fillFields, markPreset, parameterFields, parseSpec, presetChoice, settingField, specOf } from "./settings.js";

const MOST = 40; // cells of a miniature

/** @typedef {{ game: Api.Game, picture: HTMLElement, example: HTMLElement, shows: string }} Picture */
/** @type {Map<string, Picture>} */
const pictures = new Map();

/**
 * A part of a card that is opened by its name.
 * @param {string} kind
 * @param {string} name
 * @param {string} title that of the game
 * @param {Page.Child[]} children
 */
const part = (kind, name, title, ...children) =>
  h("details", { class: `part ${kind}` }, h("summary", {}, name, h("span", { class: "unseen" }, ` of ${title}`)), h("div", { class: "fields" }, ...children));

/** @param {string} name that of the game */
function seatField(name) {
  const choices = [["", "random"], ["0", "first"], ["1", "second"]];
  return settingField("your seat", "", h("select", { id: `${name}-seat`, class: "seat" }, choices.map(([value, words]) => h("option", { value }, words))));
}

/** @param {string} name that of the game */
const listField = (name) =>
  h(
    "p",
    { class: "parameter check" },
    h("input", { id: `${name}-public`, type: "checkbox", class: "public" }),
    h("label", { for: `${name}-public` }, "List it here, so that anyone can join or watch"),
  );

/**
 * @param {Api.Game} game
 * @param {{ spec: string, title: string }[]} others computer players besides the levels
 */
export function card(game, others) {
  const { name, title } = game;
  const clock = clockChoice(name);
  const settings = part("settings", "Settings", title, parameterFields(game, name));
  const table = part("at-table", PEOPLE ? "Seat and clock" : "Seat", title, seatField(name), ...(PEOPLE ? [...clock.fields, listField(name)] : []));
  const presets = presetChoice(game, name, (spec) => fillFields(settings, spec));
  if (presets) {
    fillFields(settings, game.presets[0].spec);
    settings.addEventListener("input", () => markPreset(presets, specOf(game, settings)));
  }
  const readChoice = () => {
    const seat = /** @type {HTMLSelectElement} */ (table.querySelector(".seat")).value;
    const times = PEOPLE ? clock.read() : {};
    const listed = /** @type {HTMLInputElement | null} */ (table.querySelector(".public"))?.checked ?? false;
    return { game: specOf(game, settings), seat: seat === "" ? null : /** @type {0 | 1} */ (Number(seat)), public: listed, ...times };
  };
  const learned = h("option", { value: "learned" }, "learned");
  const level = h(
    "select",
    { id: `${name}-level` },
    game.levels.map((number) => h("option", { value: `level:${number}` }, `level ${number}`)),
    others.map(({ spec, title: named }) => h("option", { value: spec }, named)),
    learned,
  );
  level.value = `level:${game.level}`;
  const offer = () => {
    learned.hidden = learned.disabled = !game.learned.includes(specOf(game, settings));
    if (learned.disabled && learned.selected) level.value = `level:${game.level}`;
  };
  const play = h("button", { type: "button", class: "primary", "data-play": name }, "Play the computer");
  play.addEventListener("click", () => goToTable("/api/tables", { ...readChoice(), opponent: level.value }, play));
  const share = h("button", { type: "button", "data-share": name }, PEOPLE ? "Play a friend" : "Two players here");
  share.addEventListener("click", () => goToTable("/api/tables", { ...readChoice(), opponent: null }, share));
  const anyone = h("button", { type: "button", "data-anyone": name }, "Play anyone");
  anyone.addEventListener("click", () => {
    const { public: _, ...wishes } = readChoice(); // whoever waits for anyone is listed
    return goToTable("/api/play", wishes, anyone);
  });
  const more = h("button", { type: "button", class: "more", "aria-expanded": "false" }, "More", h("span", { class: "unseen" }, ` about ${title}`));
  more.addEventListener("click", () => more.setAttribute("aria-expanded", String(more.getAttribute("aria-expanded") === "false")));
  const example = drawExample(game.picture.view, game.picture.owners, `${title}, a position`);
  const picture = h("div", { class: "picture" }, example);
  pictures.set(name, { game, picture, example, shows: "" });
  const article = h(
    "article",
    { class: "card game", "aria-labelledby": `game-${name}` },
    picture,
    h(
      "div",
      { class: "heading" },
      h("h2", { id: `game-${name}` }, title),
      h("a", { href: studyAddress(new URLSearchParams({ game: name })) }, "Study", h("span", { class: "unseen" }, ` ${title}`)),
    ),
    h("p", { class: "summary" }, game.summary),
    more,
    presets ?? (game.puzzle && challenge(game)),
    h(
      "div",
      { class: "buttons" },
      h("label", { class: "unseen", for: `${name}-level` }, `Strength of the computer in ${title}`),
      h("span", { class: "joined" }, level, play),
      PEOPLE && anyone,
      share,
    ),
    h("div", { class: "parts" }, table, settings, rulesOf(name, title, "h3")),
  );
  offer();
  for (const type of ["input", "change"]) article.addEventListener(type, offer);
  return article;
}

/**
 * What is known about a game, as a question, and a game against perfect play to find the answer.
 * @param {Api.Game} game
 */
function challenge(game) {
  const done = isSolved(game.name);
  const button = h("button", { type: "button", "data-puzzle": game.name }, done ? "Again" : "Try it");
  button.addEventListener("click", () => goToTable("/api/tables", { game: game.name, seat: 0, opponent: "perfect", public: false }, button));
  return h("div", { class: "puzzle" }, h("p", {}, h("b", {}, done ? "Solved. " : "Challenge. "), done ? game.puzzle_solved : game.puzzle), button);
}

/**
 * @param {Api.View} view
 * @param {(0 | 1 | null)[]} owners
 * @param {string} label
 */
function drawExample(view, owners, label) {
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
    const brief = running.find((each) => parseSpec(each.game).name === place.game.name);
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
      put(place.picture, h("a", { href: tableAddress(brief.id) }, drawExample(position.view, ownersOf(moves, position.ply), label), h("small", {}, "Live")));
      place.shows = shows;
    } catch {
      // The old picture is as good, until the next refresh.
    }
  }
}

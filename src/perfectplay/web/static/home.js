// @ts-check
// The home page: the games, each one click away, and lists of tables.

import { get, post } from "./api.js";
import { controlWords } from "./clock.js";
import { clockChoice } from "./clock_choice.js";
import { miniature } from "./drawing.js";
import { complain, find, h, put } from "./dom.js";
import { rulesOf } from "./rules.js";
import { fillFields, parameterFields, presetChoice, specOf, takenApart } from "./settings.js";
import { ownName } from "./storage.js";
import { trouble } from "./trouble.js";

const REFRESH = 5000;
const MOST_OVER = 3;
let failed = false; // whether the error on the page is from the last refresh
/** @typedef {{ game: Api.Game, picture: HTMLElement, caption: HTMLElement, shows: string | null }} Picture */
/** @type {Map<string, Picture>} */
const pictures = new Map(); // where each game's miniature is drawn, and what it shows

/**
 * @param {Api.NewTable} body
 * @param {HTMLButtonElement} button
 */
async function makeTable(body, button, hash = "") {
  const name = find("name").value.trim();
  ownName.set(name);
  complain("");
  button.disabled = true;
  try {
    /** @type {Api.Made} */
    const { table } = await post("/api/tables", { ...body, name });
    location.assign(`/t/${table.id}${hash}`);
  } catch (error) {
    trouble(error);
    button.disabled = false;
    const place = button.closest(".card");
    if (place) showComplaint(place, error.message.split("=")[0]);
  }
}

/**
 * Show the error where the user is looking: next to the setting that it names, or to the buttons.
 * @param {Element} place
 * @param {string} name
 */
function showComplaint(place, name) {
  /** @type {HTMLElement | null} */
  const field = place.querySelector(`[data-parameter="${CSS.escape(name)}"]`);
  const details = field?.closest("details");
  if (details) details.open = true;
  (field?.closest(".parameter") ?? place.querySelector(".buttons"))?.after(find("complaint"));
  field?.focus();
  find("complaint").scrollIntoView({ block: "nearest" });
}

/** @param {Api.Game} game */
function card(game) {
  const titled = `game-${game.name}`;
  const clock = clockChoice(game.name);
  const settings = h(
    "details",
    { class: "settings" },
    h("summary", {}, "Settings", h("span", { class: "unseen" }, ` of ${game.title}`)),
    parameterFields(game, game.name),
    h(
      "p",
      { class: "parameter" },
      h("label", { for: `${game.name}-seat` }, h("b", {}, "your seat")),
      h(
        "select",
        { id: `${game.name}-seat`, class: "seat" },
        h("option", { value: "" }, "random"),
        h("option", { value: "0" }, "first"),
        h("option", { value: "1" }, "second"),
      ),
    ),
    clock.fields,
    h(
      "p",
      { class: "parameter check" },
      h("input", { id: `${game.name}-public`, type: "checkbox", class: "public" }),
      h("label", { for: `${game.name}-public` }, "list it here so that anyone can join"),
    ),
  );
  const chosen = () => {
    const seat = /** @type {HTMLSelectElement} */ (settings.querySelector(".seat")).value;
    return { game: specOf(game, settings), seat: seat === "" ? null : /** @type {0 | 1} */ (Number(seat)), ...clock.chosen() };
  };
  const level = h(
    "select",
    { id: `${game.name}-level` },
    game.levels.map((number) => h("option", { value: `level:${number}` }, `level ${number}`)),
    h("option", { value: "perfect" }, "perfect"),
  );
  level.value = "level:4";
  const play = h("button", { type: "button", class: "primary", "data-play": game.name }, "Play the computer");
  play.addEventListener("click", () => makeTable({ ...chosen(), opponent: level.value, public: true }, play));
  const share = h("button", { type: "button", "data-share": game.name }, "Play a friend");
  share.addEventListener("click", () => {
    const listed = /** @type {HTMLInputElement} */ (settings.querySelector(".public")).checked;
    makeTable({ ...chosen(), opponent: null, public: listed }, share);
  });
  const picture = h("div", { class: "picture" });
  const caption = h("p", { class: "live quiet" });
  pictures.set(game.name, { game, picture, caption, shows: null });
  return h(
    "article",
    { class: "card game", "aria-labelledby": titled },
    h("h2", { id: titled }, game.title),
    picture,
    caption,
    h("p", { class: "summary" }, game.summary),
    h(
      "div",
      { class: "buttons" },
      h("label", { class: "unseen", for: `${game.name}-level` }, `Strength of the computer in ${game.title}`),
      h("span", { class: "joined" }, level, play),
      share,
      h("a", { class: "button", href: `/study?game=${encodeURIComponent(game.name)}` }, "Study", h("span", { class: "unseen" }, ` ${game.title}`)),
    ),
    presetChoice(game, game.name, (spec) => fillFields(settings, spec)),
    game.puzzle && puzzle(game),
    rulesOf(game.name, game.title, "h3"),
    settings,
  );
}

/**
 * What is known about a game, as a question, and a game against perfect play to find the answer.
 * @param {Api.Game} game
 */
function puzzle(game) {
  const button = h("button", { type: "button", "data-puzzle": game.name }, "Try it");
  button.addEventListener("click", () => makeTable({ game: game.name, seat: 0, opponent: "perfect", public: false }, button, "#puzzle"));
  return h("div", { class: "puzzle" }, h("p", {}, h("b", {}, "Puzzle. "), game.puzzle), button);
}

/**
 * A game's miniature: its newest running table, or its start position.
 * @param {Picture} place
 * @param {Api.Brief[]} running
 */
async function drawPicture(place, running) {
  const brief = running.find((each) => takenApart(each.game).name === place.game.name);
  const shows = brief ? `${brief.id}/${brief.score}/${brief.plies}` : "start";
  if (place.shows === shows) return;
  place.shows = shows;
  /** @type {{ view: Api.View }} */
  let { view } = brief ? (await get(`/api/tables/${brief.id}`)).position : place.game;
  if (view.rows.flat().length > 40) view = { ...view, rows: [view.rows.flat().slice(0, 40)] };
  put(place.picture, miniature(view, brief ? `${place.game.title}, a game in progress` : `${place.game.title}, start position`));
  put(place.caption, brief ? h("a", { href: `/t/${brief.id}` }, `Live: ${people(brief)}`) : "");
}

/** @param {Api.Brief} brief */
function people(brief) {
  return brief.names.map((name) => name || "free seat").join(" and ");
}

/** @param {Api.Brief} brief */
function row(brief) {
  const open = brief.status === "open";
  const host = brief.names.find((name) => name) || "Someone";
  const href = open && brief.join ? `/join/${brief.id}/${brief.join}` : `/t/${brief.id}`;
  return h(
    "li",
    {},
    h(
      "a",
      { href },
      h("b", {}, brief.title),
      h("span", {}, open ? `${host} is waiting for an opponent` : people(brief)),
      h("small", {}, open ? `${brief.game}${brief.clock ? `, ${controlWords(brief.clock)}` : ""}` : `${brief.score.join(" : ")}, move ${brief.plies}`),
    ),
  );
}

/** @param {Api.Own} brief */
function standing(brief) {
  if (brief.status === "open") return "waiting for an opponent";
  if (brief.status !== "running") return brief.status;
  if (brief.turn === brief.seat) return h("strong", {}, "your turn");
  return `${brief.names[1 - brief.seat]} to move`;
}

/**
 * A table where this browser has a seat.
 * @param {Api.Own} brief
 */
function ownRow(brief) {
  const name = brief.names[1 - brief.seat];
  return h(
    "li",
    {},
    h("a", { href: `/t/${brief.id}` }, h("b", {}, brief.title), h("span", {}, name && `against ${name}`), h("span", {}, standing(brief))),
  );
}

/**
 * Tables where it is the user's turn first, then other live ones, then the newest few that are over.
 * @param {Api.Own[]} briefs
 */
function inOrder(briefs) {
  /** @type {Record<"turn" | "live" | "over", Api.Own[]>} */
  const groups = { turn: [], live: [], over: [] };
  for (const brief of briefs) {
    const live = brief.status === "open" || brief.status === "running";
    groups[!live ? "over" : brief.turn === brief.seat ? "turn" : "live"].push(brief);
  }
  return [...groups.turn, ...groups.live, ...groups.over.slice(0, MOST_OVER)];
}

/**
 * Draw a list if it has changed. A focused link keeps the focus.
 * @template {Api.Brief} B
 * @param {string} id
 * @param {B[]} briefs
 * @param {(brief: B) => HTMLElement} drawn
 * @param {string} none
 */
function drawList(id, briefs, drawn, none) {
  const place = find(id);
  const text = JSON.stringify(briefs);
  if (place.dataset.shows === text) return;
  place.dataset.shows = text;
  const active = document.activeElement;
  const held = active && place.contains(active) ? active.getAttribute("href") : null;
  put(place, briefs.length ? briefs.map(drawn) : h("li", { class: "none" }, none));
  if (held === null) return;
  const links = [...place.querySelectorAll("a")];
  (links.find((each) => each.getAttribute("href") === held) ?? links[0] ?? find("main")).focus();
}

async function refreshOwn() {
  /** @type {Api.OwnList} */
  const { tables } = await get("/api/seats");
  find("own").hidden = tables.length === 0;
  drawList("seats", inOrder(tables), ownRow, "");
}

async function refreshOthers() {
  /** @type {Api.List} */
  const { open, running } = await get("/api/tables");
  drawList("open", open, row, "No listed table is waiting for an opponent. Start a game and send a friend the link.");
  drawList("running", running, row, "No listed game is in progress.");
  await Promise.all([...pictures.values()].map((place) => drawPicture(place, running).catch(() => {}))); // keep the old picture
}

async function refresh() {
  try {
    await Promise.all([refreshOwn(), refreshOthers()]);
    if (failed) complain("");
    failed = false;
  } catch (error) {
    failed = true;
    trouble(error);
  }
}

async function start() {
  find("name").value = ownName.get();
  find("name").addEventListener("change", () => ownName.set(find("name").value.trim()));
  try {
    // The user's own games are at the top. Drawn later, they would move the rest under the pointer.
    /** @type {[Api.Game[], void]} */
    const [games] = await Promise.all([get("/api/games"), refreshOwn()]);
    put(find("games"), games.map(card));
    for (const place of pictures.values()) await drawPicture(place, []);
  } catch (error) {
    trouble(error);
  }
  find("games").removeAttribute("aria-busy");
  addEventListener("pageshow", ({ persisted }) => {
    // When the browser goes back to this page, the button that was pressed is still disabled.
    if (!persisted) return;
    for (const button of document.querySelectorAll("button")) button.disabled = false;
    refresh();
  });
  setInterval(() => document.visibilityState === "visible" && refresh(), REFRESH);
  await refresh();
}

start();

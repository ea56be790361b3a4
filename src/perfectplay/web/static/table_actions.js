// @ts-check
// What the players of a table can do besides moving: offers and their answers, giving up, playing again.

import { getText } from "./api.js";
import { ask, copyButton, find, h, linkField, permanentLink, put } from "./dom.js";
import { COACH, PEOPLE, exercisesAddress, gameAddress, gameLink, homeAddress, recordLink } from "./host.js";
import { pictureButtons } from "./picture.js";
import { parseSpec } from "./settings.js";
import { endWords } from "./study_words.js";
import { OFFERS, REPEATED, isComputer, isShared, nameOf, offerWords, other, repeats, sideNames } from "./table_words.js";
import { isLocal } from "./words.js";

/**
 * Replace buttons. If the focused one is still there, it keeps the focus.
 * @param {HTMLElement} place
 * @param {HTMLElement[]} children
 */
function keepFocus(place, children) {
  const active = document.activeElement;
  const held = active && place.contains(active) ? active.textContent : null;
  put(place, children);
  if (held === null) return;
  /** @type {NodeListOf<HTMLElement>} */
  const now = place.querySelectorAll("button:enabled, a");
  const again = [...now].find((each) => each.textContent === held);
  (again ?? find("board")).focus({ preventScroll: true });
}

/**
 * @param {Api.Table} table
 * @param {(string | false)[]} news what else there is to say
 * @param {(kind: "accept" | "decline" | "offer", what: string) => unknown} act
 */
export function drawOffers(table, news, act) {
  const lines = Object.entries(table.offers).map(([what, seat]) => {
    const words = offerWords(table, what);
    if (seat === table.seat) return h("p", { class: "offer" }, `You asked to ${words}. Waiting for an answer.`);
    return h(
      "p",
      { class: "offer" },
      h("span", {}, `${nameOf(table, seat)} asks to ${words}.`),
      table.seat !== null && [
        // A rematch is accepted where it would be offered.
        what !== "rematch" && h("button", { type: "button", class: "primary", onclick: () => act("accept", what) }, "Accept"),
        h("button", { type: "button", onclick: () => act("decline", what) }, "Decline"),
      ],
    );
  });
  lines.push(...news.filter((words) => words).map((words) => h("p", { class: "offer" }, words)));
  if (repeats(table) && !("abandon" in table.offers)) {
    const alone = isComputer(table, other(table.seat)) || isShared(table);
    const end = async () => {
      if (!alone || (await ask(...QUESTIONS.abandon))) act("offer", "abandon");
    };
    lines.push(
      h(
        "p",
        { class: "offer" },
        h("span", {}, REPEATED),
        table.seat !== null && h("button", { type: "button", onclick: end }, alone ? "End the game" : "Offer to end the game"),
      ),
    );
  }
  keepFocus(find("offers"), lines);
}

/** What is asked before something that cannot be undone, and the two answers. @type {Record<string, [string, string, string]>} */
const QUESTIONS = {
  resign: ["Resign this game?", "Resign", "Keep playing"],
  // The computer accepts every offer, so this ends the game at once.
  abandon: ["End this game as unfinished?", "Abandon", "Keep playing"],
  claim: ["End this game as unfinished, because your opponent is not playing?", "Claim the game", "Wait"],
  close: ["Close this table?", "Close the table", "Keep it open"],
};

/**
 * The buttons of a game, or those of its end.
 * @param {Api.Table} table
 * @param {{
 *   waiting: boolean, browsing: number | null, mayClose: boolean, erred: boolean, exercise: string | null,
 *   act: (kind: Api.NewEvent["kind"], text?: string) => unknown, back: () => unknown, hint: () => unknown,
 * }} can `waiting`: whether something is being sent; `browsing`: the ply that is shown, if not the last; `erred`: whether the user is known to have given something away; `exercise`: one that this has made
 */
export function drawActions(table, can) {
  /** @type {HTMLElement[]} */
  const buttons = [];
  /**
   * @param {string} label
   * @param {string} title
   * @param {() => unknown} run
   */
  const button = (label, title, run, kind = "plain", open = true) =>
    buttons.push(h("button", { type: "button", class: kind, title, disabled: !open || can.waiting, onclick: run }, label));
  // An offer's button stays, disabled, after it is made: the next button must not move under the pointer.
  /** @param {string} what */
  const offer = (what, kind = "plain") => button(OFFERS[what][2], OFFERS[what][1], () => can.act("offer", what), kind, !(what in table.offers));
  /**
   * Something that cannot be undone, after a question.
   * @param {[string, string, string]} question
   * @param {Parameters<typeof can.act>} does
   */
  const sure = (question, ...does) => async () => {
    if (await ask(...question)) can.act(...does);
  };
  if (can.browsing !== null) buttons.push(h("button", { type: "button", class: "primary", onclick: can.back }, "Return to the game"));
  if (table.seat !== null && table.status === "running") {
    if (COACH && table.position.seat === table.seat) button("Hint", "Ask the coach for a good move, which the record notes", can.hint);
    if (table.moves.some((move) => move.ply !== null && (isShared(table) || move.seat === table.seat))) offer("takeback");
    if (isComputer(table, other(table.seat)) || isShared(table)) button(OFFERS.abandon[2], "End the game as unfinished", sure(QUESTIONS.abandon, "offer", "abandon"));
    else offer("abandon");
    button("Resign", "Give up this game", sure(QUESTIONS.resign, "resign"), "plain danger");
  }
  if ((table.seat !== null || isShared(table)) && table.status === "over") {
    const asked = table.seat !== null && table.offers.rematch === other(table.seat);
    if (asked) button("Accept the rematch", `Agree to ${OFFERS.rematch[0]}`, () => can.act("accept", "rematch"), "primary");
    else offer("rematch", "primary");
  }
  if (hasEnded(table)) buttons.push(...afterwards(table, can));
  if (table.seat === null && table.status === "open" && table.join) {
    buttons.push(h("a", { class: "button primary", href: `/join/${table.id}/${table.join}` }, "Sit down"));
  }
  if (can.mayClose && table.status === "open") button("Close the table", "Close the table", sure(QUESTIONS.close, "close"));
  else if (can.mayClose) button("Claim the game", "End the game as unfinished, because your opponent is not playing", sure(QUESTIONS.claim, "claim"));
  // The buttons of the end take the place of those that play: nothing else moves.
  const over = hasEnded(table);
  keepFocus(find(over ? "ending" : "actions"), buttons);
  find("ending").hidden = !over;
  find("controls").hidden = find("actions").hidden = over;
  if (over) put(find("actions"));
}

/** @param {Api.Table} table */
const hasEnded = (table) => table.status === "over" || table.status === "closed";

/**
 * What to do after a game.
 * @param {Api.Table} table
 * @param {{ erred: boolean, browsing: number | null, exercise: string | null }} can
 */
function afterwards(table, { erred, browsing, exercise }) {
  const { game, result } = table.position;
  const mistake = erred && table.seat !== null && result?.finished && result.winner_seat === other(table.seat);
  const hash = mistake ? "#mistake" : browsing === null ? "" : `#${browsing}`;
  const again = h("a", { class: table.games ? "button" : "button primary", href: homeAddress(parseSpec(table.game).name) }, "New game");
  if (!table.games) return [again];
  return [
    h("a", { class: "button", href: `${gameAddress(table.id, game)}${hash}` }, mistake ? "Where did I go wrong?" : "Study this game"),
    again,
    // It is known last, and no button moves because of it.
    ...(exercise ? [h("a", { class: "button", href: exercisesAddress(exercise) }, "Try the moment again")] : []),
  ];
}

const LISTED = "It is also listed on the home page. The first person to sit down gets the other seat.";
const UNLISTED = "The first person to sit down gets the other seat. Others can watch at this page's address.";

/** @param {Api.Table} table */
export function drawShare(table) {
  const box = find("share");
  const code = table.status === "open" ? table.join : null;
  const link = code && table.seat !== null ? `${location.origin}/join/${table.id}/${code}` : null;
  if (box.dataset.link === (link ?? "")) return;
  box.dataset.link = link ?? "";
  box.hidden = !link;
  if (!link) {
    put(box);
    return;
  }
  put(
    box,
    h("label", { for: "share-link" }, "Send this link to your opponent:"),
    linkField("share-link", link, "Copy link", "primary"),
    h("small", {}, table.public ? LISTED : UNLISTED),
    nearNote("invite others", "open the address that it prints"),
  );
}

/**
 * What is said below a link that leads nobody here from another machine; false where it does.
 * @param {string} purpose what the link is for
 * @param {string} then what to do once the server can be reached
 */
export function nearNote(purpose, then) {
  if (!isLocal(location.hostname)) return false;
  return h(
    "small",
    { class: "near" },
    `This link works only on this machine. To ${purpose}, start the server with `,
    h("code", {}, "--host 0.0.0.0"),
    ` and ${then}.`,
  );
}

/** What the links are about. @type {{ table: Api.Table, browsing: number | null }} */
let latest;

/** What a picture says: the game, its players, and once it is over and its end is shown, who won and why. */
function pictureWords() {
  const { table, browsing } = latest;
  const [names, { result }] = [sideNames(table), table.position];
  return [table.title, names.join(" against "), ...(result && browsing === null ? [endWords(result, names)] : [])];
}

/**
 * @param {Api.Table} table
 * @param {number | null} browsing the ply that is shown, or null for the last one
 */
export function drawLinks(table, browsing) {
  latest = { table, browsing };
  const { game } = table.position;
  const earlier = Array.from({ length: Math.max(0, table.games - 1) }, (_, i) => i + 1).slice(-20);
  // What a server has, it has at this page's address. Here a link has all moves so far.
  const sendable = (hasEnded(table) && game > 0) || (!PEOPLE && table.plies > 0);
  const key = JSON.stringify([game, hasEnded(table), earlier.length, sendable && !PEOPLE && table.plies]);
  const place = find("links");
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  put(
    place,
    game > 0 && recordLink(table.id, game),
    game > 0 && h("p", { class: "buttons" }, copyButton("Copy the record", () => getText(`/api/tables/${table.id}/games/${game}/record`)), copyButton("Copy the position", () => latest.table.position.state), pictureButtons(pictureWords)),
    sendable && permanentLink(gameLink(table.id, game)),
    earlier.length > 0 &&
      h("p", { class: "earlier" }, "Earlier games: ", earlier.map((number) => [h("a", { href: gameAddress(table.id, number) }, `game ${number}`), " "])),
  );
}

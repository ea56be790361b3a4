// @ts-check
// What the pages run on: a server, where other people are. The site, where Python runs in the tab instead, has a version of this
// file, of api.js and of socket.js of its own; everything else is the same.

import { h } from "./dom.js";

/** Whether there are other people: to invite, to wait for, to play against the clock. */
export const PEOPLE = true;
/** Whether the coach can be asked during a game. */
export const COACH = false;
/** What the page says about its connection. */
export const CONNECTION = { connected: "Connected", reconnecting: "Reconnecting…" };
/** What it says about something that waits for the connection. @param {string} kind */
export const unsentWords = (kind) => `Your ${kind === "move" ? "move" : "request"} will be sent when the connection is back.`;

/** What is said where there is no such table, or game. @type {[string, string]} */
export const NO_TABLE = ["Table not found", "There is no table at this address. It may have been closed a while ago."];
/** @type {[string, string]} */
export const NO_GAME = ["Game not found", "There is no game at this address."];

/** Computer players besides the levels of a game. @type {() => Promise<{ spec: string, title: string }[]>} */
export const opponents = async () => [{ spec: "perfect", title: "perfect" }];

/** The home page, or the card of a game on it. */
export const homeAddress = (game = "") => (game ? `/#game-${game}` : "/");

/** @param {string} id */
export const tableAddress = (id, hash = "") => `/t/${id}${hash}`;

/**
 * The address of a page that makes a table itself; empty where a table is made before its page is opened.
 * @type {(wish: Record<string, unknown>, hash: string, move: string) => string}
 */
export const tableToBe = () => "";

/**
 * @param {string} id
 * @param {number | string} number
 */
export const gameAddress = (id, number) => `/t/${id}/g/${number}`;

/** @param {string} name that of an exercise; empty for all */
export const exercisesAddress = (name) => (name ? `/exercises#${encodeURIComponent(name)}` : "/exercises");

/** @param {URLSearchParams} query */
export const studyAddress = (query) => `/study?${query}`;

/**
 * How a study board looks, where that is known before it was studied.
 * @type {(board: { spec: string, start: string, moves: { text: string }[], ply: number }) => Promise<{ position: Api.Position, names: string[] } | null>}
 */
export const foreseeBoard = async () => null;

/** What the address of this page says about a study board. */
export const studyQuery = () => new URLSearchParams(location.search);

/** The table, and the number of the game, that this page is about; null on a study board. */
export function here() {
  const [, first, id, , number] = location.pathname.split("/");
  return first === "t" ? { id, number } : null;
}

/**
 * A link to a game, for others.
 * @param {string} id
 * @param {number | string} number
 * @returns {string | Promise<string>}
 */
export const gameLink = (id, number) => `${location.origin}${gameAddress(id, number)}`;

/**
 * @param {string} id
 * @param {number | string} number
 */
export function recordLink(id, number) {
  return h("a", { href: `/api/tables/${id}/games/${number}/record`, download: `${id}-${number}.txt` }, "Download the record");
}

/** A button that removes a game from the list of one's own; a server keeps them all. @type {(id: string) => HTMLElement | null} */
export const removeButton = () => null;

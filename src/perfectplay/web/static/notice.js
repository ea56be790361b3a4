// @ts-check
// A notice by the browser when it is the user's turn and the page is out of sight. It is asked for by a click.

import { h, put, s } from "./dom.js";
import { localText } from "./storage.js";
import { nameOf, other } from "./table_words.js";

const choice = localText("notices");

/** Whether the user wants notices and the browser allows them. */
const isWanted = () => choice.get() === "on" && globalThis.Notification?.permission === "granted";

/**
 * The button that turns notices on and off, where the browser has them and has not been told to refuse.
 * @param {HTMLElement} place
 */
export function noticeButton(place) {
  if (!globalThis.Notification || Notification.permission === "denied") {
    put(place);
    return;
  }
  const off = !isWanted() && s("path", { class: "stroke", d: "M4 3l16 18" });
  const bell = s("svg", { class: "bell", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: "M12 3a6 6 0 0 0-6 6v4l-2 3h16l-2-3V9a6 6 0 0 0-6-6zM9.5 19a2.5 2.5 0 0 0 5 0" }), off);
  const button = h(
    "button",
    {
      type: "button",
      class: `plain icon-button${isWanted() ? "" : " off"}`,
      "aria-label": "Notice on my turn",
      "aria-pressed": String(isWanted()),
      title: isWanted() ? "No more notices when it is your turn" : "Tell me when it is my turn and this page is out of sight",
      onclick: toggle,
    },
    bell,
  );
  async function toggle() {
    if (isWanted()) choice.set("off");
    else if ((await Notification.requestPermission()) === "granted") choice.set("on");
    noticeButton(place);
    place.querySelector("button")?.focus();
  }
  put(place, button);
}

/**
 * What to be told about a table now, or nothing; `before` is the table as it was.
 * @param {{ status: string, seat: number | null, turn: boolean, at: string } | null} before
 * @param {ReturnType<typeof turnOf>} now
 */
export function isNews(before, now) {
  return before !== null && now.turn && now.at !== before.at && (!before.turn || before.status !== now.status);
}

/** @param {Api.Table} table */
export function turnOf(table) {
  const { status, seat, position } = table;
  return { status, seat, turn: status === "running" && seat !== null && position.seat === seat, at: `${position.game}/${position.ply}` };
}

/** @param {Api.Table} table */
export async function notify(table) {
  if (!isWanted() || document.visibilityState === "visible") return;
  const title = `Your turn · ${table.title}`;
  const options = { body: `${nameOf(table, other(table.seat))} is waiting.`, tag: table.id, icon: "/static/icon-192.png", data: location.pathname };
  const registered = await navigator.serviceWorker?.getRegistration();
  // Phones show only the notices of a service worker.
  if (registered) await registered.showNotification(title, options);
  else new Notification(title, options).onclick = () => focus();
}

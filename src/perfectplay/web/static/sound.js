// @ts-check
// Soft sounds, made here from a few tones. One click turns them off, and this device remembers it.

import { h, put } from "./dom.js";
import { mayMove } from "./motion.js";
import { localText } from "./storage.js";

/** @type {Record<string, [number, number, number][]>} a tone's pitch in hertz, when it starts and how long it lasts, in seconds */
const TONES = {
  own: [[392, 0, 0.09]],
  other: [[330, 0, 0.11]],
  flag: [[523, 0, 0.1], [659, 0.07, 0.1], [784, 0.14, 0.16]],
  won: [[392, 0, 0.2], [494, 0.12, 0.2], [587, 0.24, 0.22], [784, 0.36, 0.45]],
  lost: [[330, 0, 0.25], [262, 0.2, 0.5]],
};

/** @type {AudioContext | null} */
let audio = null;
const choice = localText("sound");

/** Whether sounds are on: unless turned off, and never where the user asks for less motion. */
const audible = () => choice.get() !== "off" && mayMove();

/** @typedef {"own" | "other" | "flag" | "won" | "lost"} Sound */

/**
 * The sound of what has just happened at a table, if it has one.
 * @param {Api.Table} table
 * @param {Api.Event} event
 * @returns {Sound | null}
 */
export function soundOf({ seat, position: { result, last } }, event) {
  if (result?.finished && seat !== null && result.winner_seat !== null) return result.winner_seat === seat ? "won" : "lost";
  if (event.kind !== "move" && event.kind !== "forfeit") return null;
  return last?.events.length ? "flag" : event.seat === seat ? "own" : "other";
}

/**
 * Play a sound, if there is one.
 * @param {Sound | null} name
 */
export function playSound(name) {
  // A page must not make a sound before the user has done something on it.
  if (!name || !audible() || !navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  for (const [pitch, at, length] of TONES[name]) tone(audio, pitch, audio.currentTime + at, length);
}

/**
 * @param {AudioContext} context
 * @param {number} pitch
 * @param {number} at
 * @param {number} length
 */
function tone(context, pitch, at, length) {
  const [wave, volume] = [context.createOscillator(), context.createGain()];
  wave.type = "sine";
  wave.frequency.value = pitch;
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(0.09, at + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.0005, at + length);
  wave.connect(volume).connect(context.destination);
  wave.start(at);
  wave.stop(at + length + 0.02);
}

/**
 * The button that turns sounds on and off.
 * @param {Element} place
 */
export function soundButton(place) {
  const button = h("button", { type: "button", class: "plain icon-button", "aria-label": "Sound", onclick: toggle });
  function draw() {
    const on = choice.get() !== "off";
    button.setAttribute("aria-pressed", String(on));
    button.title = on ? "Turn the sound off" : "Turn the sound on";
    put(button, h("span", { class: `note-sign${on ? "" : " off"}`, "aria-hidden": "true" }, "♪"));
  }
  function toggle() {
    choice.set(choice.get() === "off" ? "on" : "off");
    draw();
    playSound("own");
  }
  draw();
  put(place, button);
}

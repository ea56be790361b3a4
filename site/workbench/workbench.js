// @ts-check
// The workbench: a game file, and everything that follows from it.

import { announce, complain, find, h, put, say } from "../../src/perfectplay/web/static/dom.js";
import { countWords } from "../../src/perfectplay/web/static/words.js";
import { keepOffline } from "../app/keep_offline.js";
import { Comparison } from "./compare.js";
import { Drafts, browserStorage } from "./drafts.js";
import { draftsPanel } from "./drafts_panel.js";
import { Editor } from "./editor.js";
import { findNamedSample, isLink, listSamples, readLinkedPair } from "./files.js";
import { OpenFile } from "./open_file.js";
import { clearPanels, drawFindings, drawLaws, drawValues } from "./panels.js";
import { drawParameters, sweepForm } from "./parameters.js";
import { PlayBoard } from "./play.js";
import { Sandbox } from "./sandbox.js";
import { Status } from "./status.js";
import { runSweep, wrongRange } from "./sweep.js";
import { takeAlong } from "./take_along.js";
import { Witness } from "./witness.js";
import { lawMarks, plainName, sayWhatBlocked, sayWhyEnded, troubleWords } from "./words.js";

const PAUSE = 400; // milliseconds without typing, before the file is read again
const LONG_PAUSE = 1500; // and before the slow part begins
const MOST_PRINTED = 20_000; // characters of what a file prints

/** @typedef {{ title: string, file: string, summary: string, side_names: string[], parameters: import("./parameters.js").Parameter[] }} Facts */

/** The text, and the settings that differ from its own. @type {{ source: string, settings: Record<string, string> }} */
let given = { source: "", settings: {} };
let version = 0; // counts the texts and settings; what was asked about an earlier one is out of date
let judged = false;
let followed = 0; // the version whose findings are shown
let read = ""; // the last text that could be read
/** @type {Facts | null} */
let facts = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let pause;

const sandbox = new Sandbox(FRAME, RUNNER, (report) => {
  say(find("blocked"), sayWhatBlocked(report));
  find("blocked").hidden = false;
});
const file = new OpenFile(new Drafts(browserStorage()), open, () => redrawDraft());
const status = new Status(() => file.held);
const quick = status.runner(sandbox); // answers while one types and plays
const slow = status.runner(sandbox); // looks for findings and sweeps
const editor = new Editor(find("editor"), onType);
const board = new PlayBoard(() => drawBoard(version, true));
const witness = new Witness();
const redrawDraft = draftsPanel(file, (text) => editor.replace(text));
const renewLink = takeAlong(() => ({ text: editor.text, name: plainName(facts?.file) }));
const comparison = new Comparison(
  slow,
  file,
  () => given,
  () => judged && followed !== version && followSlowly(version),
);
const links = { go: (/** @type {number} */ line) => editor.go(line), show: showWitness };

// The text

/** @param {string} text */
function onType(text) {
  given = { ...given, source: text };
  file.onType(text);
  renewLink();
  later();
}

function later() {
  version += 1;
  comparison.onChange();
  clearTimeout(pause);
  pause = setTimeout(() => {
    file.keep();
    follow();
  }, PAUSE);
}

/**
 * Put another file into the editor, with a Python that has not seen the last one.
 * @param {string} text
 */
function open(text) {
  editor.open(text);
  given = { source: text, settings: {} };
  board.moves = [];
  for (const each of [quick, slow]) if (each.used) each.stop();
  facts = null;
  find("stage").classList.toggle("stale", board.drawn); // until the new file runs
  clearPanels();
  complain("");
  renewLink();
  version += 1;
  comparison.onOpen(text);
  find("held").hidden = !file.held;
  status.draw();
  follow();
}

/**
 * Ask about the game, and show what the file prints meanwhile.
 * @param {string} name
 * @param {object} [more]
 */
async function ask(name, more) {
  const asked = given;
  const found = await quick.ask(name, { ...given, ...more });
  const place = find("printed");
  if (found.printed && asked === given) say(place, `${place.textContent}${found.printed}`.slice(-MOST_PRINTED));
  place.hidden = !place.textContent;
  return found;
}

/** Show everything that follows from the text and the settings, the quick part first. */
async function follow() {
  clearTimeout(pause);
  if (file.held) return;
  const turn = version;
  if (slow.busy) slow.stop();
  if (quick.late) quick.stop();
  if (status.ended) complain("");
  find("blocked").hidden = true;
  say(find("printed"), "");
  judged = false;
  witness.close();
  try {
    let found = await ask("game");
    if (turn !== version) return;
    if (found.error?.kind === "settings" && given.source !== read) {
      // The text has changed, and its parameters with it.
      given = { ...given, settings: {} };
      found = await ask("game");
    }
    if (turn !== version || showTrouble(found)) return;
    read = given.source;
    draw(found);
    if (!(await drawBoard(turn, false))) return;
    const verdict = await ask("judge");
    if (turn !== version || showTrouble(verdict)) return;
    judged = true;
    drawLaws(find("laws"), verdict, false, links);
    drawValues(find("values"), verdict);
    editor.mark(lawMarks(verdict.broken));
    if (showsValues()) await drawBoard(turn, false);
    put(find("findings"), h("p", { class: "quiet" }, "They follow when you pause."));
    pause = setTimeout(() => followSlowly(turn), LONG_PAUSE);
  } catch (error) {
    if (turn === version) onFailure(error);
  }
}

/** @param {number} turn */
async function followSlowly(turn) {
  try {
    if (turn !== version) return;
    put(find("findings"), h("p", { class: "quiet" }, "Looking for findings…"));
    const found = await slow.ask("findings", given);
    if (turn !== version || showTrouble(found)) return;
    drawFindings(find("findings"), found, links);
    followed = turn;
    announce(`${countWords(found.findings.length, "finding")}.`);
    const laws = await slow.ask("laws", given);
    if (turn !== version || showTrouble(laws)) return;
    drawLaws(find("laws"), laws, true, links);
    editor.mark(lawMarks(laws.broken));
  } catch (error) {
    if (turn === version) onFailure(error);
  }
}

/**
 * Say what is wrong with the file, and where; returns whether something is.
 * @param {{ error?: import("./words.js").Trouble }} answer
 */
function showTrouble({ error }) {
  const { line, text } = error ?? {};
  complain(error ? troubleWords(error) : "");
  editor.mark(typeof line === "number" ? [{ line, text: text ?? "" }] : []);
  find("stage").classList.toggle("stale", Boolean(error));
  if (error) clearPanels();
  return Boolean(error);
}

/** @param {Error & { code?: string }} error */
function onFailure(error) {
  status.ended = sayWhyEnded(error);
  if (error.code !== "stopped") complain(status.ended);
  if (!judged) {
    find("stage").classList.add("stale");
    clearPanels();
  }
  status.draw();
  quick.start();
}

// The board, the parameters, the witnesses

/** @param {Facts} found */
function draw(found) {
  const fresh = JSON.stringify(found.parameters) !== JSON.stringify(facts?.parameters);
  facts = found;
  say(find("title"), found.title);
  say(find("summary"), found.summary);
  document.title = `${found.title} · Workbench`;
  find("parameters").hidden = found.parameters.length === 0;
  if (!fresh) return;
  drawParameters(find("fields"), found.parameters, set);
  put(find("sweep"), sweepForm(found.parameters, sweep));
  put(find("rows"));
}

/**
 * @param {string} name
 * @param {string} value
 */
function set(name, value) {
  given = { ...given, settings: { ...given.settings, [name]: value } };
  later();
}

const showsValues = () => /** @type {HTMLInputElement} */ (find("show-values")).checked;

/**
 * Draw the position after the moves. Moves that a change of the file has made illegal are taken back.
 * @param {number} turn
 * @param {boolean} spoken
 * @returns {Promise<boolean>}
 */
async function drawBoard(turn, spoken) {
  if (file.held) return false;
  try {
    const { moves } = board;
    const found = await ask("position", { moves, values: judged && showsValues() });
    if (turn !== version || moves !== board.moves) return false;
    if (found.error?.kind === "settings" && moves.length) {
      board.moves = [];
      return drawBoard(turn, spoken);
    }
    if (showTrouble(found)) return false;
    board.show(found, facts?.title ?? "the game", spoken);
    return true;
  } catch (error) {
    if (turn === version) onFailure(error);
    return false;
  }
}

/**
 * @param {string[]} moves
 * @param {HTMLElement} item
 */
async function showWitness(moves, item) {
  if (witness.isIn(item)) return witness.close();
  try {
    const steps = await ask("steps", { moves });
    if (!showTrouble(steps)) witness.show(steps, item);
  } catch (error) {
    onFailure(error);
  }
}

/**
 * @param {string} parameter
 * @param {number} from
 * @param {number} to
 */
async function sweep(parameter, from, to) {
  const turn = version;
  const wrong = wrongRange(from, to);
  if (wrong) return put(find("rows"), h("p", { class: "complaint" }, wrong));
  if (slow.busy) slow.stop();
  clearTimeout(pause);
  try {
    await runSweep(find("rows"), { parameter, from, to, names: facts?.side_names ?? [] }, async (value) => {
      const found = await slow.ask("setting", { ...given, parameter, value });
      return turn !== version || showTrouble(found) ? null : found;
    });
    if (turn === version && judged && followed !== turn) followSlowly(turn); // the sweep went first
  } catch (error) {
    if (turn === version) onFailure(error);
  }
}

// The start

function stop() {
  clearTimeout(pause);
  for (const each of [quick, slow]) if (each.busy) each.stop();
}

async function start() {
  const [offered, pair] = await Promise.all([listSamples(), readLinkedPair()]);
  find("stop").addEventListener("click", stop);
  find("again").addEventListener("click", () => follow());
  find("run").addEventListener("click", () => {
    file.release();
    find("held").hidden = true;
    follow();
    if (comparison.linked) comparison.run();
  });
  find("show-values").addEventListener("change", () => drawBoard(version, true));

  // Another link in the same tab changes nothing but the fragment.
  addEventListener("hashchange", () => (findNamedSample(offered) || isLink()) && location.reload());
  await file.start(offered);
  if (!pair) return;
  given = { ...given, settings: pair.one.settings };
  comparison.link(pair.other);
  if (!file.held) follow();
}

keepOffline().catch(() => {}); // it works as well without
start().catch((error) => complain(`The workbench could not be started: ${error.message}`));

// @ts-check
// A file, or two rule sets to compare, in the fragment of a link. The fragment is never sent to the host.

import { pack, unpack } from "../app/links.js";

const START = "#file=";
const BOTH = "#compare=";

/**
 * A file, and the settings that differ from its own.
 * @typedef {{ source: string, settings: Record<string, string> }} RuleSet
 */

/**
 * The fragment that carries a file.
 * @param {string} text
 */
export const fragmentOf = async (text) => START + (await pack(text));

/**
 * The file that a fragment carries; null if it carries none. Raises an error if it cannot be read.
 * @param {string} fragment
 */
export const fileIn = async (fragment) => (fragment.startsWith(START) ? unpack(fragment.slice(START.length)) : null);

/**
 * The fragment that carries two rule sets.
 * @param {{ one: RuleSet, other: RuleSet }} pair
 */
export const pairFragment = async (pair) => BOTH + (await pack(JSON.stringify(pair)));

/** @param {any} given @returns {RuleSet} */
function check(given) {
  const { source, settings } = given;
  if (typeof source !== "string" || Object.values(settings).some((each) => typeof each !== "string")) throw new Error("not a rule set");
  return { source, settings: { ...settings } };
}

/**
 * The rule sets that a fragment carries; null if it carries none. Raises an error if they cannot be read.
 * @param {string} fragment
 */
export async function pairIn(fragment) {
  if (!fragment.startsWith(BOTH)) return null;
  const { one, other } = JSON.parse(await unpack(fragment.slice(BOTH.length)));
  return { one: check(one), other: check(other) };
}

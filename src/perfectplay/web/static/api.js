// @ts-check
// Requests to the server. A refused request throws an error with the server's code and text.

const AGAIN = 3; // seconds until a server that cannot be reached is worth asking again

export class Refused extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} text
   * @param {string | null} [table]
   * @param {number} [wait] seconds after which it may be asked for again; 0 if it is refused for good
   */
  constructor(status, code, text, table = null, wait = 0) {
    super(text);
    this.status = status;
    this.code = code;
    this.table = table;
    this.wait = wait;
  }
}

/**
 * The text of an answer.
 * @param {string} path
 * @param {RequestInit} [options]
 */
async function request(path, options) {
  /** @type {Response} */
  let response;
  /** @type {string} */
  let text;
  try {
    response = await fetch(path, { credentials: "same-origin", ...options });
    text = await response.text(); // which may break off in the middle
  } catch {
    throw new Refused(0, "network", "The server cannot be reached. Check your connection and try again.", null, AGAIN);
  }
  if (response.ok) return text;
  /** @type {Partial<Api.Problem>} */
  let problem = {};
  try {
    problem = JSON.parse(text);
  } catch {
    // The answer came from something in between, such as a proxy: only its status is useful.
  }
  throw new Refused(
    response.status,
    problem.error ?? "status",
    problem.text ?? `The server answered with status ${response.status}.`,
    problem.table,
    Number(response.headers.get("Retry-After")) || 0,
  );
}

/**
 * @param {string} path
 * @returns {Promise<any>} JSON, as /api/openapi.json describes it
 */
export async function get(path) {
  return JSON.parse(await request(path));
}

/** @param {string} path */
export const getText = (path) => request(path);

/**
 * @param {string} path
 * @param {unknown} body
 * @returns {Promise<any>} JSON, as /api/openapi.json describes it
 */
export async function post(path, body) {
  const options = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  return JSON.parse(await request(path, options));
}

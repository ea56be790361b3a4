// @ts-check
// Requests to the server. A refused request throws an error with the server's code and text.

export class Refused extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} text
   * @param {string | null} [table]
   * @param {number} [wait] seconds after which the server wants to be asked again; 0 if it does not
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
 * @param {string} path
 * @param {RequestInit} [options]
 */
async function answered(path, options) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...options });
  } catch {
    throw new Refused(0, "network", "The server cannot be reached. Check your connection and try again.");
  }
  if (response.ok) return response;
  /** @type {Partial<Api.Problem>} */
  let problem = {};
  try {
    problem = await response.json();
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
  return (await answered(path)).json();
}

/** @param {string} path */
export async function getText(path) {
  return (await answered(path)).text();
}

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
  return (await answered(path, options)).json();
}

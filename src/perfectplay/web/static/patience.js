// @ts-check
// Asks a busy server again, when it says that it wants to be.

/**
 * The answer to what `ask` asks for. Temporary refusals are passed to `refused`; a final one is thrown.
 * @template T
 * @param {() => Promise<T>} ask
 * @param {(error: unknown) => unknown} [refused]
 * @returns {Promise<T>}
 */
export async function patiently(ask, refused = () => {}) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!error.wait) throw error;
      refused(error);
      await new Promise((resolve) => setTimeout(resolve, 1000 * error.wait));
    }
  }
}

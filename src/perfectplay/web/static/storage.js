// @ts-check
// What this device remembers.

/**
 * A text that is stored on this device under a name. Without storage it is forgotten; nothing depends on it.
 * @param {string} name
 */
export function stored(name) {
  return {
    get() {
      try {
        return localStorage.getItem(name) ?? "";
      } catch {
        return "";
      }
    },
    /** @param {string} text */
    set(text) {
      try {
        localStorage.setItem(name, text);
      } catch {
        // Forgotten.
      }
    },
  };
}

/** The user's name. */
export const ownName = stored("name");

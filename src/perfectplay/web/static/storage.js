// @ts-check
// What this device remembers.

/**
 * A text that is stored under a name. Without storage it is forgotten; nothing depends on it.
 * @param {() => Storage} place browsers may refuse to name it
 * @param {string} name
 */
function storeIn(place, name) {
  return {
    get() {
      try {
        return place().getItem(name) ?? "";
      } catch {
        return "";
      }
    },
    /** Whether it was stored. @param {string} text */
    set(text) {
      try {
        place().setItem(name, text);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** A text on this device. @param {string} name */
export const localText = (name) => storeIn(() => localStorage, name);

/** A text for this window alone, until it is closed. @param {string} name */
export const sessionText = (name) => storeIn(() => sessionStorage, name);

/** The user's name. */
export const ownName = localText("name");

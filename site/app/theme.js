// @ts-check
// Light, dark, or as the system has it: the choice is shared with the documentation, whose theme keeps it under the same name. Not a module,
// so that the page is never drawn in the wrong colors.

{
  /** The choices in turn: their names, what is said of them, and a sign. */
  const CHOICES = [
    ["auto", "as the system has them", "◐"],
    ["light", "light", "☀"],
    ["dark", "dark", "☾"],
  ];
  const root = document.documentElement;

  const currentChoice = () => {
    try {
      const found = localStorage.getItem("theme");
      return found === "light" || found === "dark" ? found : "auto";
    } catch {
      return "auto";
    }
  };

  /** Forgotten with the page where nothing is stored. @param {string} choice */
  const choose = (choice) => {
    root.dataset.theme = choice;
    try {
      localStorage.setItem("theme", choice);
    } catch {
      // It holds for this page.
    }
  };

  root.dataset.theme = currentChoice();
  if (self !== top) root.dataset.framed = ""; // in a page of somebody else: only the game

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "plain icon-button theme";
    const at = () => CHOICES.findIndex(([name]) => name === root.dataset.theme);
    const draw = () => {
      const [, words, sign] = CHOICES[at()];
      button.textContent = sign;
      button.title = `Colors: ${words}`;
      button.setAttribute("aria-label", button.title);
    };
    button.addEventListener("click", () => {
      choose(CHOICES[(at() + 1) % CHOICES.length][0]);
      draw();
    });
    draw();
    document.querySelector("header.top")?.append(button);
  });
}

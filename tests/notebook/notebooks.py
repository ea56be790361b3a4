"""A stand-in for a notebook: a page in a browser with one board, whose kernel is this process."""

import json
from typing import Any
from unittest.mock import patch

from IPython.core.formatters import DisplayFormatter
from playwright.sync_api import Page

from perfectplay_notebook import Board

NOTEBOOK = """
<!DOCTYPE html><html lang="en"><head><title>A notebook</title><style>%s</style></head>
<body %s><main><h1>A notebook</h1><p class="label win" id="other">Text of the notebook</p>%s<div id="el"></div></main></body></html>
"""
RENDER = """
async ([source, shown]) => {
  const listeners = {};
  window.sent = [];
  window.heard = (event, message) => (listeners[event] ?? []).forEach((each) => each(message));
  window.model = {
    shown,
    get: () => window.model.shown,
    on: (event, listener) => (listeners[event] ??= []).push(listener),
    off: (event, listener) => { listeners[event] = listeners[event].filter((each) => each !== listener); },
    send: async (message) => {
      const { shown, problem } = await window.kernel(message);
      window.model.shown = shown;
      window.heard(problem ? "msg:custom" : "change:shown", problem ? { problem } : undefined);
    },
  };
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const { default: widget } = await import(address);
  window.clean = widget.render({ model: window.model, el: document.getElementById("el") });
  window.count = () => Object.values(listeners).flat().length;
}
"""


def picture_of(board: Board) -> str:
    """The picture that a notebook shows before the widget is there."""
    with patch("perfectplay_notebook.board.display") as display:
        DisplayFormatter().ipython_display_formatter(board)
    picture: str = display.call_args_list[0].args[0]["text/html"]
    return picture


class Notebook:
    """A page that shows one board, whose kernel is this process."""

    def __init__(self, page: Page, board: Board, body: str = "") -> None:
        self.page, self.board = page, board
        self.errors: list[str] = []
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        board.send = lambda message: self.problems.append(message["problem"])
        page.expose_function("kernel", self._asked)
        sent = board.get_state()  # what a front end gets
        page.set_content(NOTEBOOK % (sent["_css"], body, picture_of(board)))
        assert page.locator("img").is_visible()  # until the widget is there
        page.evaluate(RENDER, [sent["_esm"], json.loads(json.dumps(board.shown))])

    def _asked(self, message: dict[str, Any]) -> dict[str, Any]:
        before = len(self.problems)
        self.board.comm.handle_msg(
            {"content": {"data": {"method": "custom", "content": message}}, "buffers": []}
        )
        return {"shown": json.loads(json.dumps(self.board.shown)), "problem": "".join(self.problems[before:])}

    def settled(self, moves: int) -> None:
        """Wait until the board shows the position after this many moves."""
        self.page.wait_for_function("moves => window.model.shown.position.ply === moves", arg=moves)

    def click(self, text: str) -> None:
        target = self.page.locator(f'[data-move="{text}"]:not(:disabled)').first
        if target.count() == 0:  # what to add is picked first, then where
            self.page.locator(f'[data-moves*="{text}"]').first.click()
        target.click()

    def press(self, text: str) -> None:
        """Reach a move with the arrow keys, and play it with Enter."""
        for _ in range(80):
            if self.page.evaluate(
                "wanted => document.activeElement.matches(wanted)", f'[data-move="{text}"]'
            ):
                break
            picked = f'[aria-pressed=false][data-moves*="{text}"]'
            held = self.page.evaluate("wanted => document.activeElement.matches(wanted)", picked)
            self.page.keyboard.press("Enter" if held else "ArrowRight")
        self.page.keyboard.press("Enter")

"""The workbench in Chromium: files that are typed, files that misbehave, and files from links."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from playwright.sync_api import Locator, Page, expect

import perfectplay as pp
from perfectplay.audit.report import audit
from perfectplay.games.registry import game_class
from tests.conftest import ROOT
from tests.web.browsers import PHONE, Person
from tests.web.pages.tables import People
from tools.site.workbench import one_file

EXAMPLE = (ROOT / "examples" / "tic_tac_toe.py").read_text("utf-8")
SKELETON = (ROOT / "site" / "workbench" / "skeleton.py").read_text("utf-8")
FIRST_WINS = "With best play Player 1 wins in 5 moves."
SIX = SKELETON.replace("parameter(7,", "parameter(6,")
SECOND_WINS = "With best play Player 2 wins in 4 moves."
TIE = "With best play it is a tie in 9 moves."
PACKS = """() => {
  window.packs = 0;
  window.CompressionStream = class extends CompressionStream {
    constructor(format) { super(format); window.packs += 1; }
  };
}"""
"""Counts how often something is packed into a link."""
BIT_FLIP = one_file(game_class("bit-flip"))
LAST_LOSES = BIT_FLIP.replace('Outcome(other(state.side), "last flip")', 'Outcome(state.side, "last flip")')
FORGETFUL = EXAMPLE.replace("        if self.outcome(state) is not None:\n            return ()\n", "")


PLOTS = """() => [...document.querySelectorAll('.plot svg')].map(svg => {
  const outer = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')].map(each => each.getBoundingClientRect());
  const apart = (a, b) => a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top;
  return {
    cut: texts.filter(({ left, right }) => left < outer.left || right > outer.right).length,
    merged: texts.filter((a, i) => texts.slice(i + 1).some(b => !apart(a, b))).length,
    filled: outer.width / svg.closest('.plot').clientWidth,
    beside: svg.closest('.plot').clientWidth / document.querySelector('#rows').clientWidth,
  };
})"""
"""Of each plot: how many of its texts are cut or overlap, and which share of its place it fills."""


def opened(visitors: People, name: str, address: str = "", **profile: object) -> Person:
    """Someone at the workbench."""
    person = visitors(name, **profile)
    # What the browser says while it edits the text by itself, and of files that try what they may not.
    person.pardoned += ["Applying inline style", "Content Security Policy", "violates", "Failed to load"]
    person.page.goto(f"workbench/index.html{address}")
    return person


def content(page: Page) -> Locator:
    return page.locator("#editor .cm-content[contenteditable=true]")  # once a file is there


def write(page: Page, text: str) -> None:
    """Replace the text in the editor, as someone who pastes a file does."""
    content(page).focus()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def says(page: Page, outlook: str) -> None:
    expect(page.locator("#values .outlook")).to_have_text(outlook)


class Ear:
    """A server on loopback that notes whatever reaches it."""

    def __init__(self, port: int, heard: list[str]) -> None:
        self.address = f"http://127.0.0.1:{port}/"
        self.heard = heard


@contextmanager
def ear() -> Iterator[Ear]:
    heard: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append(self.path)
            self.send_response(200)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Requests are not listed."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield Ear(server.server_port, heard)
        finally:
            server.shutdown()


FROM_PYTHON = {
    "js.fetch": "import js\njs.fetch('ADDRESSjs')",
    "pyfetch": "import asyncio, pyodide.http\nasyncio.ensure_future(pyodide.http.pyfetch('ADDRESSpy'))",
    "open_url": "import pyodide.http\npyodide.http.open_url('ADDRESSurl')",
}

PRETENDING = """import js, pyodide.ffi
js.postMessage(pyodide.ffi.to_js({"ready": True}, dict_converter=js.Object.fromEntries))"""

FROM_THE_WORKER = """async (address) => {
  const blob = (code) => URL.createObjectURL(new Blob([code]));
  const heard = (target, good) => new Promise((resolve, reject) => { target[good] = resolve; target.onerror = reject; });
  const tries = {
    fetch: () => fetch(address + 'fetch'),
    opaque: () => fetch(address + 'opaque', { mode: 'no-cors' }),
    request: () => { const x = new XMLHttpRequest(); x.open('GET', address + 'request', false); x.send(); },
    socket: () => heard(new WebSocket(address.replace('http', 'ws') + 'socket'), 'onopen'),
    events: () => heard(new EventSource(address + 'events'), 'onopen'),
    scripts: () => importScripts(address + 'scripts'),
    module: () => import(address + 'module'),
    font: () => new FontFace('x', `url(${address}font)`).load(),
    worker: () => heard(new Worker(address + 'worker'), 'onmessage'),
    nested: async () => {
      const code = `fetch('${address}nested').then(() => postMessage('reached'), () => postMessage('refused'))`;
      if ((await heard(new Worker(blob(code)), 'onmessage')).data === 'refused') { throw new Error('refused'); }
    },
    data: () => heard(new Worker('data:text/javascript,postMessage(1)'), 'onmessage'),
    peers: () => new RTCPeerConnection(),
    database: () => heard(indexedDB.open('x'), 'onsuccess'),
    caches: () => caches.open('x'),
    files: () => navigator.storage.getDirectory(),
    local: () => { localStorage.x = 1; },
    cookies: () => cookieStore.get('x'),
  };
  const ends = {};
  for (const [name, attempt] of Object.entries(tries)) {
    try { await attempt(); ends[name] = 'allowed'; } catch { ends[name] = 'refused'; }
  }
  return [self.origin, ends];
}"""


def test_a_file_is_followed_as_it_is_typed(visitors: People) -> None:
    page = opened(visitors, "Ann").page
    says(page, TIE)
    expect(page.locator("#laws")).to_contain_text("No law is broken")
    expect(page.locator("#title")).to_have_text("Tic-Tac-Toe")
    expect(page.locator("#files")).to_have_value("tic_tac_toe.py")

    # The board is played as one types: the moves stay, as long as they are legal.
    page.locator('#board [data-move="5"]').click()
    expect(page.locator("#turn")).to_have_text("O to move.")
    page.locator("#show-values").check()
    expect(page.locator("#turn")).to_have_text("O to move: ties in 8 moves with best play.")
    write(page, EXAMPLE.replace('title = "Tic-Tac-Toe"', 'title = "Noughts"'))
    expect(page.locator("#title")).to_have_text("Noughts")
    expect(page.locator('#board [data-label="5"]')).to_have_attribute("aria-label", "5: X by X, last move")
    expect(page.locator("#files")).not_to_have_value("tic_tac_toe.py")  # so the example can be chosen

    # An error points at its line, and goes when it is gone.
    write(page, EXAMPLE.replace("def initial(self)", "def initial(self"))
    expect(page.locator("#complaint")).to_have_text("Line 31: SyntaxError: invalid syntax")
    expect(page.locator("#editor .cm-lint-marker-error")).to_have_count(1)

    # A broken law has moves that show it, to step through.
    write(page, FORGETFUL)
    expect(page.locator("#complaint")).to_be_hidden()
    expect(page.locator("#laws .finding")).to_contain_text('There is an outcome, "X wins: three in a row"')
    expect(page.locator("#why")).to_contain_text("depend on the laws that are broken")
    page.locator("#laws").get_by_role("button", name="Show the").click()
    expect(page.locator(".witness .status-line")).to_contain_text("three in a row")
    page.locator(".witness [data-step=first]").click()
    expect(page.locator(".witness .status-line")).to_have_text("The start. X to move.")
    page.locator(".witness [data-step=next]").click()
    expect(page.locator(".witness [aria-current]")).to_contain_text("1.")

    # So has a theory that a changed rule made wrong, and the line that it is about.
    write(page, LAST_LOSES)
    expect(page.locator("#laws .finding")).to_contain_text("the solver finds a win in 4 moves")
    expect(page.locator("#laws .finding")).to_contain_text("delete def theory (line ")
    expect(page.locator("#editor .cm-lint-marker-error")).to_have_count(1)
    page.locator("#laws").get_by_role("button", name="theory, line").click()
    expect(page.locator("#editor .cm-activeLine")).to_contain_text("def theory(self)")

    # Findings follow a pause. A file just as it is in the package has the audit of the command.
    page.locator("#files").select_option("dual_direction.py")
    expected = audit(pp.load("dual-direction")).findings
    expect(page.locator("#findings .finding")).to_have_count(len(expected))
    expect(page.locator("main")).not_to_contain_text(re.compile(r"\b(ply|plies)\b"))  # outside of the editor
    shown = page.locator("#findings .finding").all_inner_texts()
    for text, finding in zip(shown, expected, strict=True):
        assert text.startswith(f"{finding.severity} {finding.code}")
        assert finding.text.replace(" plies", " moves") in text
    expect(page.locator("#findings table")).to_contain_text("holds")  # the examples of its rulebook
    expect(page.locator("#laws")).to_contain_text("Every law holds")

    # A slider changes the game; a sweep shows a range of it.
    page.locator("#files").select_option("skeleton.py")
    says(page, FIRST_WINS)
    lower = "([frame, board]) => frame.offsetHeight - board.getBoundingClientRect().height"
    assert (
        page.locator("#board .board-frame, #board svg").evaluate_all(lower) < 20
    )  # no room of the last board
    page.locator("#parameter-counters").fill("6")
    says(page, SECOND_WINS)
    page.locator("#sweep-from").fill("1")
    page.locator("#sweep-to").fill("6")
    page.locator(".sweep-form button").click()
    expect(page.locator("#rows tbody tr")).to_have_count(6)
    assert page.locator("#rows tbody tr").all_inner_texts()[5].split("\t")[:3] == ["6", "Player 2 wins", "4"]
    expect(page.locator(".plot")).to_have_count(3)
    expect(page.locator(".winner.side-1")).to_have_count(2)  # with 3 and 6

    # A setting goes with its parameter, and the text is still there after a reload.
    write(page, SKELETON.replace("counters", "stones"))
    says(page, FIRST_WINS)
    page.reload()
    expect(page.locator("#files option:checked")).to_have_text("My Game")
    says(page, FIRST_WINS)
    expect(page.locator("#fields")).to_contain_text("how many stones there are")


def test_plots_of_a_long_sweep_are_whole_and_fill_the_panel(visitors: People) -> None:
    page = opened(visitors, "Ann", "#skeleton.py", viewport={"width": 1280, "height": 860}).page
    says(page, FIRST_WINS)
    page.locator("#sweep-from").fill("1")
    page.locator("#sweep-to").fill("20")
    page.locator(".sweep-form button").click()
    expect(page.locator("#rows tbody tr")).to_have_count(20)
    for plot in page.evaluate(PLOTS):
        assert (plot["cut"], plot["merged"]) == (0, 0)
        assert plot["filled"] > 0.8
        assert plot["beside"] > 0.3
    page.set_viewport_size(PHONE)
    expect(page.locator(".plots.beside")).to_have_count(0)  # one below the other
    for plot in page.evaluate(PLOTS):
        assert (plot["cut"], plot["merged"]) == (0, 0)
        assert plot["filled"] > 0.8


def test_files_that_misbehave_leave_the_page_alive(visitors: People) -> None:
    page = opened(visitors, "Ann", "#skeleton.py").page
    says(page, FIRST_WINS)
    complaint = page.locator("#complaint")

    # What it prints is shown, up to a point, and goes with the text that printed it.
    write(page, f"{SKELETON}\nprint('Hello,', '<b>you</b>')\n")
    expect(page.locator("#printed")).to_have_text("Hello, <b>you</b>\n")
    write(page, SKELETON.replace("return state[1]", "print('asked')\n        return state[1]"))
    says(page, FIRST_WINS)
    expect(page.locator("#printed")).to_contain_text("asked\nasked\n")
    assert len(page.locator("#printed").inner_text()) <= 20_000
    write(page, SKELETON)
    expect(page.locator("#printed")).to_be_hidden()
    expect(complaint).to_be_hidden()

    # Python interrupts a loop, and knows where it is.
    write(page, SKELETON.replace("return self.counters, 0", "while True:\n            pass"))
    expect(complaint).to_contain_text("This took too long and was stopped.")
    expect(complaint).to_contain_text(re.compile(r"Line 2[89]\b"))

    # It has 512 MB, and can be used again after it has run out of them.
    write(page, f"{SKELETON}\nkept = []\nwhile True:\n    kept.append(bytes(10_000_000))\n")
    expect(complaint).to_have_text("Line 64: Python ran out of memory. It may use 512 MB.")
    write(page, SIX)
    says(page, SECOND_WINS)

    # What cannot be interrupted says nothing, and is ended within four seconds, whatever it said before.
    write(page, f"{SKELETON}\n{PRETENDING}\nsum(range(10**12))\n")
    expect(complaint).to_contain_text("Python stopped answering and was restarted.")
    write(page, SKELETON)
    says(page, FIRST_WINS)
    expect(complaint).to_be_hidden()

    # One click stops a run.
    write(
        page,
        EXAMPLE.replace(
            "squares, side = state\n        return f",
            "squares, side = state\n        sum(range(20_000))\n        return f",
        ),
    )
    expect(page.locator("#status")).to_contain_text("Checking laws and values")
    page.locator("#stop").click()
    expect(page.locator("#status")).to_have_text("Stopped.")
    expect(page.locator("#again")).to_be_visible()
    write(page, SIX)
    says(page, SECOND_WINS)


def test_files_reach_neither_network_nor_storage(visitors: People) -> None:
    with ear() as listening:
        person = opened(visitors, "Ann", "#skeleton.py")
        page = person.page
        says(page, FIRST_WINS)
        origin, ends = page.workers[0].evaluate(FROM_THE_WORKER, listening.address)
        assert (origin, set(ends.values())) == ("null", {"refused"})
        for code in FROM_PYTHON.values():
            write(page, f"{SKELETON}\n{code.replace('ADDRESS', listening.address)}\n")
            expect(page.locator("#blocked")).to_contain_text("tried to reach the network")
            write(page, SKELETON)
            expect(page.locator("#blocked")).to_be_hidden()
        write(page, f"{SKELETON}\nimport js\njs.eval('1')\n")
        expect(page.locator("#blocked")).to_contain_text("tried to run JavaScript from a text (eval)")
        write(page, f"{SKELETON}\nimport js\njs.indexedDB.open('x')\n")
        expect(page.locator("#complaint")).to_contain_text("Line 63: JsException: SecurityError")
        assert listening.heard == []
        # The ear hears: the page itself is not kept from trying by anything but its own policy.
        assert person.context.request.get(f"{listening.address}heard").ok
        assert listening.heard == ["/heard"]


def test_a_file_from_a_link_runs_after_a_click(visitors: People) -> None:
    ann = opened(visitors, "Ann", "#skeleton.py").page
    says(ann, FIRST_WINS)
    ann.evaluate(PACKS)
    write(ann, SKELETON.replace("My Game", "Nim of Ann"))
    expect(ann.locator("#title")).to_have_text("Nim of Ann")
    assert ann.evaluate("packs") == 0  # no link is shown
    ann.locator("#share").click()
    first = ann.locator("#file-link").input_value()
    write(ann, SKELETON.replace("My Game", "Nim of Ann and Bob"))
    expect(ann.locator("#file-link")).not_to_have_value(first)  # the link is that of the text as it is now
    assert ann.evaluate("packs") == 2
    link = ann.locator("#file-link").input_value()
    expect(ann.locator("#title")).to_have_text("Nim of Ann and Bob")
    with ann.expect_download() as download:
        ann.locator("#download").click()
    assert download.value.suggested_filename == "my_game.py"
    assert "Nim of Ann and Bob" in download.value.path().read_text("utf-8")
    ann.locator("#install").click()
    expect(ann.locator("#extra")).to_contain_text("perfectplay audit ./my_game.py")
    ann.goto("about:blank")  # she is done, and her Python need not work on

    bob = opened(
        visitors, "Bob", link[link.index("#") :], viewport=PHONE, color_scheme="dark", reduced_motion="reduce"
    )
    page = bob.page
    expect(content(page)).to_contain_text("Nim of Ann and Bob")
    expect(page.locator("#status")).to_have_text("Not run yet.")
    expect(page.locator("#files option:checked")).to_have_text("Nim of Ann and Bob")
    expect(page.get_by_role("region", name="Perfect play")).to_contain_text("once the file runs")
    page.keyboard.press("Tab")  # to the link that skips to the board
    write(page, SKELETON.replace("My Game", "Nim of Bob"))  # typing is not running
    page.locator("#show-values").check()  # nor is anything else but the one click
    expect(page.locator("#status")).to_have_text("Not run yet.")
    page.locator("#show-values").uncheck()
    assert page.workers == []
    assert bob.width() <= PHONE["width"]
    assert bob.flaws() == []
    page.locator("#run").click()
    expect(page.locator("#title")).to_have_text("Nim of Bob")
    says(page, FIRST_WINS)
    expect(page.locator("#findings .finding").first).to_be_visible()
    page.locator("#findings").get_by_role("button", name="Show").first.click()
    expect(page.locator(".witness svg")).to_be_visible()
    assert bob.width() <= PHONE["width"]
    assert bob.flaws() == []
    compare_with_another_rule_set(visitors, bob)

    # By keyboard: Tab indents, Escape and Tab leave the editor.
    content(page).focus()
    page.keyboard.press("Control+Home")
    page.keyboard.press("Tab")
    expect(content(page).locator(".cm-line").first).to_have_text(
        '    """A game of my own: what a turn does, and who wins."""'
    )
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert not bob.holds("#editor")


def compare_with_another_rule_set(visitors: People, bob: Person) -> None:
    page, found = bob.page, bob.page.locator("#compared .outlook")
    page.locator("#other").focus()
    page.locator("#other").select_option("skeleton.py")
    page.locator("#compare").click()
    expect(found).to_have_text("The same game, whatever its moves are called.")
    expect(page.locator("#compared")).to_contain_text("Both have the same findings.")
    page.locator("#other").select_option("same")
    page.locator("#other-counters").fill("6")
    page.locator("#compare").click()
    expect(found).to_have_text("The games differ after 3 moves.")
    page.get_by_role("group", name="First moves").get_by_role("button", name="1", exact=True).click()
    expect(page.locator(".pair .witness svg")).to_have_count(2)
    expect(page.locator("#compared h3", has_text="Findings")).to_be_visible()
    assert bob.width() <= PHONE["width"]
    assert bob.flaws() == []
    page.locator("#compare-link").click()
    link = page.locator("#pair-link").input_value()

    cora = opened(visitors, "Cora", link[link.index("#") :]).page
    expect(cora.locator("#held")).to_be_visible()
    expect(cora.locator("#other option:checked")).to_have_text("what came with the link")
    cora.locator("#compare").click()
    expect(cora.locator("#other-trouble")).to_have_text("Run the file above first.")
    assert cora.workers == []
    cora.locator("#run").click()
    expect(cora.locator("#compared .outlook")).to_have_text("The games differ after 3 moves.")
    cora.goto("about:blank")


def test_a_link_that_was_cut_is_not_run(visitors: People) -> None:
    page = opened(visitors, "Ann", "#file=AAAA").page
    expect(page.locator("#extra")).to_have_text("The file in this link cannot be read. Was the link cut?")
    expect(content(page)).to_contain_text("Tic-tac-toe in one file")

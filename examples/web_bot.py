"""A bot that takes a seat at a web table. docs/online.md describes the protocol.

Create a table in a browser or with the API, and give the bot the link for your opponent:

    .venv/bin/python examples/web_bot.py http://127.0.0.1:8000/join/TABLE/CODE --player level:3

It needs the extra `web`. To write your own bot, change only `choose`. The bot accepts every rematch and
no other offer, and stays until the table is closed or it has played `--games` games.
"""

import argparse
import random
import sys
import time
from contextlib import closing
from typing import Any

import perfectplay as pp
from perfectplay.core.formatting import make_printable
from perfectplay.online.client import Connection, OnlineError, Server, UnreachableError, read_link
from perfectplay.players.base import ComputerPlayer
from perfectplay.players.registry import load_player


def choose(player: ComputerPlayer, game: pp.Game[Any], position: dict[str, Any], seed: int) -> str:
    """Return the text of a move: one of position["legal"]."""
    state = game.parse_state(position["state"])
    generator = random.Random(f"{seed}/{position['game']}/{position['ply']}")
    return game.action_text(state, player.choose(game, state, generator))


class Bot:
    """The bot in its seat. `told` is the last game whose end was printed."""

    def __init__(self, player: ComputerPlayer, game: pp.Game[Any], options: argparse.Namespace) -> None:
        self.player, self.game, self.options = player, game, options
        self.told = 0

    def play(self, connection: Connection) -> bool:
        """Play over a connection. Returns True when there is nothing left to play, False if it is lost.

        The first message is {"type": "table", "table": {...}}, with the full table. After each event comes
        {"type": "event", "event": {...}, "table": {...}, "position": {...}}. This `table` has only what
        may have changed, so it does not include your `seat`.
        """
        now: dict[str, Any] = {}
        for message in connection.messages():
            if message["type"] == "table":
                now = message["table"]
            elif message["type"] == "event":
                now = {**now, **message["table"], "position": message["position"]}
            elif message.get("error") in ("slow", "busy", "unsaved"):
                time.sleep(1)  # and then once more
            elif message.get("error") not in (None, "number"):
                raise OnlineError(message["text"])
            else:
                continue  # someone came or went, or we were too late: the event that was first follows
            if self.is_done(now):
                return True
            event = {"do": "event", "number": now["next"]}
            offers = [what for what, offered_by in now["offers"].items() if offered_by != now["seat"]]
            if offers:
                answer = "accept" if offers[0] == "rematch" else "decline"
                connection.send({**event, "kind": answer, "text": offers[0]})
            elif now["status"] == "running" and now["position"]["seat"] == now["seat"]:
                move = choose(self.player, self.game, now["position"], self.options.seed)
                connection.send({**event, "kind": "move", "text": move})
        return False

    def is_done(self, now: dict[str, Any]) -> bool:
        """Return whether to leave. Prints the end of each game once."""
        result = now["position"]["result"]
        if result is not None and self.told < now["games"]:
            self.told = now["games"]
            score = ", ".join(f"{name} {won}" for name, won in zip(now["names"], now["score"], strict=True))
            print(make_printable(f"Game {self.told}: {result['text']}. Score: {score}."), flush=True)
        return bool(now["status"] == "closed" or self.told == self.options.games)


def run(options: argparse.Namespace) -> None:
    """Take the seat, and reconnect when the connection is lost."""
    link, player = read_link(options.link), load_player(options.player)
    if options.games is not None and options.games < 1:
        raise pp.BadParameterError("games", options.games, "a whole number, at least 1")
    if link.code is None:
        raise OnlineError(f"{link.url} is for watching; a seat has a link http://HOST/join/TABLE/CODE")
    if not isinstance(player, ComputerPlayer):
        raise pp.PerfectplayError(f"{player.spec} is not a computer player")
    server = Server(link.server, None)
    server.take_token()  # this token proves that the seat is ours
    game = pp.load(server.get(f"/api/tables/{link.table}")["game"], allow_paths=False)
    player.prepare(game)  # before sitting down: the player may not support this game
    wish = {"code": link.code, "name": f"Bot ({player.spec})"[:40]}
    table = server.post(f"/api/tables/{link.table}/join", wish)["table"]
    side = table["side_names"][table["sides"][table["seat"]]]
    print(make_printable(f"{wish['name']} sits at {link.url} as {side}."), flush=True)
    bot, tries = Bot(player, game, options), 0
    while True:
        try:
            with closing(server.connect(link.table)) as connection:
                tries = 0
                if bot.play(connection):
                    return
            print("Connection lost. Trying to reconnect.", flush=True)
        except UnreachableError:
            tries += 1
            if tries == 120:
                raise
        time.sleep(1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Take a seat at a web table.")
    parser.add_argument("link", help="http://HOST/join/TABLE/CODE")
    parser.add_argument("--player", default="random", help="level:3, perfect, random, ...")
    parser.add_argument("--games", type=int, help="leave after this many games; stay by default")
    parser.add_argument("--seed", type=int, default=0, help="of every random choice")
    try:
        run(parser.parse_args())
    except pp.PerfectplayError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)

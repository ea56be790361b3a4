"""A bot that holds a seat at a web table. The page docs/online.md has the protocol it speaks.

Make a table in a browser or with the API, and give the bot the link that was meant for a friend:

    python examples/web_bot.py http://127.0.0.1:8000/join/TABLE/CODE --player level:3

It needs what the extra `web` installs. To write a bot of another kind, change `choose` alone. It plays
until the table is closed, agrees to every rematch and to nothing else, and comes back when the
connection is lost.
"""

import argparse
import json
import random
import time
import urllib.error
import urllib.request
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

import perfectplay as pp
from perfectplay.players.base import ComputerPlayer
from perfectplay.players.registry import load_player


def choose(player: ComputerPlayer, game: pp.Game[Any], position: dict[str, Any], seed: int) -> str:
    """A move as it is written: one of position["legal"]."""
    state = game.parse_state(position["state"])
    generator = random.Random(f"{seed}/{position['game']}/{position['ply']}")
    return game.action_text(state, player.choose(game, state, generator))


def join(server: str, table: str, code: str, name: str) -> str:
    """Take the free seat; returns the token that holds it."""
    request = urllib.request.Request(
        f"{server}/api/tables/{table}/join",
        json.dumps({"code": code, "name": name}).encode(),
        {"Content-Type": "application/json", "X-Client": "1"},
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return str(json.load(answer)["token"])
    except urllib.error.HTTPError as error:
        raise SystemExit(json.load(error)["text"]) from None


def play(server: str, table: str, token: str, player: ComputerPlayer, seed: int) -> None:
    """Play over one connection until the table is closed."""
    address = f"ws{server.removeprefix('http')}/api/tables/{table}/socket"
    with connect(address, additional_headers={"Authorization": f"Bearer {token}"}) as socket:
        now = json.loads(socket.recv())["table"]  # the first message is the whole table
        game, seat = pp.load(now["game"]), now["seat"]
        player.prepare(game)
        while now["status"] != "closed":
            event = {"do": "event", "number": now["next"]}
            offers = [offer for offer, offered_by in now["offers"].items() if offered_by != seat]
            if offers:
                answer = "accept" if offers[0] == "rematch" else "decline"
                socket.send(json.dumps({**event, "kind": answer, "text": offers[0]}))
            elif now["status"] == "running" and now["position"]["seat"] == seat:
                move = choose(player, game, now["position"], seed)
                socket.send(json.dumps({**event, "kind": "move", "text": move}))
            message = json.loads(socket.recv())
            while message["type"] != "event":
                # Refused by number: something else happened first, and its event is on the way.
                if message.get("ok") is False and message["error"] != "number":
                    raise ConnectionError(message["text"])  # begin again with a look at the table
                message = json.loads(socket.recv())
            now = {**message["table"], "position": message["position"]}


def main() -> None:
    """Join the table, and stay at it."""
    parser = argparse.ArgumentParser(description="Hold a seat at a web table.")
    parser.add_argument("link", help="http://HOST/join/TABLE/CODE")
    parser.add_argument("--player", default="random", help="level:3, perfect, random, ...")
    parser.add_argument("--seed", type=int, default=0, help="of every random choice")
    options = parser.parse_args()
    server, _, rest = options.link.partition("/join/")
    table, _, code = rest.partition("/")
    player = load_player(options.player)
    assert isinstance(player, ComputerPlayer)
    token = join(server, table, code, f"Bot, {options.player}")
    while True:
        try:
            return play(server, table, token, player, options.seed)
        except (OSError, WebSocketException) as error:
            print(f"lost: {error}", flush=True)
            time.sleep(1)


if __name__ == "__main__":
    main()

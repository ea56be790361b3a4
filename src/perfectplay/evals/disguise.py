"""How a game is shown to an agent: as it is, under invented names, or as a bare graph.

A disguise changes words, never the game tree. What an agent answers is translated back.
"""

import re
from abc import ABC, abstractmethod
from random import Random
from typing import Any, Literal, NamedTuple

from perfectplay.core.errors import ForfeitError, ParseError
from perfectplay.core.game import Action, Game
from perfectplay.core.outcome import Side
from perfectplay.core.wording import quote
from perfectplay.evals.limits import MOST_ARROWS
from perfectplay.solver.graph import TooLargeError, explore


class Verdict(NamedTuple):
    """What the marked line of an answer amounts to, and why if it is not a legal move."""

    outcome: Literal["unreadable", "illegal", "invalid", "legal"]
    reason: str = ""
    action: Action | None = None
    rule: str | None = None


class Disguise(ABC):
    """The texts that show one game to an agent, and the reading of its answers."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    @abstractmethod
    def rules(self, state: Any) -> str:
        """The rules; `state` is the position to be played from."""

    @abstractmethod
    def board(self, state: Any) -> str:
        """The position."""

    @abstractmethod
    def move(self, state: Any, action: Action) -> str:
        """A move as the agent would write it."""

    @abstractmethod
    def read(self, state: Any, text: str) -> Action:
        """The action that a text names. Raises ParseError or ForfeitError like `Game.parse_action`."""

    def judge(self, state: Any, text: str) -> Verdict:
        """What an answer amounts to."""
        try:
            action = self.read(state, text)
        except ForfeitError as error:
            return Verdict("invalid", self.translate(error.reason))
        except ParseError as error:
            return Verdict("unreadable", self.translate(error.reason))
        refusal = self.game.refusal(state, action)
        if refusal is not None:
            return Verdict("illegal", self.translate(f"{quote(text)}: {refusal.text}"), rule=refusal.rule)
        return Verdict("legal", action=action)

    def translate(self, text: str) -> str:
        """A sentence of the game, such as a refusal, as the agent may see it."""
        return text

    def side(self, side: Side) -> str:
        """The name of a side."""
        return self.game.side_names[side]


class Plain(Disguise):
    """The game as it is."""

    def rules(self, state: Any) -> str:
        return self.game.texts().instructions()

    def board(self, state: Any) -> str:
        return "\n".join(self.game.dialogue().board(state))

    def move(self, state: Any, action: Action) -> str:
        return self.game.action_text(state, action)

    def read(self, state: Any, text: str) -> Action:
        return self.game.parse_action(state, text)


class Words(Plain):
    """The game with invented names, each as long as the one it replaces.

    >>> import perfectplay as pp
    >>> words = Words(pp.load("bit-flip"), seed=1)
    >>> words.translate("Flip a bit.") != "Flip a bit.", words.restore(words.translate("Flip a bit."))
    (True, 'Flip a bit.')
    """

    def __init__(self, game: Game[Any], seed: int = 0) -> None:
        super().__init__(game)
        if not game.texts().glossary:
            raise ParseError(f"{game.title} has no glossary, so it cannot be disguised in words")
        rng = Random(f"words/{seed}")
        self._new: dict[str, str] = {}
        for entry in game.texts().glossary:
            word, *longer = entry.split()
            invented = _invent(len(word), rng, set(self._new.values()))
            self._new |= {form: invented + form.removeprefix(word) for form in (word, *longer)}
        self._old = {new: old for old, new in self._new.items()}

    def rules(self, state: Any) -> str:
        return self.translate(super().rules(state))

    def board(self, state: Any) -> str:
        return self.translate(super().board(state))

    def move(self, state: Any, action: Action) -> str:
        return self.translate(super().move(state, action))

    def read(self, state: Any, text: str) -> Action:
        return super().read(state, self.restore(text))

    def translate(self, text: str) -> str:
        return _replace(text, self._new)

    def restore(self, text: str) -> str:
        """A text with the game's own words back in place."""
        return _replace(text, self._old)


class Arrows(Disguise):
    """The bare graph: numbered places, arrows between them, and who has won where arrows end.

    It shows the places that can be reached from where play starts.
    """

    def __init__(self, game: Game[Any], start: Any, seed: int = 0) -> None:
        super().__init__(game)
        try:
            graph = explore(game, start=start, limit=MOST_ARROWS)
        except TooLargeError:
            raise ParseError(
                f"{game.spec} has more than {MOST_ARROWS} positions, too many to draw as arrows"
            ) from None
        labels = list(range(1, len(graph.states) + 1))
        Random(f"arrows/{seed}").shuffle(labels)
        self._label = {state: str(labels[number]) for number, state in enumerate(graph.states)}
        self._labels = set(self._label.values())
        self._arrows = {
            state: {action: str(labels[target]) for action, target in graph.moves(number)}
            for number, state in enumerate(graph.states)
        }
        lines = {}
        for state, label in self._label.items():
            outcome = game.outcome(state)
            mover = f"{label} ({self.side(game.side_to_move(state))})"
            if outcome is None:
                lines[int(label)] = f"{mover}: {' '.join(dict.fromkeys(self._arrows[state].values()))}"
            elif outcome.winner is None:
                lines[int(label)] = f"{label}: tie"
            else:
                lines[int(label)] = f"{label}: {self.side(outcome.winner)} wins"
        self._rules = "\n".join(
            [
                "Two players, X and Y, move one shared token between numbered places.",
                "Each row below is a place: in brackets the player whose turn it is when the token is"
                " there, then the places that player may move it to. Where a row names a winner, the"
                " game is over. A move is written as the number of the place to move to.",
                "",
                *(line for _, line in sorted(lines.items())),
            ]
        )

    def rules(self, state: Any) -> str:
        return self._rules

    def board(self, state: Any) -> str:
        return f"The token is on {self._label[state]}."

    def move(self, state: Any, action: Action) -> str:
        arrows = self._arrows[state]
        if action in arrows:
            return arrows[action]
        # An illegal move has no arrow: any place that no arrow leads to will do.
        return min(self._labels - set(arrows.values()), key=int)

    def read(self, state: Any, text: str) -> Action:
        typed = text.strip()
        for action, target in self._arrows[state].items():
            if target == typed:
                return action
        raise ParseError(f"{quote(text)} is not the number of a place.")

    def judge(self, state: Any, text: str) -> Verdict:
        verdict = super().judge(state, text)
        if verdict.outcome == "unreadable" and text.strip() in self._labels:
            return Verdict("illegal", f"No move leads to {text.strip()} from here.", rule="no arrow")
        return verdict

    def side(self, side: Side) -> str:
        return "XY"[side]


def disguise_game(game: Game[Any], disguise: str, start: Any, seed: int) -> Disguise:
    """Return the game in a disguise. The seed decides the invented names."""
    if disguise == "words":
        return Words(game, seed)
    return Arrows(game, start, seed) if disguise == "arrows" else Plain(game)


_STARTS = ("zr", "vl", "zm", "gv", "kz", "dv", "vz", "bz")
"""No English word starts like this."""


def _invent(length: int, rng: Random, taken: set[str]) -> str:
    while True:
        letters = rng.choice(_STARTS)
        while len(letters) < length:
            letters += rng.choice("aeiou") + rng.choice("bdfgklmnprstv")
        found = letters[:length]
        if not any(other.startswith(found) or found.startswith(other) for other in taken):
            return found


def _replace(text: str, words: dict[str, str]) -> str:
    """Replace whole words, whatever their case, keeping the case of every letter."""

    def new(found: "re.Match[str]") -> str:
        word = words[found[0].lower()]
        return "".join(b.upper() if a.isupper() else b for a, b in zip(found[0], word, strict=True))

    return re.sub(rf"\b({'|'.join(words)})\b", new, text, flags=re.IGNORECASE | re.ASCII)

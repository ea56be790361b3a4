"""How a game is shown to an agent: as it is, under invented names, or as a bare graph.

A disguise changes words, never the game tree. Answers are translated back.
"""

import re
from random import Random
from typing import Generic

from perfectplay.core.errors import ForfeitError, ParseError
from perfectplay.core.formatting import quote
from perfectplay.core.game import Action, Game, S
from perfectplay.core.outcome import Side
from perfectplay.evals.answers import Verdict
from perfectplay.evals.limits import MOST_ARROWS
from perfectplay.solver.errors import TooLargeError
from perfectplay.solver.graph import explore


class Disguise(Generic[S]):
    """The texts that show one game to an agent, and the reading of its answers; here, the game as it is."""

    def __init__(self, game: Game[S]) -> None:
        self.game = game

    def rules(self) -> str:
        """The rules."""
        return self.translate(self.game.texts().instructions())

    def board(self, state: S) -> str:
        """The position."""
        return self.translate("\n".join(self.game.dialogue().board(state)))

    def move(self, state: S, action: Action) -> str:
        """A move as the agent would write it."""
        return self.translate(self.game.action_text(state, action))

    def list_moves(self, state: S) -> str:
        """A line with all legal moves."""
        legal = (self.move(state, action) for action in self.game.legal_actions(state))
        return f"Legal moves: {', '.join(dict.fromkeys(legal))}"

    def read(self, state: S, text: str) -> Action:
        """The action that a text names. Raises ParseError or ForfeitError like `Game.parse_action`."""
        return self.game.parse_action(state, self.restore(text))

    def judge(self, state: S, text: str) -> Verdict:
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

    def restore(self, text: str) -> str:
        """A text with the game's own words back in place."""
        return text

    def side(self, side: Side) -> str:
        """The name of a side."""
        return self.game.side_names[side]

    def is_seen_through(self, text: str) -> bool:
        """Whether a text names the game although it is disguised, however that is written.

        >>> import perfectplay as pp
        >>> game, text = pp.load("bit-flip"), "This is just BitFlip in disguise."
        >>> Words(game).is_seen_through(text), Disguise(game).is_seen_through(text)
        (True, False)
        """
        plain, *names = (
            "".join(filter(str.isalnum, each.casefold())) for each in (text, self.game.title, self.game.name)
        )
        return type(self) is not Disguise and any(name in plain for name in names)


class Words(Disguise[S]):
    """The game with invented names, each as long as the one it replaces."""

    def __init__(self, game: Game[S], seed: int = 0) -> None:
        super().__init__(game)
        glossary = game.texts().glossary
        if not glossary:
            raise ParseError(f"{game.title} has no glossary, so it cannot be disguised in words")
        rng = Random(f"words/{seed}")
        self._new: dict[str, str] = {}
        for entry in glossary:
            word, *longer = entry.split()
            invented = _invent(len(word), rng, set(self._new.values()))
            self._new |= {form: invented + form.removeprefix(word) for form in (word, *longer)}
        self._old = {new: old for old, new in self._new.items()}

    def translate(self, text: str) -> str:
        return _replace(text, self._new)

    def restore(self, text: str) -> str:
        return _replace(text, self._old)


class Arrows(Disguise[S]):
    """The bare graph: numbered places, arrows between them, and who has won where arrows end.

    It shows the places that can be reached from where play starts.
    """

    def __init__(self, game: Game[S], start: S, seed: int = 0) -> None:
        super().__init__(game)
        try:
            graph = explore(game, start=start, limit=MOST_ARROWS)
        except TooLargeError:
            raise ParseError(
                f"{game.spec} has more than {MOST_ARROWS} positions, too many to draw as arrows"
            ) from None
        labels = list(range(1, len(graph.states) + 1))
        Random(f"arrows/{seed}").shuffle(labels)
        self._label = {state: str(label) for state, label in zip(graph.states, labels, strict=True)}
        self._arrows = {
            state: {action: str(labels[target]) for action, target in graph.moves(number)}
            for number, state in enumerate(graph.states)
        }

    def rules(self) -> str:
        return "\n".join(
            [
                "Two players, X and Y, move one shared token between numbered places.",
                "Each row below is a place: in brackets the player whose turn it is when the token is"
                " there, then the places that player may move it to. Where a row names a winner, the"
                " game is over. A move is written as the number of the place to move to.",
                "",
                *map(self._row, sorted(self._label, key=lambda state: int(self._label[state]))),
            ]
        )

    def _row(self, state: S) -> str:
        label, outcome = self._label[state], self.game.outcome(state)
        if outcome is not None:
            return f"{label}: tie" if outcome.winner is None else f"{label}: {self.side(outcome.winner)} wins"
        targets = dict.fromkeys(self._arrows[state].values())
        return f"{label} ({self.side(self.game.side_to_move(state))}): {' '.join(targets)}"

    def board(self, state: S) -> str:
        return f"The token is on {self._label[state]}."

    def move(self, state: S, action: Action) -> str:
        arrows = self._arrows[state]
        if action in arrows:
            return arrows[action]
        # An illegal move has no arrow: any place that no arrow leads to will do.
        return min(set(self._label.values()) - set(arrows.values()), key=int)

    def read(self, state: S, text: str) -> Action:
        for action, target in self._arrows[state].items():
            if target == text.strip():
                return action
        raise ParseError(f"{quote(text)} is not the number of a place.")

    def judge(self, state: S, text: str) -> Verdict:
        verdict, place = super().judge(state, text), text.strip()
        if verdict.outcome == "unreadable" and place in self._label.values():
            return Verdict("illegal", f"No move leads to {place} from here.", rule="no arrow")
        return verdict

    def side(self, side: Side) -> str:
        return "XY"[side]


def disguise_game(game: Game[S], name: str, start: S, seed: int) -> Disguise[S]:
    """Return the game in the disguise with this name. The seed decides the invented names."""
    if name == "words":
        return Words(game, seed)
    return Arrows(game, start, seed) if name == "arrows" else Disguise(game)


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

"""Single questions about positions: which move to choose, and what the rules say."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import zip_longest
from random import Random
from typing import Any, Literal, NamedTuple, cast, get_args

from perfectplay.core.errors import BadParameterError, ParseError
from perfectplay.core.formatting import join_words
from perfectplay.core.game import Game, S
from perfectplay.core.outcome import Side
from perfectplay.core.spec import split_spec
from perfectplay.evals.answers import NO_LINE, Verdict, read_marked
from perfectplay.evals.counts import READABLE, SampleCounts
from perfectplay.evals.disguise import Disguise, disguise_game
from perfectplay.evals.limits import MOST_QUESTIONS
from perfectplay.evals.play import ASK
from perfectplay.evals.positions import find_decisions, find_positions, value_of_answer
from perfectplay.evals.setup import Setup, load_game
from perfectplay.solver.oracle_cache import oracle_for

QuestionKind = Literal["choose", "legal", "end", "winner"]
NOBODY = "nobody"
YES_NO = ("yes", "no")


class SingleQuestion(NamedTuple):
    """A question about one position. Items with the same cluster are equal by symmetry."""

    kind: QuestionKind
    game: str
    position: str
    cluster: str
    move: str | None = None
    """The move a question about legality is about."""
    guess: float | None = None
    """In a question on the rules, the best share that one answer without looking gets of all asked."""

    @classmethod
    def from_data(cls, data: object) -> "SingleQuestion":
        """The question that a log or a file holds. Raises ParseError for anything else."""
        match data:
            case [kind, str(game), str(position), str(cluster), *rest] if kind in get_args(QuestionKind):
                move, guess = (*rest, None, None)[:2]
                known = guess if isinstance(guess, float) and 0 < guess < 1 else None
                text = move if isinstance(move, str) else None
                return cls(cast(QuestionKind, kind), game, position, cluster, text, known)
        raise ParseError("this is not a single question")

    def open(self) -> tuple[Game[Any], Any]:
        """The game and the position. A disguise shows the graph from there on, and no further back."""
        game = load_game(self.game)
        return game, game.parse_state(self.position)

    @property
    def seat(self) -> Side:
        """The side to move."""
        game, state = self.open()
        return game.side_to_move(state)


def load_family(spec: str) -> tuple[Game[Any], ...]:
    """The games of a family: all sizes of a game named alone, or the one game that a spec names.

    >>> [game.spec for game in load_family("bit-flip")][:2], len(load_family("bit-flip:bits=12"))
    (['bit-flip:bits=6', 'bit-flip:bits=7'], 1)
    """
    game = load_game(spec)
    name, rest = split_spec(spec)
    if rest is not None or not game.texts().family:
        return (game,)
    return tuple(load_game(f"{name}:{each}") for each in game.texts().family)


def draw_decisions(games: Sequence[Game[S]], count: int, seed: int = 0) -> list[SingleQuestion]:
    """At most `count` decisions, spread evenly over games, values and sides, one of each class of symmetry.

    >>> import perfectplay as pp
    >>> len(draw_decisions([pp.load("bit-flip")], 200)), len(draw_decisions(load_family("bit-flip"), 200))
    (21, 200)
    """
    _check_count(count)
    rng = Random(f"choose/{seed}")
    groups: dict[Hashable, list[SingleQuestion]] = {}
    for game in games:
        oracle = oracle_for(game)
        for cluster, states in find_decisions(game).items():
            state = rng.choice(states)
            key = (game.spec, oracle.value(state).kind, game.side_to_move(state))
            groups.setdefault(key, []).append(_item("choose", game, state, cluster))
    return _in_turn(groups, count, rng)


def draw_rules_questions(games: Sequence[Game[S]], count: int, seed: int = 0) -> list[SingleQuestion]:
    """At most `count` questions on the rules: legal moves, the end of the game, and who wins.

    Within each kind all answers are equally frequent, so a kind has fewer questions where one of its
    answers is rare.
    """
    _check_count(count)
    rng = Random(f"rules/{seed}")
    groups: dict[str, dict[Hashable, list[SingleQuestion]]] = {"legal": {}, "end": {}, "winner": {}}
    for game in games:
        for state in find_positions(game):
            cluster, legal = game.canonical(state), game.legal_actions(state)
            found = [_item("end", game, state, cluster)]
            illegal = sorted({*range(game.num_actions)}.difference(legal))
            for actions in (legal, illegal):  # a move of each kind, as far as the position has them
                if actions:
                    move = game.action_text(state, rng.choice(actions))
                    found.append(_item("legal", game, state, cluster, move))
            if game.outcome(state) is None:
                found.append(_item("winner", game, state, cluster))
            for item in found:
                groups[item.kind].setdefault(solve_question(item), []).append(item)
    thirds = []
    for each in groups.values():
        fewest = min(map(len, each.values()), default=0)
        per_answer = min(fewest, -(-count // (3 * len(each)))) if each else 0
        thirds.append(_in_turn(each, per_answer * len(each), rng))
    mixed = [item for three in zip_longest(*thirds) for item in three if item is not None][:count]
    answers = {kind: Counter(solve_question(each) for each in mixed if each.kind == kind) for kind in groups}
    # Without looking, the most frequent answer is best; where it is the only one, it tells nothing.
    guess = {k: max(n.values()) / n.total() if len(n) > 1 else None for k, n in answers.items()}
    return [item._replace(guess=guess[item.kind]) for item in mixed]


def _check_count(count: int) -> None:
    if type(count) is not int or not 1 <= count <= MOST_QUESTIONS:
        raise BadParameterError("count", count, f"a whole number from 1 to {MOST_QUESTIONS}")


def _item(kind: QuestionKind, game: Game[S], state: S, cluster: S, move: str | None = None) -> SingleQuestion:
    return SingleQuestion(
        kind, game.spec, game.state_text(state), f"{game.spec} {game.state_text(cluster)}", move
    )


def _in_turn(
    groups: Mapping[Hashable, list[SingleQuestion]], count: int, rng: Random
) -> list[SingleQuestion]:
    """Items drawn from the groups in turn, in random order within each, until `count` or all are taken."""
    waiting = [list(items) for items in groups.values()]
    for items in waiting:
        rng.shuffle(items)
    found: list[SingleQuestion] = []
    while waiting and len(found) < count:
        rng.shuffle(waiting)
        for items in waiting:
            if len(found) < count:
                found.append(items.pop())
        waiting = [items for items in waiting if items]
    return found


def list_choices(item: SingleQuestion, names: tuple[str, str]) -> tuple[str, ...]:
    """The answers to choose from, in a question on the rules."""
    return (*names, NOBODY) if item.kind == "winner" else YES_NO


def solve_question(item: SingleQuestion) -> str:
    """The right answer to a question on the rules, with the game's own names."""
    game, state = item.open()
    if item.kind == "end":
        return YES_NO[game.outcome(state) is None]
    if item.kind == "legal":
        return YES_NO[game.refusal(state, game.parse_action(state, item.move or "")) is not None]
    kind = oracle_for(game).value(state).kind
    if kind not in ("win", "loss"):
        return NOBODY
    side = game.side_to_move(state)
    return game.side_names[side if kind == "win" else 1 - side]


def write_question(item: SingleQuestion, setup: Setup) -> str:
    """The text of a question; of the setup, `moves`, `disguise` and `seed` count.

    >>> item = SingleQuestion("choose", "bit-flip:bits=5", "00000 1", "start")
    >>> write_question(item, Setup(item.game)).splitlines()[-1]
    'Move: <your move>'
    """
    game, state = item.open()
    show = disguise_game(game, setup.disguise, state, setup.seed)
    parts = [show.rules(), show.board(state)]
    mover = show.side(game.side_to_move(state))
    if item.kind == "choose":
        parts.append(
            f"You are {mover}. It is your turn. Find a move that keeps the best result you can force."
        )
        if setup.moves == "listed":
            parts.append(show.list_moves(state))
        return "\n\n".join([*parts, ASK])
    parts.append(f"It would be the turn of {mover}." if item.kind == "end" else f"It is the turn of {mover}.")
    if item.kind == "legal":
        move = show.move(state, game.parse_action(state, item.move or ""))
        parts.append(f"Is this move legal now: {move}")
    elif item.kind == "end":
        parts.append("Is the game over?")
    else:
        parts.append(
            "If both players play perfectly from here, who wins? If nobody can force a win, nobody does."
        )
    wanted = join_words(list_choices(item, (show.side(0), show.side(1))))
    parts.append(f"Think as long as you like. End your answer with one line of the form\nAnswer: <{wanted}>")
    return "\n\n".join(parts)


def count_answer(item: SingleQuestion, setup: Setup, text: str | None) -> SampleCounts:
    """The counts of an answer; None is an answer that never came.

    >>> item = SingleQuestion("choose", "bit-flip:bits=5", "00000 1", "start")
    >>> [count_answer(item, Setup(item.game), f"Move: {bit}").kept for bit in (1, 2)]
    [0, 1]
    """
    game, state = item.open()
    show = disguise_game(game, setup.disguise, state, setup.seed)
    verdict = NO_LINE
    if (said := read_marked(text or "", "Move" if item.kind == "choose" else "Answer")) is not None:
        verdict = show.judge(state, said) if item.kind == "choose" else _judge(item, show, said)
    counts = SampleCounts(errors=int(text is None), named=int(show.is_seen_through(text or "")))
    if text is not None:
        counts.count_verdict(verdict)
    if item.kind == "choose":
        played = value_of_answer(game, state, verdict)
        counts.count_choice(0, oracle_for(game).moves(state), verdict, played)
        return counts
    guess = item.guess or 1 / len(list_choices(item, game.side_names))
    right = verdict.reason == solve_question(item)
    counts.count_decision(0, guess, right, read=verdict.outcome in READABLE)
    return counts


def _judge(item: SingleQuestion, show: Disguise[S], said: str) -> Verdict:
    """What an answer on the rules amounts to; its reason is the answer in the game's own names."""
    choices = [choice.casefold() for choice in list_choices(item, (show.side(0), show.side(1)))]
    typed = said.casefold().strip("<> ")
    if typed not in choices:
        return Verdict("unreadable")
    return Verdict("legal", list_choices(item, show.game.side_names)[choices.index(typed)])

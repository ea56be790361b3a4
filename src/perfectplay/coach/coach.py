"""The oracle in words: a good move, the reason for it, and a review of a played game."""

from collections.abc import Callable, Sequence
from typing import Generic

from perfectplay.core.endings import GIVEN_UP
from perfectplay.core.errors import WrongTypeError
from perfectplay.core.formatting import capitalize, join_words, pluralize
from perfectplay.core.game import Action, Game, S
from perfectplay.core.match import Match
from perfectplay.core.outcome import other
from perfectplay.core.parts import part_of
from perfectplay.core.record import Record
from perfectplay.core.value import Value
from perfectplay.core.view import describe_placing
from perfectplay.solver.judgement import Judged, Mark, Scored, mark_of
from perfectplay.solver.oracle import Oracle

MOST_NAMED = 5
"""If there are more moves than this, they are counted and only the first are named."""

_JUDGEMENTS: dict[Mark, str] = {
    "slower win": "keeps the win, but there is a quicker one",
    "slower tie": "keeps the tie, but there is a quicker one",
    "quicker loss": "loses, as every move does, but sooner than necessary",
    "threw away the win": "throws away the win",
    "gave up the tie": "gives up the tie",
    "let the draw by repetition go": "lets the draw by repetition go",
    "lost an undecided game": "loses a game that was undecided",
    "undecided": "may or may not be best",
}
_KEEPS = {
    "win": "keeps the win",
    "tie": "keeps the tie",
    "endless": "keeps the draw by repetition",
    "undecided": "leaves the game undecided",
    "loss": "is as good as any: every move loses",
}

STUCK = "Play is stuck: there is no legal move and no result."
"""What is said in a dead end."""


class Coach(Generic[S]):
    """Tells players what the oracle knows. Every sentence is a fact about the position.

    >>> import perfectplay as pp
    >>> game = pp.load("bit-flip")
    >>> coach = Coach(pp.solve(game))
    >>> state = game.parse_state("0000100000 2")
    >>> coach.hint(state)
    'A good move: 1. You win in 3 moves with best play.'
    """

    def __init__(self, oracle: Oracle[S]) -> None:
        if not isinstance(oracle, Oracle):
            raise WrongTypeError("an oracle, as solve(game) returns", oracle)
        self.oracle = oracle
        self.game = oracle.game

    def hint(self, state: S) -> str:
        """A good move, and what the position is worth."""
        if self._is_stuck(state):
            return STUCK
        move = say_move(self.game, state, suggest(self.oracle, state))
        value = self.oracle.value(state)
        return f"{'The best try' if value.kind == 'loss' else 'A good move'}: {move}. {describe_value(value)}"

    def why(self, state: S, action: Action | None = None) -> tuple[str, ...]:
        """The reason for a best move, by default the one that `hint` names."""
        if self._is_stuck(state):
            return ()
        if action is None:
            action = suggest(self.oracle, state)
        part = part_of(type(self.game), "coach")  # explains moves in the terms of the game
        reasons = () if part is None else (part.reason(self.oracle, state, action),)
        return (*reasons, reply(self.oracle, state, action))

    def why_move(self, state: S, action: Action) -> tuple[str, ...]:
        """What a move is worth, what it keeps or gives away, and what the opponent answers.

        For an illegal move, the rule that forbids it.

        >>> import perfectplay as pp
        >>> game = pp.load("bit-flip:bits=5")
        >>> for line in Coach(pp.solve(game)).why_move(game.initial(), 0):
        ...     print(line)
        0 throws away the win. You lose in 2 moves against best play.
        1 of 5 moves can keep it: 2.
        After 0, a best reply for Player 2 is 3, and you lose: last flip.
        """
        moves = self.oracle.moves(state)  # raises WrongTypeError unless this is a position
        refusal = self.game.refusal(state, action)
        if refusal is not None:
            return (refusal.text,)
        value = next(move.value for move in moves if move.action == action)
        best = self.oracle.value(state)
        if value.rank == best.rank:
            return (self.judgement(state, action), *self.why(state, action))
        if value.rank > best.rank:  # it is not decided which is better
            return (self.judgement(state, action), reply(self.oracle, state, action))
        if value.kind == best.kind:
            better = f"Better: {self._list(state, self.oracle.best(state), 'or')}. {describe_value(best)}"
        else:
            better = f"{self._keepers(state, moves, best, 'can keep it')}."
        return (self.judgement(state, action), better, reply(self.oracle, state, action))

    def judgement(self, state: S, action: Action) -> str:
        """What a legal move keeps or gives away, and its value. It does not name a better move.

        >>> import perfectplay as pp
        >>> game = pp.load("bit-flip:bits=5")
        >>> Coach(pp.solve(game)).judgement(game.initial(), 0)
        '0 throws away the win. You lose in 2 moves against best play.'
        """
        moves = self.oracle.moves(state)
        value = next(move.value for move in moves if move.action == action)
        best = self.oracle.value(state)
        if value.rank == best.rank:
            said = "is the only move" if len(moves) == 1 else _KEEPS[best.kind]
        else:
            said = _JUDGEMENTS[mark_of(best, value, moves)]
        return f"{say_move(self.game, state, action)} {said}. {describe_value(value)}"

    def review(self, record: Record, names: Sequence[str] | None = None) -> tuple[str, ...]:
        """How well each side played, every move that gave something away, and whether there was none.

        `names` are what the two sides are called in the middle of a sentence, such as "you".
        """
        names = names or self.game.side_names
        regret = self.oracle.regret(record)
        match = Match.replay(record, self.game)
        given_up = self.oracle.value_given_up(match)
        lines = []
        for side, name in enumerate(map(capitalize, names)):
            choices = [each for each in regret.plies if each.side == side and each.could_err]
            resigned = regret.resigned is not None and regret.resigned[0] == side
            if choices or resigned:
                kept = sum(each.kept for each in choices)
                whose = "Your" if name == "You" else f"{name}'s"
                moves = pluralize(len(choices) + resigned, "critical move", "critical moves")
                lines.append(f"{whose} accuracy: {kept} of {moves}.")
            elif match.disqualified == side:
                lost = f"{name} {'were' if name == 'You' else 'was'} losing"
                lines.append(f"{lost} even before the disqualification.")
            else:
                lines.append(f"{name} had no critical decisions.")
        # A forfeit may even gain.
        if match.result and regret.plies and all(each.played.kind == each.best.kind for each in regret.plies):
            winner = match.result.winner
            if winner is None:
                lines.append("The lead never changed: no move gave anything away.")
            elif given_up is None:
                was = "were" if names[winner] == "you" else "was"
                lines.append(f"The lead never changed: {names[winner]} {was} winning from the first move on.")
        for each in regret.plies:
            disqualifies = each.ply == match.plies and match.disqualified is not None
            if not each.kept:
                state = match.positions[each.ply - 1]
                better = self._keepers(state, self.oracle.moves(state), each.best, "would have kept it")
                lines.append(
                    f"Move {each.ply}, {self._blame(names[each.side], each, state, disqualifies)}; {better}."
                )
            elif disqualifies:
                name = names[each.side]
                lines.append(f"Move {each.ply}, {name} forfeited the turn and lost by disqualification.")
        for entry in match.history:
            if entry.kind == "assisted":
                name = capitalize(names[entry.side])
                lines.append(f"{name} used hints from move {entry.ply + 1}.")
        if given_up is not None:
            game = "a won game" if given_up.kind == "win" else "a game that was not lost"
            lines.append(f"{capitalize(names[match.last.side])} {GIVEN_UP[match.last.kind]} {game}.")
        return tuple(lines)

    def _is_stuck(self, state: S) -> bool:
        self.oracle.value(state)  # raises WrongTypeError unless this is a position
        return not self.game.legal_actions(state) and self.game.outcome(state) is None

    def _keepers(self, state: S, moves: tuple[Scored, ...], best: Value, do: str) -> str:
        """How many moves keep the best value, and the names of some, the quickest first."""
        keeping = [move for move in moves if move.value.rank[0] >= best.rank[0]]
        keeping.sort(key=lambda move: move.value.rank, reverse=True)
        if len(keeping) < len(moves):
            number = f"{len(keeping)} of {len(moves)} moves"
        else:
            number = {1: "the only move", 2: "both moves"}.get(len(moves), f"all {len(moves)} moves")
        names = self._list(state, [move.action for move in keeping], "and")
        return f"{number} {do}{', such as' if len(keeping) > MOST_NAMED else ':'} {names}"

    def _blame(self, name: str, judged: Judged, state: S, disqualified: bool) -> str:
        if judged.mark != "forfeit":
            move = say_move(self.game, state, self.game.parse_action(state, judged.text))
            return f"{name}: {move} {judged.mark}"
        lost = {"endless": "endless play", "undecided": "an undecided game"}.get(
            judged.best.kind, f"the {judged.best.kind}"
        )
        if disqualified:
            return f"{name} forfeited the turn and lost {lost} by disqualification"
        return f"{name} forfeited the turn and with it {lost}"

    def _list(self, state: S, actions: Sequence[Action], last: str) -> str:
        return join_words([say_move(self.game, state, action) for action in actions[:MOST_NAMED]], last)


def suggest(oracle: Oracle[S], state: S) -> Action:
    """The best move that the coach names: where a game's module has `steps`, the one with the fewest left."""
    moves = oracle.tempting(state)
    steps: Callable[[Game[S], S, Action], int] | None
    steps = getattr(part_of(type(oracle.game), "coach"), "steps", None)
    return moves[0] if steps is None else min(moves, key=lambda action: steps(oracle.game, state, action))


def say_move(game: Game[S], state: S, action: Action) -> str:
    """A move in a sentence: `7 at the end` where its text is `7 E`."""
    return describe_placing(game.view(state), action) or game.dialogue().phrase(state, action)


def describe_value(value: Value) -> str:
    """A value as a sentence to the player to move."""
    if value.kind == "undecided":
        return "Who wins is undecided: play can get stuck where there is no legal move and no result."
    if value.kind == "endless":
        return "Nobody can force an end: with best play the game goes on forever."
    moves = "" if value.plies is None else f" in {pluralize(value.plies, 'move', 'moves')}"
    if value.kind == "tie":
        return f"With best play the game is a tie{moves}."
    if value.kind == "win":
        return f"You win{moves} with best play."
    return f"You lose{moves} against best play."


def reply(oracle: Oracle[S], state: S, action: Action) -> str:
    """What follows a move: the end of the game, or a best reply and its result."""
    game = oracle.game
    text = say_move(game, state, action)
    side = game.side_to_move(state)
    after = game.apply(state, action)
    outcome = game.outcome(after)
    if outcome is not None:
        won = {
            side: f"{text} wins at once",
            other(side): f"{text} loses at once",
            None: f"{text} ends in a tie",
        }
        return f"{won[outcome.winner]}: {outcome.reason}."
    if not game.legal_actions(after):
        return f"After {text}, {STUCK[0].lower()}{STUCK[1:]}"
    answer = suggest(oracle, after)
    mover = game.side_names[game.side_to_move(after)]
    answer_text = say_move(game, after, answer)
    whose = "you continue with" if game.side_to_move(after) == side else f"a best reply for {mover} is"
    later = game.apply(after, answer)
    ending = game.outcome(later)
    if ending is not None:
        ends = "it is a tie" if ending.winner is None else "you win" if ending.winner == side else "you lose"
        return f"After {text}, {whose} {answer_text}, and {ends}: {ending.reason}."
    value = oracle.value(later)
    seen = (
        value if game.side_to_move(later) == side else Value(value.before(same_side=False).kind, value.plies)
    )
    sentence = describe_value(seen)
    return f"After {text}, {whose} {answer_text}. Then {sentence[0].lower()}{sentence[1:]}"

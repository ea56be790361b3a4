"""The laws of `Game` that everything else relies on, one function per law of a position.

Each function yields the problems it finds. `conformance.py` decides which positions to check.
"""

import copy
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from perfectplay.core.dialogue import COMMANDS, COMMANDS_WITH_MORE, Prompt
from perfectplay.core.errors import IllegalActionError
from perfectplay.core.game import GAME_OVER, Action, Game, Refusal, S
from perfectplay.core.laws.game_laws import GAME_LAWS, fits_a_record, view_law
from perfectplay.core.outcome import Outcome, Result, Side
from perfectplay.core.record import RESERVED
from perfectplay.core.value import Value, best_of
from perfectplay.core.walks import steps

T = TypeVar("T")

Check = Callable[[Game[Any], Any], Iterator[str]]

NO_MOVES = ("", "?!", "-1 nonsense")
"""Texts that are not a move in almost any game."""
MOST_TRIED = 200
"""The most actions tried in a position, for games with at least about twice as many."""


class Facts(NamedTuple):
    """What the rules say about a position, kept so that it can be compared later."""

    side: Side
    legal: tuple[Action, ...]
    outcome: Outcome | None


def facts(game: Game[S], state: S) -> Facts:
    """Whose turn it is in a position, what is legal there, and whether it is over."""
    return Facts(game.side_to_move(state), game.legal_actions(state), game.outcome(state))


def difference(game: Game[S], told: Facts, again: Facts) -> str:
    """What has changed from one answer about a position to the next."""
    asked = zip(("side_to_move", "legal_actions", "outcome"), told, again, strict=True)
    return ", ".join(
        f"{name} was {_describe(game, before)} and is {_describe(game, now)}"
        for name, before, now in asked
        if before != now
    )


def _describe(game: Game[S], answer: object) -> str:
    """What a game answered, with an outcome in words."""
    if isinstance(answer, Outcome) and answer.winner in (0, 1, None):
        return f'"{Result(*answer).text(game.side_names)}"'
    return repr(answer)


def sample_evenly(actions: Sequence[T]) -> Sequence[T]:
    """The actions to try in a position: all of them, or an even sample if there are very many."""
    return actions[:: len(actions) // MOST_TRIED | 1]  # an odd step samples odd and even actions


def _side(game: Game[S], state: S) -> Iterator[str]:
    if game.side_to_move(state) not in (0, 1):
        yield f"side_to_move is {game.side_to_move(state)!r}, not 0 or 1"


def _legal_actions(game: Game[S], state: S) -> Iterator[str]:
    actions = game.legal_actions(state)
    if not isinstance(actions, tuple) or list(actions) != sorted(set(actions)):
        yield f"legal actions {actions!r} are not an ascending tuple without repeats"
    if any(not 0 <= action < game.num_actions for action in actions):
        yield f"legal actions {actions!r} are not all from 0 to {game.num_actions - 1}"


def _outcome(game: Game[S], state: S) -> Iterator[str]:
    outcome, actions = game.outcome(state), game.legal_actions(state)
    if outcome is not None and actions:
        yield f"there is an outcome, {_describe(game, outcome)}, and there are legal actions, {actions!r}"
    if outcome is not None and not (isinstance(outcome, Outcome) and outcome.winner in (0, 1, None)):
        yield f"the outcome {outcome!r} is not an Outcome with winner 0, 1 or None"


def _dead_end(game: Game[S], state: S) -> Iterator[str]:
    if game.outcome(state) is None and not game.legal_actions(state):
        yield "no legal action and no outcome; a forced pass must be an action of its own"


def _check_declared(game: Game[S], state: S) -> Iterator[str]:
    outcome = game.outcome(state)
    if outcome is not None and outcome.reason not in game.outcome_reasons:
        yield f"the reason {outcome.reason!r} is not in outcome_reasons"
    for action in sample_evenly(game.legal_actions(state)):
        events = game.events(state, action)
        if not isinstance(events, tuple):
            yield f"the events {events!r} are not a tuple"
        for event in events:
            if event not in game.event_names:
                yield f"the event {event!r} is not in event_names"
    for action in sample_evenly(range(game.num_actions)):
        refusal = game.refusal(state, action)
        if refusal is not None and refusal.rule not in (*game.refusal_names, GAME_OVER):
            yield f"the refusal {refusal.rule!r} is not in refusal_names"


def _refusal(game: Game[S], state: S) -> Iterator[str]:
    legal = game.legal_actions(state)
    for action in sample_evenly(range(game.num_actions)):
        refusal = game.refusal(state, action)
        if (refusal is None) != (action in legal):
            yield f"action {action} is {'legal and refused' if refusal else 'illegal and not refused'}"
        if refusal is not None and not isinstance(refusal, Refusal):
            yield f"the refusal of action {action} is {refusal!r}, not a Refusal"


def _check_refused(game: Game[S], state: S) -> Iterator[str]:
    before, told = copy.deepcopy(state), facts(game, state)
    for action in (-1, *sample_evenly(range(game.num_actions)), game.num_actions):
        outside = not 0 <= action < game.num_actions
        if action not in told.legal and (outside or game.refusal(state, action) is not None):
            try:
                game.play(state, action)
            except IllegalActionError:
                continue
            yield f"play({action}) is illegal but does not raise IllegalActionError"
    for text in NO_MOVES:
        with suppress(ValueError):
            game.parse_action(state, text)
    if state != before:
        yield "a refused move changed the position"
    again = facts(game, state)
    if again != told:
        yield f"a refused move changed the game: {difference(game, told, again)}"


def _apply(game: Game[S], state: S) -> Iterator[str]:
    before = copy.deepcopy(state)
    for action in sample_evenly(game.legal_actions(state)):
        after = game.apply(state, action)
        if state != before:
            yield f"apply({action}) changed the position it was given"
        if game.apply(state, action) != after:
            yield f"apply({action}) gives a different position each time"
        if game.play(state, action) != after:
            yield f"play({action}) and apply({action}) disagree"
        hash(after)


def _action_text(game: Game[S], state: S) -> Iterator[str]:
    texts = [game.action_text(state, action) for action in game.legal_actions(state)]
    if len(set(texts)) != len(texts):
        yield f"action texts repeat: {texts}"
    for action, text in zip(sample_evenly(game.legal_actions(state)), sample_evenly(texts), strict=True):
        if text in RESERVED or text != text.strip() or not fits_a_record(text):
            yield f"the action text {text!r} cannot be used in a record"
        if game.parse_action(state, text) != action:
            yield f"parse_action({text!r}) is not {action}"


def _state_text(game: Game[S], state: S) -> Iterator[str]:
    text = game.state_text(state)
    if text != text.strip() or not fits_a_record(text):
        yield f"the position text {text!r} cannot be used in a record"
    if (read := game.parse_state(text)) != state:
        yield f"parse_state({text!r}) is {read!r}, not the position"


def _canonical(game: Game[S], state: S) -> Iterator[str]:
    image = game.canonical(state)
    if image == state:
        return
    if game.canonical(image) != image:
        yield "canonical is not idempotent"
    if game.side_to_move(image) != game.side_to_move(state):
        yield "canonical changes the side to move"
    if game.outcome(image) != game.outcome(state):
        yield "canonical changes the outcome"
    here, there = ({game.canonical(to) for _, to in steps(game)(each)} for each in (state, image))
    if here != there:
        yield "the canonical successors of a position and of its canonical form differ"


def _forfeit(game: Game[S], state: S) -> Iterator[str]:
    if game.outcome(state) is not None:
        return
    after = game.after_forfeit(state)
    if after is not None and game.side_to_move(after) == game.side_to_move(state):
        yield "after_forfeit does not hand the turn over"
    if after is not None and game.outcome(after) is not None:
        yield "after_forfeit ends the game; only a move may"


def _dialogue(game: Game[S], state: S) -> Iterator[str]:
    dialogue = game.dialogue()
    if game.is_forced_pass(state):
        return
    for action in sample_evenly(game.legal_actions(state)):
        answers = dialogue.answers(state, action)
        for answer in answers:
            first, *more = answer.casefold().split() or [""]
            if first in (COMMANDS_WITH_MORE if more else COMMANDS):
                yield f"{answer!r} cannot be typed to make a move: at the prompt, {first} is a command"
        for asked in range(len(answers)):
            if not isinstance(dialogue.ask(state, answers[:asked]), Prompt):
                yield f"the dialogue asks nothing after the answers {answers[:asked]}"
        if dialogue.ask(state, answers) != action:
            yield f"the answers {answers} do not lead to action {action}"


def _theory(game: Game[S], state: S) -> Iterator[str]:
    theory = game.theory()
    if theory is None:
        return
    value, outcome, moves = theory.value(state), game.outcome(state), theory.moves(state)
    if outcome is not None:
        lost = outcome.winner != game.side_to_move(state)
        end = Value("tie" if outcome.winner is None else "loss" if lost else "win", 0)
        if value.kind != end.kind or value.plies not in ((0,) if theory.knows_plies else (0, None)):
            yield f"the theory says {value} where the game is over: {end}"
        return
    if theory.knows_plies and value.kind != "endless" and value.plies is None:
        yield f"the theory knows plies but gives {value} without them"
    if tuple(action for action, _ in moves) != game.legal_actions(state):
        yield "the theory's moves are not the legal actions"
    for action, claimed in sample_evenly(moves):
        after = game.apply(state, action)
        found = theory.value(after).before(game.side_to_move(after) == game.side_to_move(state))
        if claimed != found:
            yield f"the theory says {claimed} for action {action}, but {found} for where it leads"
    best = dict(moves)[best_of(moves)[0]]
    if value.kind != best.kind or (theory.knows_plies and value.plies != best.plies):
        yield f"the theory says {value}, but the best move gives {best}"
    if theory.best(state) != best_of(moves) or theory.count_best(state) != len(best_of(moves)):
        yield f"the theory's best moves are not {best_of(moves)}, which have the best value"


CORE_LAWS: dict[str, Check] = {
    "side": _side,
    "legal-actions": _legal_actions,
    "outcome": _outcome,
    "dead-end": _dead_end,
}
"""The laws that are cheap to check, and so are checked in every position visited."""

STATE_LAWS: dict[str, Check] = {
    **CORE_LAWS,
    "refused": _check_refused,  # before the others, which could trigger side effects of refusals
    "declared": _check_declared,
    "refusal": _refusal,
    "apply": _apply,
    "action-text": _action_text,
    "state-text": _state_text,
    "canonical": _canonical,
    "forfeit": _forfeit,
    "view": view_law,
    "dialogue": _dialogue,
    "theory": _theory,
}

REPEATABLE = "repeatable"
"""The law that the same question about the same position always gets the same answer."""

LAWS = (*GAME_LAWS, *STATE_LAWS, REPEATABLE)
"""The names of all laws, as they appear in ConformanceError.violations."""

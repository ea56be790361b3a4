"""The laws of `Game`, checked on any game by anyone who writes one."""

import copy
import re
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from functools import partial
from random import Random
from typing import Any, TypeVar

from perfectplay.core.dialogue import Prompt
from perfectplay.core.errors import ConformanceError
from perfectplay.core.game import GAME_OVER, Game, Refusal
from perfectplay.core.outcome import Outcome
from perfectplay.core.record import RESERVED
from perfectplay.core.spec import split_spec

S = TypeVar("S", bound=Hashable)

Check = Callable[[Game[Any], Any], Iterator[str]]


def check_game(game: Game[Any], *, states: int = 2000, walks: int = 20, seed: int = 0) -> None:
    """Check the laws that everything built on a game relies on.

    Looks at the first `states` positions in the order of play and at `walks` random games, and
    raises ConformanceError with one witness per broken law.

    >>> import perfectplay as pp
    >>> pp.check_game(pp.load("bit-flip"))
    """
    violations: dict[str, str] = {}
    for law, check in _GAME_LAWS.items():
        _judge(violations, law, partial(check, game), "the game itself")
    if not violations:
        for state in _sample(game, violations, states, walks, Random(seed)):
            for law, state_check in _STATE_LAWS.items():
                _judge(violations, law, partial(state_check, game, state), f"position {state!r}")
    if violations:
        raise ConformanceError(game.name, violations)


def _judge(violations: dict[str, str], law: str, check: Callable[[], Iterator[str]], where: str) -> None:
    if law in violations:
        return
    try:
        problem = next(check(), None)
    except Exception as error:  # noqa: BLE001 - whatever a game's author let slip is the finding
        problem = f"{type(error).__name__}: {error}"
    if problem is not None:
        violations[law] = f"{problem} ({where})"


def _sample(game: Game[S], violations: dict[str, str], states: int, walks: int, rng: Random) -> Iterator[S]:
    """Positions in the order of play, then those of random games; stops where a game cannot go on."""
    start = game.initial()
    seen = {start}
    queue = deque([start])
    try:
        while queue:
            state = queue.popleft()
            yield state
            handed = game.after_forfeit(state) if game.outcome(state) is None else None
            for after in (*_successors(game, state), *(() if handed is None else (handed,))):
                if after not in seen and len(seen) < states:
                    seen.add(after)
                    queue.append(after)
        for _ in range(walks):
            state = start
            for _ in range(100):
                following = list(_successors(game, state))
                if not following:
                    break
                state = rng.choice(following)
                if state not in seen:
                    seen.add(state)
                    yield state
    except Exception as error:  # noqa: BLE001 - as above: the game broke while being played
        violations.setdefault("apply", f"play stopped with {type(error).__name__}: {error}")


def _successors(game: Game[S], state: S) -> Iterator[S]:
    for action in game.legal_actions(state):
        yield game.apply(state, action)


# Laws of the game itself


def _names(game: Game[Any]) -> Iterator[str]:
    if not all(name and name.isprintable() for name in (game.name, game.title)):
        yield "name and title must not be empty, and each must be one line"
    first, second = game.side_names
    if first == second or not all(_is_side_name(name) for name in (first, second)):
        names = game.side_names
        yield f"side names must be two different lines without a colon, fit for a record, not {names}"
    for name in (*game.event_names, *game.outcome_reasons, *game.refusal_names):
        if not _fits_a_record(name) or "," in name:
            yield f"the declared name {name!r} cannot stand in a record"
    if not isinstance(game.num_actions, int) or game.num_actions < 1:
        yield f"num_actions must be a whole number, at least 1, not {game.num_actions!r}"


def _is_side_name(name: str) -> bool:
    return name.isprintable() and bool(re.fullmatch(r"(?!result$|[0-9]+\. )[^:\s][^:]*", name))


def _initial(game: Game[Any]) -> Iterator[str]:
    if game.initial() != game.initial():
        yield "initial() gives a different position each time"
    hash(game.initial())


def _spec(game: Game[Any]) -> Iterator[str]:
    _, rest = split_spec(game.spec)
    again = type(game).from_spec(rest)
    if again != game or again.spec != game.spec or hash(again) != hash(game):
        yield f"{game.spec} loads to a different game, {again!r}"


def _readings(game: Game[Any]) -> Iterator[str]:
    for name, values in game.readings().items():
        for value in values:
            type(game).from_texts({name: value})
        if values and getattr(type(game)(), name) != values[0]:
            yield f"the first reading of {name}, {values[0]}, is not its default"


_GAME_LAWS: dict[str, Callable[[Game[Any]], Iterator[str]]] = {
    "names": _names,
    "initial": _initial,
    "spec": _spec,
    "readings": _readings,
}


# Laws of every position


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
    if outcome is None and not actions:
        yield "no legal action and no outcome; a forced pass must be an action of its own"
    if outcome is not None and actions:
        yield f"there is an outcome, {outcome!r}, and there are legal actions, {actions!r}"
    if outcome is not None and not (isinstance(outcome, Outcome) and outcome.winner in (0, 1, None)):
        yield f"the outcome {outcome!r} is no Outcome with winner 0, 1 or None"


def _declared(game: Game[S], state: S) -> Iterator[str]:
    outcome = game.outcome(state)
    if outcome is not None and outcome.reason not in game.outcome_reasons:
        yield f"the reason {outcome.reason!r} is not in outcome_reasons"
    for action in game.legal_actions(state):
        events = game.events(state, action)
        if not isinstance(events, tuple):
            yield f"the events {events!r} are no tuple"
        for event in events:
            if event not in game.event_names:
                yield f"the event {event!r} is not in event_names"
    for action in range(game.num_actions):
        refusal = game.refusal(state, action)
        if refusal is not None and refusal.rule not in (*game.refusal_names, GAME_OVER):
            yield f"the refusal {refusal.rule!r} is not in refusal_names"


def _refusal(game: Game[S], state: S) -> Iterator[str]:
    legal = game.legal_actions(state)
    for action in range(game.num_actions):
        refusal = game.refusal(state, action)
        if (refusal is None) != (action in legal):
            yield f"action {action} is {'legal and refused' if refusal else 'illegal and not refused'}"
        if refusal is not None and not isinstance(refusal, Refusal):
            yield f"the refusal of action {action} is {refusal!r}, no Refusal"


def _apply(game: Game[S], state: S) -> Iterator[str]:
    before = copy.deepcopy(state)
    for action in game.legal_actions(state):
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
    for action, text in zip(game.legal_actions(state), texts, strict=True):
        if text in RESERVED or text != text.strip() or not _fits_a_record(text):
            yield f"the action text {text!r} cannot stand in a record"
        if game.parse_action(state, text) != action:
            yield f"parse_action({text!r}) is not {action}"


def _fits_a_record(text: str) -> bool:
    return bool(text) and text.isprintable() and not any(mark in f"{text} " for mark in (" -> ", "{", "}"))


def _state_text(game: Game[S], state: S) -> Iterator[str]:
    text = game.state_text(state)
    if text != text.strip() or not _fits_a_record(text):
        yield f"the position text {text!r} cannot stand in a record"
    if game.parse_state(text) != state:
        yield f"parse_state({text!r}) is not the position"


def _canonical(game: Game[S], state: S) -> Iterator[str]:
    image = game.canonical(state)
    if game.canonical(image) != image:
        yield "canonical is not idempotent"
    if game.side_to_move(image) != game.side_to_move(state):
        yield "canonical changes the side to move"
    if game.outcome(image) != game.outcome(state):
        yield "canonical changes the outcome"
    here, there = ({game.canonical(s) for s in _successors(game, each)} for each in (state, image))
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


def _view(game: Game[S], state: S) -> Iterator[str]:
    view = game.view(state)
    if any(type(number) is not int for _, number in view.numbers):
        yield f"the numbers {view.numbers} of the view are not all whole ones"
    if len(dict(view.numbers)) < len(view.numbers):
        yield f"two of the numbers {view.numbers} of the view have the same name"
    legal = game.legal_actions(state)
    offered = [cell.action for cell in view.cells if cell.action is not None]
    offered += [control.action for control in view.controls]
    if not set(offered) <= set(legal):
        yield f"the view offers {sorted(set(offered) - set(legal))}, which are not legal"
    forbidden = {cell.forbidden for cell in view.cells if cell.forbidden is not None}
    if forbidden & set(legal):
        yield f"the view calls {sorted(forbidden & set(legal))} forbidden, which are legal"
    if set(legal) - set(offered) and not game.is_forced_pass(state):
        yield f"the view offers no way to play {sorted(set(legal) - set(offered))}"
    adding = {
        each.adds: each.action for each in view.controls if each.adds is not None and each.action in legal
    }
    for added, action in adding.items():  # one move for each cell: a view takes long to make
        new = [cell.pieces for cell in game.view(game.apply(state, action)).cells]
        if added not in range(len(new)) or new[:added] + new[added + 1 :] != [c.pieces for c in view.cells]:
            yield f"action {action} does not add cell {added} to the board and leave the rest as it was"


def _dialogue(game: Game[S], state: S) -> Iterator[str]:
    dialogue = game.dialogue()
    if game.is_forced_pass(state):
        return
    for action in game.legal_actions(state):
        answers = dialogue.answers(state, action)
        for asked in range(len(answers)):
            if not isinstance(dialogue.ask(state, answers[:asked]), Prompt):
                yield f"the dialogue asks nothing after the answers {answers[:asked]}"
        if dialogue.ask(state, answers) != action:
            yield f"the answers {answers} do not lead to action {action}"


_STATE_LAWS: dict[str, Check] = {
    "side": _side,
    "legal-actions": _legal_actions,
    "outcome": _outcome,
    "declared": _declared,
    "refusal": _refusal,
    "apply": _apply,
    "action-text": _action_text,
    "state-text": _state_text,
    "canonical": _canonical,
    "forfeit": _forfeit,
    "view": _view,
    "dialogue": _dialogue,
}

LAWS = (*_GAME_LAWS, *_STATE_LAWS)
"""The names of all laws, as they appear in ConformanceError.violations."""

__all__ = ["LAWS", "check_game"]

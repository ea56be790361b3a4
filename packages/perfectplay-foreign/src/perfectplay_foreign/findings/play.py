"""Findings about environments that cannot start, and about moves, legal or not."""

from collections.abc import Hashable

from perfectplay_foreign.adapter import Adapter, Moves, StartError, Step
from perfectplay_foreign.findings.code import NotShown, WitnessReplay, code
from perfectplay_foreign.protocol import describe_error

REFUSALS = ("ValueError", "AssertionError", "PermissionError", "NotImplementedError")
"""Errors that are a proper way to refuse a move, besides those that a library defines itself."""
TRIED = 6
"""How many illegal moves are tried to learn what the penalty is."""
ENDLESS = 1_000
"""A random game of this many plies counts as endless."""


def _cannot_start(name: str, meaning: str, text: str) -> None:
    @code(name, "problem", meaning)
    def shows(replay: WitnessReplay) -> str | None:
        try:
            replay.fresh()
        except StartError as error:
            return f"{text.format(seed=replay.seed)}: {error}." if error.code == name else None
        return None


_cannot_start("import-fails", "the file or module cannot be imported", "The environment cannot be imported")
_cannot_start("construct-fails", "the environment cannot be made", "The environment cannot be made")
_cannot_start("reset-fails", "reset raises an error", "reset(seed={seed}) fails")
_cannot_start("no-moves", "nothing says which moves are legal", "The legal moves are not known")


@code("moves-fail", "problem", "the legal moves of the start cannot be listed")
def moves_fail(replay: WitnessReplay) -> str | None:
    adapter = replay.fresh()
    try:
        adapter.moves()
    except Exception as error:  # noqa: BLE001 - the error is the finding
        return f"The legal moves of the start cannot be listed: {describe_error(error)}."
    return None


@code("over-at-start", "problem", "the game is over before the first move", tried="start")
def over_at_start(replay: WitnessReplay) -> str | None:
    return "The game is over before the first move." if replay.fresh().is_over_at_start() else None


def _try(replay: WitnessReplay) -> tuple[Adapter, Hashable, Step | Exception]:
    """Make the last move, which must not be legal; the state before it, and what came of it."""
    adapter = replay.after(replay.moves[:-1])
    if replay.moves[-1] in adapter.moves():
        raise NotShown
    before = replay.state(adapter)
    try:
        return adapter, before, adapter.step(replay.moves[-1])
    except Exception as error:  # noqa: BLE001 - the error is what is wanted
        return adapter, before, error


def find_penalties(replay: WitnessReplay, path: Moves) -> set[float]:
    """The rewards with which illegal moves end the game in a position."""
    penalties: set[float] = set()
    adapter = replay.after(path)
    legal = adapter.moves()
    for move in [each for each in adapter.all_moves() or () if each not in legal][:TRIED]:
        try:
            step = replay.after(path).step(move)
        except Exception:  # noqa: BLE001 - refused in another way
            continue
        if step.over and step.reward < 0:
            penalties.add(step.reward)
    return penalties


@code("illegal-accepted", "problem", "a move that is not in the list is taken as a move")
def illegal_accepted(replay: WitnessReplay) -> str | None:
    adapter, before, step = _try(replay)
    if isinstance(step, Exception) or step.reward < 0:
        return None
    listed = f"{replay.where}, {replay.move} is not in the list of legal moves"
    if step.over and not step.cut and not step.reward:
        return f"{listed}, but ends the game as a tie."
    taken = step.reward > 0 or (not step.over and replay.state(adapter) != before)
    return f"{listed}, but is taken as a move." if taken else None


@code("illegal-changes", "warning", "an illegal move is refused, but changes the state")
def illegal_changes(replay: WitnessReplay) -> str | None:
    adapter, before, step = _try(replay)
    goes_on = isinstance(step, Exception) or (step.reward < 0 and not step.over)
    if not goes_on or replay.state(adapter) == before:
        return None
    return f"{replay.where}, the illegal move {replay.move} is refused, but it changes the state."


@code("illegal-crashes", "warning", "an illegal move raises an error that is not a refusal")
def illegal_crashes(replay: WitnessReplay) -> str | None:
    error = _try(replay)[2]
    # Exception and RuntimeError themselves are raised on purpose, by hand.
    if not isinstance(error, Exception) or type(error) in (Exception, RuntimeError):
        return None
    names = [each.__name__ for each in type(error).__mro__]
    if any(name in REFUSALS for name in names) or type(error).__module__ != "builtins":
        return None
    return f"{replay.where}, the illegal move {replay.move} raises {describe_error(error)}."


@code("crash", "problem", "a legal move raises an error")
def crash(replay: WitnessReplay) -> str | None:
    adapter = replay.before_legal()
    try:
        if adapter.step(replay.moves[-1]).over:
            return None
    except MemoryError:
        return None
    except Exception as error:  # noqa: BLE001 - the error is the finding
        if "bad-step" in adapter.violations:
            return None
        return f"{replay.where}, the legal move {replay.move} raises {describe_error(error)}."
    try:
        adapter.moves()
    except Exception as error:  # noqa: BLE001 - the error is the finding
        return f"{replay.there}, listing the legal moves raises {describe_error(error)}."
    return None


@code("hang", "problem", "a call does not return")
def hang(replay: WitnessReplay) -> str | None:
    replay.play_all().moves()
    return None  # it did return, and the process still runs: this is seen from outside


@code("memory", "problem", "a call takes more memory than is allowed")
def memory(replay: WitnessReplay) -> str | None:
    try:
        replay.play_all().moves()
    except MemoryError:
        return f"{replay.where}, a call takes more memory than is allowed."
    return None


killed = code("killed", "problem", "a call ends the process")(hang)


@code("dead-end", "problem", "a position without a legal move that is not over")
def dead_end(replay: WitnessReplay) -> str | None:
    adapter = replay.after(replay.moves)
    if adapter.moves() or (not replay.moves and adapter.is_over_at_start()):
        return None
    return f"Play can get stuck: {replay.there.lower()}, there is no legal move, and the game is not over."


@code("legal-refused", "problem", "a legal move ends the game with a penalty")
def legal_refused(replay: WitnessReplay) -> str | None:
    adapter, step = replay.legal_step()
    if not step.over or step.reward >= 0:
        return None
    penalties = find_penalties(replay, replay.moves[:-1])
    if penalties and step.reward not in penalties:
        return None  # illegal moves cost something else: this is a loss
    usual = step.reward >= -max(1.0, replay.most)
    if usual and (not penalties or replay.state(adapter) != _after_refusal(replay)):
        return None  # no more than can be won, as when one resigns, and the move was made
    return f"{replay.where}, the legal move {replay.move} ends the game with the penalty {step.reward:g}."


def _after_refusal(replay: WitnessReplay) -> object:
    """The position after an illegal move in place of the last one."""
    adapter = replay.after(replay.moves[:-1])
    legal = adapter.moves()
    try:
        adapter.step(next(move for move in adapter.all_moves() or () if move not in legal))
    except Exception:  # noqa: BLE001 - a refusal
        return None
    return replay.state(adapter)


def _early_reward(replay: WitnessReplay, sign: int, move: str) -> str | None:
    """What to say of a move with a reward of that sign, before the end."""
    _, step = replay.legal_step()
    if step.over or step.reward * sign <= 0:
        return None
    return f"{replay.where}, the {move} {replay.move} gets the reward {step.reward:g}, and play goes on."


@code("legal-punished", "warning", "a legal move is penalized, and play continues")
def legal_punished(replay: WitnessReplay) -> str | None:
    return _early_reward(replay, -1, "legal move")


@code("reward-before-end", "warning", "a move is rewarded before the game is over")
def reward_before_end(replay: WitnessReplay) -> str | None:
    return _early_reward(replay, 1, "move")


@code("plays-on", "warning", "a finished game takes moves", tried="ends")
def plays_on(replay: WitnessReplay) -> str | None:
    *path, end, late = replay.moves
    adapter = replay.after(tuple(path))
    if end not in adapter.moves() or not adapter.step(end).over:
        return None
    before = replay.state(adapter)
    try:
        step = adapter.step(late)
    except Exception:  # noqa: BLE001 - an error is a refusal
        return None
    if step.over and (step.reward < 0 or replay.state(adapter) == before):
        return None
    return f"The game is over after {len(path) + 1} moves, and then the move {replay.move} is taken."


@code("cut-only", "warning", "games end only by truncation", never=True)
def cut_only(replay: WitnessReplay) -> str | None:
    _, step = replay.legal_step()
    return "Games never end by their rules: they are only cut off." if step.cut else None


@code("turn-stuck", "problem", "the side to move never changes", never=True)
def turn_stuck(replay: WitnessReplay) -> str | None:
    adapter = replay.fresh()
    mover = adapter.mover()
    for move in replay.moves:
        if adapter.step(move).over or adapter.mover() != mover:
            return None
    if mover is None or not replay.moves:
        return None
    said = f"The side to move never changes: it is always {mover}."
    return f"{said} Values are those of a game in which the sides take turns."


@code("turn-kept", "note", "the side to move is the same after a move")
def turn_kept(replay: WitnessReplay) -> str | None:
    if replay.probe.alternates:
        return None
    _moves_again(replay)
    return f"{replay.where}, the side that makes the move {replay.move} moves again."


@code("turn-contradicted", "problem", "the environment gives another turn, and its host does not")
def turn_contradicted(replay: WitnessReplay) -> str | None:
    several = replay.env.alternating and len(replay.probe.movers) > 1
    if not several or (side := _moves_again(replay)) is None:
        return None
    said = f"side {side} moves again after {replay.move}"
    return f"{replay.where}, {said}, says the environment; its host lets the sides alternate."


@code("turn-unused", "warning", "the environment always names the same side to move", never=True)
def turn_unused(replay: WitnessReplay) -> str | None:
    one = replay.env.alternating and len(replay.probe.movers) < 2
    if not one or (side := _moves_again(replay)) is None:
        return None
    return f"The side to move is always {side}, says the environment; its host lets the sides alternate."


def _moves_again(replay: WitnessReplay) -> Hashable:
    """The side that moves twice in a row."""
    before = replay.after(replay.moves[:-1]).mover()
    adapter, step = replay.legal_step()
    if step.over or adapter.mover() != before:
        raise NotShown
    return before


@code("reward-contradicted", "warning", "rewards look as if the first side saw them all", never=True)
def reward_contradicted(replay: WitnessReplay) -> str | None:
    if replay.env.first_sees:
        return None
    rewards = []
    for moves in (replay.other, replay.moves):
        adapter = replay.after(moves[:-1])
        if moves[-1] not in adapter.moves() or not (step := adapter.step(moves[-1])).over:
            return None
        rewards.append(step.reward)
    if rewards[0] != -rewards[1] or rewards[0] <= 0:
        return None
    won = "Every game that the first side ends is won by it"
    lost = "every game that the second side ends is lost by it"
    return f"{won}, and {lost}: the rewards look as if the first side saw them all."


@code("endless-sampled", "warning", "a random game goes on for 1,000 moves")
def endless_sampled(replay: WitnessReplay) -> str | None:
    if len(replay.moves) < ENDLESS:
        return None
    replay.after(replay.moves)
    return f"A random game is not over after {len(replay.moves):,} moves."

"""What legal moves bring about."""

from perfectplay.foreign.findings.code import Stand, code, told, when
from perfectplay.foreign.findings.illegal import refused
from perfectplay.foreign.protocol import located

ENDLESS = 1_000
"""A random game of this many plies counts as endless."""


@code("crash", "problem", "a legal move raises an error")
def crash(stand: Stand) -> str | None:
    face = stand.before()
    if stand.last not in face.moves():
        return None
    try:
        if face.step(stand.last).over:
            return None
    except MemoryError:
        return None
    except Exception as error:  # noqa: BLE001 - the error is the finding
        if "bad-step" in face.odd:
            return None
        return f"{stand.where}, the legal move {told(stand.last)} raises {located(error)}."
    try:
        face.moves()
    except Exception as error:  # noqa: BLE001 - the error is the finding
        return f"{when(len(stand.moves))}, listing the legal moves raises {located(error)}."
    return None


@code("hang", "problem", "a call does not return")
def hang(stand: Stand) -> str | None:
    stand.env.played(stand.seed, stand.moves).moves()
    return None  # it did return: a hang is seen from outside


@code("memory", "problem", "a call takes more memory than is allowed")
def memory(stand: Stand) -> str | None:
    try:
        stand.env.played(stand.seed, stand.moves).moves()
    except MemoryError:
        return f"{stand.where}, a call takes more memory than is allowed."
    return None


@code("killed", "problem", "a call ends the process")
def killed(stand: Stand) -> str | None:
    stand.env.played(stand.seed, stand.moves).moves()
    return None  # the process still runs: its end is seen from outside


@code("dead-end", "problem", "a position without a legal move that is not over")
def dead_end(stand: Stand) -> str | None:
    face = stand.after(stand.moves)
    if face.moves() or (not stand.moves and face.finished()):
        return None
    there = when(len(stand.moves)).lower()
    return f"Play can get stuck: {there}, there is no legal move, and the game is not over."


@code("legal-refused", "problem", "a legal move ends the game with a penalty")
def legal_refused(stand: Stand) -> str | None:
    face, step = stand.legal_step()
    if not step.over or step.reward >= 0:
        return None
    penalties = refused(stand, stand.moves[:-1])
    if penalties and step.reward not in penalties:
        return None  # illegal moves cost something else: this is a loss
    if step.reward >= -max(1.0, stand.most) and (not penalties or stand.state(face) != _after_refusal(stand)):
        return None  # no more than can be won, as when one resigns, and the move was made
    return f"{stand.where}, the legal move {told(stand.last)} ends the game with the penalty {step.reward:g}."


def _after_refusal(stand: Stand) -> object:
    """The position after an illegal move in place of the last one."""
    face = stand.before()
    legal = face.moves()
    illegal = next((move for move in face.all_moves() or () if move not in legal), None)
    try:
        face.step(illegal)
    except Exception:  # noqa: BLE001 - a refusal
        return None
    return stand.state(face)


@code("legal-punished", "warning", "a legal move is penalised, and play goes on")
def legal_punished(stand: Stand) -> str | None:
    _, step = stand.legal_step()
    if step.over or step.reward >= 0:
        return None
    return (
        f"{stand.where}, the legal move {told(stand.last)} gets the reward {step.reward:g}, and play goes on."
    )


@code("reward-before-end", "warning", "a move is rewarded before the game is over")
def reward_before_end(stand: Stand) -> str | None:
    _, step = stand.legal_step()
    if step.over or step.reward <= 0:
        return None
    return f"{stand.where}, the move {told(stand.last)} gets the reward {step.reward:g}, and play goes on."


@code("plays-on", "warning", "a finished game takes moves", tried="ends")
def plays_on(stand: Stand) -> str | None:
    if len(stand.moves) < 2:
        return None
    face = stand.after(stand.moves[:-2])
    if stand.moves[-2] not in face.moves() or not face.step(stand.moves[-2]).over:
        return None
    before = stand.state(face)
    try:
        step = face.step(stand.last)
    except Exception:  # noqa: BLE001 - an error is a refusal
        return None
    if step.over and (step.reward < 0 or stand.state(face) == before):
        return None
    return (
        f"The game is over after {len(stand.moves) - 1} moves, and then the move {told(stand.last)} is taken."
    )


@code("cut-only", "warning", "games end only by truncation", never=True)
def cut_only(stand: Stand) -> str | None:
    _, step = stand.legal_step()
    return "Games never end by their rules: they are only cut off." if step.cut else None


@code("turn-stuck", "problem", "the side to move never changes", never=True)
def turn_stuck(stand: Stand) -> str | None:
    face = stand.env.fresh(stand.seed)
    movers = {face.mover()}
    for move in stand.moves:
        if face.step(move).over:
            return None
        movers.add(face.mover())
    if len(movers) > 1 or None in movers or not stand.moves:
        return None
    said = f"The side to move never changes: it is always {movers.pop()}."
    return f"{said} Values are those of a game in which the sides take turns."


@code("turn-kept", "note", "the side to move is the same after a move")
def turn_kept(stand: Stand) -> str | None:
    before = stand.before().mover()
    face, step = stand.legal_step()
    if stand.alternates or step.over or face.mover() != before:
        return None
    return f"{stand.where}, the side that makes the move {told(stand.last)} moves again."


@code("endless-sampled", "warning", "a random game goes on for 1,000 moves")
def endless_sampled(stand: Stand) -> str | None:
    if len(stand.moves) < ENDLESS:
        return None
    stand.after(stand.moves)
    return f"A random game is not over after {len(stand.moves):,} moves."

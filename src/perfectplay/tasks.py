"""Every task for Inspect: those of `evals`, and whole games of the sound part of gg-bench.

Here, because that part consists of environments, which `evals` knows nothing of. They run in the sandbox when
the task is made, for whoever names the folder; a log has no more of them than digests of their tables.
"""

from pathlib import Path

from inspect_ai import Task, task

from perfectplay.evals.inspect_tasks import (
    choose,
    counted,
    exact,
    play,
    play_all,
    play_game,
    read_spec,
    refuse_in_one_line,
    rules,
    suite,
)

__all__ = ["choose", "counted", "exact", "gg_bench_sound", "play", "play_game", "rules", "suite"]


@task
def gg_bench_sound(
    folder: object = "",
    numbers: object = "",
    opponent: object = "level:3",
    games: int = 15,
    attempts: int = 1,
    moves: str = "hidden",
    memory: str = "none",
    seed: int = 0,
    plies: int = 100,
    **unknown: object,
) -> Task:
    """Whole games of each sound game of gg-bench, `games` in each seat; `folder` is a copy of gg-bench.

    `numbers` chooses some of them.
    """
    from perfectplay.core.errors import ParseError
    from perfectplay.games.registry import environment_tool

    with refuse_in_one_line(gg_bench_sound, unknown):
        if folder == "":
            raise ParseError("name a copy of gg-bench, as in -T folder=../gg-bench")
        try:
            chosen = [int(each) for each in read_spec(numbers).split(",")] if numbers != "" else []
        except ValueError:
            raise ParseError(f"numbers={numbers}: must be such as 66,71") from None
        specs = environment_tool("offer-sound")(Path(read_spec(folder)), chosen)
        asked = {"attempts": attempts, "moves": moves, "memory": memory, "seed": seed}
        return play_all(specs, games, plies, opponent=read_spec(opponent), **asked)

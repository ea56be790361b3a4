"""Rules on arrays say the same with the arrays of JAX as with those of NumPy."""

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import perfectplay as pp
from perfectplay.solver.graph import explore
from perfectplay.solver.tablebase.engine import Engine
from perfectplay.solver.tablebase.files import MemoryStore
from perfectplay.solver.tablebase.jax_engine import JaxEngine
from tests.conftest import ROOT

CONNECT_FOUR = ROOT / "examples" / "connect_four.py"


@pytest.mark.parametrize(
    "spec",
    [
        f"{CONNECT_FOUR}:columns=4,rows=3,line=3",
        f"{CONNECT_FOUR}:columns=7,rows=6",
        "bit-flip:bits=14",
        "bit-flip:bits=64",
    ],
)
def test_jax_and_numpy_agree(spec: str) -> None:
    game = pp.load(spec)
    rules = game.array_rules()
    assert rules is not None
    dtype = np.uint32 if rules.bits <= 32 else np.uint64
    graph = explore(game, first=500, limit=500)
    codes = np.array([rules.code(state) for state in graph.states], dtype)
    ends, moves = rules.look(np, codes)
    with jax.enable_x64(True):
        other_ends, other_moves = jax.jit(lambda given: rules.look(jnp, given))(jnp.asarray(codes))
        images = [np.asarray(each) for each in rules.images(jnp, jnp.asarray(codes))]
        assert (np.asarray(other_ends) == ends).all()
        for (after, legal), (other_after, other_legal) in zip(moves, other_moves, strict=True):
            assert (np.asarray(other_legal) == legal).all()
            assert (np.asarray(other_after)[legal] == after[legal]).all()
    assert [each.tolist() for each in images] == [each.tolist() for each in rules.images(np, codes)]


@pytest.mark.parametrize(
    ("spec", "keys"),
    [
        (f"{CONNECT_FOUR}:columns=4,rows=3,line=3", 5_000),  # many blocks, and parts to merge
        (f"{CONNECT_FOUR}:columns=8,rows=3,line=2", None),  # codes of 32 bits
        ("bit-flip:bits=9,first=2", None),
    ],
)
def test_jax_and_numpy_make_the_same_plies(spec: str, keys: int | None) -> None:
    game = pp.load(spec)
    rules = game.array_rules()
    assert rules is not None
    stores = MemoryStore(), MemoryStore()
    engines: list[Engine[Any]] = [Engine(rules, stores[0]), JaxEngine(rules, stores[1], keys=keys)]
    plies = {engine.solve(game.initial()) for engine in engines}
    assert len(plies) == 1
    assert len({(engine.positions, engine.stored) for engine in engines}) == 1
    for ply in range(plies.pop()):
        for name in ("codes", "values"):
            one, other = (store.get(name, ply) for store in stores)
            assert one is not None
            assert other is not None
            assert one.dtype == other.dtype
            assert one.tolist() == other.tolist()


@pytest.mark.parametrize(("forward", "back"), [(5, 99), (99, 6)])
def test_jax_goes_on_where_a_run_was_killed(forward: int, back: int) -> None:
    """With what NumPy has kept: they write the same."""
    rules = pp.load(f"{CONNECT_FOUR}:columns=3,rows=4,line=3").array_rules()
    assert rules is not None
    whole, killed = MemoryStore(), MemoryStore()
    plies = Engine(rules, whole).solve(rules.game.initial())
    for ply in range(plies):
        if ply < forward:
            killed.put("codes", ply, [whole.get("codes", ply)], np.uint32)
        if ply >= back:
            killed.put("values", ply, [whole.get("values", ply)], np.uint16)
    assert JaxEngine(rules, killed).solve(rules.game.initial()) == plies
    for ply in range(plies):
        for name in ("codes", "values"):
            assert np.array_equal(killed.get(name, ply), whole.get(name, ply))  # type: ignore[arg-type]


class Turns(pp.ArrayRules[int]):
    """Take 1 or 2 of some stones; whoever takes 2 moves again. The code says the ply, the stones, the side."""

    bits = 12
    layered = True

    def code(self, state: int) -> int:
        return state

    def state(self, code: int) -> int:
        return code

    def look(self, xp: Any, codes: Any) -> tuple[Any, Any]:
        left = codes >> 1 & 15
        one = (codes + 32 - 2) ^ 1, left > 0
        two = codes + 32 - 4, left > 1
        return xp.where(left > 0, self.GOES_ON, self.LOST), [one, two]

    def sides(self, xp: Any, codes: Any) -> Any:
        return codes & 1


class Stuck(Turns):
    """Nobody loses when there are no stones left."""

    LOST = Turns.GOES_ON


def test_jax_heeds_sides_that_move_twice_and_names_dead_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Turns(pp.load("dual-direction"))  # which has two actions as well
    stores = MemoryStore(), MemoryStore()
    plies = Engine(rules, stores[0]).solve(15 << 1)
    assert JaxEngine(rules, stores[1]).solve(15 << 1) == plies
    for ply in range(plies):
        one, other = (store.get("values", ply) for store in stores)
        assert one is not None
        assert other is not None
        assert one.tolist() == other.tolist()
    monkeypatch.setattr(type(rules.game), "state_text", lambda self, state: str(state))
    with pytest.raises(pp.PerfectplayError, match="has no move and no result"):
        JaxEngine(Stuck(rules.game), MemoryStore()).solve(15 << 1)


@pytest.mark.parametrize("last", [False, True])
def test_an_interrupt_waits_until_jax_can_be_left(last: bool) -> None:
    """JAX would lose it, or crash."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    rules = pp.load("bit-flip:bits=9").array_rules()
    assert rules is not None
    whole = JaxEngine(rules, MemoryStore())
    whole.solve(rules.game.initial())
    went_on = []

    def interrupt(count: int) -> None:
        if count == (whole.positions if last else 1):
            signal.raise_signal(signal.SIGINT)
            went_on.append(count)

    with pytest.raises(KeyboardInterrupt):
        JaxEngine(rules, MemoryStore(), progress=interrupt).solve(rules.game.initial())
    assert went_on
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_jax_is_not_loaded_where_it_has_no_accelerator(tmp_path: Path) -> None:
    code = f"""
import sys
from pathlib import Path
import perfectplay as pp
from perfectplay.solver.tablebase import oracle
known = oracle.find_spec
oracle.find_spec = lambda name: known(name) if name == "jax" else None
game = pp.load("bit-flip:bits=8")
for number, plugins in enumerate(([], ["one"])):
    oracle.entry_points = lambda **group: plugins
    oracle.save_table(game, Path({str(tmp_path)!r}) / str(number))
    print("jax" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "False\nTrue\n", done.stderr

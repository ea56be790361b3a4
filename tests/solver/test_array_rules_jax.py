"""Rules on arrays say the same with the arrays of JAX as with those of NumPy."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import perfectplay as pp
from perfectplay.solver.graph import explore
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

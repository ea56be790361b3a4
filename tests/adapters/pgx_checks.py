"""`pgx.api_test`, fixed in two places: one that pgx 2.6 itself cannot pass, one that excludes other games."""

from inspect import getmodule
from typing import Literal, get_args

import jax
import pgx
import pytest
from jax import numpy as jnp


def act_randomly(key: jax.Array, legal_action_mask: jax.Array) -> jax.Array:
    """As in pgx but for `axis=-1`.

    Pgx writes `axis=1` for single games too, whose mask has one axis only; jax used to let that pass.
    """
    logits = jnp.log(legal_action_mask.astype(jnp.float32))
    return jax.random.categorical(key, logits=logits, axis=-1)


_act_randomly = jax.jit(act_randomly)


def mend_choice(patch: pytest.MonkeyPatch) -> None:
    """Let random actions be drawn for a single game: without this, pgx's own tic_tac_toe fails too."""
    patch.setattr(getmodule(pgx.api_test), "act_randomly", _act_randomly)


def mend_ids(patch: pytest.MonkeyPatch, env: pgx.Env) -> None:
    """Let the id of an environment count: pgx knows none but those of its own games."""
    patch.setattr(getmodule(pgx.api_test), "EnvId", Literal[(*get_args(pgx.EnvId), env.id)])


def check(env: pgx.Env, games: int) -> None:
    """Run every check of `pgx.api_test` on a number of single games and of batches."""
    with pytest.MonkeyPatch.context() as patch:
        mend_choice(patch)
        mend_ids(patch, env)
        pgx.api_test(env, games)

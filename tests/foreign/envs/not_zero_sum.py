"""Rewards the winner and nobody else, in the manner of PettingZoo."""

from zoo import ZooNim


class Env(ZooNim):
    lost = 0.0

"""Classes and modules are found by where they are."""

from types import ModuleType

import perfectplay as pp
import perfectplay.games
from perfectplay.core.parts import class_beside, find_class, find_modules
from perfectplay.games.bit_flip import BitFlip
from tests.core.matches import error_of
from tests.core.test_spec import Bare
from tests.core.test_theory import Known


def test_a_module_offers_one_class() -> None:
    module = ModuleType("some.module")
    assert (
        error_of(lambda: find_class(module, pp.Theory)) == "some.module must define exactly one Theory, not 0"
    )
    mine = type("Mine", (Known,), {"__module__": "some.module.part"})
    near = type("Near", (Known,), {"__module__": "some.module2"})
    vars(module).update(number=1, other=Bare, base=pp.Theory, known=Known, mine=mine, again=mine, near=near)
    assert find_class(module, pp.Theory) is mine
    same = type("Same", (Known,), {"__module__": "some.module"})
    vars(module).update(mine=same, again=same)
    assert find_class(module, pp.Theory) is same
    vars(module).update(again=mine)
    assert (
        error_of(lambda: find_class(module, pp.Theory)) == "some.module must define exactly one Theory, not 2"
    )


def test_a_package_offers_its_modules() -> None:
    found = find_modules(perfectplay.games, frozenset({"registry"}))
    assert found["bit-flip"] == "perfectplay.games.bit_flip"
    assert "registry" not in found


def test_a_game_takes_over_what_is_beside_the_game_it_extends() -> None:
    kind = type("Wider", (BitFlip,), {"__module__": "elsewhere"})
    theory = class_beside(kind, "theory", pp.Theory)
    assert theory is not None
    assert theory.__name__ == "BitFlipTheory"
    assert class_beside(Known, "theory", pp.Theory) is None

"""Parameters and the specs that give them."""

from dataclasses import dataclass
from functools import partial

import pytest

import perfectplay as pp
from perfectplay.core.spec import Parameters, parameter, split_spec
from tests.core.matches import error_of


@dataclass(frozen=True)
class Bare(Parameters):
    """Parameters of which nothing is said but their types."""

    name = "bare"
    size: int = parameter(1)
    word: str = parameter("a")
    limit: int | None = parameter(3)


def test_the_help_of_parameters() -> None:
    assert type(pp.load("dual-direction")).parameter_help() == (
        ("positions", "11", "a whole number, at least 3", "how long the line is"),
        ("start", "the center", "a whole number from 2 to 10", "where the marker starts"),
        ("first", "1", "1 or 2", "which player moves first"),
    )
    assert type(pp.load("mirror-match")).parameter_help()[3] == (
        "disqualify_after",
        "none",
        "none or a whole number, at least 1",
        "how many invalid turns in a row lose the game",
    )
    assert type(pp.load("race-to-the-center")).parameter_help()[:2] == (
        ("positions", "11", "an odd whole number, at least 3", "how many positions the track has"),
        ("steps", "1-2", "a range from 1, such as 1-2 or 1-3", "how far a marker may move"),
    )


def test_what_is_said_of_a_parameter_is_what_was_given() -> None:
    # Made here and not above: a parameter is put together when its class is.
    @dataclass(frozen=True)
    class Said(Parameters):
        name = "said"
        size: int = parameter(1)
        word: str = parameter("a")
        limit: int | None = parameter(3, least=2)
        plain: int = 4
        part: int = parameter(
            None,
            "a part",
            least=lambda said: said.size,
            most=lambda said: said.size,
            derive=lambda said: said.size,
            derived_as="all",
        )
        odd: int = parameter(5, "odd", allowed="an odd number")

    assert Said.parameter_help() == (
        ("size", "1", "a whole number", ""),
        ("word", "a", "text", ""),
        ("limit", "3", "none or a whole number, at least 2", ""),
        ("plain", "4", "a whole number", ""),
        ("part", "all", "a whole number from 1 to 1", "a part"),
        ("odd", "5", "an odd number", "odd"),
    )


def test_a_default_that_contradicts_other_parameters_is_not_used() -> None:
    assert pp.load("dual-direction:positions=20,start=15").spec == "dual-direction:positions=20,start=15"


def test_a_parameter_that_is_none_says_so_in_a_spec() -> None:
    assert Bare(limit=None).spec == "bare:limit=none"
    assert Bare.from_spec("limit=none,size=-2") == Bare(size=-2, limit=None)


def test_the_name_in_a_spec_ends_at_the_first_colon_but_a_path_at_its_ending() -> None:
    assert split_spec("program:say: hi") == ("program", "say: hi")
    assert split_spec("C:\\games\\go.py:size=4") == ("C:\\games\\go.py", "size=4")
    assert split_spec("./a:b/go.py") == ("./a:b/go.py", None)
    assert split_spec("./a\nb:c/go.py:size=4") == ("./a\nb:c/go.py", "size=4")
    assert error_of(lambda: split_spec(":size=4")) == (
        'bad spec ":size=4": a name must come first, as in name:key=value'
    )


def test_a_spec_is_keys_and_values() -> None:
    assert Bare.from_spec("word=a=b") == Bare(word="a=b")
    for rest, part in (("size", "size"), ("size=", "size="), ("=3", "=3"), ("size=3,", "")):
        problem = f'"{part}" is not key=value; bare takes size, word, limit'
        assert error_of(partial(Bare.from_spec, rest)) == f'bad spec "bare:{rest}": {problem}'
    assert error_of(lambda: Bare.from_spec("")) == 'bad spec "bare:": nothing follows the colon'
    assert error_of(lambda: Bare.from_spec("size=3,size=4")) == (
        'bad spec "bare:size=3,size=4": "size" is given twice'
    )


def test_a_value_without_its_name_is_refused_without_it() -> None:
    @dataclass(frozen=True)
    class Strong(Parameters):
        name = "strong"
        bare = "strength"
        strength: int = parameter(5, least=1, most=10)
        depth: int = parameter(1, least=1, most=9)

    assert Strong.from_spec("depth=2,7") == Strong(strength=7, depth=2)
    allowed = "must be a whole number from 1 to"
    assert error_of(lambda: Strong.from_spec("11")) == f"strong:11: {allowed} 10"
    assert error_of(lambda: Strong.from_spec("3,x")) == f"strong:3,x: {allowed} 10"
    assert error_of(lambda: Strong.from_spec("strength=11")) == f"strength=11: {allowed} 10"
    assert error_of(lambda: Strong.from_spec("depth=0,3")) == f"depth=0: {allowed} 9"
    assert error_of(lambda: Strong.from_spec("dept=3")) == (
        "dept=3: no such parameter; strong takes strength, depth (did you mean depth?)"
    )


def test_a_number_has_at_most_18_digits() -> None:
    assert Bare(size=1 - 10**18).size == 1 - 10**18
    assert error_of(lambda: Bare(size=10**18)) == "size=...: must be a whole number of at most 18 digits"


def test_only_a_list_of_values_is_a_choice() -> None:
    game = pp.load("mirror-match")
    assert game.choices("forfeit") == ("penalty", "move")
    assert game.choices("disqualify_after") == ()
    assert game.choices("nothing") == ()


def test_a_wrong_value_is_refused_with_what_is_allowed() -> None:
    assert (
        error_of(lambda: pp.load("dual-direction:start=11"))
        == "start=11: must be a whole number from 2 to 10"
    )
    assert (
        error_of(lambda: pp.load("dual-direction:start=1")) == "start=1: must be a whole number from 2 to 10"
    )
    assert pp.load("dual-direction:start=10").spec == "dual-direction:start=10"
    assert error_of(lambda: pp.load("mirror-match:forfeit=x")) == "forfeit=x: must be penalty or move"
    assert error_of(lambda: pp.load("race-to-the-center:positions=4")) == (
        "positions=4: must be an odd whole number, at least 3"
    )
    assert error_of(lambda: Bare(word=3)) == "word=3: must be text"  # type: ignore[arg-type]


def test_a_parameter_with_an_upper_bound_alone_names_it() -> None:
    @dataclass(frozen=True)
    class Capped(Parameters):
        name = "capped"
        size: int = parameter(1, most=5)

    with pytest.raises(pp.BadParameterError, match="size=7: must be a whole number, at most 5"):
        Capped(size=7)


def test_what_a_spec_may_go_on_to_say() -> None:
    @dataclass(frozen=True)
    class Offered(Parameters):
        name = "offered"
        bare = "level"
        level: int = parameter(5, least=4, most=6)
        few: int = parameter(10, least=10, most=29)
        many: int = parameter(10, least=10, most=30)
        word: str = parameter("a")

    few = tuple(f"few={number}" for number in range(10, 30))
    assert Offered.completions("") == ("4", "5", "6", *few, "many=10", "word=a")
    assert Offered.completions("5") == ("5",)
    assert Offered.completions("word=a=b,few=12,m") == ("word=a=b,few=12,many=10",)
    assert Offered.completions("word=b,few=12,") == tuple(
        f"word=b,few=12,{each}" for each in ("4", "5", "6", "many=10")
    )
    assert Offered.completions("few=9,") == ()


def test_a_class_with_parameters_that_is_not_a_dataclass_is_refused() -> None:
    class Plain(Parameters):
        name = "plain"
        size: int = parameter(1)

    @dataclass(frozen=True)
    class Derived(Plain):
        other: int = parameter(2)

    for each in (Plain, Derived):  # the parameters of a base class count as well
        assert error_of(each) == (
            "Plain has the parameter size and is not a dataclass: write @dataclass(frozen=True) above the class"
        )

    @dataclass(frozen=True)
    class Again(Plain):
        size: int = parameter(3)

    assert Again(4).spec == "plain:size=4"


def test_bounds_of_a_parameter_may_depend_on_others() -> None:
    assert pp.load("dual-direction").parameter_bounds("start") == (2, 10)

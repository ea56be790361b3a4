"""The laws of `Game`: every game here keeps them, and a game that breaks one is caught."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from types import SimpleNamespace
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar

import pytest

import perfectplay as pp
from perfectplay.core import walks
from perfectplay.core.conformance import LAWS, broken_laws, place
from perfectplay.core.dialogue import Dialogue, Lines
from perfectplay.core.laws import STATE_LAWS
from perfectplay.games.bit_flip.rules import BitFlip, State
from tests.core.table_games import PICK, table_game

# The games of the package


def variants(name: str) -> Iterator[str]:
    """A game as it is, with the other side starting, and under each reading of its unclear rules."""
    yield name
    game = pp.load(name)
    other_start = game.starting(pp.other(game.side_to_move(game.initial())))
    if other_start is not None:
        yield other_start.spec
    for parameter, values in game.readings().items():
        yield from (f"{name}:{parameter}={value}" for value in values[1:])


ODD_SIZES = (
    "bit-flip:bits=1",
    "bit-flip:bits=2",
    "bit-flip:bits=16",
    "bit-flip:bits=2,first=2",
    "dual-direction:positions=3",
    "dual-direction:positions=4,start=2",
    "dual-direction:positions=4,start=3,first=2",
    "inversion-race:cells=3",
    "inversion-race:cells=3,start=2",
    "inversion-race:cells=3,start=2,passing=leapfrog",
    "inversion-race:cells=4,start=1,passing=letter",
    "inversion-race:cells=4,start=3,first=B",
    "inversion-race:cells=5,start=4,passing=leapfrog,first=B",
    "mirror-match:digits=1",
    "mirror-match:digits=1,shortest=1,forfeit=move",
    "mirror-match:digits=2,shortest=2",
    "mirror-match:digits=2,shortest=4,forfeit=move,first=2",
    "mirror-match:digits=3,disqualify_after=2",
    "mirror-match:digits=3,disqualify_after=1,forfeit=move",
    "race-to-the-center:positions=3",
    "race-to-the-center:positions=3,steps=1-1,arrival=sudden-death",
    "race-to-the-center:positions=5,steps=1-3,arrival=full-turn",
    "race-to-the-center:steps=1-1",
    "race-to-the-center:steps=1-3",
    "race-to-the-center:steps=1-20,arrival=full-turn",
)


@pytest.mark.parametrize("spec", [*(each for name in pp.names() for each in variants(name)), *ODD_SIZES])
def test_every_game_keeps_the_laws(spec: str) -> None:
    pp.check_game(pp.load(spec), states=300, walks=5)


# A small game that keeps every law, for others to break one at a time


class Pile(NamedTuple):
    left: int
    side: pp.Side


@dataclass(frozen=True)
class TakeAway(pp.Game[Pile]):
    """Take one or two from a pile; whoever takes the last one wins, or loses."""

    name = "take-away"
    title = "Take Away"
    event_names: ClassVar[tuple[str, ...]] = ("last one",)
    outcome_reasons: ClassVar[tuple[str, ...]] = ("pile is empty",)
    refusal_names: ClassVar[tuple[str, ...]] = ("too-many",)

    pile: int = pp.parameter(5, "how many there are", least=1)
    last: Literal["wins", "loses"] = pp.parameter("wins", "what taking the last one does")

    @property
    def num_actions(self) -> int:
        return 2

    def initial(self) -> Pile:
        return Pile(self.pile, 0)

    def side_to_move(self, state: Pile) -> pp.Side:
        return state.side

    def legal_actions(self, state: Pile) -> tuple[pp.Action, ...]:
        return tuple(range(min(2, state.left)))

    def apply(self, state: Pile, action: pp.Action) -> Pile:
        return Pile(state.left - action - 1, pp.other(state.side))

    def outcome(self, state: Pile) -> pp.Outcome | None:
        if state.left:
            return None
        taker = pp.other(state.side)
        return pp.Outcome(taker if self.last == "wins" else state.side, "pile is empty")

    def events(self, state: Pile, action: pp.Action) -> tuple[str, ...]:
        return ("last one",) if state.left == action + 1 else ()

    def prohibition(self, state: Pile, action: pp.Action) -> pp.Refusal:
        return pp.Refusal("too-many", f"There are only {state.left} left.")

    def after_forfeit(self, state: Pile) -> Pile | None:
        return Pile(state.left, pp.other(state.side))

    def action_text(self, state: Pile, action: pp.Action) -> str:
        return f"take {action + 1}"

    def state_text(self, state: Pile) -> str:
        return f"{state.left} {state.side}"

    def parse_state(self, text: str) -> Pile:
        left, side = map(int, text.split())
        return Pile(left, 1 if side else 0)

    def readings(self) -> dict[str, tuple[str, ...]]:
        return {"last": self.choices("last")}

    def view(self, state: Pile) -> pp.View:
        controls = (pp.Control(f"Take {a + 1}", a) for a in self.legal_actions(state))
        return pp.View(((pp.Cell("pile", ("|" * state.left,)),),), tuple(controls))


@pytest.mark.parametrize("game", [TakeAway(), TakeAway(pile=1), TakeAway(pile=9, last="loses")])
def test_the_small_game_keeps_every_law(game: TakeAway) -> None:
    pp.check_game(game)


class Broken(NamedTuple):
    game: pp.Game[Any]
    law: str
    witness: str
    also: frozenset[str]

    def forget(self) -> None:
        """Clear what a game with a secret keeps from one check to the next."""
        for secret in ("refusals", "emptied"):
            getattr(self.game, secret, []).clear()


BROKEN: list[Broken] = []

T = TypeVar("T", bound=TakeAway)


def breaks(law: str, witness: str, *also: str, **parameters: Any) -> Callable[[type[T]], type[T]]:
    """The game below breaks `law`, of which the report says `witness`, and no other law.

    Unless it cannot be helped: `also` names the laws that fall with it.
    """

    def listed(game: type[T]) -> type[T]:
        BROKEN.append(Broken(game(**parameters), law, witness, frozenset(also)))
        return game

    return listed


# names


@breaks("names", "must not be empty", "spec")  # a spec begins with the name
class NoName(TakeAway):
    name = ""


@breaks("names", "must not be empty")
class NoTitle(TakeAway):
    title = ""


@breaks("names", "two different lines without a colon")
class OneSideName(TakeAway):
    side_names = ("Player", "Player")


@breaks("names", "two different lines without a colon")
class SideNameWithColon(TakeAway):
    side_names = ("Player 1", "Player: 2")


@breaks("names", "two different lines without a colon")
class SideNameOfTwoLines(TakeAway):
    side_names = ("Player\n1", "Player 2")


@breaks("names", "two different lines without a colon")
class SideNameOfNoLine(TakeAway):
    side_names = ("Player 1", "")


@breaks("names", "ValueError: too many values")
class ThreeSides(TakeAway):
    side_names: Any = ("Player 1", "Player 2", "Player 3")


@breaks("names", "at least 1, not 0")
class NoActions(TakeAway):
    num_actions = 0


@breaks("names", "at least 1, not 2.0")
class FractionOfActions(TakeAway):
    num_actions: Any = 2.0


# initial


@breaks("initial", "a different position each time")
class AnotherStartEachTime(TakeAway):
    sizes = count(1)

    def initial(self) -> Pile:
        return Pile(next(self.sizes), 0)


@breaks("initial", "TypeError: unhashable")
class StartOnAList(TakeAway):
    def initial(self) -> Any:
        return [self.pile, 0]


@breaks("initial", "RuntimeError: no start")
class NoStart(TakeAway):
    def initial(self) -> Pile:
        raise RuntimeError("no start")


# spec


@breaks("spec", "loads to a different game, OneMoreEachTime(pile=8", pile=6)
class OneMoreEachTime(TakeAway):
    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "pile", self.pile + 1)


@breaks("spec", "take-away loads to a different game", pile=7)
class SpecWithoutParameters(TakeAway):
    spec = "take-away"


@breaks("spec", 'ParseError: bad spec "take-away:colour=red,green"', colour="red,green")
@dataclass(frozen=True)
class CommaInAParameter(TakeAway):
    colour: str = pp.parameter("red", "what colour the pile has")


@breaks("spec", "loads to a different game")
class HashedByIdentity(TakeAway):
    __hash__ = object.__hash__


# readings


@breaks("readings", "BadParameterError: last=draws")
class ReadingThatIsNotAllowed(TakeAway):
    def readings(self) -> dict[str, tuple[str, ...]]:
        return {"last": ("wins", "draws")}


@breaks("readings", "UnknownParameterError: first=x")
class ReadingOfNoParameter(TakeAway):
    def readings(self) -> dict[str, tuple[str, ...]]:
        return {"first": ("x",)}


@breaks("readings", "the first reading of last, loses, is not its default")
class DefaultReadingLast(TakeAway):
    def readings(self) -> dict[str, tuple[str, ...]]:
        return {"last": ("loses", "wins")}


# first


@breaks("first", "ignores who should start: Player 2 does not move first")
@dataclass(frozen=True)
class IgnoresFirst(TakeAway):
    first: Literal["1", "2"] = pp.parameter("1", "who goes first")


@breaks("first", "ignores who should start: Player 1 does not move first", first="2")
@dataclass(frozen=True)
class FirstTheOtherWay(IgnoresFirst):
    def initial(self) -> Pile:
        return Pile(self.pile, 1 if self.first == "1" else 0)


@breaks("first", "starting() does not let either side start")
@dataclass(frozen=True)
class FirstWithoutChoices(TakeAway):
    first: int = pp.parameter(1, "who goes first", least=1, most=2)


# side


@breaks("side", "side_to_move is -1")
class SidesFromMinusOne(TakeAway):
    def side_to_move(self, state: Pile) -> Any:
        return state.side - 1


# legal-actions


@breaks("legal-actions", "(1, 0) are not an ascending tuple")
class DescendingActions(TakeAway):
    def legal_actions(self, state: Pile) -> tuple[pp.Action, ...]:
        return super().legal_actions(state)[::-1]


@breaks("legal-actions", "(0, 1, 1) are not an ascending tuple", "action-text")  # its text is there twice
class RepeatedAction(TakeAway):
    def legal_actions(self, state: Pile) -> tuple[pp.Action, ...]:
        actions = super().legal_actions(state)
        return (*actions, *actions[-1:])


@breaks("legal-actions", "[0, 1] are not an ascending tuple")
class ActionsInAList(TakeAway):
    def legal_actions(self, state: Pile) -> Any:
        return list(super().legal_actions(state))


# What is out of range can be neither played nor read.
@breaks("legal-actions", "not all from 0 to 1", "apply", "action-text", "dialogue")
class ActionTooHigh(TakeAway):
    def legal_actions(self, state: Pile) -> tuple[pp.Action, ...]:
        return tuple(range(min(3, state.left)))


@breaks("legal-actions", "not all from 0 to 1", "apply", "action-text", "dialogue", "view")
class ActionBelowZero(TakeAway):
    def legal_actions(self, state: Pile) -> tuple[pp.Action, ...]:
        return (-1, *super().legal_actions(state)) if state.left > 3 else super().legal_actions(state)

    def view(self, state: Pile) -> pp.View:
        return super().view(state)._replace(controls=super().view(Pile(min(2, state.left), 0)).controls)


# outcome


@breaks("outcome", "there are legal actions, (0,)")
class OverTooSoon(TakeAway):
    def outcome(self, state: Pile) -> pp.Outcome | None:
        return pp.Outcome(state.side, "pile is empty") if state.left < 2 else None

    def after_forfeit(self, state: Pile) -> None:
        return None


@breaks("dead-end", "no legal action and no outcome")
class NeverOver(TakeAway):
    def outcome(self, state: Pile) -> None:
        return None


@breaks("outcome", "is not an Outcome with winner 0, 1 or None")
class ThirdSideWins(TakeAway):
    def outcome(self, state: Pile) -> Any:
        winner: Any = 2
        return None if state.left else pp.Outcome(winner, "pile is empty")


@breaks("outcome", "is not an Outcome with winner 0, 1 or None", "declared")  # it has no reason to look up
class OutcomeIsATuple(TakeAway):
    def outcome(self, state: Pile) -> Any:
        return None if state.left else (0, "pile is empty")


# declared


@breaks("declared", "the reason 'pile is empty' is not in outcome_reasons")
class UndeclaredReason(TakeAway):
    outcome_reasons = ()


@breaks("declared", "the event 'last one' is not in event_names")
class UndeclaredEvent(TakeAway):
    event_names = ()


@breaks("declared", "the refusal 'too-many' is not in refusal_names")
class UndeclaredRefusal(TakeAway):
    refusal_names = ()


# refusal


@breaks("refusal", "is illegal and not refused")
class NothingRefused(TakeAway):
    def refusal(self, state: Pile, action: pp.Action) -> None:
        return None


@breaks("refusal", "is legal and refused", "apply", "dialogue")  # it cannot be played then
class EverythingRefused(TakeAway):
    def refusal(self, state: Pile, action: pp.Action) -> pp.Refusal:
        return self.prohibition(state, action)


@breaks("refusal", "not a Refusal")
class RefusalOfItsOwnKind(TakeAway):
    def prohibition(self, state: Pile, action: pp.Action) -> Any:
        return SimpleNamespace(rule="too-many", text="There are not so many.")


# refused


@breaks("refused", "play(1) is illegal but does not raise IllegalActionError (position Pile(left=1, ")
class PlaysWhatItRefuses(TakeAway):
    def play(self, state: Pile, action: pp.Action) -> Pile:
        return super().play(state, 0 if action == 1 and state.left == 1 else action)


@breaks("refused", "play(-1) is illegal but does not raise IllegalActionError")
class CountsFromTheEnd(TakeAway):
    def play(self, state: Pile, action: pp.Action) -> Pile:
        return super().play(state, action % 2)


class Scolded(TakeAway):
    """After the first refusal everybody takes one at a time."""

    refusals: ClassVar[list[str]]

    def legal_actions(self, state: Pile) -> tuple[pp.Action, ...]:
        return super().legal_actions(state)[: 1 if self.refusals else 2]


@breaks("repeatable", "the same position gives different answers")
class RefusalsCount(Scolded):
    refusals: ClassVar[list[str]] = []

    def prohibition(self, state: Pile, action: pp.Action) -> pp.Refusal:
        self.refusals.append("no")
        return super().prohibition(state, action)


@breaks("refused", "a refused move changed the game")
class NonsenseCounts(Scolded):
    refusals: ClassVar[list[str]] = []

    def parse_action(self, state: Pile, text: str) -> pp.Action:
        try:
            return super().parse_action(state, text)
        except pp.ParseError:
            self.refusals.append(text)
            raise


# apply


class Worn(Pile):
    """A pile that can be changed: it counts how often it was taken from."""

    taken = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Worn) and (*self, self.taken) == (*other, other.taken)

    def __ne__(self, other: object) -> bool:
        return not self == other  # a tuple compares by itself unless told so

    __hash__ = Pile.__hash__


@breaks("apply", "apply(0) changed the position it was given", "state-text")  # what it wrote has changed
class ChangesThePosition(TakeAway):
    def initial(self) -> Pile:
        return Worn(*super().initial())

    def apply(self, state: Pile, action: pp.Action) -> Pile:
        assert isinstance(state, Worn)
        state.taken += 1
        return Worn(*super().apply(state, action))

    def parse_state(self, text: str) -> Pile:
        return Worn(*super().parse_state(text))

    def after_forfeit(self, state: Pile) -> None:
        return None


# What it wrote has changed, and so has every refusal after it.
@breaks("refused", "a refused move changed the position", "state-text")
class RefusalWearsThePosition(TakeAway):
    def initial(self) -> Pile:
        return Worn(*super().initial())

    def apply(self, state: Pile, action: pp.Action) -> Pile:
        return Worn(*super().apply(state, action))

    def prohibition(self, state: Pile, action: pp.Action) -> pp.Refusal:
        assert isinstance(state, Worn)
        state.taken += 1
        return super().prohibition(state, action)

    def parse_state(self, text: str) -> Pile:
        return Worn(*super().parse_state(text))

    def after_forfeit(self, state: Pile) -> None:
        return None


@breaks("apply", "apply(0) gives a different position each time")
class TakesAtRandom(TakeAway):
    taken = count()

    def apply(self, state: Pile, action: pp.Action) -> Pile:
        return Pile(max(0, state.left - 1 - next(self.taken) % 2), pp.other(state.side))


@breaks("apply", "play(0) and apply(0) disagree")
class PlayKeepsTheTurn(TakeAway):
    def play(self, state: Pile, action: pp.Action) -> Pile:
        return super().play(state, action)._replace(side=state.side)


@breaks("apply", "TypeError: unhashable")
class PlaysToAList(TakeAway):
    def apply(self, state: Pile, action: pp.Action) -> Any:
        return [state.left - action - 1, pp.other(state.side)]


@breaks("apply", "ZeroDivisionError")
class CannotBePlayed(TakeAway):
    def apply(self, state: Pile, action: pp.Action) -> Pile:
        return Pile(state.left // action, pp.other(state.side))


# action-text, on which the dialogue relies


@breaks("action-text", "action texts repeat", "dialogue")
class SameTextTwice(TakeAway):
    def action_text(self, state: Pile, action: pp.Action) -> str:
        return "take"


class FirstText(TakeAway):
    """The text of the first action, which reads back well, is what subclasses say."""

    text: str

    def action_text(self, state: Pile, action: pp.Action) -> str:
        return super().action_text(state, action) if action else self.text

    def parse_action(self, state: Pile, text: str) -> pp.Action:
        return 0 if text == self.text else super().parse_action(state, text)


@breaks("action-text", "'resign' cannot be used in a record")
class TextIsAWordOfRecords(FirstText):
    text = "resign"


@breaks("action-text", "'take -> 1' cannot be used in a record")
class TextWithAnArrow(FirstText):
    text = "take -> 1"


@breaks("action-text", "'{one}' cannot be used in a record")
class TextInBraces(FirstText):
    text = "{one}"


@breaks("action-text", "'take 1 ' cannot be used in a record")
class TextWithABlank(FirstText):
    text = "take 1 "


@breaks("action-text", "'take\\n1' cannot be used in a record")
class TextOfTwoLines(FirstText):
    text = "take\n1"


@breaks("action-text", "'' cannot be used in a record")
class TextIsEmpty(FirstText):
    text = ""


@breaks("action-text", "parse_action('take 1') is not 0", "dialogue")
class ReadsTheOtherAction(TakeAway):
    def parse_action(self, state: Pile, text: str) -> pp.Action:
        return 1 - super().parse_action(state, text)


@breaks("action-text", "ParseError", "dialogue")
class ReadsNoAction(TakeAway):
    def parse_action(self, state: Pile, text: str) -> pp.Action:
        raise self.unreadable(state, text)


# state-text


@breaks("state-text", "is not the position")
class ReadsTheOtherSide(TakeAway):
    def parse_state(self, text: str) -> Pile:
        state = super().parse_state(text)
        return state._replace(side=pp.other(state.side))


@breaks("state-text", "'5\\n0' cannot be used in a record")
class PositionOfTwoLines(TakeAway):
    def state_text(self, state: Pile) -> str:
        return f"{state.left}\n{state.side}"


@breaks("state-text", "'5 0 ' cannot be used in a record")
class PositionWithABlank(TakeAway):
    def state_text(self, state: Pile) -> str:
        return f"{state.left} {state.side} "


@breaks("state-text", "ValueError")
class ReadsNoPosition(TakeAway):
    def parse_state(self, text: str) -> Pile:
        return super().parse_state(text + "?")


# canonical


@breaks("canonical", "canonical is not idempotent")
class CanonicalOfCanonical(TakeAway):
    def canonical(self, state: Pile) -> Pile:
        return state._replace(left=max(0, state.left - 1))


@breaks("canonical", "canonical changes the side to move")
class CanonicalForOneSide(TakeAway):
    def canonical(self, state: Pile) -> Pile:
        return state._replace(side=0)


@breaks("canonical", "canonical changes the outcome")
class CanonicalGoesOn(TakeAway):
    def canonical(self, state: Pile) -> Pile:
        return state._replace(left=max(1, state.left))


@breaks("canonical", "the canonical successors of a position and of its canonical form differ")
class CanonicalPlaysOtherwise(TakeAway):
    def canonical(self, state: Pile) -> Pile:
        return state._replace(left=min(4, state.left))


@breaks("canonical", "RuntimeError: no form")
class NoCanonical(TakeAway):
    def canonical(self, state: Pile) -> Pile:
        raise RuntimeError("no form")


# forfeit


@breaks("forfeit", "after_forfeit does not hand the turn over")
class ForfeitKeepsTheTurn(TakeAway):
    def after_forfeit(self, state: Pile) -> Pile:
        return state


@breaks("forfeit", "after_forfeit ends the game")
class ForfeitLoses(TakeAway):
    def after_forfeit(self, state: Pile) -> Pile:
        return Pile(0, pp.other(state.side))


# view


@breaks("view", "the view offers [1], which are not legal")
class ViewOffersEverything(TakeAway):
    def view(self, state: Pile) -> pp.View:
        return super().view(state)._replace(controls=super().view(Pile(2, state.side)).controls)


@breaks("view", "the view offers [0], which are not legal")
class ViewOffersOnACell(TakeAway):
    def view(self, state: Pile) -> pp.View:
        return super().view(state)._replace(rows=((pp.Cell("pile", ("|" * state.left,), action=0),),))


@breaks("view", "the view calls [0] forbidden, which are legal")
class ViewForbidsWhatIsLegal(TakeAway):
    def view(self, state: Pile) -> pp.View:
        return super().view(state)._replace(rows=((pp.Cell("pile", ("|" * state.left,), forbidden=0),),))


@breaks("view", "the view offers no way to play [1]")
class ViewOffersTooLittle(TakeAway):
    def view(self, state: Pile) -> pp.View:
        return super().view(state)._replace(controls=super().view(Pile(min(1, state.left), 0)).controls)


@breaks("view", "the view looks the same as in position Pile(left=4, side=1)")
@breaks("view", "the view is empty in every position", pile=1)
class ShowsNothing(TakeAway):
    def view(self, state: Pile) -> pp.View:
        return super().view(state)._replace(rows=((pp.Cell(" "),),), captions=("",))

    def after_forfeit(self, state: Pile) -> None:
        return None


@breaks("view", "the view looks the same as in position Pile(left=4, side=1)")
class ShowsTheSameAlways(TakeAway):
    def view(self, state: Pile) -> pp.View:
        return super().view(state)._replace(rows=((pp.Cell("pile"),),))


@breaks("view", "action 1 does not add cell 0 to the board and leave the rest as it was")
class ViewAddsACellAndChangesAnother(TakeAway):
    def view(self, state: Pile) -> pp.View:
        rows = (tuple(pp.Cell(str(left), (str(state.left),)) for left in range(5, state.left, -1)),)
        controls = (control._replace(adds=0) for control in super().view(state).controls)
        return pp.View(rows, tuple(controls))


@breaks("view", "action 1 does not add cell 1 to the board")
class ViewAddsACellThatIsNotThere(TakeAway):
    def view(self, state: Pile) -> pp.View:
        controls = (control._replace(adds=1) for control in super().view(state).controls)
        return pp.View(((pp.Cell("pile"),),), tuple(controls))


@breaks("view", "the numbers (('left', 5.0),) of the view are not all whole numbers")
class ViewWithAFraction(TakeAway):
    def view(self, state: Pile) -> pp.View:
        number: Any = float(state.left)
        return super().view(state)._replace(numbers=(("left", number),))


@breaks("view", "two of the numbers (('left', 5), ('left', 0)) of the view have the same name")
class ViewWithTwoNumbersOfOneName(TakeAway):
    def view(self, state: Pile) -> pp.View:
        return super().view(state)._replace(numbers=(("left", state.left), ("left", 0)))


@breaks("view", "RuntimeError: too dark", "dialogue")  # a question shows the board
class NoView(TakeAway):
    def view(self, state: Pile) -> pp.View:
        raise RuntimeError("too dark")


# dialogue


class WrongAnswer(Dialogue[Pile]):
    def answers(self, state: Pile, action: pp.Action) -> Lines:
        return (self.game.action_text(state, 0),)


class OneAnswerTooMany(Dialogue[Pile]):
    def answers(self, state: Pile, action: pp.Action) -> Lines:
        return (*super().answers(state, action), "please")


class NoAnswers(Dialogue[Pile]):
    def answers(self, state: Pile, action: pp.Action) -> Lines:
        raise KeyError(action)


@breaks("dialogue", "the answers ('take 1',) do not lead to action 1")
class AnswersTheOther(TakeAway):
    def dialogue(self) -> Dialogue[Pile]:
        return WrongAnswer(self)


@breaks("dialogue", "the dialogue asks nothing after the answers ('take 1',)")
class AnswersOnAndOn(TakeAway):
    def dialogue(self) -> Dialogue[Pile]:
        return OneAnswerTooMany(self)


@breaks("dialogue", "KeyError: 0")
class AnswersNothing(TakeAway):
    def dialogue(self) -> Dialogue[Pile]:
        return NoAnswers(self)


# theory


class Threes(pp.Theory[Pile]):
    """Whoever leaves a multiple of three wins, by taking what the other left of three."""

    knows_plies = True

    def value(self, state: Pile) -> pp.Value:
        rounds, rest = divmod(state.left, 3)
        return pp.Value("win", 2 * rounds + 1) if rest else pp.Value("loss", 2 * rounds)


@dataclass(frozen=True)
class Understood(TakeAway):
    """The small game with a theory, which holds."""

    def theory(self) -> pp.Theory[Pile]:
        return Threes(self)


def test_a_theory_that_is_right_is_not_blamed() -> None:
    pp.check_game(Understood(pile=11))


class AlwaysWon(Threes):
    def value(self, state: Pile) -> pp.Value:
        return pp.Value("win", 1)


class AlwaysTied(Threes):
    knows_plies = False

    def value(self, state: Pile) -> pp.Value:
        return pp.Value("tie")


class WonWhileItGoesOn(Threes):
    knows_plies = False

    def value(self, state: Pile) -> pp.Value:
        return pp.Value("win" if state.left else "loss")


class TooSlow(Threes):
    def value(self, state: Pile) -> pp.Value:
        value = super().value(state)
        return value._replace(plies=(value.plies or 0) + 2) if state.left > 3 else value


class LateFromTheEndOn(Threes):
    def value(self, state: Pile) -> pp.Value:
        value = super().value(state)
        return value._replace(plies=(value.plies or 0) + 2)


class NoPlies(Threes):
    def value(self, state: Pile) -> pp.Value:
        return super().value(state)._replace(plies=None) if state.left else super().value(state)


class MovesOfItsOwn(Threes):
    def moves(self, state: Pile) -> tuple[tuple[pp.Action, pp.Value], ...]:
        return super().moves(state)[:1]


class ValuesMovesOtherwise(Threes):
    def moves(self, state: Pile) -> tuple[tuple[pp.Action, pp.Value], ...]:
        return tuple((action, value.before(same_side=True)) for action, value in super().moves(state))


class EverythingIsBest(Threes):
    def best(self, state: Pile) -> tuple[pp.Action, ...]:
        return self.game.legal_actions(state)


class Miscounts(Threes):
    def count_best(self, state: Pile) -> int:
        return 1


@breaks("theory", "the theory says tie where the game is over: loss in 0 (position Pile(left=0, ")
class TheoryOfTies(Understood):
    def theory(self) -> pp.Theory[Pile]:
        return AlwaysTied(self)


@breaks("theory", "the theory says win in 1, but loss in 2 by its best move")
class TheoryOfWins(Understood):
    def theory(self) -> pp.Theory[Pile]:
        return AlwaysWon(self)


@breaks("theory", "the theory says win, but loss by its best move")
class TheoryThatSeesTheEndAlone(Understood):
    def theory(self) -> pp.Theory[Pile]:
        return WonWhileItGoesOn(self)


@breaks("theory", "the theory says win in 5, but win in 3 by its best move", pile=4)
class TheoryOfWrongDistances(Understood):
    def theory(self) -> pp.Theory[Pile]:
        return TooSlow(self)


@breaks("theory", "the theory says loss in 2 where the game is over: loss in 0")
class TheoryThatCountsFromTwo(Understood):
    def theory(self) -> pp.Theory[Pile]:
        return LateFromTheEndOn(self)


@breaks("theory", "the theory knows plies but gives win without them")
class TheoryWithoutDistances(Understood):
    def theory(self) -> pp.Theory[Pile]:
        return NoPlies(self)


@breaks("theory", "the theory's moves are not the legal actions")
class TheoryOfOtherMoves(Understood):
    def theory(self) -> pp.Theory[Pile]:
        return MovesOfItsOwn(self)


@breaks("theory", "of action 0, and ")
class TheoryAtOddsWithItself(Understood):
    def theory(self) -> pp.Theory[Pile]:
        return ValuesMovesOtherwise(self)


@breaks("theory", "the theory's best moves are not (1,), which have the best value")
class TheoryOfTooManyBest(Understood):
    def theory(self) -> pp.Theory[Pile]:
        return EverythingIsBest(self)


@breaks("theory", "the theory's best moves are not (0, 1), which have the best value", pile=6, last="wins")
class TheoryThatMiscounts(Understood):
    def theory(self) -> pp.Theory[Pile]:
        return Miscounts(self)


# repeatable


class Tired(Pile):
    """A pile that remembers in secret how many were taken last."""

    last = 0


@breaks("repeatable", "the same position gives different answers")
class SecretInThePosition(TakeAway):
    def initial(self) -> Pile:
        return Tired(*super().initial())

    def apply(self, state: Pile, action: pp.Action) -> Pile:
        after = Tired(*super().apply(state, action))
        after.last = action + 1
        return after

    def legal_actions(self, state: Pile) -> tuple[pp.Action, ...]:
        tired = state.left == 2 and isinstance(state, Tired) and state.last == 2
        return super().legal_actions(state)[: 1 if tired else 2]

    def after_forfeit(self, state: Pile) -> None:
        return None


@breaks("repeatable", "the same position gives different answers")
class SecretInTheGame(TakeAway):
    """Once the pile was empty, nobody may take two from five."""

    emptied: ClassVar[list[bool]] = []

    def legal_actions(self, state: Pile) -> tuple[pp.Action, ...]:
        if not state.left:
            self.emptied.append(True)
        return super().legal_actions(state)[: 1 if self.emptied and state.left == 5 else 2]

    def after_forfeit(self, state: Pile) -> None:
        return None


@breaks("repeatable", "the moves that led here now lead to Pile(left=-5, side=0)", pile=9)
class MovesChangeTheirMeaning(TakeAway):
    """Once the pile was empty, whoever takes one from nine takes six."""

    emptied: ClassVar[list[bool]] = []

    def apply(self, state: Pile, action: pp.Action) -> Pile:
        after = super().apply(state, action)
        if not after.left:
            self.emptied.append(True)
        more = 5 if self.emptied and state.left == 9 and not action else 0
        return after._replace(left=after.left - more)


# What is found, and how it is told

OF_THE_GAME = ("names", "initial", "spec", "readings", "first")


@pytest.mark.parametrize("broken", [pytest.param(each, id=type(each.game).__name__) for each in BROKEN])
def test_a_broken_law_is_caught_and_no_other_is_blamed(broken: Broken) -> None:
    broken.forget()
    with pytest.raises(pp.ConformanceError) as caught:
        pp.check_game(broken.game)
    found = caught.value.violations
    assert set(found) == {broken.law} | broken.also
    assert broken.witness in found[broken.law]
    where = "(the game itself)" if broken.law in OF_THE_GAME else "(position "
    assert where in found[broken.law]
    assert "(position None)" not in found[broken.law]
    assert f"\n- {broken.law}: {found[broken.law]}" in str(caught.value)
    assert str(caught.value).startswith(f"{broken.game.name} breaks {len(found)} law(s)")


def test_every_law_has_a_game_that_breaks_it() -> None:
    assert {each.law for each in BROKEN} == set(LAWS)


class BrokenAtTheEnd(TakeAway):
    """Breaks a law only where one is left, which is far from the start in a large pile."""

    def state_text(self, state: Pile) -> str:
        return "one" if state.left == 1 else super().state_text(state)


def test_random_games_reach_what_the_first_positions_do_not() -> None:
    game = BrokenAtTheEnd(pile=40)
    pp.check_game(game, states=10, walks=0)
    with pytest.raises(pp.ConformanceError) as caught:
        pp.check_game(game, states=10, walks=20)
    assert set(caught.value.violations) == {"state-text"}
    assert "Pile(left=1, " in caught.value.violations["state-text"]
    [broken] = broken_laws(game, states=10, walks=20)
    assert sum(action + 1 for action in broken.path if action is not None) == 39


class StuckAtTheEnd(TakeAway):
    """Nobody may take the last one, which is deep in a large pile; every second ply may be taken again."""

    def legal_actions(self, state: Pile) -> tuple[pp.Action, ...]:
        return super().legal_actions(state)[: 0 if state.left < 2 else 2]

    def outcome(self, state: Pile) -> pp.Outcome | None:
        return super().outcome(state)


def test_a_dead_end_deep_in_a_large_game_is_found_with_the_moves_to_it() -> None:
    game = StuckAtTheEnd(pile=9000)
    [broken] = broken_laws(game)
    assert broken.law == "dead-end"
    assert len(broken.path) > 4500
    state = game.initial()
    for action in broken.path:
        assert action is not None
        state = game.play(state, action)
    assert broken.where == f"position {state!r}"
    assert game.legal_actions(state) == ()


def test_a_position_that_was_seen_before_is_shown_by_the_moves_that_led_there_now() -> None:
    [broken] = broken_laws(SecretInThePosition())
    *_, state = walks.positions(SecretInThePosition(), broken.path)
    assert broken.where == f"position {state!r}"
    assert (state, len(broken.path)) == ((2, 0), 2)


def test_the_moves_to_a_broken_law_may_hold_a_lost_turn() -> None:
    class OddEnd(TakeAway):
        def state_text(self, state: Pile) -> str:
            return "odd" if state == Pile(5, 1) else super().state_text(state)

    [broken] = broken_laws(OddEnd())
    assert (broken.law, broken.path) == ("state-text", (None,))
    assert walks.texts(OddEnd(), broken.path) == ("forfeit",)


def test_a_game_that_stops_deep_down_is_told_with_the_moves_to_there() -> None:
    class Snaps(TakeAway):
        def apply(self, state: Pile, action: pp.Action) -> Pile:
            if state.left == 100:
                raise RuntimeError("snap")
            return super().apply(state, action)

    [broken] = broken_laws(Snaps(pile=5000), states=50)
    assert broken.law == "apply"
    assert str(broken) == "play stopped with RuntimeError: snap (while playing)"
    assert sum(action + 1 for action in broken.path if action is not None) == 4900


class NeverEnds(TakeAway):
    """A pile that grows."""

    begun: ClassVar[list[bool]] = []
    taken: ClassVar[list[Pile]] = []

    def initial(self) -> Pile:
        self.begun.append(True)
        return super().initial()

    def apply(self, state: Pile, action: pp.Action) -> Pile:
        self.taken.append(state)
        return Pile(state.left + action + 1, pp.other(state.side))


def test_games_without_end_are_left_after_so_many_plies_in_all() -> None:
    NeverEnds.begun.clear()
    NeverEnds.taken.clear()
    pp.check_game(NeverEnds(), states=20)
    deepest = max(state.left for state in NeverEnds.taken)
    assert 10_000 < deepest < 20_200
    assert 20_000 < len(NeverEnds.taken) < 30_000
    assert len(NeverEnds.begun) > 20


def test_a_game_that_was_seen_as_a_whole_is_not_played_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_walk(*_: Any) -> Iterator[tuple[Any, int]]:
        raise AssertionError

    monkeypatch.setattr("perfectplay.core.conformance.deep_walk", no_walk)
    pp.check_game(TakeAway())
    with pytest.raises(pp.ConformanceError, match="play stopped with AssertionError"):
        pp.check_game(TakeAway(), states=5)


def test_a_board_may_be_empty_at_the_start() -> None:
    pp.check_game(pp.load("mirror-match"), states=1, walks=0)


@pytest.mark.parametrize("plies", [0, 20_000])
def test_a_secret_is_found_in_random_games_and_when_asked_again(
    plies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("perfectplay.core.conformance.PLIES", plies)
    SecretInTheGame.emptied.clear()
    [again] = broken_laws(SecretInTheGame())
    assert (again.law, again.where, again.path) == ("repeatable", "position Pile(left=5, side=0)", ())
    SecretInTheGame.emptied.clear()
    [walked] = broken_laws(SecretInTheGame(pile=7), states=4)
    assert (walked.law, walked.path) == ("repeatable", (1,))


def test_the_moves_that_changed_their_meaning_are_told() -> None:
    MovesChangeTheirMeaning.emptied.clear()
    [broken] = broken_laws(MovesChangeTheirMeaning(pile=9))
    assert sum(action + 1 for action in broken.path if action is not None) == 9


def test_a_long_position_is_cut_short() -> None:
    assert place("7" * 298) == f"position '{'7' * 298}'"
    assert place("7" * 299) == f"position '{'7' * 299}..."


def test_very_broad_games_are_looked_at_in_few_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perfectplay.core.conformance.WORK", 40_000)
    asked: set[Any] = set()

    @dataclass(frozen=True)
    class Watched(BitFlip):
        def state_text(self, state: Any) -> str:
            asked.add(state)
            return super().state_text(state)

    pp.check_game(Watched(bits=40), walks=0)
    assert len(asked) == 40_000 // (40**2 + 4 * 40) == 22
    asked.clear()
    pp.check_game(Watched(bits=60), walks=0)
    assert len(asked) == 20


def test_of_very_many_actions_a_law_tries_some_from_all_over() -> None:
    asked: list[pp.Action] = []

    @dataclass(frozen=True)
    class Watched(BitFlip):
        def refusal(self, state: Any, action: pp.Action) -> pp.Refusal | None:
            asked.append(action)
            return super().refusal(state, action)

    game = Watched(bits=1000)
    assert list(STATE_LAWS["declared"](game, game.initial())) == []
    assert len(asked) == 200
    assert {action % 10 for action in asked} == {0, 5}
    assert min(asked) == 0
    assert max(asked) == 995


def test_the_first_position_that_breaks_a_law_is_its_witness_and_every_broken_law_is_told() -> None:
    class Twice(BrokenAtTheEnd):
        event_names = ()

    with pytest.raises(pp.ConformanceError) as caught:
        pp.check_game(Twice())
    assert list(caught.value.violations) == ["declared", "state-text"]
    assert "(position Pile(left=2, side=0))" in caught.value.violations["declared"]


def test_the_same_seed_finds_the_same() -> None:
    def report(seed: int) -> str:
        with pytest.raises(pp.ConformanceError) as caught:
            pp.check_game(BrokenAtTheEnd(pile=40), states=1, walks=20, seed=seed)
        return str(caught.value)

    assert report(3) == report(3)
    # Side 0 or side 1 is left with the last one, as the games of a seed have it.
    assert len({report(seed) for seed in range(8)}) == 2


def test_the_laws_hold_for_a_game_whose_moves_depend_on_the_position() -> None:
    pp.check_game(PICK)


def test_as_many_positions_are_looked_at_as_asked() -> None:
    stuck = table_game({"start": {"go": "stuck"}}, ends={}, movers={})
    pp.check_game(stuck, states=1, walks=0)
    with pytest.raises(pp.ConformanceError) as caught:
        pp.check_game(stuck, states=2, walks=0)
    assert caught.value.violations["dead-end"] == (
        "no legal action and no outcome; a forced pass must be an action of its own (position 'stuck')"
    )


def test_positions_after_a_lost_turn_are_looked_at_too() -> None:
    def handing(handed: dict[str, str]) -> pp.Game[str]:
        table = {"start": {"go": "end"}, "turn": {"go": "end"}}
        return table_game(
            table, ends={"end": 0}, movers={"turn": 1}, after_forfeit=lambda _, state: handed[state]
        )

    pp.check_game(handing({"start": "turn", "turn": "start"}))
    with pytest.raises(pp.ConformanceError) as caught:
        pp.check_game(handing({"start": "nowhere"}))
    assert "(position 'nowhere')" in caught.value.violations["dead-end"]


def test_the_seed_of_a_check_is_obeyed() -> None:
    seen: list[str] = []

    @dataclass(frozen=True)
    class Watched(BitFlip):
        def state_text(self, state: State) -> str:
            seen.append(super().state_text(state))
            return seen[-1]

    def visited(seed: int) -> list[str]:
        seen.clear()
        pp.check_game(Watched(bits=12), states=1, walks=3, seed=seed)
        return list(seen)

    assert visited(1) == visited(1)
    assert visited(1) != visited(2)

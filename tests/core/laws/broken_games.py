"""A small game that keeps every law, and games that break one law each."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from types import SimpleNamespace
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeVar

import perfectplay as pp
from perfectplay.core.dialogue import Dialogue, Lines


class Pile(NamedTuple):
    left: int
    side: pp.Side


@dataclass(frozen=True)
class TakeAway(pp.Game[Pile]):
    """Take one or two from a pile; the player who takes the last one wins, or loses."""

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
class OneSideNameInTwoSpellings(TakeAway):
    side_names = ("Red player", "red  Player")


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


@breaks("spec", 'ParseError: bad spec "take-away:color=red,green"', color="red,green")
@dataclass(frozen=True)
class CommaInAParameter(TakeAway):
    color: str = pp.parameter("red", "what color the pile has")


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
    first: Literal["1", "2"] = pp.parameter("1", "the side that goes first")


@breaks("first", "ignores who should start: Player 1 does not move first", first="2")
@dataclass(frozen=True)
class FirstTheOtherWay(IgnoresFirst):
    def initial(self) -> Pile:
        return Pile(self.pile, 1 if self.first == "1" else 0)


@breaks("first", "starting() does not let either side start")
class FirstForOneSide(IgnoresFirst):
    def starting(self, side: pp.Side) -> Self | None:
        return self if side == 1 else None


@breaks("first", "starting() does not let either side start")
@dataclass(frozen=True)
class FirstWithoutChoices(TakeAway):
    first: int = pp.parameter(1, "the side that goes first", least=1, most=2)


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


@breaks("names", "endings has ['boredom'], which outcome_reasons does not have")
class EndingWithoutAReason(TakeAway):
    def texts(self) -> pp.GameTexts[Any]:
        texts: pp.GameTexts[Any] = pp.GameTexts(self)
        texts.endings = {"boredom": "{winner} stayed awake."}  # type: ignore[misc]
        return texts


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


@breaks("refused", 'play(1) is illegal but does not raise IllegalActionError (position "1 ')
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


@breaks("refused", "a refused move changed the game: legal_actions was (0, 1) and is (0,)")
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
        return not self == other  # by default, a tuple compares by its items

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


@breaks("action-text", "'resign' cannot be used in a record", "dialogue")
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


@breaks("state-text", "is Pile(left=5, side=1), not the position (position Pile(left=5, side=0))")
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


@breaks("view", 'the view looks the same as in position "4 1"')
@breaks("view", "the view is empty in every position", pile=1)
class ShowsNothing(TakeAway):
    def view(self, state: Pile) -> pp.View:
        return super().view(state)._replace(rows=((pp.Cell(" "),),), captions=("",))

    def after_forfeit(self, state: Pile) -> None:
        return None


@breaks("view", 'the view looks the same as in position "4 1"')
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


class ViewWith(TakeAway):
    """A view whose only cell has these fields, with other fields of its own."""

    cell: ClassVar[dict[str, Any]] = {}
    fields: ClassVar[dict[str, Any]] = {}

    def view(self, state: Pile) -> pp.View:
        view = super().view(state)
        return view._replace(rows=((view.cells[0]._replace(**self.cell),),), **self.fields)


@breaks("view", "cell pile has the role 'home' and the owner None")
class ViewWithAnUnknownRole(ViewWith):
    cell: ClassVar[dict[str, Any]] = {"role": "home"}


@breaks("view", "cell pile has the role 'goal' and the owner 2")
class ViewWithAThirdOwner(ViewWith):
    cell: ClassVar[dict[str, Any]] = {"role": "goal", "owner": 2}


@breaks("view", "the links (Link(a=0, b=1, matched=False),) of the view are not all between cells")
class ViewLinkedToNothing(ViewWith):
    fields: ClassVar[dict[str, Any]] = {"links": (pp.Link(0, 1, False),)}


@breaks("view", "the view says that the board shows ('late',), which are not all captions")
class ViewWithoutACaptionOfTheBoard(ViewWith):
    fields: ClassVar[dict[str, Any]] = {"captions": ("early",), "on_board": ("late",)}


@breaks("view", "the aims ('one',) and the note '' of the view are not one line each")
class ViewWithOneAim(ViewWith):
    fields: ClassVar[dict[str, Any]] = {"aims": ("one",)}


@breaks("view", "the aims ('', '') and the note 'one\\ntwo' of the view are not one line each")
class ViewWithALongNote(ViewWith):
    fields: ClassVar[dict[str, Any]] = {"note": "one\ntwo"}


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


@breaks("dialogue", "'Undo' cannot be typed to make a move: at the prompt, undo is a command")
class MoveIsACommand(FirstText):
    text = "Undo"


@breaks("dialogue", "'save one' cannot be typed to make a move: at the prompt, save is a command")
class MoveBeginsLikeACommand(FirstText):
    text = "save one"


@breaks("dialogue", "KeyError: 0")
class AnswersNothing(TakeAway):
    def dialogue(self) -> Dialogue[Pile]:
        return NoAnswers(self)


# theory


class Threes(pp.Theory[Pile]):
    """The player who leaves a multiple of three wins, by taking what the other left of three."""

    knows_plies = True

    def value(self, state: Pile) -> pp.Value:
        rounds, rest = divmod(state.left, 3)
        return pp.Value("win", 2 * rounds + 1) if rest else pp.Value("loss", 2 * rounds)


@dataclass(frozen=True)
class Understood(TakeAway):
    """The small game with a theory, which holds."""

    def theory(self) -> pp.Theory[Pile]:
        return Threes(self)


class Misere(pp.Theory[Pile]):
    """The player who leaves one more than a multiple of three wins: the other must take the last one."""

    def value(self, state: Pile) -> pp.Value:
        return pp.Value("loss" if state.left % 3 == 1 else "win", None if state.left else 0)


class Peace(pp.Theory[Pile]):
    """Nobody wins."""

    knows_plies = True

    def value(self, state: Pile) -> pp.Value:
        return pp.Value("tie", (state.left + 1) // 2)


class LoserUnderstood(TakeAway):
    def theory(self) -> pp.Theory[Pile]:
        return Misere(self)


class PeaceUnderstood(TakeAway):
    def outcome(self, state: Pile) -> pp.Outcome | None:
        return None if state.left else pp.Outcome(None, "pile is empty")

    def theory(self) -> pp.Theory[Pile]:
        return Peace(self)


class OneByOne(pp.Theory[Pile]):
    """The side to move takes one at a time, and the last two at once."""

    knows_plies = True

    def value(self, state: Pile) -> pp.Value:
        return pp.Value("win", max(1, state.left - 1)) if state.left else pp.Value("loss", 0)


class AgainUnderstood(TakeAway):
    """A player who takes one and leaves some moves again."""

    def apply(self, state: Pile, action: pp.Action) -> Pile:
        after = super().apply(state, action)
        return after if action or not after.left else after._replace(side=state.side)

    def theory(self) -> pp.Theory[Pile]:
        return OneByOne(self)


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


@breaks("theory", 'the theory says tie where the game is over: loss in 0 (position "0 ')
class TheoryOfTies(Understood):
    def theory(self) -> pp.Theory[Pile]:
        return AlwaysTied(self)


@breaks("theory", "the theory says win in 1, but the best move gives loss in 2")
class TheoryOfWins(Understood):
    def theory(self) -> pp.Theory[Pile]:
        return AlwaysWon(self)


@breaks("theory", "the theory says win, but the best move gives loss")
class TheoryThatSeesTheEndAlone(Understood):
    def theory(self) -> pp.Theory[Pile]:
        return WonWhileItGoesOn(self)


@breaks("theory", "the theory says win in 5, but the best move gives win in 3", pile=4)
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


@breaks("theory", "for action 0, but ")
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


@breaks("repeatable", "different answers: legal_actions was (0,) and is (0, 1)")
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


@breaks("repeatable", 'the moves that led here now lead to position "-5 0"', pile=9)
class MovesChangeTheirMeaning(TakeAway):
    """Once the pile was empty, taking one from nine takes six."""

    emptied: ClassVar[list[bool]] = []

    def apply(self, state: Pile, action: pp.Action) -> Pile:
        after = super().apply(state, action)
        if not after.left:
            self.emptied.append(True)
        more = 5 if self.emptied and state.left == 9 and not action else 0
        return after._replace(left=after.left - more)

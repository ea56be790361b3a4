"""Exercises from your own games, line by line."""

from collections.abc import Sequence
from datetime import date

from perfectplay.coach.exercises import Exercise
from perfectplay.core.dialogue import Forfeit
from perfectplay.core.errors import PerfectplayError
from perfectplay.core.formatting import join_words, pluralize
from perfectplay.core.game import Refusal
from perfectplay.strength.journal import Journal
from perfectplay.terminal import journal_file, messages
from perfectplay.terminal.command_parser import Commands
from perfectplay.terminal.console import Console, EndOfInput
from perfectplay.terminal.line.line_mode import Quit
from perfectplay.terminal.move_entry import MoveReader
from perfectplay.validation import validate_game

HELP = (
    "Type a move, or one of these:",
    "  help, h, ?  this list",
    "  answer      the moves that solve it, and what your move in the game led to",
    "  undo, u     take back the first half of a move that needs two answers",
    "  skip        the next exercise",
    "  quit, q     leave",
)
COMMANDS = Commands.parse_help(HELP)


def practise(console: Console, exercises: Sequence[Exercise], today: date) -> None:
    """Ask exercises one after the other. The first answer to each counts for when it comes back."""
    solved = tried = 0
    try:
        for number, exercise in enumerate(exercises, start=1):
            head = f"Exercise {number} of {len(exercises)}: " if len(exercises) > 1 else ""
            result = _ask(console, exercise, head, today)
            if result is None:
                continue
            tried, solved = tried + 1, solved + result
    except (EndOfInput, Quit):
        console.say("")
    if len(exercises) > 1 and tried:
        console.say(f"Solved at once: {solved} of {tried}.")


def _ask(console: Console, exercise: Exercise, head: str, today: date) -> bool | None:
    """Ask one exercise: whether the first answer solved it; None if it was skipped or cannot be asked."""
    try:
        oracle = journal_file.oracle_of(exercise)
    except PerfectplayError as error:
        console.say(f"An exercise of {exercise.game} cannot be shown: {error}.")
        return None
    game = oracle.game
    state = game.parse_state(exercise.position)
    dialogue = game.dialogue().fold_to(console.width)
    console.say("", f"{head}{game.title}", *dialogue.board(state), exercise.question(oracle))
    first: bool | None = None

    def record(solved: bool) -> bool:
        if first is None:
            journal_file.change(lambda kept: kept.add_trial(exercise, today, solved=solved))
        return solved if first is None else first

    turn = MoveReader(dialogue, state)
    while True:
        prompt = turn.prompt()
        board = dialogue.board(state)
        console.say(*(line for line in prompt.lines if line not in board))
        line = console.ask(prompt.text)
        command = COMMANDS.read(line)
        match None if command is None else command.word:
            case "quit":
                raise Quit
            case "help":
                console.say(*HELP)
            case "skip":
                return first
            case "undo":
                nothing = "There is nothing to take back."
                console.say(messages.describe_takeback(turn.take_back()) if turn.answers else nothing)
            case "answer":
                moves = join_words(exercise.solutions(oracle))
                console.say(f"Solved by {moves}.", *exercise.recount(oracle))
                return record(False)
            case _:
                step = turn.answer(line)
                if isinstance(step, Refusal | Forfeit):
                    console.say(f"{step.text} Choose again." if isinstance(step, Forfeit) else step.text)
                elif step is not None:
                    answer = exercise.answer(game.action_text(state, step), oracle)
                    first = record(answer.solved)
                    if answer.solved:
                        console.say("Right.", *answer.words, *exercise.recount(oracle))
                        return first
                    console.say("Wrong.", *answer.words, "Try again; answer: show it, skip: next.")
                    turn = MoveReader(dialogue, state)


def choose_exercises(game: str | None, day: str | None) -> tuple[date, tuple[Exercise, ...]]:
    """The day of which exercises are asked, and all those of a game, or of one of its settings.

    Raises PerfectplayError for a game that is not known.
    """
    from perfectplay.coach.puzzles import day_of

    today = date.today() if day is None else day_of(day)
    exercises = journal_file.load().exercises
    chosen = tuple(each for each in exercises if game in (None, each.game, each.game.partition(":")[0]))
    if game is not None and not chosen:
        validate_game(game)
    return today, chosen


def state_of(exercises: Sequence[Exercise], today: date) -> str:
    """How many exercises there are, and when to continue."""
    if not exercises:
        return "There are no exercises yet: a move that gives something away in a game of yours becomes one."
    count = pluralize(len(exercises), "exercise", "exercises")
    due = sum(each.due <= today for each in exercises)
    later = journal_file.about_due(Journal(exercises=tuple(exercises)), today)
    return f"Due today: {due} of {count}." if due else f"Of {count}, {later}."


def as_dict(exercise: Exercise) -> dict[str, object]:
    """An exercise as data for JSON, or what is wrong with it."""
    found: dict[str, object] = {**exercise.as_dict(), "due": exercise.due.isoformat()}
    try:
        return {**found, **exercise.describe(journal_file.oracle_of(exercise))}
    except PerfectplayError as error:
        return {**found, "problem": str(error)}

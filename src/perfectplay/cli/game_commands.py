"""The commands for people: to play, to read, to solve and to audit games."""

from perfectplay.cli.limits import MOST_PLIES
from perfectplay.cli.options import (
    BOARD,
    BOUNDS,
    FOLDER,
    GAME,
    JSON,
    LIMIT,
    LINE,
    NEW_FILE,
    PATH,
    TURNS,
    Command,
    SpecType,
    argument,
    choice,
    flag,
    number,
    option,
    seed_option,
)
from perfectplay.terminal.limits import MOST_SERIES_GAMES

PLAYING = (
    Command(
        "play",
        "terminal.mode:play",
        argument("game", type=SpecType("game"), required=False),
        option("--p1", type=SpecType("player"), default="human", help="The first player."),
        option(
            "--p2",
            type=SpecType("player"),
            default="human",
            help="The second player: human, level:1 to level:10, perfect, learned, random, program:COMMAND.",
        ),
        choice("--first", "1 2 random", help="The player who starts: p1, p2 or at random."),
        number("--games", 1, MOST_SERIES_GAMES, default=1, help="Number of games in the series."),
        flag("--no-alternate", help="The same player starts every game of a series."),
        seed_option(),
        BOARD,
        number(
            "--max-plies",
            1,
            MOST_PLIES,
            help="Stop a game unfinished after this many moves (of either side).",
        ),
        option("--save", type=PATH, help="Save the game in this file."),
        flag("--forgiving", help="Ask again where an invalid move would forfeit the turn."),
        option("--table", metavar="URL", help="Join an online game by its link."),
        option("--host", metavar="URL", help="Make a table on this server, and print its link."),
        option("--name", help="Your name at a web table."),
        LINE,
        excludes={
            "table": "game host p1 p2 first games no_alternate seed max_plies save forgiving",
            "host": "p1 p2 first games no_alternate seed max_plies save forgiving",
        },
        help="""Play a game.

        GAME is a name, a name with parameters, or a game file.

        \b
        perfectplay play bit-flip --p2 random
        perfectplay play inversion-race:passing=leapfrog,first=B
        perfectplay play ./tic_tac_toe.py
        perfectplay play bit-flip --host http://HOST --name Ann
        perfectplay play --table http://HOST/join/TABLE/CODE --name Bob
        """,
    ),
    Command(
        "resume",
        "terminal.mode:resume",
        argument("which", required=False),
        BOARD,
        flag("--trust", help="Allow a file from elsewhere to run its game file or program."),
        option("--forget", metavar="NUMBER", help="Remove this game from the list; its file is kept."),
        LINE,
        excludes={"forget": "which board trust"},
        help="""Continue a saved game.

        WHICH is its file, or its number in the list of open games.
        """,
    ),
    Command(
        "demo",
        "terminal.mode:demo",
        argument("game", type=SpecType("game"), required=False),
        seed_option(),
        LINE,
        help="Watch the computer play GAME, or every game.",
    ),
    Command(
        "puzzle",
        "terminal.commands.show:show_puzzles",
        argument("game", type=SpecType("game"), required=False),
        option("--date", "day", metavar="YYYY-MM-DD", help="The day of the puzzle, by default today."),
        option("--try", "moves", metavar="MOVE", multiple=True, help="Try a move; may be repeated."),
        flag("--answer", help="Show the answer."),
        JSON,
        help="""Show the puzzle of the day for GAME, or for every game.

        In a puzzle exactly one move keeps the win, the tie or the game. Everyone gets the same puzzle on
        the same day, with a setting of the game that changes from day to day.

        \b
        perfectplay puzzle
        perfectplay puzzle bit-flip --date 2026-01-05 --answer
        perfectplay puzzle bit-flip --date 2026-01-05 --try 2
        """,
    ),
    Command(
        "exercises",
        "terminal.mode:exercises",
        argument("game", type=SpecType("game"), required=False),
        flag("--all", "every", help="Include exercises that are not due today."),
        option("--date", "day", metavar="YYYY-MM-DD", help="The day to ask for, by default today."),
        JSON,
        LINE,
        help="""Try the mistakes of your own games again.

        Every move that gave something away is an exercise. A solved exercise comes back after a day, then
        after 3, 7, 14 and more; a failed one the same day.

        \b
        perfectplay exercises
        perfectplay exercises bit-flip --all
        """,
    ),
    Command(
        "stats",
        "terminal.commands.stats:show_statistics",
        JSON,
        flag("--delete", help="Delete all statistics and exercises; records of games are kept."),
        flag("--yes", help="With --delete: do not ask."),
        excludes={"delete": "as_json"},
        help="""Show your results, your accuracy and your level.

        Games against the computer and online games count, and never leave this machine.
        """,
    ),
    Command(
        "config",
        "terminal.preferences:show_config",
        JSON,
        help="""Print where the config file is, and the settings that hold.

        The file is TOML: opponent, level, theme, motion, line and keys.
        """,
    ),
)

READING = (
    Command("games", "terminal.commands.show:show_games", JSON, help="List the games and their parameters."),
    Command(
        "rules",
        "terminal.commands.show:show_rules",
        GAME,
        JSON,
        help="""Print the rules of GAME.

        They include the parameters, and how ambiguous rules are interpreted.
        """,
    ),
    Command(
        "replay",
        "terminal.commands.show:replay",
        argument("file", metavar="FILE"),
        option("--moves", help="Take FILE as a game and play these moves: --moves 'left, right'."),
        flag("--verify", help="Only check every move and the result."),
        option("--game", "game_file", help="The game file, for a record of a game from a file."),
        option("--picture", type=NEW_FILE, help="Draw the last position instead, as SVG or PNG."),
        help="""Step through a record, or through moves of a game.

        FILE is the record or, with --moves, a game. The moves may be the witness of an audit.

        \b
        perfectplay replay game.txt
        perfectplay replay dual-direction --moves "left, left, left, left"
        perfectplay replay game.txt --picture end.svg
        """,
    ),
)

SOLVING = (
    Command(
        "solve",
        "terminal.commands.solve:show_solution",
        GAME,
        flag("--exact-distance", help="Count plies too where theory gives only the result."),
        option("--save", type=FOLDER, help="Write a table base of the game to this folder, or continue one."),
        choice(
            "--on",
            "numpy jax",
            help="Solve by rules on arrays with this. By default, JAX if it finds an accelerator.",
        ),
        *BOUNDS,
        JSON,
        excludes={"save": "exact_distance processes", "on": "exact_distance processes"},
        help="""Say who wins GAME under perfect play.

        It also says in how many plies (moves of either side), and what each first move is worth.

        \b
        perfectplay solve inversion-race
        perfectplay solve bit-flip:bits=20 --exact-distance
        perfectplay solve ./tic_tac_toe.py --limit 10000 --json
        """,
    ),
    Command(
        "compare",
        "terminal.commands.compare:show_comparison",
        argument("one", type=SpecType("game")),
        argument("other", type=SpecType("game")),
        TURNS,
        number(
            "--limit",
            1,
            default=30_000,
            help="Positions of a game to visit at most, or moves of an environment to try.",
        ),
        JSON,
        help="""Say whether two games are the same, or how they first differ.

        Names of moves do not matter: two games are the same if every position of one has a counterpart in
        the other, with as many moves to the same positions, and the same winners.

        Exit codes: 0 the same, 1 different, 2 bad input, 3 no difference found, but there are more positions.

        \b
        perfectplay compare bit-flip:bits=4 bit-flip:bits=5
        perfectplay compare dual-direction env:./env.py --turns alternating
        perfectplay compare ./tic_tac_toe.py env:pettingzoo:tictactoe_v3 --json
        """,
    ),
    Command(
        "analyze",
        "terminal.commands.solve:analyze",
        GAME,
        option("--position", help="A position as records write it; by default the start."),
        option("--record", type=PATH, help="The record of a game: judge every move in it."),
        *BOUNDS,
        JSON,
        excludes={"position": "record"},
        help="""Say what each move is worth, or judge a played game.

        Without --record, it lists the moves of one position of GAME.

        \b
        perfectplay analyze bit-flip --position "0000100000 2"
        perfectplay analyze bit-flip --record game.txt
        perfectplay analyze mirror-match --position "1-2 1" --json
        """,
    ),
)

AUDITING = (
    Command(
        "audit",
        "terminal.commands.audit:show_audit",
        GAME,
        LIMIT,
        JSON,
        option("--html", type=NEW_FILE, help="Write the audit as a page to this file; - is standard output."),
        option("--sweep", metavar="NAME=A..B", help="Make a table for a range of a parameter instead."),
        excludes={"sweep": "html limit"},
        help="""Audit the rules of GAME.

        The audit says who wins by force, what never ends and which rule can never apply. In a large game,
        dead ends are looked for as far as solve would go, which --limit changes.

        \b
        perfectplay audit dual-direction
        perfectplay audit ./my_game.py --html audit.html
        perfectplay audit race-to-the-center:arrival=full-turn --json
        perfectplay audit bit-flip --sweep bits=4..12
        """,
    ),
    Command(
        "check-game",
        "terminal.commands.audit:check_game",
        argument("game", metavar="FILE", type=SpecType("game")),
        LIMIT,
        JSON,
        help="""Check that the game in FILE follows the laws of all games.

        Everything else relies on these laws; docs/add-a-game.md lists them. The search for dead ends stops at
        --limit positions. The exit status is 0 if all checks pass. It is 1 if one fails, which is printed
        with the moves that show it.

        \b
        perfectplay check-game ./my_game.py
        perfectplay check-game bit-flip:bits=12
        """,
    ),
)

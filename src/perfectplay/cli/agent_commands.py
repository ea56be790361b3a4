"""The commands around games: agents, bots and environments of others, files, servers, shells."""

import click

from perfectplay.cli.limits import (
    MOST_MEASURED_PLIES,
    MOST_SAMPLED_GAMES,
    MOST_SECONDS,
    MOST_UPDATES,
    MOST_WORKERS,
)
from perfectplay.cli.options import (
    EXISTING,
    FILE,
    FOLDER,
    GAME,
    GAMES,
    JSON,
    NEW_FILE,
    PATH,
    Command,
    OfferedCommand,
    SpecType,
    WholeNumber,
    argument,
    choice,
    flag,
    number,
    option,
    seed_option,
)

MEASURING = (
    Command(
        "train",
        "terminal.commands.train:train",
        GAME,
        number("--updates", 1, MOST_UPDATES, default=400, help="How long to train."),
        option("--out", type=PATH, help="The file of the trained player; by default GAME.policy.json."),
        seed_option(default=0),
        flag("--force", help="Begin afresh, and replace a file that exists already."),
        help="""Train a player of GAME by self-play.

        Shows how far it is from perfect play as it learns, over all positions, and leaves a file to play
        against. Ctrl-C keeps what was learned so far; the same command continues from there. Before the first
        update, it keeps nothing. It needs the extra jax.

        \b
        perfectplay train bit-flip
        perfectplay play bit-flip --p2 learned:bit-flip.policy.json
        """,
    ),
    Command(
        "arena",
        "terminal.commands.arena:show_arena",
        argument("players", type=SpecType("player"), nargs=-1),
        GAMES,
        option(
            "--opponent",
            "opponents",
            type=SpecType("player"),
            multiple=True,
            help="Let the players meet this opponent instead of each other; may be repeated.",
        ),
        flag("--table", help="Print a cross-table: how often each player beats each other."),
        flag(
            "--best-response",
            help="Add what the best response to an opponent scores, and the decisions that players keep.",
        ),
        option(
            "--games",
            "count",
            type=WholeNumber(1, MOST_SAMPLED_GAMES),
            default=100,
            help="Games for each pair and seat, where they are played, or sampled for --table;"
            " else 400 are sampled.",
        ),
        number(
            "--plies",
            0,
            MOST_MEASURED_PLIES,
            help="Count one half for a game that is not over by then, by default 100; 0 for no limit.",
        ),
        option("--out", type=PATH, help="Keep the games that are played in this folder."),
        choice(
            "--on",
            "here pool ray",
            default="here",
            help="Play in this process, in several, or on a Ray cluster.",
        ),
        number("--workers", 1, MOST_WORKERS, default=2, help="Processes of a pool."),
        seed_option(default=0),
        JSON,
        excludes={"table": "opponents best_response out on workers"},
        help="""Let PLAYERS meet, every pair in both seats.

        Prints the points of each player, and the strengths of those whose move probabilities are not known.
        Without PLAYERS, a standard selection meets. A bot may be given a name, as in NAME=SPEC.

        Results between known players are computed. All others play. With --out, the games are kept in a
        folder: an arena that was interrupted continues where it stopped, and a finished one plays nothing.
        Where nothing is played, no files are written.

        \b
        perfectplay arena random level:3 search:depth=2 mcts:simulations=5 --game bit-flip --out arena
        perfectplay arena --game bit-flip --opponent level:3 --best-response
        perfectplay arena random level:5 perfect --game bit-flip --game dual-direction --table
        """,
    ),
    Command(
        "report",
        "terminal.commands.arena:show_report",
        argument("logs", type=PATH, nargs=-1, required=True),
        JSON,
        option("--html", type=NEW_FILE, help="Write a page with pictures to this file."),
        option("--parquet", type=NEW_FILE, help="Write the samples to this file."),
        flag("--verify", help="Play every raw answer again; exit with 1 if counts differ."),
        option(
            "--game",
            "files",
            type=EXISTING,
            multiple=True,
            help="A game file or a copy of gg-bench that the logs name and that may be run; may be repeated.",
        ),
        help="""Print what was measured in LOGS.

        They are logs of Inspect, folders of an arena, or files of perfectplay mcp. They are read as data:
        nothing in them starts a program, or a game file or environment that you do not name with --game.

        \b
        perfectplay report logs
        perfectplay report logs --json
        perfectplay report logs --verify
        perfectplay report logs --html report.html --parquet samples.parquet
        """,
    ),
    Command(
        "leaderboard",
        "terminal.commands.arena:show_leaderboard",
        argument("folder", type=FOLDER),
        option(
            "--seed-file",
            "seed_files",
            type=FILE,
            multiple=True,
            help="The file with a held-out seed of the logs; may be repeated.",
        ),
        JSON,
        option("--html", type=NEW_FILE, help="Write a page with pictures to this file."),
        help="""Compare the models whose logs of the suite are in FOLDER.

        The logs come from inspect eval perfectplay/suite. A log gets a row only if its questions are those of
        the suite and every raw answer, counted again, gives what it stores. All others are named with the
        reason, and the exit code is then 1.

        \b
        perfectplay leaderboard logs
        perfectplay leaderboard logs --seed-file seed.txt --html models.html
        """,
    ),
    Command(
        "dataset",
        "terminal.commands.solve:write_dataset",
        GAME,
        option(
            "--out",
            type=NEW_FILE,
            required=True,
            help="The file, FILE.jsonl or FILE.parquet; - is standard output, as lines of JSON.",
        ),
        number("--plies", 1, MOST_MEASURED_PLIES, help="Only positions within this many plies."),
        help="""Write every position of GAME to a file.

        Each row has the observation, the legal moves and the best moves.

        \b
        perfectplay dataset bit-flip --out positions.jsonl
        perfectplay dataset mirror-match:digits=3 --plies 6 --out positions.parquet
        """,
    ),
    OfferedCommand("mcp", "perfectplay-mcp", help="Serve the games to an agent over MCP."),
)


CHECKING = (
    Command(
        "check-bot",
        "terminal.commands.audit:check_bot",
        argument("command", nargs=-1, required=True),
        number("--seconds", 1, MOST_SECONDS, default=10, help="Time per answer."),
        seed_option(default=0),
        GAMES,
        help="""Check that a program can play here.

        The program that COMMAND starts must speak the protocol of docs/bots.md.

        \b
        perfectplay check-bot "python3 bot.py"
        perfectplay check-bot "python3 bot.py" --game bit-flip --game mirror-match:digits=3
        """,
    ),
    OfferedCommand(
        "audit-env", "perfectplay-foreign", help="Audit games and environments that others wrote."
    ),
    OfferedCommand("replay-env", "perfectplay-foreign", help="Play moves in an environment, step by step."),
)

SERVING = (
    OfferedCommand("serve", "perfectplay-server", help="Run a server to play in browsers."),
    Command(
        "completion",
        "cli.shell:print_completion",
        argument("shell", type=click.Choice(["bash", "zsh", "fish"])),
        help="""Print the completion script for SHELL.

        The shell must evaluate it when it starts:

        \b
        bash:  eval "$(perfectplay completion bash)"
        zsh:   eval "$(perfectplay completion zsh)"
        fish:  perfectplay completion fish | source
        """,
    ),
    Command(
        "man",
        "cli.shell:print_manual",
        help="""Print the manual page.

        \b
        perfectplay man > ~/.local/share/man/man1/perfectplay.1
        """,
    ),
)

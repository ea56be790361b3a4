"""Makes small changes to the code and reports those that no test notices.

`make mutants` runs the suites in `mutants.toml`: of each a share of the changes, drawn with a fixed seed.
`python -m tools.mutants core 'perfectplay.core.match.*'` tries all changes of one suite whose names fit.
Fails if more changes of a function go unnoticed than docs/mutants.md explains.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "build" / "mutants"
EXPLAINED = ROOT / "docs" / "mutants.md"
SUITES: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))[
    "suites"
]
MUTMUT = str(Path(sys.executable).with_name("mutmut"))
CHILDREN = "2"
SEED = 1

UNNOTICED = ("survived", "no tests", "suspicious")


def read_explained() -> dict[str, int]:
    """How many changes of each function may go unnoticed, from the table in docs/mutants.md."""
    rows = re.findall(r"^\| `(\S+)` \| `(\S+)` \| ([0-9]+) \|", EXPLAINED.read_text("utf-8"), re.MULTILINE)
    return {f"{file} {function}": int(count) for file, function, count in rows}


def place(mutant: str) -> str:
    """The file and the function that a mutant changes.

    >>> place("perfectplay.core.match.xǁMatchǁ__str____mutmut_3")
    'core/match.py Match.__str__'
    >>> place("perfectplay.core.match.x__times__mutmut_1")
    'core/match.py _times'
    """
    module, _, name = mutant.rpartition(".")
    function = re.sub(r"__mutmut_[0-9]+$", "", name)
    function = (
        function.removeprefix("xǁ").replace("ǁ", ".") if "ǁ" in function else function.removeprefix("x_")
    )
    return f"{'/'.join(module.split('.')[1:])}.py {function}"


def prepare(name: str, suite: dict[str, Any]) -> Path:
    """A folder for one suite: the project by links, with the settings that mutmut reads."""
    folder = WORK / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for each in ("src", "tests", "examples", "docs", "conftest.py", "pyproject.toml"):
        (folder / each).symlink_to(ROOT / each)
    settings = {
        "source_paths": ["src"],
        "only_mutate": suite["only_mutate"],
        "do_not_mutate": suite["do_not_mutate"],
        "also_copy": ["examples", "docs", "conftest.py"],
        "timeout_multiplier": ["3"],
        "pytest_add_cli_args_test_selection": suite["tests"],
        # The examples in docstrings once, not once for every changed copy of a function.
        "pytest_add_cli_args": ["-knot __mutmut_", *(f"--deselect={test}" for test in suite["deselect"])],
    }
    lines = [
        f"{key} = " + "\n    ".join(["", *values] if len(values) > 1 else values)
        for key, values in settings.items()
        if values
    ]
    (folder / "setup.cfg").write_text("[mutmut]\n" + "\n".join(lines) + "\n", "utf-8")
    return folder


def mutmut(folder: Path, *args: str) -> str:
    """What a mutmut command prints."""
    done = subprocess.run([MUTMUT, *args], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def list_changes(folder: Path) -> list[str]:
    """The names of all changes that mutmut has made, in a fixed order."""
    metas = sorted((folder / "mutants").rglob("*.meta"))
    return [name for meta in metas for name in json.loads(meta.read_text("utf-8"))["exit_code_by_key"]]


def is_sampled(mutant: str, share: float) -> bool:
    """Whether a change is in the sample: by its name alone, so that an edit elsewhere leaves it in or out.

    >>> sum(is_sampled(f"perfectplay.core.match.x_f__mutmut_{number}", 0.25) for number in range(1000))
    258
    """
    return Random(f"{SEED}/{mutant}").random() < share


def run(suite: str, names: list[str]) -> int:
    """Test the changes of a suite, or those named; the number of unnoticed ones that are not explained."""
    folder = prepare(suite, SUITES[suite])
    # The tests refuse to run on anything but the changed copy.
    env = {**os.environ, "PERFECTPLAY_FROM": str(folder / "mutants" / "src")}
    sample: list[str] = []
    if not names:
        # A name that no change has: mutmut makes all changes, learns which tests reach them, and gives up.
        subprocess.run([MUTMUT, "run", "none"], cwd=folder, env=env, capture_output=True, check=False)
        sample = [name for name in list_changes(folder) if is_sampled(name, SUITES[suite]["share"])]
    arguments = ["run", "--max-children", CHILDREN, *names, *sample]
    subprocess.run([MUTMUT, *arguments], cwd=folder, env=env, check=True)
    unnoticed = defaultdict(list)
    for mutant, state in re.findall(r"^ *(\S+): (.+)$", mutmut(folder, "results"), re.MULTILINE):
        # If a run was stopped, the changes that it did not reach count as unnoticed.
        if state in UNNOTICED or (state == "not checked" and mutant in sample):
            unnoticed[place(mutant)].append(mutant)
    allowed = read_explained()
    strange = 0
    for where, mutants in sorted(unnoticed.items()):
        if len(mutants) > allowed.get(where, 0):
            strange += len(mutants) - allowed.get(where, 0)
            sys.stdout.write(f"\n{where}: {len(mutants)} unnoticed, {allowed.get(where, 0)} explained\n")
            sys.stdout.writelines(mutmut(folder, "show", mutant) for mutant in mutants)
    total = sum(map(len, unnoticed.values()))
    sys.stdout.write(f"{suite}: {total} changes unnoticed, {strange} of them not explained\n")
    return strange


if __name__ == "__main__":
    suites = sys.argv[1:2] or list(SUITES)
    sys.exit(1 if sum([run(suite, sys.argv[2:]) for suite in suites]) else 0)

"""Changes the rules and the core in small ways, and reports the changes that no test notices.

`make mutants` does so for every change; `python -m tests.mutants 'perfectplay.core.match.*'` for some.
It fails if more changes of a function go unnoticed than docs/mutants.md explains.
"""

import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MUTANTS = ROOT / "mutants"
EXPLAINED = ROOT / "docs" / "mutants.md"
MUTMUT = str(Path(sys.executable).with_name("mutmut"))
CHILDREN = "2"

UNNOTICED = ("survived", "no tests", "suspicious")


def explained() -> dict[str, int]:
    """How many changes of each function may go unnoticed, from the table in docs/mutants.md."""
    rows = re.findall(r"^\| `(\S+)` \| `(\S+)` \| ([0-9]+) \|", EXPLAINED.read_text("utf-8"), re.MULTILINE)
    return {f"{file} {function}": int(count) for file, function, count in rows}


def place(mutant: str) -> str:
    """The file and the function that a mutant changes.

    >>> place("perfectplay.core.match.xǁMatchǁ__str____mutmut_3"), place("perfectplay.core.match.x__times__mutmut_1")
    ('core/match.py Match.__str__', 'core/match.py _times')
    """
    module, _, name = mutant.rpartition(".")
    function = re.sub(r"__mutmut_[0-9]+$", "", name)
    function = (
        function.removeprefix("xǁ").replace("ǁ", ".") if "ǁ" in function else function.removeprefix("x_")
    )
    return f"{'/'.join(module.split('.')[1:])}.py {function}"


def mutmut(*args: str) -> str:
    """What a mutmut command prints."""
    done = subprocess.run([MUTMUT, *args], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def run(names: list[str]) -> int:
    """Test every change, or those named; the number of those not explained."""
    if not names:
        shutil.rmtree(MUTANTS, ignore_errors=True)
    # The tests refuse to run on anything but the changed copy.
    env = {**os.environ, "PERFECTPLAY_FROM": str(MUTANTS / "src")}
    subprocess.run([MUTMUT, "run", "--max-children", CHILDREN, *names], cwd=ROOT, env=env, check=True)
    unnoticed = defaultdict(list)
    for mutant, state in re.findall(r"^ *(\S+): (.+)$", mutmut("results"), re.MULTILINE):
        # A run that was stopped has not shown anything of what it did not come to.
        if state in UNNOTICED or (state == "not checked" and not names):
            unnoticed[place(mutant)].append(mutant)
    allowed = explained()
    strange = 0
    for where, mutants in sorted(unnoticed.items()):
        if len(mutants) > allowed.get(where, 0):
            strange += len(mutants) - allowed.get(where, 0)
            sys.stdout.write(f"\n{where}: {len(mutants)} unnoticed, {allowed.get(where, 0)} explained\n")
            sys.stdout.writelines(mutmut("show", mutant) for mutant in mutants)
    for where, count in allowed.items():
        if not names and len(unnoticed.get(where, ())) < count:
            sys.stdout.write(
                f"{where}: {EXPLAINED.name} explains {count}, {len(unnoticed.get(where, ()))} are left\n"
            )
    total = sum(map(len, unnoticed.values()))
    sys.stdout.write(f"{total} changes unnoticed, {strange} of them not explained\n")
    return strange


if __name__ == "__main__":
    sys.exit(1 if run(sys.argv[1:]) else 0)

"""The packages as the site offers them: wheels, and how to install them."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from html import escape
from pathlib import Path

import perfectplay
from tools import BESIDE, ROOT

WHEEL = f"packages/perfectplay-{perfectplay.__version__}-py3-none-any.whl"
WHEELS = {name: WHEEL.replace("perfectplay", name.replace("-", "_")) for name in BESIDE}
"""Where the wheels are, as seen from the root of the site: ours, and those of the packages beside it."""
LONG_AGO = "315532800"
"""The time of every file in the wheel, in seconds: the same sources give the same bytes."""
CLONE = re.compile("<!-- clone -->(.*?)<!-- /clone -->", re.DOTALL)


def build(out: Path) -> None:
    """Add the wheels to a site."""
    folder = (out / WHEEL).parent
    folder.mkdir(parents=True)
    builder = [sys.executable, "-m", "flit_core.wheel", "--outdir", str(folder)]
    env = {**os.environ, "SOURCE_DATE_EPOCH": LONG_AGO}
    for source in (ROOT, *BESIDE.values()):
        subprocess.run([*builder, str(source)], env=env, check=True, stdout=sys.stderr)


def fill(page: str, settings: Mapping[str, str]) -> str:
    """A page with the address of the wheel, and what it says about clones if it is known what to clone.

    SITE_URL says where the site will be, REPOSITORY what to clone.

    >>> fill("<!-- clone -->In a clone: make<!-- /clone -->", {})
    ''
    """
    repository = settings.get("REPOSITORY", "")
    page = CLONE.sub(r"\1" if repository else "", page)
    page = page.replace("<!-- wheel -->", _from_the_site(settings.get("SITE_URL", "")))
    return page.replace("<!-- repository -->", f"```text\ngit clone {repository} perfectplay\n```\n")


def _from_the_site(address: str) -> str:
    """How to install the wheels: once for each extra, and for each package beside ours."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    def name_address(package: str, wheel: str = WHEEL) -> str:
        # Where the site is not known when it is built, its page knows: see site.js.
        at = f"{address.rstrip('/')}/{wheel}" if address else f"../{wheel}"
        return f"'{package} @ <span data-address=\"../{wheel}\">{escape(at)}</span>'"

    # Where a package has the name of an extra, the extra is only what it needs.
    extras = (each for each in project["optional-dependencies"] if f"perfectplay-{each}" not in BESIDE)
    asked = [
        *map(name_address, ["perfectplay", *(f"perfectplay[{each}]" for each in extras)]),
        *(f"{name_address(*each)} {name_address('perfectplay')}" for each in WHEELS.items()),
    ]
    commands = "\n".join(f"pip install {each}" for each in asked)
    return (
        "## From this site\n\nThe site has the package that it runs. Choose the line with the extra"
        " that you want, or name several, as in `[tui,web]`. The last lines add packages of their own:\n\n"
        f'<div class="highlight"><pre class="install">{commands}</pre></div>\n\n'
        f'You can also <a href="../{WHEEL}" download>download the wheel</a> and install the file.\n'
    )

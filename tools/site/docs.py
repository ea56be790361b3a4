"""The documentation: gathers pages from docs/, games, examples and docstrings, and runs Sphinx on them."""

import os
import re
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from sphinx.cmd.build import main as sphinx

from studies.gg_bench import page as study
from tools import ROOT
from tools.site import game_pages
from tools.site.reference import reference
from tools.site.wheel import fill

SETTINGS = ROOT / "site"
PAGES = (*ROOT.glob("docs/*.md"), *ROOT.glob("docs/audits/*.md"), *ROOT.glob("docs/studies/*.md"))
PICTURES = (*ROOT.glob("docs/*.svg"), *ROOT.glob("docs/*.png"), *ROOT.glob("docs/studies/*.svg"))
ABOUT = tuple(ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"))
FILES = tuple(ROOT.glob(".github/*/*"))
"""Files that pages link to, offered as they are."""

KEYWORDS = {
    "docs/arena.md": "tournament, robin, rating, elo",
    "docs/gymnasium.md": "gymnasium, stable, baselines, baselines3, sb3, ppo, reinforcement",
    "docs/site.md": "iframe, embed, teacher, lesson",
    "games/bit-flip.md": "nim, sum, grundy, sprague, kayles, dawson",
}
"""Single words under which the search finds a page, besides those on it."""

REPAIRS = {
    '<p class="caption" role="heading">': '<p class="caption">',  # a heading would need a level
    '<aside class="sidebar-drawer"': '<aside aria-label="The site" class="sidebar-drawer"',
    '<aside class="toc-drawer': '<aside aria-label="This page" class="toc-drawer',
    '<th class="head"><p></p></th>': "<td></td>",
}


def build(out: Path) -> None:
    """Write all pages of the documentation into a folder; a warning of Sphinx is an error."""
    with TemporaryDirectory() as temporary:
        source = Path(temporary, "source")
        gather(source)
        options = ("--nitpicky", "--fail-on-warning", "--keep-going", "--quiet", "--conf-dir", str(SETTINGS))
        if sphinx([*options, "--doctree-dir", f"{temporary}/doctrees", str(source), str(out)]):
            raise SystemExit("The documentation has errors: see above.")
    for path in out.rglob("*.html"):
        _write(path, make_accessible(path.read_text("utf-8")))
    address = os.environ.get("SITE_URL", "").rstrip("/")
    base = f'<base href="{escape(address)}/">' if address else ""
    missing = (SETTINGS / "404.html").read_text("utf-8").replace("<!-- base -->", base)
    _write(out / "404.html", missing)
    _write(out / ".nojekyll", "")  # GitHub Pages would leave out folders that begin with an underscore
    for path in ROOT.glob("docs/audits/*.html"):
        _write(out / "docs" / "audits" / "charts" / path.name, path.read_bytes())


def gather(source: Path) -> None:
    """Put everything that Sphinx reads into a folder, laid out as the repository is."""
    for path in (*PICTURES, *FILES):
        _write(source / path.relative_to(ROOT), path.read_bytes())
    for path in (*PAGES, *ABOUT):
        text = _with_keywords(
            path.relative_to(ROOT).as_posix(), fill(adapt(path.read_text("utf-8")), os.environ)
        )
        if path.parent.name == "audits":
            text += f'\n<a href="charts/{path.stem}.html">The same audit with charts</a>, as one page\n'
        if path == study.PAGE:
            text += _write_games(source / "docs" / "studies" / path.stem)
        _write(source / path.relative_to(ROOT), text)
    for path in (*SETTINGS.glob("*.md"), *SETTINGS.glob("*/index.md")):
        _write(source / path.relative_to(SETTINGS), path.read_bytes())
    for path in ROOT.glob("examples/*.py"):
        _write(source / "examples" / f"{path.stem}.md", _example(path))
        _write(source / "examples" / path.name, path.read_bytes())
    for name, text in reference().items():
        _write(source / "api" / f"{name}.rst", text)
    for name, content in game_pages.pages().items():
        _write(source / name, _with_keywords(name, content))


def _with_keywords(name: str, text: str) -> str:
    words = KEYWORDS.get(name)
    return f'---\nmyst:\n  html_meta:\n    keywords: "{words}"\n---\n\n{text}' if words else text


def _write_games(folder: Path) -> str:
    """Write a page for each scored game of a study; returns a list of links to them."""
    pages = study.game_pages(study.read_data())
    for name, text in pages.items():
        _write(folder / name, f"---\norphan: true\n---\n\n{text}")
    links = ", ".join(f"[{name.removesuffix('.md')}]({folder.name}/{name})" for name in pages)
    return f"\n## The scored games\n\n{links}\n"


def make_accessible(page: str) -> str:
    """A page as Sphinx and its theme write it, with what screen readers miss there."""
    for found, wanted in REPAIRS.items():
        page = page.replace(found, wanted)
    return page


def adapt(text: str) -> str:
    """A page whose links to things that have a page of their own on the site lead there.

    >>> adapt("[a bot](../examples/bot.py), [the audits](docs/audits), [start](README.md)")
    '[a bot](../examples/bot.md), [the audits](docs/audits/index.md), [start](index.md)'
    """
    text = re.sub(r"(\]\((?:\.\./)?examples/\w+)\.py\)", r"\1.md)", text)
    text = re.sub(r"(\]\((?:docs/)?audits)\)", r"\1/index.md)", text)
    text = text.replace("](.github/", "](path:.github/")  # files to download, not pages
    text = re.sub(r"(?m)^(```python\n(?:(?!```).*\n)*?)\n```$", r"\1```", text)  # a blank line ends a session
    return re.sub(r"(\]\((?:\.\./)?)README\.md\)", r"\1index.md)", text)


def _write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def _example(path: Path) -> str:
    return (
        f"# {path.name}\n\n{{download}}`Download {path.name} <{path.name}>`\n\n"
        f"```{{literalinclude}} {path.name}\n:language: python\n```\n"
    )

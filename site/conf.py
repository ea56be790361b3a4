"""Settings of Sphinx. tools/site/docs.py gathers the pages, runs it and says where objects are documented."""

import os
import re
import sys
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

sys.path.insert(0, str(Path(__file__).parents[1]))

import perfectplay

SITEMAPS = "http://www.sitemaps.org/schemas/sitemap/0.9"
doors = ["app/index.html", "app/puzzles.html", "workbench/index.html"]  # pages that Sphinx does not write

project = "perfectplay"
version = release = perfectplay.__version__
html_show_copyright = False

extensions = ["myst_parser", "sphinx.ext.autodoc"]
smartquotes = False  # pages say what their source says, quotes and dashes included
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = [".github"]
nitpicky = True
# Nothing is fetched, so the standard library and other packages cannot be linked to; ours must resolve.
# Type variables have no entry of their own.
nitpick_ignore_regex = [
    (r"py:.*", r"(?!perfectplay\b).*"),
    (r"py:(class|obj)", r"perfectplay\.[\w.]+\.[A-Z]"),
]

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]

default_role = "literal"  # docstrings have names in single backticks, as Markdown does
add_module_names = False
toc_object_entries_show_parents = "hide"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_display_short_literal_types = True
python_use_unqualified_type_names = True

html_use_index = html_domain_indices = False  # no page leads to them: the search finds every name
html_theme = "furo"
html_title = f"perfectplay {release}"
address = os.environ.get("SITE_URL", "").rstrip("/")
html_baseurl = f"{address}/" if address else ""  # Sphinx then writes canonical links
html_favicon = "../src/perfectplay/web/static/icon.svg"
html_theme_options = {  # the colors of the web pages
    "light_css_variables": {
        "color-background-primary": "#fffdf8",
        "color-background-secondary": "#f6f1e7",
        "color-background-hover": "#f0e8d9",
        "color-background-border": "#ddd3c1",
        "color-foreground-primary": "#231e17",
        "color-foreground-secondary": "#635a4c",
        "color-foreground-muted": "#635a4c",
        "color-brand-primary": "#7a3c10",
        "color-brand-content": "#7a3c10",
        "color-brand-visited": "#5b478f",
    },
    "dark_css_variables": {
        "color-background-primary": "#17140f",
        "color-background-secondary": "#221d16",
        "color-background-hover": "#2d271d",
        "color-background-border": "#3c3528",
        "color-foreground-primary": "#f3ecdd",
        "color-foreground-secondary": "#bdb29c",
        "color-foreground-muted": "#bdb29c",
        "color-brand-primary": "#ffb98a",
        "color-brand-content": "#ffb98a",
        "color-brand-visited": "#c6b4f5",
    },
}
html_static_path = ["static"]
html_css_files = ["site.css"]
html_sidebars = {
    "**": [
        f"sidebar/{part}.html"
        for part in ("brand", "search", "scroll-start", "doors", "navigation", "scroll-end")
    ]
}
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_js_files = [("site.js", {"type": "module"})]
templates_path = ["templates"]
html_copy_source = False
html_show_sourcelink = False
html_domain_indices = False


def _without_numbers(
    _app: Any, _what: str, _name: str, _each: object, _options: Any, lines: list[str]
) -> None:
    """Python itself says "Alias for field number 0" of a field that has no text."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()


def _sitemap(app: Any, problem: Exception | None) -> None:
    """List the addresses of all pages, if it is known where the site will be."""
    if html_baseurl and problem is None:
        pages = sorted([*map(app.builder.get_target_uri, app.env.found_docs), *doors])
        urls = "\n".join(f"<url><loc>{escape(html_baseurl + page)}</loc></url>" for page in pages)
        text = f'<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="{SITEMAPS}">\n{urls}\n</urlset>\n'
        Path(app.outdir, "sitemap.xml").write_text(text, "utf-8")


TAG = re.compile(r"<(/?)(ul|li|a)\b[^>]*>")
CURRENT = '<a class="current reference internal" href="#">'
sidebars: dict[object, str] = {}


def _share_sidebars(app: Any, page: str, _template: str, context: dict[str, Any], _tree: object) -> None:
    """All pages of a folder share its sidebar, and mark themselves in it: making each would be slow."""
    toctree = context.get("toctree")
    folder, _, own = app.builder.get_target_uri(page).rpartition("/")

    def share(**options: object) -> str:
        key = (folder, *sorted(options.items()))
        if key not in sidebars:
            plain = toctree(**options).replace(CURRENT, f'<a class="reference internal" href="{own}">')
            sidebars[key] = plain.replace('<ul class="current">', "<ul>").replace(' current">', '">')
        return _mark(sidebars[key], own)

    if toctree:
        context["toctree"] = share


def _mark(sidebar: str, own: str) -> str:
    """Mark the links to a page, and the lists that they are in, as the current ones."""
    around: list[int] = []
    current = set()
    for tag in TAG.finditer(sidebar):
        if tag[1]:
            around.pop()
            continue
        around.append(tag.start())
        if tag[0].endswith(f' href="{own}">'):
            current |= {*around}

    def mark(tag: re.Match[str]) -> str:
        if tag.start() not in current:
            return tag[0]
        return {"ul": '<ul class="current">', "li": f'{tag[0][:-2]} current">', "a": CURRENT}[tag[2]]

    return TAG.sub(mark, sidebar)


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("html-page-context", _share_sidebars, priority=400)  # before the theme asks for it
    app.connect("autodoc-process-docstring", _without_numbers)
    app.connect("build-finished", _sitemap)

"""What shells are given: completion, in bash of specs too, and the manual page."""

import os
from typing import TYPE_CHECKING

import click
from click.shell_completion import BashComplete, get_completion_class, split_arg_string

if TYPE_CHECKING:
    from perfectplay.terminal.console import Console


class Bash(BashComplete):
    """Bash ends words at : and =, so the whole line is read instead."""

    source_template = """\
%(complete_func)s() {
    local line="${COMP_LINE:0:COMP_POINT}" breaks="${COMP_WORDBREAKS//[^:=]/}" kept="" type value
    local word="${line##*[[:space:]]}"
    # Bash replaces only what stands behind the last of its word breaks.
    if [[ -n $breaks ]]; then kept="${word%%"${word##*[$breaks]}"}"; fi
    while IFS=',' read -r type value; do
        if [[ $type == dir ]]; then
            COMPREPLY=()
            compopt -o dirnames
        elif [[ $type == file ]]; then
            COMPREPLY=()
            compopt -o default
        elif [[ $type == plain ]]; then
            COMPREPLY+=("${value#"$kept"}")
        fi
    done < <(COMP_LINE="$line" %(complete_var)s=bash_complete "$1")
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""

    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ.get("COMP_LINE")
        if line is None:
            return super().get_completion_args()
        words = split_arg_string(line)
        incomplete = "" if line[-1:].isspace() else words.pop()
        return words[1:], incomplete


def print_completion(console: "Console", shell: str) -> None:
    """Print the completion script of a shell."""
    kind = get_completion_class(shell)
    assert kind is not None  # all shells of the command are click's own
    command = click.get_current_context().find_root().command
    click.echo(kind(command, {}, "perfectplay", "_PERFECTPLAY_COMPLETE").source())


def print_manual(console: "Console") -> None:
    """Print the manual page in the format of `man`."""
    root = click.get_current_context().find_root()
    assert isinstance(root.command, click.Group)
    lines = [".TH PERFECTPLAY 1", ".SH NAME", r"perfectplay \- small games of pure strategy, solved exactly"]
    lines += [".SH SYNOPSIS", ".B perfectplay", "[OPTIONS] COMMAND [ARGS]...", ".SH DESCRIPTION"]
    lines += [*_text(root.command.help or ""), ".SH OPTIONS", *_options(root.command, root), ".SH COMMANDS"]
    for name in root.command.list_commands(root):
        command = root.command.get_command(root, name)
        assert command is not None
        inside = click.Context(command, info_name=name, parent=root)
        usage = " ".join(command.collect_usage_pieces(inside))
        lines += [f".SS {_plain(f'perfectplay {name} {usage}')}", *_text(command.help or "")]
        lines += _options(command, inside)
    click.echo("\n".join(lines))


def _options(command: click.Command, ctx: click.Context) -> list[str]:
    records = (each.get_help_record(ctx) for each in command.get_params(ctx))
    return [
        line
        for found in records
        if found and found[1]
        for line in (".TP", f".B {_plain(found[0])}", _plain(found[1]))
    ]


def _text(text: str) -> list[str]:
    r"""Paragraphs; those that begin with \b keep their lines."""
    lines: list[str] = []
    for part in text.strip().split("\n\n"):
        kept = part.startswith("\b")
        words = [_plain(line) for line in part.removeprefix("\b").strip().split("\n")]
        lines += [".PP", *([".nf", *words, ".fi"] if kept else words)]
    return lines


def _plain(text: str) -> str:
    """A line in which nothing is a request to the formatter."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped

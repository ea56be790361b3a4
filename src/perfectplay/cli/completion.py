"""Completion in shells; in bash, of specs too."""

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

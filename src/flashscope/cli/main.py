"""The program `flashscope`: one group of commands, each in its own file, imported when it is named.

    exit 0   done                     exit 2    wrong use: nothing was started, nothing was written
    exit 1   failed or interrupted    exit 70   a fault in flashscope itself

Results go to standard output; progress, plans and errors to standard error.
"""

from __future__ import annotations

import importlib
import sys
import traceback
from typing import Any

import click

from flashscope.errors import FlashscopeError

COMMANDS = ("examine", "plan", "run", "sweep", "endure", "report", "compare", "smart", "list", "reproduce")
"""In the order in which a newcomer meets them."""

FAULT_EXIT_CODE = 70


class Commands(click.Group):
    """The commands, imported one by one, and the one place where errors turn into words and exit codes."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of COMMANDS."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, None when there is none."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"flashscope.cli.{cmd_name}").command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; tell its errors to a person without a traceback."""
        try:
            return super().invoke(ctx)
        except FlashscopeError as error:
            click.echo(f"flashscope: error: {error}", err=True)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            click.echo("flashscope: stopped; what was recorded until then is in the store", err=True)
            ctx.exit(1)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError, SystemExit):
            raise
        except BaseException as fault:  # a panic of the Rust core is a BaseException, too
            _tell_fault(fault, debug=ctx.params.get("debug", False))
            ctx.exit(FAULT_EXIT_CODE)


def _tell_fault(fault: BaseException, *, debug: bool) -> None:
    from flashscope.cli.command_line import command_line
    from flashscope.runner.build import this_build

    if debug:
        traceback.print_exception(fault)
    lines = [
        "flashscope: this is a fault in flashscope, not in what you asked for",
        f"  fault:   {type(fault).__name__}: {fault}",
        *(f"  run:     {note}" for note in getattr(fault, "__notes__", ())),
        f"  command: {command_line()}",
        f"  build:   {this_build()} on Python {sys.version.split()[0]}",
    ]
    if not debug:
        lines.append("  to do:   run it again as `flashscope --debug ...` to see where, and report that")
    click.echo("\n".join(lines), err=True)


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from flashscope.runner.build import this_build

        click.echo(this_build())
        ctx.exit()


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
    epilog="Try: flashscope examine sim:onyx-32",
)
@click.option("--debug", is_flag=True, help="Show a traceback when flashscope itself is at fault.")
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
def main(debug: bool) -> None:
    """See inside a flash drive from the outside.

    A drive is named by its address: sim:onyx-32 (virtual), file:target.img, /dev/sdX.
    """

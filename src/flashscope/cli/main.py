"""The program `flashscope`: one group of commands, each in its own file, imported when it is named.

    exit 0   done                     exit 2    wrong use: nothing was started, nothing was written
    exit 1   failed or interrupted    exit 70   a fault in flashscope itself

Results go to standard output; progress, plans and errors to standard error.
"""

from __future__ import annotations

import importlib
import sys
import traceback
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NoReturn

import click

from flashscope.cli.program.ends import in_words, refuse_what_is_no_text
from flashscope.cli.program.memory_limit import ask_for_room, use_one_thread
from flashscope.cli.program.streams import take_over
from flashscope.cli.program.swallowed_stop import heard
from flashscope.errors import FlashscopeError

COMMANDS = (
    "examine", "plan", "dossier", "run", "sweep", "endure", "report", "compare", "align", "smart", "list", "store",
    "reproduce",
)  # fmt: skip
"""In the order in which a newcomer meets them."""

FAULT_EXIT_CODE = 70

_WITHOUT_NUMBERS = ("smart",)  # it tells what a drive says of itself in very little memory


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

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the program; its standard streams may be closed, full or a pipe that nobody reads."""
        with heard():
            return self._main(*args, **extra)

    def _main(self, *args: Any, **extra: Any) -> Any:
        streams = take_over()
        if streams is None:
            return super().main(*args, **extra)
        exit_code = FAULT_EXIT_CODE
        try:
            return super().main(*args, **extra)
        except SystemExit as end:
            exit_code = end.code if isinstance(end.code, int) else int(end.code is not None)
        finally:
            exit_code = streams.end(exit_code)
        raise SystemExit(exit_code)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse arguments that are no text, whatever the command."""
        try:
            refuse_what_is_no_text(args)
        except FlashscopeError as error:
            _tell_error(ctx, error, debug=False)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant, with its arguments; refused where a limit leaves no memory to load it."""
        use_one_thread()
        if args and args[0] in COMMANDS and args[0] not in _WITHOUT_NUMBERS:
            ask_for_room()
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; tell its errors to a person without a traceback."""
        debug = ctx.params.get("debug", False)
        try:
            with _told(debug):
                return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("flashscope: stopped; what was recorded until then is in the store", err=True)
            ctx.exit(1)
        except (click.ClickException, click.exceptions.Exit, click.Abort, SystemExit):
            raise
        except BaseException as end:  # a panic of the Rust core is a BaseException, too
            error = in_words(end)
            if error is None:
                _tell_fault(end, debug=debug)
                ctx.exit(FAULT_EXIT_CODE)
            _tell_error(ctx, error, debug=debug and error is not end)


def _told(debug: bool) -> AbstractContextManager[None]:
    """What the rooms do meanwhile is told, or it is not."""
    if not debug:
        return nullcontext()
    from flashscope.cli.program.debug_log import shown_on_standard_error

    return shown_on_standard_error()


def _tell_error(ctx: click.Context, error: FlashscopeError, *, debug: bool) -> NoReturn:
    if debug:
        traceback.print_exc()
    click.echo(f"flashscope: error: {error}", err=True)
    ctx.exit(error.exit_code)


def _tell_fault(fault: BaseException, *, debug: bool) -> None:
    from flashscope.cli.program.command_line import command_line
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
@click.option("--debug", is_flag=True, help="Tell what is done, with times; show a traceback of a fault.")
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

"""`flashscope smart`: what a drive's SMART says, in plain words; and the commands around it.

flashscope smart FILE                  the page of a dump: "show" may be left out
flashscope smart diff A B              what changed
flashscope smart learn|watch|fleet|archive   each in a file of its own, imported when it is named
"""

from __future__ import annotations

import importlib
import importlib.util

import click

SHOW = "show"
SUBCOMMANDS = {
    SHOW: ("flashscope.cli.smart.show", "show"),
    "diff": ("flashscope.cli.smart.diff", "diff"),
    "learn": ("flashscope.cli.smart.learn", "learn"),
    "watch": ("flashscope.cli.smart.watch", "watch"),
    "fleet": ("flashscope.cli.smart.fleet", "fleet"),
    "archive": ("flashscope.cli.smart.archive", "archive"),
}
"""Name -> (module, command in it), in the order in which a newcomer meets them."""


class SmartCommands(click.Group):
    """The SMART commands. A word that is not the name of a command is a drive to be shown."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands that are there, in the order of SUBCOMMANDS."""
        return [name for name in SUBCOMMANDS if importlib.util.find_spec(SUBCOMMANDS[name][0]) is not None]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, None when there is none."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module, name = SUBCOMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put "show" in front, unless the first word names a command or asks for help."""
        if args and args[0] not in (*SUBCOMMANDS, *ctx.help_option_names):
            args = [SHOW, *args]
        return super().parse_args(ctx, args)


@click.group("smart", cls=SmartCommands, epilog="Try: flashscope smart sim:onyx-32?aged=worn")
def command() -> None:
    """Say in plain words what a drive has been through, how much life is left, and how sure that is.

    flashscope smart FILE|DEVICE|sim:PART shows a saved dump, a real drive, or a virtual one.
    """

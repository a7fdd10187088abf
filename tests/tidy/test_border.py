"""What the stub says of the core is what the core has."""

import ast
from pathlib import Path

from flashscope import _core

STUB = ast.parse((Path(_core.__file__).parent / "_core.pyi").read_text())


def public_names(owner: object) -> set[str]:
    return {name for name in dir(owner) if not name.startswith("_")}


def test_the_stub_names_everything_the_module_has_and_nothing_else() -> None:
    classes = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}
    assert set(classes) == public_names(_core)
    for name in ("Drive", "Run"):
        methods = {node.name for node in classes[name].body if isinstance(node, ast.FunctionDef)} - {"__new__"}
        assert methods == public_names(getattr(_core, name)), name


def test_every_verb_of_the_border_says_what_it_does() -> None:
    for owner in (_core.Drive, _core.Run):
        for name in public_names(owner):
            assert getattr(owner, name).__doc__, f"{owner.__name__}.{name}"

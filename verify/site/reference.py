"""Reference pages as reStructuredText for Sphinx: packages from their public names, the command line, and the file formats."""

from __future__ import annotations

import importlib
import inspect
import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from importlib import resources
from types import ModuleType
from typing import Any

from verify.site.atlas import markup, plain, title

PACKAGES: Mapping[str, str] = {
    "verify": "Claims",
    "verify.words": "Words of statements",
    "verify.networks": "Networks",
    "verify.networks.leaky_resnet": "Leaky ResNets",
    "verify.networks.circular": "Circular convolutional networks",
    "verify.networks.ntk": "The neural tangent kernel",
    "verify.networks.training": "Training",
    "verify.matrices": "Matrices",
    "verify.cones.conical_hull": "Conical hulls",
    "verify.cones.hidden_layers": "Hidden layers as cones",
    "verify.cones.covariance_pairs": "Pairs of covariances",
    "verify.cones.completely_positive": "Completely positive matrices",
    "verify.cones.copositive": "Copositive matrices",
    "verify.piecewise": "Piecewise linear maps",
    "verify.experiments": "Experiments",
    "verify.experiments.batches": "Batches of seeds",
    "verify.experiments.drawing": "Figures of experiments",
    "verify.numbers.arithmetic": "Arithmetic",
}
"""The packages whose names are public, with what they are about."""


def pages() -> dict[str, str]:
    """All generated files of the reference, by their paths in the folder ``reference``."""
    written = {f"{name}.rst": package_page(name) for name in PACKAGES}
    index = title("Python") + ".. toctree::\n\n" + "".join(f"   {name}\n" for name in PACKAGES)
    return written | {"python.rst": index, "command_line.rst": command_line(), "schemas.rst": schemas()}


def public_names(module: ModuleType) -> list[str]:
    """What a module says is public; else the classes and functions that it defines and that have no underscore."""
    declared = getattr(module, "__all__", None)
    if declared is not None:
        return sorted(declared)
    own = {name: value for name, value in vars(module).items() if inspect.isclass(value) or inspect.isfunction(value)}
    return sorted(name for name, value in own.items() if value.__module__ == module.__name__ and not name.startswith("_"))


def examples_begin_with(name: str) -> str:
    """The lines that stand before every example of a package."""
    imported = dict.fromkeys(["verify", "verify.networks", name])
    lines = ["import numpy as np", *(f"from {one} import *" for one in imported)]
    return "\n".join([*lines, "from verify.numbers.arithmetic import rationals"])


def package_page(name: str) -> str:
    """The public names of a package: a table of them, then each with its docstring."""
    module = importlib.import_module(name)
    text = title(f"{PACKAGES[name]}: ``{name}``") + f"{markup(inspect.getdoc(module) or '')}\n\n"
    text += f"The examples begin with\n\n.. code-block:: python\n\n{textwrap.indent(examples_begin_with(name), '   ')}\n\n"
    text += f".. currentmodule:: {name}\n\n"
    members = [name for name in public_names(module) if _has_docstring(getattr(module, name))]
    # what a package inside this one describes, too, stands on the page of that one
    described = {inner: public_names(importlib.import_module(inner)) for inner in PACKAGES if inner.startswith(f"{name}.")}
    home = {member: next((inner for inner, names in described.items() if member in names), name) for member in members}
    for member in members:
        text += f"* :py:obj:`{member} <{home[member]}.{member}>`: {markup(first_sentence(getattr(module, member)))}\n"
    text += "\n"
    for member in members:
        if home[member] != name:
            continue
        is_class = inspect.isclass(getattr(module, member))
        text += f".. auto{'class' if is_class else 'function'}:: {member}\n" + ("   :members:\n" if is_class else "") + "\n"
    return text


def _has_docstring(value: Any) -> bool:
    """Whether `value` is a class or a function, wrapped or not; an alias of a type has the docstring of the type."""
    return inspect.isclass(value) or inspect.isroutine(value) or hasattr(value, "__wrapped__")


def first_sentence(value: Any) -> str:
    """The first sentence of a docstring; a full stop in code or in a formula ends none."""
    text = " ".join((inspect.getdoc(value) or "").split("\n\n")[0].split())
    match = re.match(r"(?:``.*?``|`[^`]*`|[^`])*?[.:](?=\s|$)", text)
    return f"{(match[0] if match else text).rstrip('.:')}."


def command_line() -> str:
    """Every command with its arguments and options."""
    # the commands import all that they do
    import typer.main

    from verify.cli import app

    text = title("Command line")
    text += "Exit status 0: all as expected; 1: something is not; 2: unusable arguments or files.\n\n"
    return text + "".join(
        _command(f"verify {name}", command) for name, command in _commands(typer.main.get_command(app)).items()
    )


def _commands(group: Any) -> Mapping[str, Any]:
    commands: Mapping[str, Any] = getattr(group, "commands", {})
    return commands


def _command(name: str, command: Any) -> str:
    inner = _commands(command)
    text = title(f"``{name}``", "-") + f"{markup(inspect.cleandoc(command.help or ''))}\n\n"
    if inner:
        return text + "".join(_command(f"{name} {part}", subcommand) for part, subcommand in inner.items())
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    options = [param for param in command.params if param.param_type_name == "option" and "--help" not in param.opts]
    usage = " ".join(
        [name, *(argument.metavar or argument.name.upper() for argument in arguments), *(["[OPTIONS]"] if options else [])]
    )
    text += f".. code-block:: text\n\n   {usage}\n\n"
    for argument in arguments:
        text += f"``{argument.metavar or argument.name.upper()}``\n   {plain(argument.help or 'See above.')}\n\n"
    for option in options:
        signs = ", ".join(
            f"``{sign}{f' {option.metavar}' if option.metavar else ''}``" for sign in (*option.opts, *option.secondary_opts)
        )
        default = (
            f" Default: ``{option.default}``."
            if isinstance(option.default, str | int) and not isinstance(option.default, bool)
            else ""
        )
        text += f"{signs}\n   {plain(option.help or 'See above.')}{default}\n\n"
    return text


def schemas() -> str:
    """The JSON formats: every key with its type and what it is."""
    text = title("JSON schemas")
    text += "The keys of the files that :doc:`/formats` lists, from the schemas in ``verify/schemas``.\n\n"
    for path in sorted((resources.files("verify") / "schemas").iterdir(), key=lambda path: path.name):
        schema = json.loads(path.read_text(encoding="utf-8"))
        text += title(f"``{path.name}``", "-") + f"{plain(schema.get('title', ''))}.\n\n"
        for name, definition in _objects(schema):
            text += f".. rubric:: {plain(name)}\n\n" if name else ""
            for key, value in definition["properties"].items():
                needed = "" if key in definition.get("required", ()) else ", may be left out"
                description = plain(value.get("description", "")) or "\\ "
                text += f"``{key}`` ({plain(_type(value))}{needed})\n   {description}\n\n"
    return text


def _objects(schema: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The objects of a schema that have keys, by their names in it; the file itself first."""
    if "properties" in schema:
        yield "", schema
    for name, definition in schema.get("$defs", {}).items():
        if "properties" in definition:
            yield name, definition


def _type(value: Mapping[str, Any]) -> str:
    if "$ref" in value:
        return str(value["$ref"]).rpartition("/")[2]
    if "const" in value:
        return json.dumps(value["const"])
    if "enum" in value:
        return " or ".join(map(json.dumps, value["enum"]))
    kinds = value.get("type", "any")
    names = " or ".join(kinds) if isinstance(kinds, list) else str(kinds)
    if names == "array" and "items" in value:
        return f"array of {_type(value['items'])}"
    if names == "object" and isinstance(value.get("additionalProperties"), Mapping):
        return f"object of {_type(value['additionalProperties'])}"
    return names

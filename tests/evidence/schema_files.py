"""The published schemas, as validators."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
from referencing import Registry, Resource

SCHEMAS = Path(__file__).parents[2] / "verify" / "schemas"


def schema(name):
    """The schema of a format."""
    return json.loads((SCHEMAS / f"{name}.json").read_text())


def validator(name):
    """What says whether a document is of the format."""
    jsonschema.Draft202012Validator.check_schema(schema(name))
    registry = Registry().with_resources([("witness.json", Resource.from_contents(schema("witness")))])
    return jsonschema.Draft202012Validator(schema(name), registry=registry)

"""The generated pages of the reference."""

import importlib

import pytest

from verify.site import reference


def test_every_command_is_described_with_its_options():
    text = reference.command_line()
    for name in ("verify run", "verify show", "verify bounds check", "verify ledger merge"):
        assert f"``{name}``\n---" in text
    assert "``--budget``\n   How hard each claim is tried. Default: ``quick``." in text
    assert "``--json FILE``" in text


def test_every_schema_is_described_with_its_keys():
    text = reference.schemas()
    for name in ("witness.json", "run.json", "strength.json", "baseline.json"):
        assert f"``{name}``\n---" in text
    assert "``fingerprint`` (string)\n   Of the statement when the file was written." in text


@pytest.mark.parametrize("name", reference.PACKAGES)
def test_every_package_has_a_page_with_its_public_names(name):
    text = reference.package_page(name)
    found = [one for one in reference.public_names(importlib.import_module(name)) if f"\n* :py:obj:`{one} <verify." in text]
    assert found
    assert f".. currentmodule:: {name}" in text


def test_every_page_is_listed():
    pages = reference.pages()
    for name in reference.PACKAGES:
        assert f"   {name}\n" in pages["python.rst"]
        assert f"{name}.rst" in pages


def test_what_an_inner_package_describes_is_not_described_twice():
    assert ".. autoclass:: LeakyResNet" not in reference.package_page("verify.networks")
    assert ".. autoclass:: LeakyResNet" in reference.package_page("verify.networks.leaky_resnet")


def test_the_first_sentence_does_not_end_in_code():
    def function():
        """What ``a. b`` is, by :math:`x. y`. More."""

    assert reference.first_sentence(function) == "What ``a. b`` is, by :math:`x. y`."


def test_a_page_says_what_its_examples_begin_with():
    assert "   import numpy as np\n   from verify import *\n" in reference.package_page("verify.matrices")
    assert "   from verify.matrices import *\n" in reference.package_page("verify.matrices")

"""Every example of a public name gives what is printed below it."""

import doctest
import importlib
import inspect

import pytest

import verify
from verify.site import reference

FINDER = doctest.DocTestFinder(recurse=False)


def public_functions():
    """Each public function and class once, on the page that describes it, by the name of the page."""
    for page in reference.PACKAGES:
        module = importlib.import_module(page)
        for name in reference.public_names(module):
            value = getattr(module, name)
            if inspect.isclass(value) or inspect.isroutine(value):
                yield page, name, value


FUNCTIONS = list(public_functions())
EXAMPLES = {f"{page}.{name}": (page, value) for page, name, value in FUNCTIONS if ">>>" in (inspect.getdoc(value) or "")}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_prints_what_it_says(name):
    page, value = EXAMPLES[name]
    names = {}
    exec(reference.examples_begin_with(page), names)
    (found,) = FINDER.find(value, name, module=False, globs=names)
    assert found.examples
    report = []
    doctest.DocTestRunner().run(found, out=report.append)
    assert not report, "".join(report)


def test_every_function_has_an_example():
    wanted = [f"{page}.{name}" for page, name, value in FUNCTIONS if not inspect.isclass(value)]
    assert [name for name in wanted if name not in EXAMPLES] == []


def test_the_package_shows_its_public_names_alone():
    assert dir(verify) == sorted([*verify.__all__, "__version__"])
    assert verify.__all__ == sorted(verify.__all__)
    for name in verify.__all__:
        assert getattr(verify, name) is not None
    with pytest.raises(AttributeError, match=r"no attribute 'refute'; it has .*attack"):
        verify.refute  # noqa: B018


def test_what_check_attack_and_measure_return_is_described():
    page = reference.package_page("verify")
    for name in ("Result", "Instance", "Measurement", "Relation", "Comparison", "Catalogue"):
        assert f".. autoclass:: {name}\n   :members:" in page
    assert type(verify.attack(lambda x: verify.ge(x**2, 0), {"x": verify.reals()})) is verify.Result

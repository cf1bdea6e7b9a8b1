"""Instances in readable numbers."""

import ast
import re
from collections import namedtuple

import numpy as np
from flint import arb

from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.numbers.exactness import Q
from verify.numbers.measured import measured
from verify.report import words
from verify.report.instances import array, instance


def text_of(html):
    return re.sub(r"<[^>]*>", "", html)


def test_numbers_vectors_and_matrices():
    assert array(rationals("-3/4")) == "<mrow><mo>−</mo><mfrac><mn>3</mn><mn>4</mn></mfrac></mrow>"
    assert text_of(array(rationals([1, 2]))) == "(1,2)"
    assert array(rationals([[1, 2], [3, 4]])).count("<mtr>") == 2
    assert text_of(array(np.array(0.5))) == "0.5"
    assert text_of(array(np.array(arb(2).sqrt(), dtype=object))) == "≈ 1.41421"
    assert text_of(array(np.array(0.123456789))) == "0.123457"


def test_both_sides_have_as_many_digits_as_it_takes_to_tell_them_apart():
    assert words.two_short_numbers("1/3", "1/2") == ("1/3", "1/2")
    long = f"{10**20 + 1}/{10**20}"
    assert words.two_short_numbers(long, "5") == ("≈ 1", "5")
    assert words.two_short_numbers("[0.1234567894 +/- 2e-12]", "[0.1234567891 +/- 2e-12]") == (
        "≈ 0.1234567894",
        "≈ 0.1234567891",
    )
    assert words.two_short_numbers(long, f"{10**20 + 2}/{10**20}")[0] == words.number(long)
    assert words.short_list([["1", "1/2"], ["0", "3"]]) == "((1, 1/2), (0, 3))"


def test_a_long_list_has_a_line_beside_it():
    assert "<svg" in instance({"costs": np.arange(20.0)})
    assert "<svg" not in instance({"costs": np.arange(5.0)})


def test_large_arrays_are_described():
    assert text_of(array(np.arange(200.0).reshape(20, 10))) == "20 × 10 numbers from 0 to 199"


def test_a_network_is_its_weights_and_slopes():
    network = FullyConnected([rationals([[2]]), rationals([[-1]])])
    shown = text_of(instance({"network": network, "x": rationals([1])}, {"depth": 2}))
    assert shown == "depth 2network: W1=(2), W2=(−1), slopes 1 and 0 of the activation, no biasesx=(1)"


def test_a_tuple_is_its_entries_and_names_are_escaped():
    assert text_of(instance({"a<b": (rationals(1), rationals(2))})) == "a&lt;b, 1=1a&lt;b, 2=2"


def test_a_stack_of_matrices_is_a_nested_list():
    stack = np.arange(8).reshape(2, 2, 2)
    shown = words.instance({}, {"a": stack})
    assert ast.literal_eval(shown.removeprefix("a = ")) == stack.tolist()


def test_parts_have_their_names_and_yes_is_no_number():
    Growth = namedtuple("Growth", "first genuine")
    shown = text_of(instance({"growth": Growth(measured(Q(3, 2)), False)}))
    assert shown == "growth.first=32growth.genuine: no"
    assert "error" in text_of(instance({"growth": Growth(measured(1, 0.5), True)}))

"""Instances in readable numbers."""

import re

import numpy as np
from flint import arb

from verify.arithmetic import rationals
from verify.networks import FullyConnected
from verify.report.instances import array, instance


def text_of(html):
    return re.sub(r"<[^>]*>", "", html)


def test_numbers_vectors_and_matrices():
    assert array(rationals("-3/4")) == "<mrow><mo>−</mo><mfrac><mn>3</mn><mn>4</mn></mfrac></mrow>"
    assert text_of(array(rationals([1, 2]))) == "(1,2)"
    assert array(rationals([[1, 2], [3, 4]])).count("<mtr>") == 2
    assert text_of(array(np.array(0.5))) == "0.5"
    assert "±" in array(np.array(arb(2).sqrt(), dtype=object))


def test_large_arrays_are_described():
    assert text_of(array(np.arange(200.0).reshape(20, 10))) == "20 × 10 numbers from 0.0 to 199.0"


def test_a_network_is_its_weights_and_slopes():
    network = FullyConnected([rationals([[2]]), rationals([[-1]])])
    shown = text_of(instance({"network": network, "x": rationals([1])}, {"depth": 2}))
    assert shown == "depth=2network: W1=(2)network: W2=(−1)network: slopes 1 and 0 of the activation, no biasesx=(1)"


def test_a_tuple_is_its_entries_and_names_are_escaped():
    assert text_of(instance({"a<b": (rationals(1), rationals(2))})) == "a&lt;b, 1=1a&lt;b, 2=2"

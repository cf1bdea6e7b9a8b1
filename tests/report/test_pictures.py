"""Pictures of searches and instances."""

import re

import numpy as np
import pytest

from verify.networks import FullyConnected
from verify.numbers.arithmetic import rationals
from verify.numbers.relation import Verdict
from verify.report import pictures
from verify.search.findings import CLASSES, slack_classes


def said(figure):
    return re.search(r'aria-label="([^"]*)"', figure)[1]


def test_slacks_are_counted_by_their_powers_of_ten():
    slack = np.array([-0.5, 0.0, 0.0, 5e-16, 2e-15, 0.5, 1.0])
    verdict = np.array([Verdict.FAILS, Verdict.UNDECIDED, *[Verdict.HOLDS] * 5])
    counts = slack_classes(slack, verdict)
    assert len(counts) == CLASSES
    assert counts.tolist() == [1, 1, 2, 1, *[0] * 13, 1, 1]


def test_the_histogram_says_what_it_shows():
    counts = [1, 3, *[0] * 14, 2, 10, 4]
    text = pictures.slack_histogram(counts)
    assert said(text) == (
        "Relative slack of 20 feasible instances: 1 fail in floats, 3 are undecided in floats, and 16 hold with slacks from "
        "1e-2 to 2, half of them below 1."
    )
    assert text.count("<path") == 4
    assert ">&lt;0<" in text
    assert pictures.slack_histogram([]) == pictures.slack_histogram([0] * 19) == ""
    assert said(pictures.slack_histogram([0, 5, *[0] * 17])).endswith("5 are undecided in floats.")


def test_a_network_of_one_input_is_drawn_by_its_weights_and_its_map():
    network = FullyConnected([rationals([[1], [-1]]), rationals([[1, 1]])])
    weights, graph = pictures.pictures({"network": network, "x": rationals([1])})
    assert said(weights) == (
        "The weight matrices of network as tints, of the shapes 2 × 1, 1 × 2; the largest entry has the size 1."
    )
    assert weights.count("<rect") == 4
    assert weights.count('class="n"') == 2
    assert said(graph) == "The map of network: the output from 0 to 2 on the interval from -2 to 2, with 1 kink in it."
    # the absolute value: down to the kink in the middle, and up again
    assert 'd="M0 6L75 144L150 6"' in graph
    assert graph.count("<circle") == 1


def test_a_network_of_two_inputs_is_drawn_by_its_linear_regions():
    network = FullyConnected([np.eye(2)[None], np.array([[[1.0, 1.0]]])])
    figures = pictures.pictures({"network": network, "points": np.array([[[3.0, -1.0]]])})
    assert said(figures[1]) == "The 4 linear regions of network on the square from -3.6 to 3.6. Points: (3, -1)."
    assert len(re.findall(r'class="t\d"', figures[1])) == 4


def test_what_cannot_be_drawn_is_left_out():
    affine = FullyConnected([np.eye(2)])
    assert len(pictures.pictures({"network": affine})) == 1
    assert len(pictures.pictures({"network": FullyConnected([np.eye(3), np.eye(3)])})) == 1
    assert pictures.pictures({"x": rationals([1]), "depth": 3}) == []
    huge = FullyConnected([np.ones((200, 1)), np.ones((1, 200))])
    assert len(pictures.pictures({"network": huge})) == 1


def test_points_and_graphs_are_drawn():
    (points,) = pictures.pictures({"points": rationals([[1, 0], [0, 1]])})
    assert said(points) == "2 points of the plane: (1, 0); (0, 1)"
    (graph,) = pictures.pictures({"edges": rationals([[1, 0, 1]])})
    assert said(graph) == "A graph of 3 vertices with 2 edges: 1–2, 2–3."
    assert pictures.pictures({"edges": rationals([1, 0])}) == []


@pytest.mark.parametrize("values", [np.array([1.0, 2.0]), np.array([[1.0, 2.0, 3.0]]), np.array([1.0, np.nan, 2.0])])
def test_only_long_lists_of_numbers_are_lines(values):
    assert pictures.line_of(values, "x") == ""


def test_a_long_list_is_a_line():
    assert said(pictures.line_of(np.arange(20.0), "costs")) == "costs: 20 numbers from 0 to 19, as a line."


def test_names_are_escaped():
    network = FullyConnected([np.ones((2, 3)), np.ones((1, 2))])
    (weights,) = pictures.pictures({"<b>": network})
    assert "<b>" not in weights.replace("<b>weights", "")

"""The map of the theory: its arrows, its layout and its drawing."""

import dataclasses
import itertools
import re
import xml.etree.ElementTree as ET
from importlib import resources

import pytest

from verify import catalogue
from verify.claims.catalogue import Declaration
from verify.claims.claim import FalseAsPrinted, Follows
from verify.report.map import EVIDENCE, KINDS, SHAPES, STATUSES, Arrow, Node, TheoryMap, map_of, pages, read
from verify.report.map.arrows import circle_of, of_claims, theorem_of
from verify.report.map.drawing import MARGIN, drawing, legend, legend_in_words, stand_alone
from verify.report.map.layout import Sizes, crossings, laid_out

THEOREMS = ("mine.a", "mine.b", "mine.c", "other.a")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def claims():
    return catalogue()


def told(claims, evidence="searched"):
    """What is known of the claims, without reading evidence."""
    modules = {claim.id: claim.statement for claim in claims.values()}
    while any(hasattr(one, "func") for one in modules.values()):
        modules = {name: getattr(one, "func", one) for name, one in modules.items()}
    return {
        one.id: Declaration(one.id, one.title, one.source, one.status, modules[one.id].__module__, evidence, "", None)
        for one in claims.values()
    }


@pytest.fixture(scope="module")
def theory(claims):
    return map_of(claims, told(claims), "theorems")


def test_arrows_are_between_theorems_that_exist_and_none_stands_twice(claims, theory):
    assert set(theory.nodes) == {theorem_of(name) for name in claims}
    pairs = [(arrow.source, arrow.target) for arrow in theory.arrows]
    assert len(set(pairs)) == len(pairs) > 100
    assert {name for pair in pairs for name in pair} <= set(theory.nodes)
    assert {arrow.kind for arrow in theory.arrows} <= set(KINDS)
    assert circle_of(theory.arrows) == []


def test_the_table_has_the_theorems_of_each_paper_in_the_order_of_its_contents(claims):
    text = resources.files("theorems").joinpath("map.toml").read_text(encoding="utf-8")
    tables = re.findall(r"^\[(\w+)\.\w+\]$", text, re.MULTILINE)
    papers = ["feature_learning", "notion_of_rank", "bottleneck_structure", "leaky_resnets", "symmetry_learning"]
    assert [paper for paper, _ in itertools.groupby(tables)] == papers
    assert read(text, {theorem_of(name) for name in claims})


def test_what_is_said_of_a_theorem(theory):
    node = theory.nodes["notion_of_rank.prop_3"]
    assert (node.label, node.shape, node.evidence, node.errata) == ("Prop 3", "proposition", "searched", 1)
    assert node.said.startswith("Proposition 3: the Jacobian's Schatten norm bounds the cost per layer.")
    assert node.said.endswith("\nStated; searched; 1 statement false as printed.")
    labels = {name: theory.nodes[name].label for name in theory.nodes}
    assert labels["feature_learning.cor_9"] == "Corollary 9"
    assert labels["feature_learning.prop_13"] == "Prop 13"
    assert labels["leaky_resnets.prop_10"] == "Prop 10"
    assert labels["leaky_resnets.ode"] == "ODE"
    assert labels["feature_learning.frank_wolfe"] == "Frank-Wolfe"
    assert labels["symmetry_learning.cnn_prop_3"] == "Prop 3 for convolutional networks"
    assert theory.nodes["leaky_resnets.conjectures"].evidence == "conjecture"
    assert {node.shape for node in theory.nodes.values()} == set(SHAPES)
    assert not any("`" in node.title for node in theory.nodes.values())


def test_proved_counts_the_claims_that_have_a_certificate(claims):
    listing = told(claims, "proved at (width=2)")
    assert map_of(claims, listing, "theorems").nodes["notion_of_rank.prop_3"].evidence == "proved"
    one = listing["notion_of_rank.prop_3.slopes"]
    for evidence in ("searched", "on a grid of 625 instances at (points=2)", "searched, certificate is stale"):
        listing[one.id] = dataclasses.replace(one, evidence=evidence)
        node = map_of(claims, listing, "theorems").nodes["notion_of_rank.prop_3"]
        assert (node.evidence, node.in_words) == ("partly proved", f"{node.claims - 1} of {node.claims} claims proved")
    # what is refuted needs no proof
    listing["notion_of_rank.prop_3.printed"] = dataclasses.replace(one, evidence="exact")
    listing[one.id] = one
    assert map_of(claims, listing, "theorems").nodes["notion_of_rank.prop_3"].evidence == "proved"


def test_a_certificate_that_was_not_checked_here_says_itself_what_it_proves(claims, monkeypatch):
    names = ("notion_of_rank.infinite_depth_limit", "notion_of_rank.linear_networks.attained")
    chosen = {name: claims[name] for name in names}
    listing = told(chosen, "exact, certificate not checked here")
    monkeypatch.setattr("verify.report.map.graph.FILE", "no file")
    assert {node.evidence for node in map_of(chosen, listing, "theorems").nodes.values()} == {"proved"}
    monkeypatch.setattr("verify.proofs.methods.evidence", lambda _: "on a grid of 625 instances at (points=2)")
    assert {node.evidence for node in map_of(chosen, listing, "theorems").nodes.values()} == {"searched"}


def test_a_map_of_one_paper_has_what_it_rests_on(theory):
    paper = theory.of_paper("symmetry_learning")
    names = {node.name for node in paper.nodes.values() if node.paper != "symmetry_learning"}
    assert names == {arrow.source for arrow in paper.arrows if not arrow.source.startswith("symmetry_learning.")}
    assert "notion_of_rank.theorem_2" in names
    assert {arrow.source for arrow in theory.before("notion_of_rank.prop_5")} == {"notion_of_rank.theorem_1"}
    assert {arrow.target for arrow in theory.after("notion_of_rank.theorem_1")} >= {"notion_of_rank.prop_5"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[mine.a", "map.toml: Expected"),
        ("mine = 1", r"mine must have a table for each theorem: write \[mine.NAME\]"),
        ("[mine.d]\nuses.a = 'here'", r"\[mine.d\] is no theorem of this package"),
        ("[mine.b]\nneeds.a = 'here'", r"\[mine.b\] must say uses or extends, as in uses.NAME = 'place', got needs"),
        ("[mine.b]\nuses = 'mine.a'", r"\[mine.b\] must say uses or extends"),
        ("[mine.b]\nuses.d = 'here'", r"\[mine.b\] uses mine.d, which is no other theorem"),
        ("[mine.b]\nuses.b = 'here'", r"\[mine.b\] uses mine.b, which is no other theorem"),
        ("[mine.b]\nuses.other.c = 'here'", r"\[mine.b\] uses other.c, which is no other theorem"),
        ("[mine.b]\nuses.a = ' '", r"\[mine.b\] uses mine.a must say where, got ' '"),
        ("[mine.b]\nuses.a = 3", r"\[mine.b\] uses mine.a must say where, got 3"),
        ("[mine.b]\nuses.a = 'here'\nextends.a = 'there'", "mine.b names mine.a twice"),
        ("[mine.b]\nuses.a = 'here'\n[mine.a]\nextends.b = 'there'", "mine.b rests on mine.a rests on mine.b: a proof cannot"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_with_its_place(text, says):
    with pytest.raises(ValueError, match=says):
        read(text, THEOREMS)


def test_a_table_is_read():
    text = "[mine.b]\nuses.a = 'proof of b'\nuses.other.a = 'there'\n[mine.c]\nextends.a = 'more'"
    assert read(text, THEOREMS) == [
        Arrow("mine.a", "mine.b", "uses", "proof of b"),
        Arrow("other.a", "mine.b", "uses", "there"),
        Arrow("mine.a", "mine.c", "extends", "more"),
    ]


def test_claims_give_arrows_between_theorems(claims):
    true, printed = claims["notion_of_rank.prop_3"], claims["leaky_resnets.prop_10.printed"]
    other = dataclasses.replace(printed, status=FalseAsPrinted(corrected_by=true.id))
    following = dataclasses.replace(claims["notion_of_rank.prop_4"], follows=(Follows(true),))
    within = dataclasses.replace(claims["notion_of_rank.prop_3.slopes"], follows=(Follows(true),))
    found = of_claims({one.id: one for one in (other, following, within)})
    assert [(arrow.source, arrow.target, arrow.kind) for arrow in found] == [
        ("notion_of_rank.prop_3", "leaky_resnets.prop_10", "corrects"),
        ("notion_of_rank.prop_3", "notion_of_rank.prop_4", "uses"),
    ]


def test_claims_that_follow_from_each_other_in_a_circle_are_refused(claims):
    names = ("notion_of_rank.prop_3", "notion_of_rank.theorem_1")
    one, two = (claims[name] for name in names)
    changed = dict(claims) | {one.id: dataclasses.replace(one, follows=(Follows(two),))}
    with pytest.raises(ValueError, match=r"theorems: .*notion_of_rank.prop_3.*a proof cannot go round in a circle"):
        map_of(changed, told(claims), "theorems")


# Layout


def overlap(one, other, sizes):
    return abs(one[0] - other[0]) < sizes.width and abs(one[1] - other[1]) < sizes.height


@pytest.mark.parametrize("paper", [None, "feature_learning", "leaky_resnets", "symmetry_learning"])
def test_no_two_theorems_overlap_and_arrows_lead_to_the_right(theory, paper):
    part = theory.of_paper(paper) if paper else theory
    sizes = Sizes()
    layout = laid_out(list(part.nodes), [(arrow.source, arrow.target) for arrow in part.arrows], sizes)
    assert set(layout.places) == set(part.nodes)
    for one, other in itertools.combinations(layout.places.values(), 2):
        assert not overlap(one, other, sizes)
    for x, y in layout.places.values():
        assert 0 <= x <= layout.width - sizes.width
        assert -1e-9 <= y <= layout.height - sizes.height + 1e-9
    for (start, end), corners in layout.routes.items():
        assert layout.places[start][0] + sizes.width < layout.places[end][0]
        assert [x for x, _ in corners] == sorted(x for x, _ in corners)
        for x, y in corners[1:-1]:
            inside = [
                name
                for name, (left, top) in layout.places.items()
                if left <= x <= left + sizes.width and top < y < top + sizes.height
            ]
            assert inside == [], (start, end)


def test_an_arrow_that_follows_from_others_is_not_drawn_and_a_chain_is_as_long_as_its_longest_path():
    layout = laid_out(["a", "b", "c", "alone"], [("a", "b"), ("b", "c"), ("a", "c")], Sizes())
    assert set(layout.routes) == {("a", "b"), ("b", "c")}
    assert layout.places["a"][0] < layout.places["b"][0] < layout.places["c"][0]
    # on one line
    assert len({layout.places[name][1] for name in "abc"}) == 1
    assert layout.places["alone"][1] > layout.places["a"][1]


def test_sweeps_take_crossings_away():
    # a ladder whose rungs are crossed in the given order
    layout = laid_out(["a", "b", "c", "x", "y", "z"], [("a", "z"), ("b", "y"), ("c", "x")], Sizes())
    tops = {name: layout.places[name][1] for name in "abcxyz"}
    assert (tops["a"] < tops["b"] < tops["c"]) == (tops["z"] < tops["y"] < tops["x"])


def test_crossings_are_counted():
    import networkx as nx

    links = nx.DiGraph([("a", "z"), ("b", "y"), ("c", "x")])
    assert crossings([["a", "b", "c"], ["x", "y", "z"]], links) == 3
    assert crossings([["a", "b", "c"], ["z", "y", "x"]], links) == 0


def test_a_circle_has_no_layout():
    with pytest.raises(ValueError, match="must not go round in a circle"):
        laid_out(["a", "b"], [("a", "b"), ("b", "a")], Sizes())


def test_a_map_without_theorems_is_empty():
    layout = laid_out([], [], Sizes())
    assert (layout.places, layout.routes) == ({}, {})


# Drawing


def test_a_drawing_has_every_theorem_with_its_title_and_its_link(theory):
    part = theory.of_paper("notion_of_rank")
    root = ET.fromstring(drawing(part, "a <map>", home="notion_of_rank", link=lambda node: f"{node.name}.html"))
    assert root.get("aria-label") == "a <map>"
    links = root.findall(f"{SVG}a")
    assert [link.get("href") for link in links] == [f"{name}.html" for name in part.nodes]
    assert [link.find(f"{SVG}title").text for link in links] == [node.said for node in part.nodes.values()]
    shown = {link.get("href"): link for link in links}
    prop_3 = shown["notion_of_rank.prop_3.html"]
    assert prop_3.find(f"{SVG}rect").get("class") == "searched is-stated wrong"
    assert shown["notion_of_rank.theorem_1.html"].find(f"{SVG}path") is not None
    assert "wrong" not in shown["notion_of_rank.prop_2.html"].find(f"{SVG}rect").get("class")


def test_a_theorem_says_its_formula_and_where_it_comes_from(theory):
    said = theory.nodes["leaky_resnets.prop_10"].said
    assert "growth" in said
    assert "Derived here; " in said
    assert theory.nodes["notion_of_rank.prop_3"].formula.count("≤") == 1
    root = ET.fromstring(drawing(theory, "all"))
    borders = {word for one in root.iter() for word in one.get("class", "").split() if word.startswith("is-")}
    assert borders == {f"is-{status.replace(' ', '-')}" for status in STATUSES}


def test_labels_are_inside_of_their_shapes(theory):
    root = ET.fromstring(drawing(theory, "all"))
    boxes = laid_out(list(theory.nodes), [(arrow.source, arrow.target) for arrow in theory.arrows], Sizes()).places
    assert len(root.findall(f"{SVG}g")) == len(boxes)
    _, _, width, height = map(float, root.get("viewBox").split())
    for group in root.findall(f"{SVG}g"):
        texts = group.findall(f"{SVG}text")
        # a letter of 12 pixels is at most 7 wide on the average
        assert all(len(text.text) * 7 <= Sizes().width - 8 for text in texts if text.get("class") != "paper")
        for text in texts:
            assert 0 < float(text.get("x")) < width - 2 * MARGIN
            assert 0 < float(text.get("y")) < height - 2 * MARGIN


def test_theorems_of_other_papers_name_their_paper(theory):
    part = theory.of_paper("symmetry_learning")
    papers = {text.text for text in ET.fromstring(drawing(part, "", home="symmetry_learning")).iter(f"{SVG}text")
              if text.get("class") == "paper"}  # fmt: skip
    assert papers == {"Notion of rank", "Bottleneck structure"}


def test_a_file_that_stands_alone_has_its_colours_for_light_and_dark(theory):
    text = stand_alone(drawing(theory.of_paper("notion_of_rank"), "a map"))
    style = ET.fromstring(text).find(f"{SVG}style").text
    assert "var(" not in text
    assert "light-dark" not in text
    assert "prefers-color-scheme: dark" in style
    assert "#a9dfbd" in style.partition("@media")[0]
    assert "#1f5a3a" in style.partition("@media")[2]


def test_the_legend_has_all_that_a_map_can_show():
    texts = [text.text for text in ET.fromstring(legend()).iter(f"{SVG}text")]
    assert texts == [*SHAPES, *EVIDENCE, *STATUSES, "has an erratum", *KINDS]
    for word in (*SHAPES, *EVIDENCE, *STATUSES, *KINDS):
        assert word in legend_in_words()
    width = min(float(one.get("width")) for one in ET.fromstring(legend()).iter(f"{SVG}rect"))
    assert all(len(text) * 7 <= width - 8 for text in texts)


# Pages


def test_the_page_has_a_map_and_a_table_of_each_paper_and_of_all(theory):
    text = pages.page(theory, {"notion_of_rank": "A notion of rank"})
    assert re.findall(r"^\.\. _map-(\w+):$", text, re.MULTILINE) == theory.papers
    assert "A notion of rank\n----------------\n" in text
    # on a narrow screen the box scrolls, not the page
    svgs = len(re.findall("<svg", text))
    assert (
        svgs
        == len(re.findall(r'<div class="wide[^>]*tabindex="0"[^>]*aria-label="[^"]+">\s*<svg', text))
        == len(theory.papers) + 2
    )
    shown = re.findall(r'<div class="wide map".*?</details>', text)
    assert len(shown) == len(theory.papers) + 1
    for paper, block in zip([*theory.papers, None], shown, strict=True):
        own = [node for node in theory.nodes.values() if paper in (None, node.paper)]
        table = block.partition("<tbody>")[2]
        rows = re.findall(r"<tr>(.*?)</tr>", table)
        assert [re.search('href="(.*?)"', row)[1] for row in rows] == [pages.address(node) for node in own]
        # each arrow that is drawn to a theorem of the paper can be read in its row
        for node, row in zip(own, rows, strict=True):
            for arrow in theory.before(node.name):
                assert f'href="{pages.address(theory.nodes[arrow.source])}"' in row, (node.name, arrow)
            for arrow in theory.after(node.name):
                assert f'href="{pages.address(theory.nodes[arrow.target])}"' in row, (node.name, arrow)


def test_the_line_of_a_theorem_says_what_it_rests_on_and_what_rests_on_it():
    nodes = {
        name: Node(name, name.split(".")[0], name.split(".")[1].upper(), "A title", "other", "searched", 1, 0, 0)
        for name in THEOREMS
    }
    arrows = [
        Arrow("other.a", "mine.a", "uses", 'the "proof"'),
        Arrow("mine.a", "mine.b", "uses", "there"),
        Arrow("mine.a", "mine.c", "extends", "more"),
    ]
    theory = TheoryMap(nodes, arrows)
    assert pages.line(theory, "mine.a") == (
        '<p class="relations">Uses: <a href="../other/a.html" title="the &quot;proof&quot;">A</a> (Other). '
        'Used by: <a href="../mine/b.html" title="there">B</a>. Extended by: <a href="../mine/c.html" title="more">C</a>.</p>\n'
    )
    assert pages.line(theory, "mine.c").startswith('<p class="relations">Extends: <a href="../mine/a.html"')
    assert pages.line(TheoryMap(nodes, []), "mine.a") == ""


def test_a_theorem_says_what_it_rests_on_and_what_rests_on_it(theory):
    text = pages.line(theory, "notion_of_rank.prop_3")
    assert text.startswith('<p class="relations">Uses: <a href="../notion_of_rank/linear_networks.html" title="proof of')
    used = text.partition("Used by: ")[2].partition(".</")[0]
    assert '<a href="../notion_of_rank/theorem_1.html"' in used
    assert '">Example 20</a> (Bottleneck structure)' in used
    assert 'Extended by: <a href="../symmetry_learning/cnn_prop_3.html"' in text
    assert pages.line(theory, "leaky_resnets.stable_solve") == ""


def test_a_correction_is_told_at_both_ends():
    nodes = {name: Node(name, "mine", name, name, "other", "searched", 1, 0, 0) for name in ("mine.a", "mine.b")}
    theory = TheoryMap(nodes, [Arrow("mine.a", "mine.b", "corrects", "here")])
    assert pages.line(theory, "mine.b").startswith('<p class="relations">Corrected by: <a href="../mine/a.html"')
    assert pages.line(theory, "mine.a").startswith('<p class="relations">Corrects: <a href="../mine/b.html"')
    assert 'class="point corrects"' in drawing(theory, "")


def test_the_numbers_of_the_first_page_are_counted(claims, theory):
    found = re.findall(r"<b>(\d+)</b>", pages.numbers(theory, 130))
    wrong = sum(isinstance(claim.status, FalseAsPrinted) for claim in claims.values())
    assert list(map(int, found)) == [len(claims), 5, 0, 130]
    all_proved = map_of(claims, told(claims, "proved at (width=2)"), "theorems")
    assert re.findall(r"<b>(\d+)</b>", pages.numbers(all_proved, 130))[2] == str(len(claims) - wrong)

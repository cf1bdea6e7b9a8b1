from __future__ import annotations

import json
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.evidence import ledger as module
from verify.evidence.files import UnusableFile
from verify.evidence.ledger import (
    Entry,
    TornLedgerWarning,
    UnusableLedger,
    append,
    merged,
    read_ledger,
    totals,
    write_ledger,
)


def entry(seed=0, claim="a.b", **changed):
    values = {
        "claim": claim,
        "fingerprint": "0123456789abcdef",
        "seed": seed,
        "budget": "quick",
        "outcome": "survived",
        "evidence": "searched",
        "drawn": 10,
        "feasible": 8,
        "evaluations": 12,
        "decided": 0,
        "relative_slack": (0.25 * (seed + 1)).hex(),
        "versions": {"numpy": "2.0"},
    }
    return Entry(**(values | changed))


ENTRIES = st.builds(
    entry,
    seed=st.integers(0, 3),
    claim=st.sampled_from(["a.b", "a.c"]),
    outcome=st.sampled_from(["survived", "refuted"]),
    evaluations=st.integers(0, 3),
)
LEDGERS = st.lists(ENTRIES, max_size=5)


@settings(max_examples=60, deadline=None)
@given(LEDGERS, LEDGERS, LEDGERS)
def test_merging_is_associative_commutative_and_idempotent(a, b, c):
    assert merged([merged([a, b]), c]) == merged([a, merged([b, c])])
    assert len({tuple(one.line() for one in merged(order)) for order in permutations([a, b, c])}) == 1
    assert merged([merged([a]), a]) == merged([a])


def test_what_is_appended_is_read(tmp_path):
    path = tmp_path / "ledger.jsonl"
    entries = [entry(seed) for seed in range(5)]
    for one in entries:
        append(path, one)
    assert read_ledger(path) == entries
    assert path.read_bytes().count(b"\n") == 5


@pytest.mark.parametrize("kept", [1, 20, -2])
def test_a_torn_last_line_is_dropped_with_a_warning_and_cut_off(tmp_path, kept):
    path = tmp_path / "ledger.jsonl"
    append(path, entry(0))
    line = (entry(1).line() + "\n").encode()
    with path.open("ab") as file:
        file.write(line[:kept])
    with pytest.warns(TornLedgerWarning, match="torn"):
        assert read_ledger(path) == [entry(0)]
    append(path, entry(2))
    assert read_ledger(path) == [entry(0), entry(2)]


def test_a_ledger_that_is_not_there_is_empty(tmp_path):
    assert read_ledger(tmp_path / "none.jsonl") == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("nonsense", "line 2: not JSON"),
        ("[1]", "line 2: not a line of a ledger"),
        (json.dumps({"schema": 3}), "line 2: not a line of a ledger of schema 1 or 2"),
        (json.dumps({"schema": 1, "claim": 3}), "line 2: not an entry of a ledger: it lacks .*"),
        (json.dumps(json.loads(entry().line()) | {"more": 1}), "line 2: not an entry of a ledger: .*unknown fields.*more"),
    ],
)
def test_foreign_lines_are_refused_with_the_reason(tmp_path, line, reason):
    path = tmp_path / "ledger.jsonl"
    path.write_text(entry().line() + "\n" + line + "\n")
    with pytest.raises(UnusableLedger, match=reason):
        read_ledger(path)


@pytest.mark.parametrize(("before", "now"), [("holds", "survived"), ("unrefuted", "survived"), ("refuted", "refuted")])
def test_lines_of_schema_1_are_read_in_the_words_of_schema_2(tmp_path, before, now):
    line = json.loads(entry(outcome=now).line()) | {"schema": 1, "outcome": before}
    line["tier"], line["valid"] = line.pop("evidence"), line.pop("feasible")
    path = tmp_path / "ledger.jsonl"
    path.write_text(json.dumps(line) + "\n" + entry(1).line() + "\n")
    assert read_ledger(path) == [entry(outcome=now), entry(1)]


def test_writing_replaces_the_whole_file(tmp_path):
    path = tmp_path / "ledger.jsonl"
    write_ledger(path, [entry(2)])
    write_ledger(path, [entry(0), entry(1)])
    assert read_ledger(path) == [entry(0), entry(1)]
    assert list(tmp_path.iterdir()) == [path]


def test_a_shard_counts_once_in_the_totals():
    again = entry(0, versions={"numpy": "2.1"})
    total = totals([entry(0), again, entry(1), entry(1, fingerprint="f" * 16)])
    assert total[("a.b", "0123456789abcdef")].shards == 2
    assert total[("a.b", "0123456789abcdef")].evaluations == 24
    assert total[("a.b", "0123456789abcdef")].relative_slack == 0.25
    assert total[("a.b", "f" * 16)].shards == 1


@pytest.mark.parametrize("believed", ["refuted", "undecided", "survived"])
def test_of_a_shard_from_several_machines_a_refutation_is_believed_first(believed):
    kernels = ("openblas 0.3.30 Haswell", "openblas 0.3.30 SkylakeX", "openblas 0.3.30 Prescott")
    said = ["survived", "undecided", "refuted"][: ["survived", "undecided", "refuted"].index(believed) + 1]
    entries = [
        entry(outcome=one, drawn=k, versions={"blas": blas}) for k, (one, blas) in enumerate(zip(said, kernels, strict=False))
    ]
    for order in permutations(entries):
        assert len(merged([[one] for one in order])) == len(said)
        (total,) = totals(order).values()
        assert (total.shards, total.drawn) == (1, len(said) - 1)
        assert total.refuted == (believed == "refuted")


@settings(max_examples=60, deadline=None)
@given(LEDGERS, LEDGERS)
def test_totals_do_not_depend_on_how_ledgers_were_merged(a, b):
    assert totals(merged([a, b])) == totals([*b, *a, *a])
    refuted = {one.shard for one in [*a, *b] if one.outcome == "refuted"}
    assert all(one.refuted == any(shard[:2] == key for shard in refuted) for key, one in totals([*a, *b]).items())


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("drawn", -1),
        ("evaluations", 1.5),
        ("feasible", True),
        ("seed", 2**63),
        ("outcome", "proved"),
        ("evidence", "perhaps"),
        ("budget", "endless"),
        ("relative_slack", "0x1.0p+99999"),
        ("relative_slack", "nan"),
        ("fingerprint", "0123"),
        ("claim", ""),
        ("versions", {"numpy": 2}),
    ],
)
def test_values_that_no_search_gives_are_refused(tmp_path, field, value):
    path = tmp_path / "ledger.jsonl"
    path.write_text(json.dumps(json.loads(entry().line()) | {field: value}) + "\n")
    with pytest.raises(UnusableLedger, match=f"line 1: not an entry of a ledger: {field} must be"):
        read_ledger(path)


def test_nothing_evaluated_has_no_slack():
    total = totals([entry(0, relative_slack=None, feasible=0)])
    assert total[("a.b", "0123456789abcdef")].relative_slack == float("inf")


@settings(max_examples=60, deadline=None)
@given(
    ENTRIES,
    st.sampled_from(
        [
            ('"seed":', '"seed":0'),
            ('"seed":', '"seed": '),
            ('"decided":0', '"decided":-1'),
            ('"decided":0', '"decided":9223372036854775807'),
            ('"decided":0', '"decided":9223372036854775808'),
            ('"budget"', '"badget"'),
            ("survived", "held"),
            ("a.b", "a\\u002eb"),
            ("a.b", "a b"),
            ("0x1.", "0X1."),
            ('"numpy":"2.0"', '"numpy":"2.0","flint":"1"'),
            ('"numpy":"2.0"', '"numpy":""'),
            ('"numpy":"2.0"', '"numpy":2'),
            ('{"numpy":"2.0"}', "{}"),
            ('{"numpy":"2.0"}', "[]"),
            ("", ""),
        ]
    ),
)
def test_lines_as_we_write_them_are_read_as_any_others(one, change):
    text = one.line().replace(*change, 1)

    def read(function, *arguments):
        try:
            found = function(*arguments)
        except UnusableFile as error:
            return str(error)
        return found, found.line()

    assert read(module._entry, f"{text}\n".encode(), {}) == read(module._entry_of, text)


def test_lines_that_are_added_together_are_there_together(tmp_path):
    path = tmp_path / "ledger.jsonl"
    append(path, entry(0))
    path.write_text(path.read_text() + "torn")
    append(path, entry(1), entry(2))
    assert read_ledger(path) == [entry(0), entry(1), entry(2)]

"""What README and guides show is printed by the code: tables, badges, and the output below each command.

python tests/written_pages.py writes the README's counts, badges and outputs anew.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
BADGES = ROOT / "docs" / "_static" / "badges"

PAPERS = {
    "feature_learning": "Jacot, Golikov, Hongler, Gabriel: Feature Learning in L2-regularized DNNs: Attraction/Repulsion and "
    "Sparsity (NeurIPS 2022, arXiv 2205.15809)",
    "notion_of_rank": "Jacot: Implicit Bias of Large Depth Networks: a Notion of Rank for Nonlinear Functions (ICLR 2023, "
    "arXiv 2209.15055), slides by H. Cho on it",
    "bottleneck_structure": "Jacot: Bottleneck Structure in Learned Features: Low-Dimension vs Regularity Tradeoff "
    "(NeurIPS 2023, arXiv 2305.19008)",
    "leaky_resnets": "Jacot, Kaiser: Hamiltonian Mechanics of Feature Learning: Bottleneck Structure in Leaky ResNets "
    "(2024, arXiv 2405.17573)",
    "symmetry_learning": "Jacot: Bottleneck Structure in Large Depth Networks: Mechanisms of Symmetry Learning (talk, 2023)",
}
"""With authors, year and number, by the folder of their claims."""


def counted(folder):
    """Of a paper: claims, proved for all sizes, at small sizes, at the smallest only, searched, false as printed, errata."""
    from verify import catalogue
    from verify.claims.errata import table
    from verify.report.proved import proofs

    claims = {name: claim for name, claim in catalogue("theorems").items() if name.startswith(f"{folder}.")}
    found = [proofs(claim, "theorems") for claim in claims.values() if claim.status.name != "false_as_printed"]
    proved, for_all = sum(one.is_proved for one in found), sum(one.for_all_sizes for one in found)
    smallest = sum(one.at_smallest_sizes for one in found)
    return [
        len(claims),
        for_all,
        proved - for_all - smallest,
        smallest,
        len(found) - proved,
        len(claims) - len(found),
        len(table(folder)),
    ]


def table_of_papers():
    """A row for each paper, with links, and one for all."""
    rows = {folder: counted(folder) for folder in PAPERS}
    lines = []
    for folder, (claims, for_all, at_some, smallest, searched, wrong, errata) in rows.items():
        cells = [f"[{PAPERS[folder]}](theorems/{folder})", claims, for_all, at_some, smallest, searched, wrong]
        lines.append([*cells, f"[{errata}](theorems/{folder}/errata.toml)"])
    lines.append(["together", *(sum(column) for column in zip(*rows.values(), strict=True))])
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def strengths():
    """The sentence on how small an error is detected."""
    from verify.checker.strength import distribution, read_strengths, strength_file

    known = read_strengths(strength_file("theorems")).values()
    comparisons, constants = distribution(known, "comparisons"), distribution(known, "constants")

    def up_to(counts, last):
        sizes = ["1e-6", "1e-4", "1e-2"]
        return sum(counts.get(size, 0) for size in sizes[: sizes.index(last) + 1])

    total = sum(comparisons.values())
    return (
        f"of the {total} comparisons of this catalogue an error of\n  1e-6 is detected in {up_to(comparisons, '1e-6')}, "
        f"of 1e-2 in {up_to(comparisons, '1e-2')}; of the {sum(constants.values())} constants in "
        f"{up_to(constants, '1e-6')} and {up_to(constants, '1e-2')}"
    )


def badge(label, value):
    """Two words in a small picture."""
    left, right = 7 * len(label) + 12, 7 * len(value) + 12
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="{label}: {value}">'
        f"<title>{label}: {value}</title>"
        f'<rect width="{left + right}" height="20" rx="3" fill="#1f5f8b"/>'
        f'<path d="M3 0h{left - 3}v20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#444b54"/>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">'
        f'<text x="{left / 2:g}" y="14" textLength="{left - 12}">{label}</text>'
        f'<text x="{left + right / 2:g}" y="14" textLength="{right - 12}">{value}</text></g></svg>\n'
    )


def badges():
    """The badges of the README, by the names of their files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = {
        "python": ("python", project["requires-python"].replace(">=", "") + " or newer"),
        "licence": ("licence", project["license"]),
        "tests": ("tests", "pytest, .ci/run"),
        "docs": ("docs", "guides and site"),
    }
    return {f"{name}.svg": badge(*said) for name, said in found.items()}


def examples(text):
    """Every block of Python or shell that has its output below it: language, code, output."""
    return re.findall(r"^```(python|sh)\n((?:(?!```).*\n)+)```\n\n```text\n((?:(?!```).*\n)*)```$", text, re.MULTILINE)


def shell(script, cwd, cache):
    """What a script prints, and its exit status."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PATH": path, "NO_COLOR": "1", "XDG_CACHE_HOME": str(cache)}
    environment.pop("COLUMNS", None)
    # the names of a console script and of the module are one
    script = f'verify() {{ {sys.executable} -m verify "$@"; }}\n{script}'
    found = subprocess.run(["bash", "-euc", script], cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    return found.stdout, found.returncode


def lines_of(text):
    """Lines without what differs from run to run: seconds, whether a result was kept, and the widths of columns."""
    text = re.sub(r"(?<= )(\d+\.\d\d|kept)$", "S", text, flags=re.MULTILINE)
    text = re.sub(r"[\d.]+ s of work( \(.+\))?$", "S s of work", text, flags=re.MULTILINE)
    return [" ".join(line.split()) for line in text.strip().splitlines()]


def differs(shown, printed):
    """The first line that is shown and was not printed there; None if there is none. "..." stands for any lines."""
    left, anywhere = lines_of(printed), False
    for line in lines_of(shown):
        if line == "...":
            anywhere = True
            continue
        if line not in left or (not anywhere and left[0] != line):
            return line
        left = left[left.index(line) + 1 :]
        anywhere = False
    return None if anywhere or not left else f"(nothing), where {left[0]!r} is printed"


def printed_by(language, code, names, folder, cache):
    """What an example prints; Python goes on with the names of the one before, shell begins in `folder`."""
    if language == "sh":
        return shell(code, folder, cache)[0]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "example", "exec"), names)
    return out.getvalue()


def place(code, root):
    """Where a command runs: what makes a folder begins elsewhere."""
    return tempfile.mkdtemp() if "verify new" in code else root


def main():
    """Write counts, badges and whole outputs; a shown output with "..." is left, and told if it is another one."""
    BADGES.mkdir(exist_ok=True)
    for name, picture in badges().items():
        (BADGES / name).write_text(picture, encoding="utf-8")
    text = README.read_text(encoding="utf-8")
    text = re.sub(r"(\|---[-|]+\|\n)(?:\| .+\n)*(?=<!-- end -->)", lambda found: found[1] + table_of_papers(), text)
    text = re.sub(r"of the \d+ comparisons of this[^.]+ and \d+", lambda _: strengths(), text)
    names = {}
    for language, code, shown in examples(text):
        printed = printed_by(language, code, names, place(code, ROOT), tempfile.mkdtemp()).rstrip() + "\n"
        if "..." not in shown.splitlines():
            text = text.replace(f"{code}```\n\n```text\n{shown}", f"{code}```\n\n```text\n{printed}")
        elif line := differs(shown, printed):
            print(f"not printed any more by {code.strip()!r}: {line}")  # noqa: T201
    README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

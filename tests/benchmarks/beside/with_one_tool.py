"""Theorems with one tool, by the interpreter that has the tool: python with_one_tool.py TOOL SEEDS THEOREM...

A line of JSON for each: verdicts and seconds of the processor, without the import of the tool.
"""

import importlib
import json
import sys
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
warnings.simplefilter("ignore")


def timed(function, *arguments):
    begun = time.process_time()
    verdict = function(*arguments)
    return {"verdict": verdict, "seconds": round(time.process_time() - begun, 3)}


def told(module, tool, name, seeds):
    said = module.KNOWN[name]
    more = (name,) if tool == "ours" else ()
    found = {"size": said.size, "theorem": timed(module.run, said, said.theorem, 0, *more)}
    found["false"] = [timed(module.run, said, said.false, seed, *more) for seed in range(seeds)]
    return found | {"proof": timed(module.proofs, name)} if tool == "ours" else found


def main(tool, seeds, names):
    module = importlib.import_module(f"with_{tool}")
    for name in names:
        print(json.dumps([name, told(module, tool, name, seeds)]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])

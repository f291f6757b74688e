"""What NVIDIA's own parser and builder say of our verdicts.

    python tests/truth/truth.py rows                 the rows of cpp/data/facts and the rules
    python tests/truth/truth.py grid --date DATE     a grid of models; writes docs/accuracy.md and verdicts.json
    python tests/truth/truth.py second --date DATE   a part of a grid that nobody looked at; writes its counts
    python tests/truth/truth.py shuffles             convolutions behind a channel shuffle, in 900 forms
    python tests/truth/truth.py placed               near misses of rows and rules behind, beside and inside of bodies
    python tests/truth/truth.py control --date DATE  Loop, Scan, If and programs; writes its part of docs/accuracy.md
    python tests/truth/truth.py compositions --date DATE  drawn graphs and mutants of exports, of two seeds; the same

Of the grid, of compositions and of the first seed of control flow only models are asked about that the records do not
know; --anew: all. --tables FOLDER:
what is missed and what is a false alarm, as Markdown with the smallest model of each.

Exit code 1: a claim that we call proven is refuted.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import accuracy
import compare
import composition_truth
import compositions
import control
import control_truth
import grid
import groups
import placed
import referee
import rows
import second_seed
import shuffles
import verdicts
from messages import essence
from program import add_witness_option, find_program
from witness import WHEELS, Witness, find_libraries

VERSIONS = list(WHEELS)


def of_rows(program: Path) -> int:
    samples = [*rows.of_rows(), *rows.of_pages()]
    outcomes = [out for version in VERSIONS for out in referee.put_before(samples, program, find_libraries(version))]
    for outcome in outcomes:
        if outcome.word == "refuted":
            said = f"refused ({outcome.claim.certainty})" if outcome.claim.refused else "taken"
            reason = essence(outcome.verdict.reason)
            print(f"{outcome.version} {outcome.sample.name}: we say {said}; {outcome.verdict.kind} {reason}")
    for version in VERSIONS:
        counts = Counter(outcome.word for outcome in outcomes if outcome.version == version)
        print(version, ", ".join(f"{word} {count}" for word, count in sorted(counts.items())))
    grave = [outcome for outcome in outcomes if outcome.is_grave]
    for outcome in grave:
        print(f"proven, and refuted by {outcome.version}: {outcome.sample.name}")
    return int(bool(grave))


def of_grid(args: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix="trtcheck-grid-") as folder:
        start = time.monotonic()
        entries = compare.write_grid(Path(folder), grid.SEED, args.only)
        tell(start, f"{len(entries)} models, seed {grid.SEED}")
        compare.judge_ours(entries, VERSIONS)
        tell(start, "our verdicts")
        unknown = entries
        if not args.anew and verdicts.FILE.exists():
            unknown = verdicts.recall(entries, verdicts.load())
        print(f"{len(unknown)} models are not in {verdicts.FILE.name}")
        for version in VERSIONS if unknown else []:
            libraries = find_libraries(version)
            compare.judge_theirs(unknown, find_program(args.witness), libraries, grid.SEED)
            tell(start, version)
        for version in VERSIONS:
            count = compare.judge_refused(entries, find_program(args.witness), find_libraries(version))
            tell(start, f"{version}: {count} models built that were parsed only, and that we refuse")
        if args.more:
            program, libraries = find_program(args.witness), find_libraries(VERSIONS[-1])
            built = compare.build_more(entries, program, libraries, grid.SEED, args.more)
            tell(start, f"{built} more models built by {VERSIONS[-1]}")
        _write(entries, args)
    return 0


def of_second(args: argparse.Namespace) -> int:
    """Prints nothing of any single model, so that nobody sees one."""
    with tempfile.TemporaryDirectory(prefix="trtcheck-second-") as folder:
        start = time.monotonic()
        entries = second_seed.write_sample(Path(folder))
        tell(start, f"{len(entries)} models, seed {second_seed.SEED}")
        compare.judge_ours(entries, VERSIONS)
        for version in VERSIONS:
            libraries = find_libraries(version)
            compare.judge_theirs(entries, find_program(args.witness), libraries, second_seed.SEED)
            compare.judge_refused(entries, find_program(args.witness), libraries)
            tell(start, version)
        accuracy.put_section("second", second_seed.section(entries, args.date))
    return 0


def of_shuffles(program: Path) -> int:
    """A table of who is refused, and each form of which we say otherwise."""
    counts: Counter[tuple[str, ...]] = Counter()
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="trtcheck-shuffles-") as folder:
        path = Path(folder) / "model.onnx"
        for version in VERSIONS:
            with Witness(program, find_libraries(version), parse_only=True) as witness:
                for form in shuffles.forms():
                    path.write_bytes(shuffles.model(form).SerializeToString())
                    ours, _ = compare.our_verdict(path, version)
                    refused = witness.ask(path).refused
                    what = "quantized" if form.quantized else "float"
                    theirs = "refused" if refused else "taken"
                    counts[form.op, form.kind, what, form.dynamic, form.target, version, theirs, ours] += 1
                    if refused != (ours == "error"):
                        wrong += 1
                        print(f"{version} {form.name}: {theirs}, we say {ours}")
    for key, count in sorted(counts.items()):
        print(f"{count:4}  {', '.join(key)}")
    print(f"{sum(counts.values())} models, {wrong} of which we say otherwise")
    return int(bool(wrong))


def of_placed(program: Path) -> int:
    """Exit code 1: something is refused falsely."""
    counts: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory(prefix="trtcheck-placed-") as folder:
        for version in VERSIONS:
            for word, about in placed.answers(program, find_libraries(version), Path(folder)):
                counts[version, word] += 1
                if word in ("missed", "false"):
                    print(f"{version} {word} {about}", flush=True)
    for version in VERSIONS:
        print(version, ", ".join(f"{word} {count}" for (of, word), count in sorted(counts.items()) if of == version))
    return int(any(word == "false" for _, word in counts))


def of_control(args: argparse.Namespace) -> int:
    """Exit code 1: something is refused falsely."""
    with tempfile.TemporaryDirectory(prefix="trtcheck-control-") as name:
        folder, start = Path(name), time.monotonic()
        parts = {f"seed {seed}": control_truth.write_grid(folder / str(seed), seed) for seed in control_truth.SEEDS}
        parts["programs"] = control_truth.write_programs(folder / "programs")
        parts["zoo"], profiles = control_truth.write_zoo(folder / "zoo")
        tell(start, f"{sum(map(len, parts.values()))} models")
        if not args.anew:
            control_truth.recall(parts[f"seed {control.SEED}"])
        for what, entries in parts.items():
            compare.judge_ours(entries, VERSIONS)
            for version in VERSIONS:
                size = control_truth.profile_size(what)
                given = profiles if what == "zoo" else None
                control_truth.judge_theirs(entries, find_program(args.witness), find_libraries(version), size, given)
                compare.leave_out(entries, version)
                tell(start, f"{what}, {version}")
        every = [entry for entries in parts.values() for entry in entries]
        for word in ("missed", "false"):
            for entry in every:
                for version in VERSIONS:
                    if entry.word(version) == word:
                        said = essence(entry.theirs[version].reason)
                        print(f"{word} {version} {entry.changes[0]}: {entry.facts[version]} {said}")
        print("\n".join(control_truth.tables(parts)))
        verdicts.save(parts[f"seed {control.SEED}"], control.SEED, args.date, control_truth.FILE)
        accuracy.put_section("control", control_truth.section(parts))
    return int(any(entry.word(version) == "false" for entry in every for version in VERSIONS))


def of_compositions(args: argparse.Namespace) -> int:
    """Exit code 1: more than one in a thousand is refused falsely. Of the second seed nothing but counts is printed."""
    by_seed = {}
    with tempfile.TemporaryDirectory(prefix="trtcheck-compositions-") as name:
        start = time.monotonic()
        for seed in composition_truth.SEEDS:
            entries = by_seed[seed] = composition_truth.write(Path(name) / str(seed), seed)
            tell(start, f"{len(entries)} models, seed {seed}")
            compare.judge_ours(entries, VERSIONS)
            unknown = entries if args.anew else composition_truth.recalled(entries, seed)
            print(f"{len(unknown)} models are not recorded")
            for version in VERSIONS if unknown else []:
                composition_truth.judge_theirs(unknown, find_program(args.witness), find_libraries(version))
                tell(start, version)
            verdicts.save(entries, seed, args.date, composition_truth.FILES[seed])
        if args.tables:
            _write_tables(by_seed[compositions.SEED], args.tables)
        text = composition_truth.section(by_seed)
        print(text)
        accuracy.put_section("compositions", text)
    counts = [accuracy.count(entries, version) for entries in by_seed.values() for version in VERSIONS]
    return int(any(1000 * count["false"] > count["built"] for count in counts))


def tell(start: float, what: str) -> None:
    print(f"{time.monotonic() - start:6.0f} s  {what}", flush=True)


def _write(entries: list[compare.Entry], args: argparse.Namespace) -> None:
    if args.tables:
        _write_tables(entries, args.tables)
    print("\n".join(accuracy.totals(entries)))
    if not args.only:
        verdicts.save(entries, grid.SEED, args.date)
        accuracy.PAGE.write_text(accuracy.page(entries, grid.SEED, args.date), "utf-8")


def _write_tables(entries: list[compare.Entry], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for word in ("missed", "false"):
        found = groups.groups(entries, VERSIONS, word)
        (folder / f"{word}.md").write_text(f"# {word}\n\n{groups.table(found, VERSIONS, word)}", "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["rows", "grid", "second", "shuffles", "placed", "control", "compositions"])
    parser.add_argument("--date", help="of today, for the page; as 2026-11-22")
    parser.add_argument(
        "--only", action="append", default=[], metavar="OPERATOR", help="writes neither page nor verdicts"
    )
    parser.add_argument("--anew", action="store_true")
    parser.add_argument("--more", type=float, metavar="SECONDS", help="builds what was parsed only, for so long")
    parser.add_argument("--tables", type=Path, metavar="FOLDER")
    add_witness_option(parser)
    args = parser.parse_args()
    if args.what == "shuffles":
        return of_shuffles(find_program(args.witness))
    if args.what == "rows":
        return of_rows(find_program(args.witness))
    if args.what == "placed":
        return of_placed(find_program(args.witness))
    if not args.date and not args.only:
        parser.error(f"{args.what} needs --date")
    asked = {"control": of_control, "second": of_second, "grid": of_grid, "compositions": of_compositions}
    return asked[args.what](args)


if __name__ == "__main__":
    sys.exit(main())

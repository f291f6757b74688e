"""Our rows and rules before the witness: as claimed, refuted, or not judged."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from onnx import TensorProto
from prepare import profile_text, write
from rows import Claim, Sample, claim, typed
from witness import TARGETS, Libraries, Verdict, Witness


@dataclass(frozen=True)
class Outcome:
    sample: Sample
    version: str
    claim: Claim
    verdict: Verdict

    @property
    def word(self) -> str:
        if not self.verdict.refused and self.verdict.kind != "built":
            return "not judged"
        return "as claimed" if self.claim.refused == self.verdict.refused else "refuted"

    @property
    def is_grave(self) -> bool:
        return self.word == "refuted" and self.claim.refused and self.claim.certainty == "proven"


def put_before(samples: Iterable[Sample], program: Path, libraries: Libraries) -> list[Outcome]:
    outcomes = []
    version = libraries.version
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        witness = stack.enter_context(Witness(program, libraries))
        for sample in filter(None, map(typed, samples)):
            said = claim(sample, TARGETS[version])
            if said is None:
                continue
            verdict = _verdict(sample, witness, folder)
            if verdict.kind == "built" and said.refused and not sample.profile:
                # Sizes that were made up are fixed ones.
                said = claim(replace(sample, profile=",".join(_profiles(sample))), TARGETS[version]) or said
            outcomes.append(Outcome(sample, version, said, verdict))
    return outcomes


def _verdict(sample: Sample, witness: Witness, folder: Path) -> Verdict:
    path = write(sample.model, folder)
    if any(tensor.data_location == TensorProto.EXTERNAL for tensor in sample.model.graph.initializer):
        return Verdict("unjudged", "its weights are in a file that is not there")
    profiles = _profiles(sample)
    if not profiles:
        return witness.ask(path)
    with Witness(witness.program, witness.libraries, profiles=profiles) as own:
        verdict = own.ask(path)
    if verdict.kind == "builder" and not sample.profile:
        return Verdict("unjudged", f"the profile is made up: {verdict.reason}")
    return verdict


def _profiles(sample: Sample) -> tuple[str, ...]:
    if sample.profile:
        return tuple(sample.profile.split(","))
    return profile_text(sample.model)

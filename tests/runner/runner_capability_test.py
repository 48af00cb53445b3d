# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The export target `runner` takes a plan exactly where the runner does: plans of searches, changed at random in what
either of them may refuse, are asked of both."""
from beside_runner import ALL, ROOT
import copy
import os
import random
import tempfile
import unittest
from typing import Any, Callable, Dict, List, Tuple

from beside_cli import cli, write
from errors import Refused
from placement import check_divisions
from plan import Reader, plan_of
from shape import FAMILIES, shape_of

Document = Dict[str, Any]
SAMPLES = ROOT / "samples"
SEARCHES: List[Tuple[str, List[str]]] = [
    ("measured-16", ["--project", f"{SAMPLES}/projects/measured-16.pwx", "--all-schedules", "on", "--top", "40"]),
    ("uneven", ["--project", f"{SAMPLES}/projects/measured-16.pwx", "--mixed-stages", "on", "--pipelines", "2",
                "--fine-cuts", "on", "--top", "40"]),
    ("partitions", ["--project", f"{SAMPLES}/projects/mixed-16.pwx", "--partitions", "on", "--top", "40"]),
    ("experts", ["--cluster", f"{SAMPLES}/clusters/mixed-64.json", "--model", f"{SAMPLES}/models/mixtral-8x7b.json",
                 "--gbs", "64", "--seq", "2048", "--top", "20"]),
    ("long", ["--cluster", f"{SAMPLES}/clusters/mixed-64.json", "--model", f"{SAMPLES}/models/llama3-8b.json",
              "--gbs", "8", "--seq", "8192", "--max-cp", "4", "--top", "20"]),
    ("latent", ["--cluster", f"{SAMPLES}/clusters/mixed-1024.json", "--model", f"{SAMPLES}/models/deepseek-v3.json",
                "--gbs", "512", "--seq", "2048", "--work", "20000", "--top", "4"]),
]
DRAWS = 300 if ALL else 40


def stages(document: Document) -> List[Document]:
    return [stage for pipeline in document["plans"][0]["pipelines"] for stage in pipeline["stages"]]


def set_model(key: str, value: Any) -> Callable[[random.Random, Document], None]:
    return lambda r, d: d["problem"]["model"].update({key: value})


def set_experts(key: str, value: Any) -> Callable[[random.Random, Document], None]:
    return lambda r, d: d["problem"]["model"].get("experts", {}).update({key: value})


def set_stage(key: str, *values: Any) -> Callable[[random.Random, Document], None]:
    return lambda r, d: r.choice(stages(d)).update({key: copy.deepcopy(r.choice(values))})


def set_kind(r: random.Random, document: Document) -> None:
    """Of one chunk; launch counts only where the kind has them."""
    schedule = r.choice(document["plans"][0]["pipelines"])["schedule"]
    if schedule["chunks"] == 1:
        kind = r.choice(["gpipe", "1f1b", "eager", "zb-h1", "zb-1p", "zb-2p"])
        schedule.update({"kind": kind, "launch": [] if kind.startswith("zb") else schedule["launch"]})


def to_context(r: random.Random, document: Document) -> None:
    """Tensor-parallel pairs of a stage become context-parallel ones."""
    stage = r.choice(stages(document))
    if stage["tp"] % 2 == 0:
        stage.update({"tp": stage["tp"] // 2, "cp": stage.get("cp", 1) * 2})


EDITS: List[Callable[[random.Random, Document], None]] = [
    set_kind, to_context,
    set_stage("zero", 0, 1, 2, 3), set_stage("sequence_parallel", True, False),
    set_stage("recompute", {"mode": "none", "layers": 0}, {"mode": "selective", "layers": 0},
              {"mode": "full", "layers": 0}, {"mode": "full", "layers": 1}),
    set_model("prediction_depth", 1), set_model("attention_norms", 2), set_model("query_key_norm", True),
    set_model("rotary_base", 5e5), set_model("qkv_bias", True), set_model("final_norm", False),
    set_experts("router_bias", True), set_experts("router_scale", 2.5),
    lambda r, d: d["problem"]["model"].update(family=r.choice([*FAMILIES, "phi3", "mpt"])),
    lambda r, d: d["problem"]["recipe"].update(precision=r.choice(["fp32", "fp16", "tf32", "fp8"])),
]


def taken_by_the_runner(document: Document) -> str:
    """The code with which it refuses the plan; empty where it runs it."""
    try:
        precision = document["problem"]["recipe"]["precision"]
        plan = plan_of(Reader(document, "drawn"), 1, None if precision in ("auto", "fp8") else precision)
        check_divisions(plan, shape_of(plan.model))
    except Refused as refused:
        return refused.code
    return ""


class Capability(unittest.TestCase):
    def test_the_target_takes_what_the_runner_takes(self):
        seed = random.SystemRandom().randrange(10**6)
        print(f"seed {seed}", flush=True)
        r = random.Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            found = {name: cli("plan", *flags)[0] for name, flags in SEARCHES}
            refused: Dict[str, int] = {}
            judged = 0
            for draw in range(DRAWS):
                name = list(found)[draw % len(found)]
                document = {key: copy.deepcopy(found[name][key]) for key in ("schema", "problem")}
                document["plans"] = [copy.deepcopy(r.choice(found[name]["plans"]))]
                for edit in r.sample(EDITS, r.choice([0, 1, 1, 2])):
                    edit(r, document)
                # A precision that is asked for is the plan's; figures of the old one go.
                if document["problem"]["recipe"]["precision"] != "auto":
                    document["plans"][0]["precision"] = document["problem"]["recipe"]["precision"]
                answer, _ = cli("export", "--list", "--plan", write(folder, "plan.json", document), code=None)
                if "error" in answer:  # no sound plan: nobody is asked
                    continue
                judged += 1
                target = next(t for t in answer["targets"] if t["format"] == "runner")
                codes = {refusal["code"] for refusal in target["refusals"]}
                own = taken_by_the_runner(document)
                with self.subTest(draw=draw, search=name, seed=seed, refusals=target["refusals"]):
                    self.assertEqual(own == "", not codes)
                    self.assertTrue(own == "" or own in codes, own)
                refused[own] = refused.get(own, 0) + 1
            print(f"{judged} of {DRAWS} judged: {refused}", flush=True)
            self.assertGreater(judged, DRAWS // 2)
            self.assertGreater(refused.get("", 0), DRAWS // 10)
            self.assertGreater(len(refused), 3)

    def test_every_refusal_by_hand(self):
        """Each code once, on the best plan of a search, whatever is drawn above."""
        plain, _ = cli("plan", "--project", f"{SAMPLES}/projects/measured-16.pwx", "--top", "1")

        def first_pipeline(document: Document) -> Document:
            return document["plans"][0]["pipelines"][0]

        def three_fold(document: Document) -> None:
            for stage in stages(document):
                stage["zero"] = 3

        def published(document: Document) -> None:
            first_pipeline(document)["schedule"].update(kind="zb-2p", launch=[])

        def context(document: Document) -> None:
            stage = next(s for s in stages(document) if s["tp"] % 2 == 0)
            stage.update(tp=stage["tp"] // 2, cp=2)

        edits: Dict[str, Callable[[Document], None]] = {
            "": lambda d: None, "E_SHARDING": three_fold, "E_SCHEDULE": published, "E_CP": context,
            "E_UNSUPPORTED_MODEL": lambda d: d["problem"]["model"].update(family="phi3")}
        with tempfile.TemporaryDirectory() as folder:
            for code, edit in edits.items():
                document = {"schema": plain["schema"], "problem": copy.deepcopy(plain["problem"]),
                            "plans": copy.deepcopy(plain["plans"])}
                edit(document)
                answer, _ = cli("export", "--list", "--plan", write(folder, "plan.json", document))
                target = next(t for t in answer["targets"] if t["format"] == "runner")
                with self.subTest(code=code):
                    self.assertEqual({refusal["code"] for refusal in target["refusals"]}, {code} - {""})
                    self.assertEqual(taken_by_the_runner(document), code)
                    for refusal in target["refusals"]:
                        self.assertRegex(refusal["where"], "stage [0-9]|plan|model")

    def test_nothing_is_written_of_a_refused_plan(self):
        plain, _ = cli("plan", "--project", f"{SAMPLES}/projects/measured-16.pwx", "--top", "1")
        plain["problem"]["model"]["family"] = "phi3"
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "out")
            answer, _ = cli("export", "--format", "runner", "--plan", write(folder, "plan.json", plain), "--out", out,
                            code=3)
            self.assertEqual(answer["error"]["code"], "E_UNSUPPORTED_MODEL")
            self.assertFalse(os.path.exists(out))


if __name__ == "__main__":
    unittest.main()

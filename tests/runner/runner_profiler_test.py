# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""samples/profiler as people start it: sizes, configurations and plans, several tensor-parallel sizes in one call, what
it refuses. That its layers are the runner's is an import; that they have the model's parameters is tests/samples'."""
from beside_runner import ROOT
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from typing import Any, Dict, List, Sequence

import torch

from draws import plan, stage
from functions import TensorRanks
from ranks import forked

PROFILER = ROOT / "samples" / "profiler"
sys.path.insert(0, str(PROFILER))
import profile_layers  # noqa: E402
from timed_layers import timed_layer  # noqa: E402

PROGRAM = (str(PROFILER / "profile_layers.py"),)  # where it starts ranks, with its own file again
SIZES = ("--model", "toy", "--hidden", "32", "--blocks", "3", "--heads", "4", "--kv-heads", "2", "--ffn", "64",
         "--vocabulary", "50", "--gated", "--rms-norm", "--seq", "8", "--precision", "fp32")
FAST = ("--repeat", "2", "--warmup", "0")
CONFIG: Dict[str, Any] = {
    "model_type": "gpt_neo", "hidden_size": 32, "num_layers": 4, "num_heads": 4, "vocab_size": 50,
    "max_position_embeddings": 16, "window_size": 4, "activation_function": "gelu_new"}


class Profiles(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name: str, document: Any = None) -> str:
        path = os.path.join(self.folder, name)
        if document is not None:
            with open(path, "w", encoding="utf-8") as file:
                json.dump(document, file)
        return path

    def start(self, *flags: str, code: int = 0, script: Sequence[str] = ()) -> str:
        """What it said; it must end with this code, and write a file only with 0. A script is a program of its own,
        which has to load PyTorch; the profiler itself is a fork of this process, which has."""
        out = self.path("rows.json")
        given = [*flags, *FAST, "--out", out]
        if script:
            done = subprocess.run([sys.executable, "-B", *script, *given], capture_output=True, text=True, timeout=200,
                                  env={**os.environ, "OMP_NUM_THREADS": "1"})
            ended, said, errors = done.returncode, done.stdout, done.stderr
        else:
            ended, said, errors = forked(lambda: profile_layers.main(given), self.folder)
        self.assertEqual(ended, code, said + errors)
        self.assertEqual(os.path.exists(out), code == 0)
        self.assertNotIn("Traceback", errors)
        return said + errors

    def rows(self, *flags: str, script: Sequence[str] = ()) -> List[Dict[str, Any]]:
        self.start(*flags, script=script)
        with open(self.path("rows.json"), encoding="utf-8") as file:
            document = json.load(file)
        os.remove(self.path("rows.json"))
        self.assertEqual(document["schema"], "pipewright-profiles-1")
        rows: List[Dict[str, Any]] = document["rows"]
        return rows

    def test_several_sizes_in_one_call(self) -> None:
        rows = self.rows(*SIZES, "--tp", "1,2,4", "--mbs", "1,3", script=PROGRAM)
        points = [(row["tp"], row["mbs"], row["layer"]) for row in rows]
        self.assertEqual(points, [(tp, mbs, layer) for tp in (1, 2, 4) for mbs in (1, 3) for layer in range(5)])
        for row in rows:
            self.assertTrue(min(row["forward_s"], row["backward_s"], row["update_s"]) > 0.0, row)
            self.assertEqual((row["model"], row["kind"], row["seq"], row["precision"]), ("toy", "CPU", 8, "fp32"))

    def test_blocks_of_two_kinds_are_timed_apart(self) -> None:
        rows = self.rows("--model", "neo", "--config", self.path("config.json", CONFIG), "--seq", "8", "--mbs", "1",
                         "--precision", "fp32")
        times = {row["layer"]: row["forward_s"] for row in rows}
        self.assertEqual(set(times), set(range(6)))
        self.assertEqual((times[1], times[2]), (times[3], times[4]))  # every other one has a window
        self.assertNotEqual(times[1], times[2])

    def test_the_sizes_of_a_plan(self) -> None:
        document = plan(stage([[0, 1]], [0, 1]), stage([[2, 5]], [2], [3]))
        replicas = document["plans"][0]["pipelines"][0]["stages"][0]["replicas"]
        replicas[0]["devices"] = ["n2.g0", "n2.g1"]
        document["problem"]["cluster"]["nodes"].append({"id": "n2", "kind": "other", "gpus": 2})
        document["problem"]["cluster"]["kinds"] = [{"name": "Other-80GB", "short_name": "other"}]
        path = self.path("plan.json", document)
        for kind, expected in (("CPU", {(1, 1)}), ("other", {(2, 2)}), ("Other-80GB", {(2, 2)}),
                               ("third", {(1, 1), (2, 2)})):
            rows = self.rows("--plan", path, "--kind", kind, script=PROGRAM)
            with self.subTest(kind=kind):
                self.assertEqual({(row["tp"], row["mbs"]) for row in rows}, expected)
                self.assertEqual({(row["model"], row["kind"], row["seq"]) for row in rows}, {("m", kind, 8)})

    def test_what_is_wrong_is_said(self) -> None:
        def config(**change: Any) -> str:
            return self.path(f"{len(os.listdir(self.folder))}.json", {**CONFIG, **change})

        def given(**change: Any) -> List[str]:
            return ["--model", "m", "--seq", "8", "--precision", "fp32", "--config", config(**change)]

        planned = self.path("plan.json", plan(stage([[0, 5]], [0])))
        cases: List[Any] = [
            (2, "--seq, --model", ("--model", "m")), (2, "--hidden", ("--model", "m", "--seq", "8")),
            (2, "--tp: 3", (*SIZES, "--tp", "3")), (2, "cannot be divided over 8", (*SIZES, "--tp", "8")),
            (2, "--tp: 'x'", (*SIZES, "--tp", "x")), (2, "--mbs: '1,'", (*SIZES, "--mbs", "1,", "--tp", "1")),
            (2, "--head-dim", (*SIZES, "--hidden", "30")), (2, "--hidden: -32", (*SIZES, "--hidden", "-32")),
            (2, "3 key-value heads do not divide 4", (*SIZES, "--kv-heads", "3")),
            (2, "nowhere.json", ("--model", "m", "--config", "/nowhere.json", "--seq", "8")),
            (2, "/num_heads: is '4'", given(num_heads="4")), (2, "blocks; expected", given(num_layers=10 ** 9)),
            (2, "hidden 1", given(hidden_size=10 ** 12)),
            (2, "--seq: 8; ", given(max_position_embeddings=4)),
            (2, "attention_layers: expected global or local", given(attention_types=[[["global", "far"], 2]])),
            (2, "5 of 4 experts", given(model_type="mixtral", num_local_experts=4, num_experts_per_tok=5,
                                        intermediate_size=64)),
            (2, "--mbs: goes without --plan", ("--plan", planned, "--mbs", "1")),
            (2, "plan.json:²", ("--plan", planned + ":²")),
            (2, "intermediate_size: is None", given(model_type="llama")),
            (3, "'gemma2' is not timed", given(model_type="gemma2")), (3, "None", given(model_type=None)),
            (3, "windows of attention", given(model_type="qwen2", intermediate_size=64, sliding_window=4)),
            (3, "state spaces", given(ssm_state_size=4)), (3, "fp16", (*SIZES, "--precision", "fp16")),
            (3, "Transformer Engine is not installed", (*SIZES, "--stack", "megatron-core"))]
        for code, words, flags in cases:  # in this process: starting one for each takes its time
            said = io.StringIO()
            with self.subTest(words=words), contextlib.redirect_stderr(said):
                self.assertEqual(profile_layers.main([*flags, *FAST, "--out", self.path("rows.json")]), code)
                self.assertIn(words, said.getvalue())
                self.assertEqual(len(said.getvalue().splitlines()), 1)
                self.assertFalse(os.path.exists(self.path("rows.json")))

    def test_windows_as_gpt_neo_writes_them(self) -> None:
        rows = self.rows("--model", "neo", "--seq", "8", "--mbs", "1", "--precision", "fp32", "--config",
                         self.path("config.json", {
                             **CONFIG, "attention_types": [[["global", "global", "local"], 1], [["local"], 1]]}))
        times = {row["layer"]: row["forward_s"] for row in rows}
        self.assertEqual((times[1], times[3]), (times[2], times[4]))
        self.assertNotEqual(times[1], times[3])

    def test_a_rank_without_room_costs_its_micro_batch(self) -> None:
        script = os.path.join(self.folder, "script.py")  # a file: processes are started with it again
        with open(script, "w", encoding="utf-8") as file:
            file.write(NO_ROOM.format(folder=str(PROFILER)))
        said = self.start(*SIZES, "--tp", "1,2", "--mbs", "1,2,3", script=(script,))
        self.assertIn("tp 2, micro-batch 2: does not fit", said)
        with open(self.path("rows.json"), encoding="utf-8") as rows_file:
            rows = json.load(rows_file)["rows"]
        self.assertEqual({(row["tp"], row["mbs"]) for row in rows}, {(1, 1), (1, 2), (1, 3), (2, 1), (2, 3)})

    def test_the_layer_of_transformer_engine(self) -> None:
        """With a module in its place that takes what version 2 takes: what is asked of it, and that it is timed."""
        fake = os.path.join(self.folder, "transformer_engine")
        os.mkdir(fake)
        with open(os.path.join(fake, "__init__.py"), "w", encoding="utf-8") as file:
            file.write("__version__ = '2.9'\n")
        with open(os.path.join(fake, "pytorch.py"), "w", encoding="utf-8") as file:
            file.write(FAKE_ENGINE)
        script = ("-c", ON_A_CPU, self.folder, str(PROFILER))
        self.start(*SIZES, "--stack", "megatron-core", "--tp", "1", "--mbs", "2", script=script)
        with open(self.path("rows.json"), encoding="utf-8") as rows_file:
            rows = json.load(rows_file)["rows"]
        self.assertEqual(len(rows), 5)
        for row in rows:
            self.assertIn("Transformer Engine 2.9", row["software"])
            self.assertIn("blocks of Transformer Engine", row["source"])
            self.assertGreater(row["forward_s"], 0.0)


class Layers(unittest.TestCase):
    def test_passes_in_a_row_are_as_many_passes(self) -> None:
        a = profile_layers.arguments([*SIZES, "--out", os.devnull])
        layer = timed_layer(profile_layers.timed_of(a), [1, 2], 1, TensorRanks(), torch.float32, torch.device("cpu"))
        x, ids = layer.alone.states(8, 2), layer.alone.ids(8, 2)
        one = layer.passes(x, ids)
        gradients = [bucket.flat.clone() for bucket in layer.buckets]
        three = layer.passes(x, ids, 3)
        for bucket, gradient in zip(layer.buckets, gradients):
            torch.testing.assert_close(bucket.flat, 3.0 * gradient)
            self.assertGreater(float(gradient.abs().sum()), 0.0)
        self.assertGreater(min(one + three), 0.0)
        self.assertIsNone(x.grad)
        ticks = iter(range(0, 120, 12))
        layer.alone.now = lambda: float(next(ticks))  # type: ignore[method-assign]
        self.assertEqual(layer.passes(x, ids, 3), (4.0, 4.0, 4.0))

    def test_as_many_in_a_row_as_there_is_room_for(self) -> None:
        def count(took: float, peak: int, states: int = 10) -> int:
            return profile_layers.passes_in_a_row(took, peak, states, 100)

        self.assertEqual([count(0.001, 12), count(0.02, 12), count(1.0, 12)], [8, 2, 1])
        self.assertEqual([count(0.001, 30), count(0.001, 60), count(0.001, 99)], [3, 1, 1])
        self.assertEqual(profile_layers.least(5, TensorRanks().group, torch.device("cpu")), 5)


NO_ROOM = '''
import sys
sys.path.insert(0, {folder!r})
import profile_layers
measure = profile_layers.measure


def measured(layer, inputs, *others):
    x, ids = inputs()
    if profile_layers.dist.is_initialized() and profile_layers.dist.get_rank() == 1 and ids.shape[1] == 2:
        raise RuntimeError("CUDA out of memory, as it were")
    return measure(layer, inputs, *others)


profile_layers.measure = measured
if __name__ == "__main__":
    sys.exit(profile_layers.main())
'''
# The arguments are those of TransformerLayer.__init__ and forward in Transformer Engine 1.12 to 2.9.
FAKE_ENGINE = '''
import torch


class TransformerLayer(torch.nn.Module):
    def __init__(self, hidden_size, ffn_hidden_size, num_attention_heads, num_gqa_groups=None, layernorm_epsilon=1e-5,
                 hidden_dropout=0.1, attention_dropout=0.1, layer_number=None, kv_channels=None,
                 self_attn_mask_type="causal", window_size=None, tp_group=None, tp_size=1, params_dtype=None,
                 set_parallel_mode=False, fuse_qkv_params=False, bias=True, activation="gelu",
                 normalization="LayerNorm", device="cuda", sequence_parallel=False):
        super().__init__()
        assert (hidden_size, ffn_hidden_size, num_attention_heads, num_gqa_groups, kv_channels) == (32, 64, 4, 2, 8)
        assert (activation, normalization, bias, hidden_dropout) == ("swiglu", "RMSNorm", False, 0.0)
        assert (window_size, tp_size, set_parallel_mode) == (None, 1, False)
        self.weight = torch.nn.Parameter(torch.ones(hidden_size, dtype=params_dtype))

    def forward(self, hidden_states, attention_mask=None, rotary_pos_emb=None):
        assert tuple(hidden_states.shape) == (8, 2, 32) and tuple(rotary_pos_emb.shape) == (8, 1, 1, 8)
        return hidden_states * self.weight
'''
ON_A_CPU = '''
import sys
sys.path[:0] = [sys.argv.pop(1), sys.argv.pop(1)]
import megatron_stack
import profile_layers
block = megatron_stack.block


class Cpu:
    type = "cuda"  # as far as it is asked


def on_cpu(timed, number, seq, ranks, dtype, device):
    angles = megatron_stack.angles
    megatron_stack.angles = lambda timed, seq, _: angles(timed, seq, device)
    return block(timed, number, seq, ranks, dtype, Cpu())


megatron_stack.block = on_cpu
megatron_stack.cuda = type("NoGpu", (), {"synchronize": staticmethod(lambda device: None),
                                         "is_available": staticmethod(lambda: True)})
sys.exit(profile_layers.main(sys.argv[1:]))
'''


if __name__ == "__main__":
    unittest.main()

# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checkpoints in the public layout, from the folder to losses: pipewright-cli reads the configuration and plans, the
runner reads the weights, and what it computes is what numpy computes from the formulas and the tensors of the files."""
from beside_runner import RUNNER
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch

from beside_cli import cli, write
from draws import stage
from errors import BadInput
from layers import run_layer
from optimizer import Settings
from public_checkpoint import FAMILIES, SHARDS, write_checkpoint
from run import arguments, read_problem
from tensor_file import TensorFile, write_tensors
from tokens import open_tokens
from trainer import Options, Trainer
from weights import PublicWeights

torch.set_num_threads(1)
SEQ, GBS = 7, 2
CLUSTER = {"schema": "pipewright-cluster-1", "name": "one",
           "nodes": [{"id": "n1", "kind": "A100-SXM4-40GB", "gpus": 4}]}


class Checkpoints(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.tokens = self.folder / "tokens.u16"
        np.random.default_rng(3).integers(0, 61, 200).astype("<u2").tofile(self.tokens)

    def made(self, name):
        """Folder, tensors and plan document of one stage on one GPU."""
        folder = self.folder / name
        folder.mkdir()
        tensors = write_checkpoint(folder, FAMILIES[name])
        found, _ = cli("plan", "--cluster", write(str(folder), "cluster.json", CLUSTER), "--model",
                       str(folder / "config.json"), "--gbs", str(GBS), "--seq", str(SEQ), "--precision", "fp32",
                       "--target", "runner", "--work", "2000", "--forbid", "n1.g1,n1.g2,n1.g3")
        return folder, tensors, found

    def placed(self, folder, document, *stages):
        """The same question, answered by hand."""
        microbatches = {"count": 1, "microbatches": 1, "microbatch_size": GBS, "stages": list(stages),
                        "schedule": {"kind": "1f1b", "chunks": 1}}
        plans = [{"pipelines": [microbatches], "precision": "fp32"}]
        return write(str(folder), "plan.json", {**document, "plans": plans})

    def test_every_family_computes_what_its_formulas_say(self):
        for name, family in FAMILIES.items():
            with self.subTest(family=name):
                folder, tensors, document = self.made(name)
                last = 2 * family.blocks() + 1
                a = arguments(["--plan", self.placed(folder, document, stage([[0, last]], [0])), "--weights",
                               str(folder)])
                plan, shape = read_problem(a, False)
                tokens = open_tokens(str(self.tokens), None, (shape.vocab, plan.seq, plan.gbs), 1)
                trainer = Trainer(plan, shape, tokens, 0, torch.device("cpu"), Options(Settings(), 1, True))
                PublicWeights(str(folder), shape, name).into(trainer.buckets)
                ids = torch.stack([tokens.sequence(n) for n in range(GBS)], 1)
                x = ids[:-1]
                expected = [family.losses(tensors, ids[:, n].numpy()) for n in range(GBS)]
                with torch.no_grad():
                    for layer in range(last):
                        x = run_layer(trainer.executor.context, layer, x, None)
                        if layer == 2:
                            for n, (states, _) in enumerate(expected):
                                self.assertLess(float(np.abs(x[:, n].numpy() - states).max()), 1e-10)
                    loss = float(run_layer(trainer.executor.context, last, x, ids[1:]))
                self.assertAlmostEqual(loss, sum(sum_of for _, sum_of in expected), places=9)
                self.assertGreater(float(np.abs(expected[0][0]).max()), 0.1)  # not of nothing
                trainer.close()

    def test_ranks_that_hold_slices_begin_with_the_same_loss(self):
        """Two stages that cut a block in its middle, each on two tensor-parallel ranks."""
        for name in ("llama", "gpt2", "gpt_neox", "mixtral"):
            with self.subTest(family=name):
                folder, tensors, document = self.made(name)
                family = FAMILIES[name]
                plan = self.placed(folder, document, stage([[0, 3]], [0, 1]), stage([[4, 5]], [2, 3]))
                out = folder / "run.json"
                done = subprocess.run(
                    [sys.executable, "-B", str(RUNNER / "run.py"), "--plan", plan, "--here", "--weights", str(folder),
                     "--tokens", str(self.tokens), "--steps", "1", "--out", str(out)], capture_output=True, text=True,
                    timeout=200, check=False, env={**os.environ, "OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"})
                self.assertEqual(done.returncode, 0, done.stderr)
                tokens = open_tokens(str(self.tokens), None, (61, SEQ, GBS), 1)
                total = sum(family.losses(tensors, tokens.sequence(n).numpy())[1] for n in range(GBS))
                loss = json.loads(out.read_text(encoding="utf-8"))["steps"][0]["loss"]
                self.assertAlmostEqual(loss, total / (GBS * SEQ), places=5)

    def test_the_index_says_which_file_is_read(self):
        """Another file may hold a tensor of that name, of an older state."""
        folder, tensors, document = self.made("llama")
        a = arguments(["--plan", self.placed(folder, document, stage([[0, 5]], [0])), "--weights", str(folder)])
        _, shape = read_problem(a, False)
        last = folder / f"model-{SHARDS:05d}-of-{SHARDS:05d}.safetensors"
        held = TensorFile(str(last))
        stale = {**{name: held.read(name) for name in held.entries},
                 "model.embed_tokens.weight": torch.zeros(tensors["model.embed_tokens.weight"].shape)}
        write_tensors(str(last), stale)
        words = PublicWeights(str(folder), shape, "llama").whole("0.words").double().numpy()
        self.assertEqual(float(np.abs(words - tensors["model.embed_tokens.weight"]).max()), 0.0)
        index = folder / "model.safetensors.index.json"
        self.assertEqual(len(held.entries), len(stale) - 1)
        listed = json.loads(index.read_text(encoding="utf-8"))
        for name in (None, 3, "../other.safetensors"):
            listed["weight_map"]["model.norm.weight"] = name
            index.write_text(json.dumps(listed), encoding="utf-8")
            with self.subTest(name=name), self.assertRaisesRegex(BadInput, "weight_map/model.norm.weight: is "):
                PublicWeights(str(folder), shape, "llama")

    def test_weights_are_fractions(self):
        folder, tensors, document = self.made("llama")
        a = arguments(["--plan", self.placed(folder, document, stage([[0, 5]], [0])), "--weights", str(folder)])
        _, shape = read_problem(a, False)
        (folder / "model.safetensors.index.json").unlink()
        whole = {name: torch.from_numpy(numbers).float() for name, numbers in tensors.items()}
        whole["model.norm.weight"] = whole["model.norm.weight"].long()
        write_tensors(str(folder / "model.safetensors"), whole)
        weights = PublicWeights(str(folder), shape, "llama")
        with self.assertRaisesRegex(BadInput, "model.safetensors, model.norm.weight: holds int64; expected fractions"):
            weights.whole("5.norm.scale")

    def test_a_file_that_is_missing_or_short_is_named(self):
        folder, _, document = self.made("llama")
        a = arguments(["--plan", self.placed(folder, document, stage([[0, 5]], [0])), "--weights", str(folder)])
        _, shape = read_problem(a, False)
        PublicWeights(str(folder), shape, "llama")
        shard = folder / f"model-00002-of-{SHARDS:05d}.safetensors"
        whole = shard.read_bytes()
        shard.write_bytes(whole[:-2])
        with self.assertRaisesRegex(BadInput, f"{shard.name}.*do not fit"):
            PublicWeights(str(folder), shape, "llama")
        shard.unlink()
        with self.assertRaisesRegex(BadInput, shard.name):
            PublicWeights(str(folder), shape, "llama")
        shutil.copyfile(folder / f"model-00001-of-{SHARDS:05d}.safetensors", shard)
        with self.assertRaisesRegex(BadInput, "has no tensor model.layers"):
            PublicWeights(str(folder), shape, "llama")


if __name__ == "__main__":
    unittest.main()

# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents with anything in the place of anything: what the runner and the profiler read is taken, refused by name, or
bad input, and nothing else. The seed is drawn, and printed where one fails; PW_DRAWS=all draws more."""
from beside_runner import ALL, ROOT
import copy
import json
import os
import random
import sys
import tempfile
import unittest
from typing import Any, Callable, Iterator, List, Tuple

import torch

import checkpoint
from draws import draw_plan, plan, stage
from emulation import Links, slow_downs
from errors import BadInput, Refused
from functions import TensorRanks
from optimizer import Settings
from order import pass_orders
from placement import Placement, check_divisions
from plan import Reader, plan_of
from shape import Shape, as_tiny, shape_of, with_config
from tensor_file import TensorFile, write_tensors
from tokens import Tokens
from trainer import Options, Trainer

sys.path.insert(0, str(ROOT / "samples" / "profiler"))
from model_config import check_tp, of_config  # noqa: E402
from timed_layers import timed_layer  # noqa: E402

DRAWS = 3000 if ALL else 300
VALUES: List[Any] = [
    None, True, False, 0, -1, 1, 2, 3, 10 ** 6, 1.5, -0.5, 1e308, float("nan"), 2 ** 70, "", "x", "1", "n1.g0", "silu",
    "linear", [], [1], [0, 0], [[]], [None], {}, {"a": 1}]
CONFIGS: List[Any] = [
    {"model_type": "mixtral", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
     "num_key_value_heads": 2, "intermediate_size": 128, "vocab_size": 96, "hidden_act": "silu", "rms_norm_eps": 1e-6,
     "num_local_experts": 4, "num_experts_per_tok": 2, "rope_theta": 1e4, "rope_scaling": {"type": "default"}},
    {"model_type": "deepseek_v3", "hidden_size": 64, "num_hidden_layers": 3, "num_attention_heads": 4,
     "intermediate_size": 128, "vocab_size": 96, "rms_norm_eps": 1e-6, "n_routed_experts": 8, "num_experts_per_tok": 2,
     "n_shared_experts": 1, "moe_intermediate_size": 32, "first_k_dense_replace": 1, "kv_lora_rank": 16,
     "qk_nope_head_dim": 16, "qk_rope_head_dim": 8, "v_head_dim": 16},
    {"model_type": "gpt_neo", "hidden_size": 32, "num_layers": 4, "num_heads": 4, "vocab_size": 50, "window_size": 4,
     "attention_layers": ["global", "local"] * 2, "max_position_embeddings": 16}]


def paths(value: Any, path: Tuple[Any, ...] = ()) -> Iterator[Tuple[Any, ...]]:
    if path:
        yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from paths(child, (*path, key))


def change(r: random.Random, document: Any) -> None:
    """One place: another value, the value of another place, or nothing."""
    places = list(paths(document))
    *way, last = r.choice(places)
    parent, chance = document, r.random()
    for key in way:
        parent = parent[key]
    if chance < 0.2:
        del parent[last]
    else:
        value = copy.deepcopy(r.choice(VALUES))
        if chance < 0.4:
            value = document
            for key in r.choice(places):
                value = value[key]
        parent[last] = copy.deepcopy(value)


class Hostile(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.seed = random.SystemRandom().randrange(10 ** 9)
        self.r = random.Random(self.seed)
        self.taken = 0

    def tries(self, number: int, act: Callable[[], Any]) -> None:
        try:
            act()
            self.taken += 1
        except (BadInput, Refused):
            pass
        except Exception as error:
            raise AssertionError(f"draw {number} of seed {self.seed}") from error

    def test_plans(self) -> None:
        for number in range(DRAWS):
            document = copy.deepcopy(draw_plan(self.r.randrange(10 ** 9)))
            document["problem"]["cluster"].update(
                kinds=[{"name": "CPU", "fp32": 1e12, "intra_bandwidth": 1e10}], switches=[{"id": "s1"}],
                links=[{"a": "n1", "b": "s1", "bandwidth": 1e9, "latency": 1e-6}])
            change(self.r, document)

            def read() -> None:
                drawn = plan_of(Reader(document, "p.json"))
                shape = shape_of(drawn.model)
                check_divisions(drawn, shape)
                for pipeline in drawn.pipelines:
                    pass_orders(pipeline)
                Placement(*as_tiny(drawn, shape))
                slow_downs(drawn)
                Links(drawn, 1.0)
            self.tries(number, read)
        self.assertGreater(self.taken, 0)

    def test_configurations(self) -> None:
        path = os.path.join(self.folder, "config.json")
        sound = shape_of(plan(stage([[0, 5]], [0]))["problem"]["model"])
        family = "llama"

        def write(document: Any) -> None:
            with open(path, "w", encoding="utf-8") as file:
                json.dump(document, file)

        def profiled() -> None:
            timed = of_config("m", path, 16)
            check_tp(timed, 2)
            shape: Shape = timed.shape
            if max(shape.hidden, shape.ffn, shape.vocab, shape.expert_ffn, shape.shared_ffn) <= 256 and max(
                    shape.heads * shape.head_dim, shape.experts, shape.blocks) <= 256:
                layer = timed_layer(timed, [1, 2], 1, TensorRanks(), torch.float32, torch.device("cpu"))
                layer.passes(layer.alone.states(16, 1), layer.alone.ids(16, 1))
                layer.update()

        def configured() -> None:
            with_config(sound, family, path)

        for act in (profiled, configured):
            self.taken = 0
            for number in range(DRAWS):
                document: Any = copy.deepcopy(self.r.choice(CONFIGS))
                write(document)
                sound, family = of_config("m", path, 16).shape, str(document["model_type"])
                change(self.r, document)
                write(document)
                self.tries(number, act)
            self.assertGreater(self.taken, DRAWS // 10)

    def test_files_of_tensors(self) -> None:
        path = os.path.join(self.folder, "t.safetensors")
        write_tensors(path, {"a": torch.ones(3, 4), "b": torch.arange(5)})
        with open(path, "rb") as file:
            sound = file.read()
        for number in range(DRAWS):
            content = bytearray(sound)
            content[self.r.randrange(150)] = self.r.randrange(256)
            with open(path, "wb") as changed:
                changed.write(content[:self.r.choice([len(content), self.r.randrange(len(content))])])

            def read() -> None:
                tensors = TensorFile(path)
                for name in tensors.entries:
                    tensors.read(name)
            self.tries(number, read)
        self.assertGreater(self.taken, 0)

    def test_manifests(self) -> None:
        drawn = plan_of(Reader(plan(stage([[0, 5]], [0])), "p"))
        shape = shape_of(drawn.model)
        trainer = Trainer(drawn, shape, Tokens(shape.vocab, drawn.seq, drawn.gbs, 5), 0, torch.device("cpu"),
                          Options(Settings(steps=3), 7, True))
        trainer.step(0)
        there = checkpoint.save(trainer, self.folder, 1)
        path = os.path.join(there, "manifest.json")
        with open(path, encoding="utf-8") as file:
            sound = json.load(file)
        for number in range(DRAWS // 4):
            document = copy.deepcopy(sound)
            change(self.r, document)
            with open(path, "w", encoding="utf-8") as file:
                json.dump(document, file)
            self.tries(number, lambda: checkpoint.load(trainer, there))
        self.assertGreater(self.taken, 0)


if __name__ == "__main__":
    unittest.main()

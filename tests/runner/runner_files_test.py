# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the runner reads and refuses: plan documents, orders of passes, tokens, files of tensors, public names; and that
its models have the parameters that Pipewright counts."""
from beside_runner import ROOT
import json
import os
import random
import struct
import tempfile
import unittest
from datetime import timedelta
from typing import Any, Dict
from unittest import mock

import torch

import collectives
import order
from draws import FAMILIES, KINDS, document, draw_model, draw_plan, plan, stage
from errors import BadInput, Refused
from plan import Reader, plan_of, read_json, read_plan
from shape import shape_of, tiny, with_config
from tensor_file import TensorFile, write_tensors
from tensors import first_values, layer_tensors
from tokens import Tokens, open_tokens
from weights import PUBLIC, PublicWeights, ours, public_name


def parameters(shape):
    specs = {spec.name: spec for layer in range(shape.layers()) for spec in layer_tensors(shape, layer)}
    return sum(torch.Size(spec.shape).numel() for spec in specs.values())


def one_stage():
    return plan(stage([[0, 5]], [0]))


class Plans(unittest.TestCase):
    def read(self, drawn):
        return plan_of(Reader(drawn, "p.json"))

    def changed(self, **fields):
        drawn = one_stage()
        drawn["plans"][0]["pipelines"][0]["stages"][0].update(fields)
        return drawn

    def test_plans_that_differ_are_counted_behind(self):
        drawn = one_stage()
        drawn["differing"] = plan(stage([[0, 2]], [0]), stage([[3, 5]], [1]))["plans"]
        for number, stages in ((1, 1), (2, 2)):
            with self.subTest(number=number):
                self.assertEqual(len(plan_of(Reader(drawn, "p.json"), number).pipelines[0].stages), stages)
        with self.assertRaisesRegex(BadInput, "has 2 plans; 3 was asked for"):
            plan_of(Reader(drawn, "p.json"), 3)
        drawn["differing"] = {}
        with self.assertRaisesRegex(BadInput, "/differing"):
            self.read(drawn)

    def test_refuses_by_name(self):
        fields: Any
        for code, fields in (("E_CP", {"cp": 2}), ("E_PARTITION", {"partition": {"qkv": ["B"]}}),
                             ("E_SHARDING", {"zero": 3, "replicas": [{"devices": [f"n1.g{g}"], "share": 0.5}
                                                                     for g in (0, 1)]})):
            with self.subTest(code=code), self.assertRaisesRegex(Refused, f"^{code}: p.json/plans/0/pipelines/0/st"):
                self.read(self.changed(**fields))
        with self.assertRaisesRegex(Refused, "^E_EP: p.json/plans/0/pipelines/0/stages/0: .*tensor-parallel group"):
            self.read(plan(stage([[0, 5]], [0, 1], ep=2), family="mixtral"))
        with self.assertRaisesRegex(BadInput, "/ep: 2 does not divide 1 replicas"):
            self.read(plan(stage([[0, 5]], [0], ep=2), family="mixtral"))
        drawn = plan(stage([[0, 5]], [0], [1], zero=2), beside=[stage([[0, 5]], [2])])
        with self.assertRaisesRegex(Refused, "^E_SHARDING: .*beside another pipeline"):
            self.read(drawn)
        with self.assertRaisesRegex(Refused, "^E_SHARDING: .*whole backward passes"):
            self.read(plan(stage([[0, 5]], [0], [1], zero=2), kind="zb-h1"))
        for kind in ("zb-1p", "zb-2p"):
            drawn = one_stage()
            drawn["plans"][0]["pipelines"][0]["schedule"]["kind"] = kind
            with self.subTest(kind=kind), self.assertRaisesRegex(Refused, "^E_SCHEDULE: .*ZB-[12]p"):
                self.read(drawn)
        model: Any
        for model in ({"latent_attention": {"kv_rank": 8}}, {"family": "bert"}, {"experts": {"router_bias": True}},
                      {"prediction_depth": 1}, {"attention_norms": 0}, {"key_of_a_later_version": "x"}):
            with self.subTest(model=model), self.assertRaisesRegex(Refused, "^E_UNSUPPORTED_MODEL"):
                shape_of({**one_stage()["problem"]["model"], **model})

    def test_knows_every_kind_of_schedule(self):
        schema = json.loads((ROOT / "resources/schemas/plan.schema.json").read_text(encoding="utf-8"))

        def kinds(part: Any) -> Any:
            if isinstance(part, dict):
                words = part.get("enum", [])
                if "1f1b" in words:
                    yield from words
                for value in part.values():
                    yield from kinds(value)
        named = set(kinds(schema))
        self.assertIn("zb-v", named)
        for kind in named:
            drawn = one_stage()
            drawn["plans"][0]["pipelines"][0]["schedule"]["kind"] = kind
            with self.subTest(kind=kind):
                try:
                    self.read(drawn)
                except Refused:
                    pass  # by its name: as good as known
                except BadInput as refused:
                    self.assertNotIn("expected one of", str(refused))

    def test_takes_what_changes_nothing(self):
        self.assertFalse(self.read(self.changed(zero=2)).pipelines[0].stages[0].sharded)  # one replica
        both = self.read(plan(stage([[0, 2]], [0], [1], zero=2), stage([[3, 5]], [2]))).pipelines[0].stages[0]
        self.assertTrue(both.sharded and not both.gradients_sharded)  # of several stages
        based = shape_of({**one_stage()["problem"]["model"], "rotary_base": 5e5, "mlp_norms": 1})
        self.assertEqual(based.rotary_base, 5e5)
        self.assertEqual(shape_of({**one_stage()["problem"]["model"], "norm_epsilon": 1e-4}).epsilon, 1e-4)
        counted = plan(stage([[0, 2]], [0]), stage([[3, 5]], [1]), kind="h1f1b")
        counted["plans"][0]["pipelines"][0]["schedule"]["launch"] = [2, 3]  # of 2 micro-batches
        self.read(counted)
        counted["plans"][0]["pipelines"][0]["schedule"]["launch"] = [1, 3]
        with self.assertRaisesRegex(BadInput, "never rise"):
            self.read(counted)

    def test_says_what_is_wrong_and_where(self):
        fields: Any
        for text, fields in (("/stages/0/chunks/0: begins at 1; expected 0", {"chunks": [[1, 5]]}),
                             ("/stages: hold 5 fine layers; the model has 6", {"chunks": [[0, 4]]}),
                             ("/stages/0/replicas/0/devices: 1 devices; expected 2", {"tp": 2}),
                             ("/stages/0/replicas/0/share: comes to 0.6 of 2", {
                                 "replicas": [{"devices": ["n1.g0"], "share": 0.3}]}),
                             ("/recompute/mode: is 'some'", {"recompute": {"mode": "some"}})):
            with self.subTest(text=text), self.assertRaises(BadInput) as caught:
                self.read(self.changed(**fields))
            self.assertIn(text, str(caught.exception))
        for text, key, value in (("/experts/dense_blocks: expected a list", "experts", {"dense_blocks": "0"}),
                                 ("/experts/dense_blocks/0: is 2; expected", "experts", {"dense_blocks": [2]}),
                                 ("/window: expected a list", "window", 7), ("/window/1: is '7'", "window", [0, "7"]),
                                 ("/window: 1 blocks; the model has 2", "window", [1])):
            with self.subTest(text=text), self.assertRaises(BadInput) as caught:
                shape_of({**one_stage()["problem"]["model"], key: value})
            self.assertIn(text, str(caught.exception))
        drawn = one_stage()
        drawn["problem"]["recipe"]["gbs"] = 5
        with self.assertRaisesRegex(BadInput, "4 sequences an iteration; expected the global batch of 5"):
            self.read(drawn)
        with self.assertRaises(BadInput):
            read_plan("/nowhere/plan.json")
        pipeline: Any
        for text, pipeline in (("/stages: is empty", {"stages": [], "schedule": {"kind": "interleaved", "chunks": 2}}),
                               ("/order: is '\\x00'", {"schedule": {"order": "\0"}}),
                               ("/order: is '../a.csv'", {"schedule": {"order": "../a.csv"}})):
            drawn = one_stage()
            drawn["plans"][0]["pipelines"][0].update(pipeline)
            with self.subTest(text=text), self.assertRaises(BadInput) as caught:
                self.read(drawn)
            self.assertIn(text, str(caught.exception))
        for device in ("ghost.g0", "n1.g99"):
            with self.subTest(device=device), self.assertRaisesRegex(BadInput, "is no device of the plan's cluster"):
                self.read(self.changed(replicas=[{"devices": [device], "share": 1.0}]))
        for devices in (["n1.g²"], ["n1.g" + "9" * 5000], [{"node": "n1", "first": 0, "last": 10 ** 9}],
                        [{"node": "n1", "first": 2, "last": 1}]):
            with self.subTest(devices=devices), self.assertRaises(BadInput):
                self.read(self.changed(replicas=[{"devices": devices, "share": 1.0}]))

    def test_reads_compact_devices(self):
        drawn = plan(stage([[0, 5]], [0, 1], [2, 3]))
        drawn["plans"][0]["pipelines"][0]["stages"][0]["replicas"][1]["devices"] = [
            {"node": "n1", "first": 2, "last": 3}]
        self.assertEqual(self.read(drawn).devices(), ["n1.g0", "n1.g1", "n1.g2", "n1.g3"])

    def test_models_have_the_parameters_that_are_published(self):
        # As resources/manual counts them, from the public configurations.
        for name, count in (("llama3-8b", 8_030_261_248), ("gpt-neo-2.7b", 2_651_307_520),
                            ("mixtral-8x7b", 46_702_792_704), ("opt-350m", 331_196_416)):
            model = json.loads((ROOT / "samples/models" / f"{name}.json").read_text(encoding="utf-8"))
            self.assertEqual(parameters(shape_of(model)), count, name)

    def test_tiny_depends_on_the_model_alone(self):
        model = json.loads((ROOT / "samples/models/mixtral-8x7b.json").read_text(encoding="utf-8"))
        small = tiny(shape_of(model))
        self.assertEqual((small.blocks, small.heads, small.kv_heads, small.experts), (32, 32, 8, 8))
        self.assertLess(parameters(small), 2_000_000)


class Orders(unittest.TestCase):
    def test_every_schedule_runs_to_its_end(self):
        seed = random.SystemRandom().randrange(10**6)
        for number in range(seed, seed + 200):
            for pipeline in plan_of(Reader(draw_plan(number), "drawn")).pipelines:
                with self.subTest(number=number):
                    order.check_orders("drawn", pipeline, order.pass_orders(pipeline))

    def test_reads_the_order_of_a_file(self):
        drawn = plan_of(Reader(plan(stage([[0, 2]], [0]), stage([[3, 5]], [1]), kind="zb-h1"), "drawn"))
        pipeline = drawn.pipelines[0]
        rows = ["0F0,0F1,,0I0,0W0,0I1,0W1", ",1F0,1I0,1F1,1I1,1W0,1W1"]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "schedule.csv")

            def write(lines):
                with open(path, "w", encoding="utf-8") as file:
                    file.write("\n".join(lines) + "\n")

            write(rows)
            read = order.read_order(path, pipeline)
            self.assertEqual([p.kind for p in read[1]], list("FBFBWW"))
            for text, lines in (("2 rows|1 rows", rows[:1]), ("does not run each pass", [rows[0][:-4], rows[1]]),
                                ("belongs to stage 1", ["1F0", rows[1]]), ("expected a pass", ["0F0x", rows[1]]),
                                ("waits for ever", [rows[0].replace("0F0,0F1,,0I0", "0I0,0F0,0F1"), rows[1]])):
                write(lines)
                with self.subTest(text=text), self.assertRaisesRegex(BadInput, text):
                    order.read_order(path, pipeline)

    def test_nccl_wants_one_order_on_both_sides(self):
        pipeline = plan_of(Reader(plan(stage([[0, 2]], [0]), stage([[3, 5]], [1])), "drawn")).pipelines[0]
        for number, (rows, said) in enumerate(((("0F0,0F1,0B0,0B1", "1F0,1B0,1F1,1B1"), None),
                                               (("0F0,0F1,0B0,0B1", "1F1,1B1,1F0,1B0"), "passes F"),
                                               (("0F0,0F1,0B0,0B1", "1F0,1F1,1B1,1B0"), "stages 0 and 1 .* passes B"))):
            with self.subTest(number=number), tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "schedule.csv")
                with open(path, "w", encoding="utf-8") as file:
                    file.write("\n".join(rows) + "\n")
                read = order.read_order(path, pipeline)  # gloo takes all of them
                if said is None:
                    order.same_order_beside(path, pipeline, read)
                else:
                    with self.assertRaisesRegex(BadInput, said):
                        order.same_order_beside(path, pipeline, read)

    def test_groups_wait_no_longer_than_the_training(self):
        asked = []
        with mock.patch.object(collectives.dist, "new_group", lambda ranks, **more: asked.append((ranks, more))):
            collectives.make_groups([(0, 1), (2,)], 1, 7.0, "gloo")
        self.assertEqual(asked, [([0, 1], {"backend": "gloo", "timeout": timedelta(seconds=7.0)})])

    def test_known_orders(self):
        self.assertEqual("".join(p.kind for p in order.launch_counted(3, 4)), "FFFBFBBB")
        self.assertEqual([(p.kind, p.chunk, p.microbatch) for p in order.interleaved(1, 2, 2, 2)[:5]],
                         [("F", 0, 0), ("F", 0, 1), ("F", 1, 0), ("B", 1, 0), ("F", 1, 1)])
        self.assertEqual("".join(p.kind for p in order.zb_h1(1, 2, 3)), "FBFBWFBWW")


class TokenFiles(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name, content=b""):
        path = os.path.join(self.folder.name, name)
        with open(path, "wb") as file:
            file.write(content)
        return path

    def test_windows_cover_a_file_once_an_epoch(self):
        values = [(7 * n) % 60000 for n in range(41)]
        for name, form in (("t.u16", "<41H"), ("t.u32", "<41I")):
            tokens = open_tokens(self.path(name, struct.pack(form, *values)), None, (60000, 8, 5), 3)
            batch = tokens.batch(0, 0, 5)  # 5 windows of 8 and one token
            self.assertEqual(sorted(batch[:8].t().reshape(-1).tolist()), sorted(values[:40]))
            again = tokens.batch(1, 0, 5)
            self.assertEqual(sorted(again[0].tolist()), sorted(batch[0].tolist()))
            self.assertTrue(torch.equal(tokens.batch(0, 2, 3)[:, 0], batch[:, 2]))

    def test_another_corpus_is_told(self):
        names = set()
        for place in (None, 0, 150000, 299999):
            values = [7] * 300000
            if place is not None:
                values[place] = 8
            path = self.path("t.u16", struct.pack("<300000H", *values))
            names.add(open_tokens(path, None, (61, 8, 4), 1).identity())
        self.assertEqual(len(names), 4)

    def test_megatron_index(self):
        values = list(range(30))
        data = self.path("d.bin", struct.pack("<30H", *values))
        head = b"MMIDIDX\x00\x00" + struct.pack("<QBQQ", 1, 8, 2, 3)
        self.path("d.idx", head + struct.pack("<2i", 10, 20) + struct.pack("<2q", 0, 20) + struct.pack("<3q", 0, 1, 2))
        tokens = open_tokens(data, None, (30, 29, 1), 1)
        self.assertEqual(tokens.sequence(0).tolist(), values)
        for text, content in (("is no index", b"MMIDIDY" + head[7:]), ("ends before", head),
                              ("speaks of 40 bytes", head + struct.pack("<2i", 10, 10)),
                              ("sequence 1 has -10 tokens", head + struct.pack("<2i", 40, -10)),
                              ("expected version 1", head[:9] + struct.pack("<QBQQ", 1, 6, 2, 3))):
            self.path("d.idx", content)
            with self.subTest(text=text), self.assertRaisesRegex(BadInput, text):
                open_tokens(data, None, (30, 29, 1), 1)

    def test_tokens_outside_the_vocabulary(self):
        path = self.path("t.u16", struct.pack("<9H", *[1] * 8, 70))
        with self.assertRaisesRegex(BadInput, "token 8: is 70; the vocabulary has 64"):
            open_tokens(path, None, (64, 8, 1), 1).sequence(0)
        with self.assertRaisesRegex(BadInput, "no whole number"):
            open_tokens(self.path("t.u32", b"12345"), None, (64, 8, 1), 1)
        with self.assertRaisesRegex(BadInput, "--token-bytes"):
            open_tokens(self.path("t.dat", b"12"), None, (64, 8, 1), 1)

    def test_synthetic_ones_do_not_depend_on_the_batch(self):
        a, b = Tokens(50, 8, 4, 1), Tokens(50, 8, 2, 1)
        self.assertTrue(torch.equal(a.batch(1, 0, 4), torch.cat([b.batch(2, 0, 2), b.batch(3, 0, 2)], 1)))


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "a.json")

    def write(self, content):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return self.path

    def test_numbers_outside_json_are_refused(self):
        for text in ('{"a": NaN}', '{"a": -Infinity}', "[" * 100000, "{", "[1]", '{"a": ' + "9" * 5000 + "}"):
            with self.subTest(text=text[:20]), self.assertRaisesRegex(BadInput, "a.json"):
                read_json(self.write(text))
        with self.assertRaisesRegex(BadInput, "/a: is inf"):
            read_json(self.write('{"a": 1e999}')).number("a")

    def test_a_config_is_of_the_plans_model(self):
        model = {**one_stage()["problem"]["model"], "rotary_base": 5e5}
        shape = shape_of(model)
        config = {"model_type": "llama", "hidden_size": 32, "num_attention_heads": 4, "num_hidden_layers": 2,
                  "rope_theta": 1e6, "rms_norm_eps": 1e-4, "hidden_act": "gelu"}
        read = with_config(shape, "llama", self.write(config))
        self.assertEqual((read.rotary_base, read.epsilon, read.activation), (1e6, 1e-4, "gelu"))
        change: Any
        for text, change in (("/model_type: is 'gpt2'", {"model_type": "gpt2"}),
                             ("/hidden_size: is 64; ", {"hidden_size": 64}),
                             ("/num_attention_heads: is 8; ", {"num_attention_heads": 8}),
                             ("/num_hidden_layers: is 3; ", {"num_hidden_layers": 3}),
                             ("/rope_theta: is 'x'", {"rope_theta": "x"}),
                             ("/rms_norm_eps: is 0;", {"rms_norm_eps": 0}),
                             ("/norm_topk_prob: is 1;", {"norm_topk_prob": 1}),
                             ("/vocab_size: is 60; ", {"vocab_size": 60}),
                             ("/tie_word_embeddings: is true; ", {"tie_word_embeddings": True}),
                             ("/attention_bias: is true; ", {"attention_bias": True}),
                             ("/intermediate_size: is 7; ", {"intermediate_size": 7})):
            with self.subTest(text=text), self.assertRaises(BadInput) as caught:
                with_config(shape, "llama", self.write({**config, **change}))
            self.assertIn(text, str(caught.exception))
        for change in ({"hidden_act": ["gelu"]}, {"rope_scaling": {"type": "linear", "factor": 2}}):
            with self.subTest(change=change), self.assertRaises(Refused):
                with_config(shape, "llama", self.write({**config, **change}))


def crafted(sizes):
    """A file of tensors with one of these sizes and no numbers."""
    header = json.dumps({"z": {"dtype": "F32", "shape": sizes, "data_offsets": [0, 0]}}).encode()
    return struct.pack("<Q", len(header)) + header


def moved(content, name, begin):
    """The file with one tensor's numbers taken from another place."""
    length = struct.unpack("<Q", content[:8])[0]
    header = json.loads(content[8:8 + length])
    first, last = header[name]["data_offsets"]
    header[name]["data_offsets"] = [begin, begin + last - first]
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + content[8 + length:]


class TensorFiles(unittest.TestCase):
    def test_what_is_written_is_read(self):
        tensors = {"a": torch.randn(3, 4), "b": torch.arange(5), "c": torch.randn(2, 2).to(torch.bfloat16),
                   "empty": torch.empty(0, 3)}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "t.safetensors")
            sums = write_tensors(path, tensors)
            file = TensorFile(path)
            for name, tensor in tensors.items():
                self.assertTrue(torch.equal(file.read(name, sums[name]), tensor), name)
            with open(path, "rb") as whole:
                content = whole.read()
            length = struct.unpack("<Q", content[:8])[0]
            header = json.loads(content[8:8 + length])
            self.assertEqual(header["a"], {"dtype": "F32", "shape": [3, 4], "data_offsets": [0, 48]})
            self.assertEqual(content[8 + length:][:48], bytes(memoryview(tensors["a"].numpy())))  # as others read it
            for text, broken in (("ends early", content[:20]), ("do not fit", content[:-1]),
                                 ("ends early", b"\xff" * 16), ("has no tensor z", content),
                                 ("do not fit", crafted([2 ** 64, 0])), ("do not fit", crafted([2 ** 62, 2 ** 62, 0])),
                                 ("a: begins at byte 0, and b ends at 40", moved(content, "b", 0)),
                                 ("bytes of numbers; its tensors have", content + b"12"),
                                 ("no object", struct.pack("<Q", 2) + b"[]"),
                                 ("expected dtype", struct.pack("<Q", 9) + b'{"z": 1} ')):
                with open(path, "wb") as whole:
                    whole.write(broken)
                with self.subTest(text=text), self.assertRaisesRegex(BadInput, text):
                    TensorFile(path).read("z")


def read_all(weights):
    return {key: file.read(key) for key, file in weights.files.items()}


class PublicNames(unittest.TestCase):
    def test_known_names(self):
        # As transformers saves these families.
        for family, name, expected in (
                ("llama", "5.q", "model.layers.2.self_attn.q_proj.weight"),
                ("qwen2", "5.q.bias", "model.layers.2.self_attn.q_proj.bias"),
                ("qwen3", "1.k.norm.scale", "model.layers.0.self_attn.k_norm.weight"),
                ("mixtral", "4.expert3.down", "model.layers.1.block_sparse_moe.experts.3.w2.weight"),
                ("qwen2_moe", "4.shared.weight", "model.layers.1.mlp.shared_expert_gate.weight"),
                ("gpt2", "1.k.bias", "transformer.h.0.attn.c_attn.bias"),
                ("gpt2", "2.norm.shift", "transformer.h.0.ln_2.bias"),
                ("gpt_neo", "1.v", "transformer.h.0.attn.attention.v_proj.weight"),
                ("gpt_neox", "3.q.bias", "gpt_neox.layers.1.attention.query_key_value.bias"),
                ("opt", "4.down.bias", "model.decoder.layers.1.fc2.bias"),
                ("opt", "9.project", "model.decoder.project_out.weight")):
            model = draw_model(random.Random(1), 4, family)
            self.assertEqual(public_name(shape_of(model), family, name)[0], expected)

    def test_a_saved_model_comes_back_whole(self):
        for family in FAMILIES:
            shape = shape_of(draw_model(random.Random(3), 2, family))
            specs = {s.name: s for layer in range(shape.layers()) for s in layer_tensors(shape, layer)}
            mine = {name: torch.randn(spec.shape) for name, spec in specs.items()}
            saved: Dict[str, torch.Tensor] = {}
            for name, tensor in mine.items():
                public, form = public_name(shape, family, name)
                part = "qkv".find(name.split(".")[1])
                if form.endswith("qkv"):  # [q; k; v], for GPT-2 along the columns of the file
                    whole = saved.setdefault(public, torch.empty([3, *tensor.shape]))
                    whole[part] = tensor
                elif form.endswith("heads"):  # [heads, q k v, width of a head]
                    whole = saved.setdefault(public, torch.empty([shape.heads, 3, shape.head_dim, *tensor.shape[1:]]))
                    whole[:, part] = tensor.view([shape.heads, shape.head_dim, *tensor.shape[1:]])
                else:
                    saved[public] = tensor
            for name in mine:
                public, form = public_name(shape, family, name)
                if form.strip("@") and saved[public].dim() > mine[name].dim():
                    saved[public] = saved[public].reshape([-1, *mine[name].shape[1:]])
            for public in {public_name(shape, family, name)[0] for name in mine
                           if public_name(shape, family, name)[1].startswith("@")}:
                saved[public] = saved[public].t().contiguous() if saved[public].dim() == 2 else saved[public]
            with tempfile.TemporaryDirectory() as folder:
                write_tensors(os.path.join(folder, "model.safetensors"),
                              {key.replace("transformer.", ""): value for key, value in saved.items()})
                read = PublicWeights(folder, shape, family)
                for name, tensor in mine.items():
                    self.assertTrue(torch.equal(read.whole(name), tensor), f"{family} {name}")
                with self.assertRaisesRegex(BadInput, "has no tensor"):
                    read.find("model.more")
                # What files of others hold beside weights.
                beside = {"h.0.attn.bias": torch.ones(1), "h.0.attn.masked_bias": torch.ones(1),
                          "layers.0.attention.rotary_emb.inv_freq": torch.ones(1)}
                if shape.tied:
                    beside["lm_head.weight"] = torch.ones(1)
                write_tensors(os.path.join(folder, "model.safetensors"), {**read_all(read), **beside})
                PublicWeights(folder, shape, family)
                public = public_name(shape, family, "1.o")[0].replace("transformer.", "")
                smaller = shape_of(draw_model(random.Random(3), 1, family))
                with self.subTest(family=family), self.assertRaisesRegex(BadInput, "no place for"):
                    PublicWeights(folder, smaller, family)
                self.assertIn(public, {key.replace("transformer.", "") for key in read.files})
        self.assertEqual(set(PUBLIC), set(FAMILIES) | {"qwen3_moe"})
        self.assertEqual(ours(shape, "1.q", "", torch.ones(2)).tolist(), [1, 1])


class FirstValues(unittest.TestCase):
    def test_slices_are_those_of_the_whole(self):
        shape = shape_of({**one_stage()["problem"]["model"], "vocab": 5000})
        for spec in layer_tensors(shape, 0) + layer_tensors(shape, 1):
            if spec.cut is not None:
                whole = first_values(spec, 0, spec.shape[spec.cut], 1, 2)
                end = spec.shape[spec.cut]
                for begin, stop in ((0, end // 3), (end // 3, end)):
                    part = first_values(spec, begin, stop, 1, 2)
                    self.assertTrue(torch.equal(part, whole.narrow(spec.cut, begin, stop - begin)), spec.name)


class Schedules(unittest.TestCase):
    def test_all_kinds_are_drawn(self):
        drawn = {p["schedule"]["kind"] for n in range(60) for p in draw_plan(n)["plans"][0]["pipelines"]}
        self.assertEqual(drawn, set(KINDS))
        self.assertEqual(document({}, [])["problem"]["recipe"]["gbs"], 0)


if __name__ == "__main__":
    unittest.main()

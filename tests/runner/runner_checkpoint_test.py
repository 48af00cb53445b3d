# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A checkpoint written under one plan goes on under others, and a kill at any moment leaves the last whole one."""
from beside_runner import ALL
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import types
import unittest
from dataclasses import replace
from functools import partial
from typing import Any

import torch

from as_on_nodes import run_as_on_nodes
import checkpoint
import tensor_file
from draws import plan, stage
from errors import BadInput
from executor import Executor
from plan import Reader, plan_of
from ranks import device_of, run_ranks
from shape import shape_of
from tokens import Tokens, open_tokens
from trainer import Options, Trainer
from truth import SETTINGS

# One problem, 4 sequences a step: 2 stages with tp 2 and a cut inside a block; one stage of two replicas with ZeRO-1;
# a V on two ranks; and one rank.
A = plan(stage([[0, 3]], [3, 1], sequence_parallel=True), stage([[4, 5]], [0]), tied=True)
B = plan(stage([[0, 5]], [0], [1], zero=1), tied=True)
C = plan(stage([[0, 0], [5, 5]], [1]), stage([[1, 2], [3, 4]], [0], recompute={"mode": "full"}), tied=True, kind="zb-v")
D = plan(stage([[0, 5]], [0]), tied=True)


def kill_at(moment, kill):
    """Calls kill() at the so many-th time that this process opens, renames or removes a file of a checkpoint, or is
    between two tensors of one."""
    count = 0

    def touched(event, arguments):
        nonlocal count
        on_disk = event in ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "shutil.rmtree")
        if on_disk and "step-" in str(arguments[0]) or event == "between tensors":
            count += 1
            if count == moment:
                kill()

    sys.addaudithook(touched)
    summed = tensor_file.zlib.crc32

    def between(numbers):
        touched("between tensors", ())
        return summed(numbers)

    tensor_file.zlib = types.SimpleNamespace(crc32=between)
    return touched


def kill_alone_at(moment):
    """Ends this process and no other, at such a time or in front of a pass."""
    touched = kill_at(moment, lambda: os.kill(os.getpid(), signal.SIGKILL))
    run_pass = Executor.run_pass

    def counted(self, step, p):
        touched("between tensors", ())
        return run_pass(self, step, p)

    Executor.run_pass = counted


def kill_one(killed, rank):
    """killed: a rank, and the moment at which it is."""
    if rank == killed[0]:
        kill_alone_at(killed[1])


def run(document, folder, steps, save_at=(), losses=None, endless=False, killed=None, **changed):
    """Trains up to `steps`, from the last checkpoint of the folder if there is one; rank 0's losses go to a file.
    killed: a rank, and at which of its dealings with files it takes all others with it."""
    drawn = plan_of(Reader(document, "plan"))
    shape = replace(shape_of(drawn.model), **changed)

    def work(rank):
        if killed is not None and rank == killed[0]:
            kill_at(killed[1], lambda: os.killpg(0, signal.SIGKILL))
        trainer = Trainer(drawn, shape, Tokens(shape.vocab, drawn.seq, drawn.gbs, 5), rank, device_of(rank),
                          Options(SETTINGS, 7, True))
        there = checkpoint.checkpoints(folder)
        done = checkpoint.load(trainer, os.path.join(folder, f"step-{there[-1]:08d}")) if there else 0
        seen = [done]
        for step in range(done, steps):
            seen.append(trainer.step(step).loss)
            if step + 1 in save_at or endless:
                checkpoint.save(trainer, folder, step + 1)
        trainer.close()
        if rank == 0 and losses:
            torch.save(seen, losses)

    return run_ranks(len(drawn.devices()), work, limit_s=240.0, quiet=bool(changed))


class Checkpoints(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="pw-checkpoint-")
        self.there = os.path.join(self.folder, "checkpoints")
        self.losses = os.path.join(self.folder, "losses")

    def tearDown(self):
        shutil.rmtree(self.folder)

    def test_goes_on_under_other_plans(self):
        self.assertTrue(run(D, os.path.join(self.folder, "none"), 7, losses=self.losses))
        straight = torch.load(self.losses)[1:]
        at = 0
        for document, end in ((A, 2), (B, 4), (C, 5), (A, 6), (D, 7)):
            self.assertTrue(run(document, self.there, end, (end,), self.losses))
            done, *seen = torch.load(self.losses)
            self.assertEqual(done, at)
            for mine, expected in zip(seen, straight[at:end]):
                self.assertLess(abs(mine - expected) / expected, 1e-9)
            at = end
        self.assertEqual(checkpoint.checkpoints(self.there), [6, 7])  # older ones are gone

    def test_a_kill_leaves_the_last_whole_one(self):
        seed = random.SystemRandom().randrange(10**6)
        r = random.Random(seed)
        for turn in range(30 if ALL else 4):
            with self.subTest(seed=seed, turn=turn):
                before = checkpoint.checkpoints(self.there)
                moment = r.randrange(3), r.randint(1, 400)
                pid = os.fork()
                if pid == 0:
                    os.setsid()
                    run(A, self.there, 10**6, endless=True, killed=moment)
                    os._exit(0)
                self.assertEqual(os.waitpid(pid, 0)[1], signal.SIGKILL)
                self.check_whole(before)
        done = checkpoint.checkpoints(self.there)
        last = done[-1] if done else 0
        self.assertTrue(run(B, self.there, last + 1, (last + 1,), self.losses))
        self.assertEqual(torch.load(self.losses)[0], last)
        self.assertFalse([name for name in os.listdir(self.there) if name.startswith(".step")])

    def check_whole(self, before):
        """The last checkpoint is no older than before, and all that have their names are whole."""
        after = checkpoint.checkpoints(self.there)
        self.assertGreaterEqual(after[-1:], before[-1:])
        for step in after:
            whole = checkpoint.Checkpoint(os.path.join(self.there, f"step-{step:08d}"))
            self.assertEqual(whole.manifest.whole("step"), step)
            for name, entry in whole.manifest.part("files").value.items():
                for key, crc in entry["crc32"].items():
                    whole.file(name).read(key, crc)
        return after

    def test_a_rank_alone_is_killed(self):
        """Each rank in turn, at drawn moments of saving and of training: the others end by themselves, say why, and
        the last whole checkpoint goes on with the losses of a training that was never stopped."""
        seed = random.SystemRandom().randrange(10**6)
        r = random.Random(seed)
        path = os.path.join(self.folder, "plan.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(A, file)
        common = ["--plan", path, "--here", "--tiny", "--rate", "1e-2", "--least-rate", "1e-2"]  # rates that steps keep
        kept = [*common, "--checkpoints", self.there, "--save-every", "1"]
        run_json = os.path.join(self.folder, "run.json")

        def losses(*more):
            self.assertEqual(run_as_on_nodes(self.folder, [*more, "--out", run_json], 3)[0], [0, 0, 0])
            with open(run_json, encoding="utf-8") as file:
                return [(step["step"], step["loss"]) for step in json.load(file)["steps"]]

        after_kills = []
        for turn in range(30 if ALL else 4):
            killed = turn % 3, r.randint(1, 150)
            with self.subTest(seed=seed, turn=turn, killed=killed):
                before = checkpoint.checkpoints(self.there)
                flags = [*kept, "--steps", str(10**6), *["--resume"][:len(before)]]
                ended, said = run_as_on_nodes(self.folder, flags, 3, partial(kill_one, killed))
                self.assertEqual(ended, [-signal.SIGKILL if rank == killed[0] else 1 for rank in range(3)], said)
                after = self.check_whole(before)
                for rank in range(3):
                    if rank != killed[0]:
                        last = said[rank].splitlines()[-1]
                        self.assertRegex(last, f"^rank {rank}: another rank is gone or does not answer .*; (--resume "
                                               r"goes on behind step \d+ of|no checkpoint was written)")
                        self.assertNotIn("Traceback", said[rank])
                done = after[-1] if after else 0
                after_kills += losses(*kept, "--steps", str(done + 1), *["--resume"][:len(after)])
                self.assertEqual(after_kills[-1][0], done)
        straight = dict(losses(*common, "--steps", str(after_kills[-1][0] + 1)))
        self.assertEqual(after_kills, [(step, straight[step]) for step, _ in after_kills])

    def test_damage_is_said(self):
        self.assertTrue(run(D, self.there, 1, (1,)))
        path = os.path.join(self.there, "step-00000001")
        name = sorted(name for name in os.listdir(path) if name.startswith("layer"))[0]
        with open(os.path.join(path, name), "r+b") as file:
            file.seek(-3, os.SEEK_END)
            file.write(b"\x01\x02\x03")
        whole = checkpoint.Checkpoint(path)
        with self.assertRaisesRegex(BadInput, "damaged"):
            for key, crc in whole.manifest.part("files").part(name).value["crc32"].items():
                whole.file(name).read(key, crc)
        with open(os.path.join(path, name), "ab") as file:
            file.write(b"more")
        with self.assertRaisesRegex(BadInput, "bytes; the manifest has"):
            checkpoint.Checkpoint(path).file(name)

    def test_another_training_is_refused(self):
        self.assertTrue(run(D, self.there, 3, (3,)))
        whole = checkpoint.Checkpoint(os.path.join(self.there, "step-00000003"))
        drawn = plan_of(Reader(D, "plan"))
        settings = replace(SETTINGS, warm_up=0)

        def differences(tokens=None, seed=7, plan=drawn, **changed):
            options = Options(replace(SETTINGS, **changed), seed, True)
            return list(whole.differences(types.SimpleNamespace(
                plan=plan, options=options, tokens=tokens or Tokens(61, drawn.seq, drawn.gbs, 5))))

        self.assertEqual(differences(), [])
        self.assertEqual(differences(plan=replace(drawn, precision="bf16")), [])
        path = os.path.join(self.folder, "t.u16")
        with open(path, "wb") as file:
            file.write(bytes(2 * 100))
        for words, found in (("global batch 4, now 8", differences(plan=replace(drawn, gbs=8))),
                             ("sequence 8, now 4", differences(plan=replace(drawn, seq=4))),
                             ("seed 7, now 8", differences(seed=8)),
                             ("tokens 'synthetic', now '100 tokens of t.u16, sum ",
                              differences(tokens=open_tokens(path, None, (61, 8, 4), 1))),
                             ("clip", differences(clip=0.5)), ("decay", differences(decay=0.5)),
                             ("learning rate", differences(rate=2 * settings.rate))):
            with self.subTest(words=words):
                self.assertEqual(len(found), 1, found)
                self.assertIn(words, found[0])

    def test_what_goes_over_and_what_does_not(self):
        """Of one process: another optimizer, the loss scale of fp16, what version 0.2.0 wrote, a step that is not its
        folder's."""
        drawn = plan_of(Reader(D, "plan"))
        shape = shape_of(drawn.model)

        def trainer(double=True, **changed):
            made = replace(drawn, **changed)
            return Trainer(made, shape, Tokens(shape.vocab, drawn.seq, drawn.gbs, 5), 0, torch.device("cpu"),
                           Options(replace(SETTINGS, optimizer=made.optimizer), 7, double))

        def work(rank):
            half = trainer(double=False)
            half.scale.used, half.scale.value, half.scale.good = True, 1024.0, 7  # as under fp16
            path = checkpoint.save(half, self.there, 1)
            plain = trainer(double=False)
            self.assertEqual(checkpoint.load(plain, path), 1)
            self.assertEqual((plain.scale.value, plain.scale.good), (1.0, 0))
            other = trainer(double=False)
            other.scale.used = True
            checkpoint.load(other, path)
            self.assertEqual((other.scale.value, other.scale.good), (1024.0, 7))
            with self.assertRaisesRegex(BadInput, "has states of adam; the plan trains with sgd"):
                checkpoint.load(trainer(optimizer="sgd"), path, True)
            manifest = os.path.join(path, "manifest.json")
            with open(manifest, encoding="utf-8") as file:
                written = json.load(file)
            for change, text in ((lambda m: m.pop("training"), "version 0.2.0"),
                                 (lambda m: m.update(step=0), "/step: is 0, in the folder step-00000001"),
                                 (lambda m: m["model"].pop("heads"), "with heads None")):
                changed = json.loads(json.dumps(written))
                change(changed)
                with open(manifest, "w", encoding="utf-8") as file:
                    json.dump(changed, file)
                with self.assertRaises(BadInput) as caught:
                    checkpoint.load(trainer(double=False), path)
                self.assertIn(text, str(caught.exception))
                if "training" not in changed:
                    self.assertEqual(checkpoint.load(trainer(double=False), path, True), 1)

        self.assertTrue(run_ranks(1, work))

    def test_bad_manifests_are_said(self):
        self.assertTrue(run(D, self.there, 1, (1,)))
        path = os.path.join(self.there, "step-00000001")
        manifest = os.path.join(path, "manifest.json")
        with open(manifest, encoding="utf-8") as file:
            good = json.load(file)
        first = sorted(good["files"])[0]
        change: Any
        for text, change in (("/files: expected an object", {"files": [1]}), ("/schema: is 'x'", {"schema": "x"}),
                             (f"/files/{first}/bytes: is None", {"files": {first: {}}}),
                             ("expected TENSOR:BEGIN:STATE", {"files": {first: {"bytes": 1, "crc32": {"a": 1}}}}),
                             ("/crc32/a:0:b: is 'c'", {"files": {first: {"bytes": 1, "crc32": {"a:0:b": "c"}}}})):
            with open(manifest, "w", encoding="utf-8") as file:
                json.dump({**good, **change}, file)
            with self.subTest(text=text), self.assertRaises(BadInput) as caught:
                checkpoint.Checkpoint(path)
            self.assertIn(text, str(caught.exception))
        with open(manifest, "w", encoding="utf-8") as file:
            file.write("[" * 100000)
        with self.assertRaisesRegex(BadInput, "manifest.json"):
            checkpoint.Checkpoint(path)

    def test_another_model_is_refused(self):
        self.assertTrue(run(D, self.there, 1, (1,)))
        self.assertFalse(run(D, self.there, 2, epsilon=1e-3))


if __name__ == "__main__":
    unittest.main()

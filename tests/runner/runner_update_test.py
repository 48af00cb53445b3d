# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The update and the differentiable operations of the runner in one process, against PyTorch's own."""
from beside_runner import RUNNER  # noqa: F401
import json
import math
import os
import tempfile
import unittest
from unittest import mock

import torch
import torch.nn.functional as F

import functions
import optimizer
import run
from collectives import ALONE
from draws import plan, stage
from errors import BadInput
from functions import Weight, cross_entropy, linear, look_up
from layers import attention_core, rotate
from optimizer import LossScale, Settings
from plan import Reader, plan_of
from shape import shape_of
from tokens import Tokens
from trainer import Options, Trainer

torch.set_num_threads(1)
DEVICE = torch.device(os.environ.get("PW_RUNNER_DEVICE", "cpu"))


def weight(*shape):
    value = torch.randn(*shape, dtype=torch.float64, requires_grad=True)
    return Weight(value, torch.zeros(*shape, dtype=torch.float64))


def trainer(fused=False, **settings):
    drawn = plan_of(Reader(plan(stage([[0, 5]], [0])), "plan"))
    shape = shape_of(drawn.model)
    return Trainer(drawn, shape, Tokens(shape.vocab, drawn.seq, drawn.gbs, 5), 0, DEVICE,
                   Options(Settings(**settings), 7, True, fused_update=fused))


def values(t):
    return [state["master"].clone() for state in t.optimizer.states]


class Updates(unittest.TestCase):
    def test_the_rate_rises_and_falls(self):
        s = Settings(rate=1.0, least_rate=0.1, warm_up=4, steps=13)
        self.assertEqual([s.rate_at(step) for step in range(4)], [0.25, 0.5, 0.75, 1.0])
        self.assertEqual(s.rate_at(4), 1.0)
        self.assertAlmostEqual(s.rate_at(8), 0.55)
        self.assertAlmostEqual(s.rate_at(12), 0.1)
        self.assertAlmostEqual(s.rate_at(50), 0.1)

    def test_the_scale_of_the_loss_cancels(self):
        plain, scaled = trainer(), trainer()
        scaled.scale.used, scaled.scale.value = True, 1024.0
        for step in range(2):
            a, b = plain.step(step), scaled.step(step)
            self.assertAlmostEqual(a.loss, b.loss, places=12)
            self.assertAlmostEqual(a.norm, b.norm, places=12)
        for x, y in zip(values(plain), values(scaled)):
            self.assertLess(float((x - y).abs().max()), 1e-12)

    def test_a_gradient_that_overflows_is_left_out(self):
        t = trainer()
        t.scale.used, t.scale.value = True, 1024.0
        t.gradients(0)
        t.buckets[0].gradient[0] = math.inf
        before = values(t)
        self.assertFalse(math.isfinite(t.optimizer.step(0)))
        self.assertEqual((t.scale.value, t.optimizer.updates), (512.0, 0))
        for x, y in zip(before, values(t)):
            self.assertTrue(torch.equal(x, y))
        t.gradients(0)
        self.assertTrue(math.isfinite(t.optimizer.step(0)))
        self.assertEqual(t.optimizer.updates, 1)

    def test_without_a_scale_it_ends_the_run(self):
        t = trainer()
        t.gradients(0)
        t.buckets[0].gradient[0] = math.nan
        with self.assertRaisesRegex(FloatingPointError, "step 3"):
            t.optimizer.step(3)

    def test_the_scale_doubles_after_a_thousand_good_steps(self):
        scale = LossScale(True)
        for _ in range(1000):
            scale.after(True)
        self.assertEqual(scale.value, 2 * LossScale.FIRST)
        scale.after(False)
        self.assertEqual((scale.value, scale.good), (LossScale.FIRST, 0))

    def test_sgd_is_that_of_torch(self):
        t = trainer(optimizer="sgd", clip=0.0, rate=0.1, least_rate=0.1, decay=0.0)
        copies = [x.clone().requires_grad_(True) for x in values(t)]
        other = torch.optim.SGD(copies, lr=0.1, momentum=t.options.settings.first_moment)
        for step in range(3):
            t.gradients(step)
            for x, bucket in zip(copies, t.buckets):
                x.grad = bucket.gradient.clone()
            t.optimizer.step(step)
            other.step()
        for x, y in zip(copies, values(t)):
            self.assertLess(float((x.detach() - y).abs().max()), 1e-14)


def adamw_of_one_kernel(masters, gradients, firsts, seconds, largest, counts, *, lr, beta1, beta2, weight_decay, eps,
                        amsgrad, maximize, grad_scale, found_inf):
    """torch._fused_adamw_ (ATen/native/cuda/fused_adam_utils.cuh), a tensor at a time."""
    assert not (largest or amsgrad or maximize) and found_inf is None
    for master, gradient, first, second, count in zip(masters, gradients, firsts, seconds, counts):
        if grad_scale is not None:
            gradient.div_(grad_scale)
        master.sub_(lr * weight_decay * master)
        first.copy_(beta1 * first + (1 - beta1) * gradient)
        second.copy_(beta2 * second + (1 - beta2) * gradient * gradient)
        size = lr / (1 - beta1 ** float(count))
        master.sub_(size * first / (second.sqrt() / math.sqrt(1 - beta2 ** float(count)) + eps))


class FusedUpdates(unittest.TestCase):
    def test_one_kernel_does_what_many_do(self):
        """On a GPU by the kernel itself. The factor of a gradient is handed to it in fp32."""
        kernel = optimizer.fused_adamw if DEVICE.type == "cuda" else adamw_of_one_kernel
        with mock.patch.object(optimizer, "fused_adamw", kernel):
            for clip in (0.0, 0.01):  # the gradient as it is, and another factor at every step
                with self.subTest(clip=clip):
                    many, one = trainer(clip=clip, rate=0.1), trainer(True, clip=clip, rate=0.1)
                    before = values(many)
                    for step in range(3):
                        self.assertAlmostEqual(many.step(step).loss, one.step(step).loss, places=6)
                    for first, x, y in zip(before, values(many), values(one)):
                        self.assertGreater(float((first - x).abs().max()), 1e-2)
                        self.assertLess(float((x - y).abs().max()), 1e-7)
                    for name, weight in many.executor.context.weights.items():
                        theirs = one.executor.context.weights[name].value
                        self.assertLess(float((weight.value - theirs).abs().max()), 1e-7)

    def test_it_is_refused_where_it_is_not(self):
        drawn = plan(stage([[0, 5]], [0]))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "plan.json")
            for optimizer_of_plan, on_gpus, kernel, said in (
                    ("adam", False, adamw_of_one_kernel, "needs GPUs"), ("adam", True, None, "PyTorch 2.0 or later"),
                    ("sgd", True, adamw_of_one_kernel, "is of AdamW; the plan has sgd"),
                    ("adam", True, adamw_of_one_kernel, None)):
                drawn["problem"]["recipe"]["optimizer"] = optimizer_of_plan
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(drawn, file)
                a = run.arguments(["--plan", path, "--fused-update"])
                with self.subTest(said=said), mock.patch.object(run, "fused_adamw", kernel):
                    if said is None:
                        run.read_problem(a, on_gpus)
                    else:
                        with self.assertRaisesRegex(BadInput, f"^--fused-update: .*{said}"):
                            run.read_problem(a, on_gpus)


class Operations(unittest.TestCase):
    def test_a_product_at_once_and_put_off(self):
        x = torch.randn(3, 2, 5, dtype=torch.float64, requires_grad=True)
        for later in (False, True):
            w = weight(4, 5)
            functions.weight_passes.waiting = [] if later else None
            y = linear(x, w)
            (dx,) = torch.autograd.grad(y.square().sum(), x)
            if later:
                self.assertEqual(float(w.gradient.abs().sum()), 0.0)
                with torch.no_grad():
                    for closure in functions.weight_passes.waiting or []:
                        closure()
            functions.weight_passes.waiting = None
            theirs = torch.autograd.grad(F.linear(x, w.value).square().sum(), [x, w.value])
            self.assertTrue(torch.allclose(dx, theirs[0], rtol=1e-13))
            self.assertTrue(torch.allclose(w.gradient, theirs[1], rtol=1e-13))

    def test_loss_and_look_up_over_a_slice(self):
        logits = torch.randn(6, 9, dtype=torch.float64, requires_grad=True)
        targets = torch.tensor([0, 8, 3, 3, 5, 1])
        mine = cross_entropy(logits, targets, 0, ALONE)
        theirs = F.cross_entropy(logits, targets, reduction="none")
        self.assertTrue(torch.allclose(mine, theirs, rtol=1e-13))
        scale = torch.arange(6, dtype=torch.float64)
        (a,) = torch.autograd.grad((mine * scale).sum(), logits)
        (b,) = torch.autograd.grad((theirs * scale).sum(), logits)
        self.assertTrue(torch.allclose(a, b, rtol=1e-12, atol=1e-14))
        w = weight(3, 2)  # rows 4 to 6 of a table
        rows = look_up(torch.tensor([[4, 9], [6, 4]]), w, 4)
        self.assertTrue(torch.equal(rows.detach()[0, 0], w.value.detach()[0]))
        self.assertEqual(rows.detach()[0, 1].tolist(), [0.0, 0.0])
        rows.sum().backward()
        self.assertEqual(w.gradient.tolist(), [[2.0, 2.0], [0.0, 0.0], [1.0, 1.0]])

    def test_attention_sees_what_it_may(self):
        q, k, v = (torch.randn(6, 1, 2, 4, dtype=torch.float64) for _ in range(3))
        for window in (0, 3):
            y = attention_core(q, k, v, window, True)
            for source in range(6):
                changed = v.clone()
                changed[source] += 1.0
                apart = (attention_core(q, k, changed, window, True) - y).abs().sum((1, 2)) > 1e-9
                seen = [source <= i and (window == 0 or i - source < window) for i in range(6)]
                self.assertEqual(apart.tolist(), seen)

    def test_rotary_scores_depend_on_the_distance(self):
        q, k = (torch.randn(1, 1, 1, 8, dtype=torch.float64).expand(12, 1, 1, 8) for _ in range(2))
        a, b = rotate(q, 10000.0, 1.0)[:, 0, 0], rotate(k, 10000.0, 1.0)[:, 0, 0]
        scores = a @ b.t()
        for distance in range(8):
            along = scores.diagonal(-distance)
            self.assertLess(float((along - along[0]).abs().max()), 1e-12)
        self.assertTrue(torch.equal(rotate(q, 10000.0, 0.25)[..., 2:], q[..., 2:]))


if __name__ == "__main__":
    unittest.main()

# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures of emulated_plans.py and the page that it writes; and that the page of the manual says in words what its
own table has."""
from beside_runner import ROOT
import unittest

from emulated_page import (Emulated, Machine, at_equal_distances, page, regret, row_text, rows_of, shortfalls, summary,
                           tau)

PAGE = ROOT / "resources/manual/generated/emulated.md"
MACHINE = Machine("a processor", 2, "1.13", 0.25, 3.5, 0.125, 40)


def plans(*times):
    return [Emulated(f"plan {n}", predicted, ran, 0.3, 0.0, False) for n, (predicted, ran) in enumerate(times)]


class Figures(unittest.TestCase):
    def test_tau_counts_pairs(self):
        self.assertEqual(tau(plans((1, 5), (2, 6), (3, 9))), 1.0)
        self.assertEqual(tau(plans((1, 9), (2, 6), (3, 5))), -1.0)
        self.assertAlmostEqual(tau(plans((1, 5), (2, 9), (3, 6))), 1 / 3)  # one of three pairs is the other way round
        self.assertAlmostEqual(tau(plans((1, 5), (1, 6), (3, 7))), 2 / 3)  # a tie is neither

    def test_regret_is_that_of_the_predicted_best(self):
        self.assertAlmostEqual(regret(plans((2, 5), (1, 6), (3, 4))), 0.5)
        self.assertEqual(regret(plans((1, 4), (2, 4), (3, 9))), 0.0)

    def test_every_way_to_fall_short_is_told(self):
        """Rows as the page has them, broken in one way after the other; what is within the bounds is not told."""
        good = [(1.0, 1.0), (1.5, 1.46), (2.0, 2.09), (2.5, 2.4), (3.0, 3.1), (3.5, 3.6)]
        self.assertEqual(shortfalls(plans(*good)), [])
        for factor, words in ((1.04, []), (1.06, ["the median error is 6.0 %"]), (0.93, ["the median error is 7.0 %"])):
            self.assertEqual(shortfalls(plans(*((factor * n, n) for n in (1.0, 2.0, 4.0, 8.0)))), words)
        # A few neighbours the other way round; the predicted best is the fastest.
        swapped = [(1.0, 1.0), (1.01, 1.03), (1.02, 1.02), (1.03, 1.05), (1.04, 1.04), (1.05, 1.06)]
        self.assertEqual(shortfalls(plans(*swapped)), ["tau is 0.73"])
        self.assertEqual(shortfalls(plans((1.0, 1.1), *((n, n) for n in (1.02, 2.0, 3.0, 4.0, 5.0, 6.0)))),
                         ["the regret is 7.8 %"])
        self.assertEqual(shortfalls([*plans(*good), Emulated("late", 4.0, 4.0, 0.9, 0.5, True)]),
                         ["a run was disturbed"])
        # All emulated alike: none of the links and slots was kept.
        self.assertEqual(len(shortfalls(plans(*((n, 2.0) for n in (1.0, 2.0, 4.0, 8.0))))), 2)

    def test_plans_are_taken_at_equal_distances(self):
        found = [8.0, 1.0, 1.1, 1.2, 2.1, 1.9, 4.2, 7.9]
        self.assertEqual(at_equal_distances(found, 4, float), [1.0, 1.9, 4.2, 8.0])
        self.assertEqual(at_equal_distances(found, len(found), float), sorted(found))
        self.assertEqual(at_equal_distances([3.0, 3.0, 3.0], 2, float), [3.0, 3.0])
        for count in (1, len(found) + 1):
            with self.subTest(count=count), self.assertRaises(ValueError):
                at_equal_distances(found, count, float)


class Pages(unittest.TestCase):
    def test_a_page_says_what_its_rows_say(self):
        rows = [Emulated("1f1b", 5.0, 4.0, 0.312, 0.015, False),
                Emulated("gpipe, replicas 1 1", 6.0, 8.0, 0.9, 0.25, True)]
        text = page(rows, MACHINE, "A problem.", 2)
        for words in ("**Emulated:** 2 plans", "median error is 25.0 %, the largest 25.0 %", "tau of the order is 1.00",
                      "ran 0.0 % slower", "| 5.000 s | 4.000 s | +25.0 % | 31 % | 1.5 % | no |", "| -25.0 % |",
                      "| 90 % | 25.0 % | yes |", "Of 40 plans", "A problem.", "a processor, 2 cores, PyTorch 1.13",
                      "timed 0.25, after the last plan 3.50", "kept 0.12 cores busy", "plan 2: above"):
            self.assertIn(words, text)
        read = rows_of(text)
        self.assertEqual([row.what for row in read], ["1f1b", "gpipe, replicas 1 1"])
        self.assertEqual(summary(read), summary(rows))
        with self.assertRaises(ValueError):
            summary([Emulated("a | b", 1.0, 1.0, 0.0, 0.0, False)] * 2)

    def test_the_page_of_the_manual(self):
        """Whoever edits a figure of it by hand is told here, and whoever breaks the emulation when it is made anew."""
        index = (ROOT / "resources/manual/index.md").read_text(encoding="utf-8")
        self.assertEqual("generated/emulated.md" in index, PAGE.exists())
        if not PAGE.exists():
            return
        text = PAGE.read_text(encoding="utf-8")
        rows = rows_of(text)
        self.assertGreaterEqual(len(rows), 12)
        self.assertEqual(shortfalls(rows), [])
        self.assertIn(f"\n{summary(rows)}\n", text)
        for number, row in enumerate(rows, 1):
            self.assertIn(f"\n{row_text(number, row)}\n", text)
        self.assertEqual([row.predicted for row in rows], sorted(row.predicted for row in rows))


if __name__ == "__main__":
    unittest.main()

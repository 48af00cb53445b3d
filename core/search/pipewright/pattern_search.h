// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/pipewright/pattern.h"

#include <set>

namespace pw {

// Local search over patterns of one micro-batch size. It starts from pipelines whose stages are alike inside
// every class (each number of replicas and tensor-parallel size, every order and subset of the classes for
// the best of these) and changes a stage's option, its number of devices, the number of stages, or the order
// of the classes, while the programme's bound falls. So many patterns at a time are judged on all threads, on
// whose number nothing depends. This project's own.
class PatternSearch {
public:
    PatternSearch(SearchRun& run, const PatternOptions& options, int threads);

    struct Found {
        double value = 0.0; // s
        Pattern pattern;
        std::vector<PatternProgramme::Layers> layers; // by launch counts, those that fit
    };
    // The best uniform patterns, best first. Ends early when the run does.
    std::vector<Found> uniform(double deadline, std::size_t most);
    // The best of filledStarts(), best first.
    std::vector<Found> filled(double deadline, std::size_t most);
    // The best of segmentStarts(), best first.
    std::vector<Found> ofFewClasses(double deadline, std::size_t most);
    // The best of the patterns like this one whose first stages are of the last ones' class, which its other
    // patterns never enter again: both ends of a tied model on one node sum its embedding without the
    // network.
    std::vector<Found> withBothEnds(const Pattern& pattern, double deadline, std::size_t most);
    // The best neighbour's best neighbour's ... of a pattern.
    Found descend(Found from, double deadline);
    // The best of its neighbours, best first.
    std::vector<Found> around(const Pattern& pattern, double deadline, std::size_t most);

private:
    // Those of the patterns that fit, in their order. With a `cutoff` those that come to it or less, or to
    // what the best before them came to.
    std::vector<Found> judge(const std::vector<Pattern>& patterns, double deadline,
                             double cutoff = std::numeric_limits<double>::infinity());
    std::size_t affordable(const std::vector<Pattern>& patterns, std::size_t from) const;
    std::vector<Pattern> neighbours(const Pattern& pattern) const;
    // Appends stages of this option, at most `most`, as long as they find their place.
    void fill(Pattern& pattern, int option, std::size_t most) const;

    SearchRun& m_run;
    const PatternOptions& m_options;
    const ChainSpace& m_space;
    std::vector<PatternProgramme> m_programmes; // one a thread
    std::set<Pattern> m_known;
    PatternOptions::Return m_return = PatternOptions::Return::Never;
};

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The tests of core/schedule, core/search/proof and core/cost as one program, for packaging/check mutate: it
// is linked again for every changed line, and ends with the first class that notices. What is named here
// runs, the quick first.
#include "tests/mutate/collect.h"

#include <QCoreApplication>

#include <algorithm>
#include <cstdio>

namespace pw::mutate {

std::vector<TestClass>& testClasses() {
    static std::vector<TestClass> all;
    return all;
}

} // namespace pw::mutate

namespace {

// Functions of a class that the three rooms are seen through, or all of them.
struct Chosen {
    const char* name;
    QStringList functions;
};

const std::vector<Chosen>& chosen() {
    static const std::vector<Chosen> all = {
        {"CostTest", {}},
        {"DeviceTimeTest", {}},
        {"LaunchCountsTest", {}},
        {"SimulateTest", {}},
        {"OpListsTest", {}},
        {"GreedyListsTest", {}},
        {"ScheduleNumbersTest", {}},
        {"EvaluateTest", {}},
        {"SharedLayersTest", {}},
        {"ChunkedPlanTest", {}},
        {"DividedBlockTest", {}},
        {"ResidualsTest", {"theShippedTableIsOfToday"}}, // every predicted time of a measured run
        {"HandCertificateTest", {}},
        {"ChainProgrammeTest", {}},
        {"ZeroBubbleTest", {}},
        {"PartitionsTest", {"boundsHoldAndAreCertified"}}, // the bound with divided blocks
        {"WiderTest",
         {"aStoppedBoundProvesNothing", "noPlanIsFasterThanCapacity", "certificatesOfOthersProveNothing",
          "oneDeviceTakesWhatItsPassesTake", "groupsThatLeaveTheirNodeAreNotCovered",
          "scopesSayHowReplicasShare"}},
        {"RacksTest", {}}, // chains inside a node or a site, whatever order they take nodes in
        {"SearchTest", {}},
        {"WiderTest", {"equalsExhaustive:none, whole", "equalsExhaustive:mixed stages"}}, // capacity's bound
        {"DeepPipelinesTest",
         {"whatIsKnownIsNotWorkedOutAgain", "pricesKnowThatPipelinesFill", "boundsHoldForDeepPlans"}},
        {"SamplesPlansTest", {}}, // best times and bounds of the samples
        {"ZeroBubbleRandomTest", {"boundBelowEveryV"}},
    };
    return all;
}

} // namespace

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    const auto& collected = pw::mutate::testClasses();
    for (const Chosen& next : chosen()) {
        const auto found = std::find_if(collected.begin(), collected.end(),
                                        [&](const auto& test) { return test.name == next.name; });
        if (found == collected.end()) {
            std::fprintf(stderr, "no test class %s\n", next.name);
            return 2;
        }
        if (found->run(QStringList(application.applicationName()) + next.functions) != 0)
            return 1;
    }
    return 0;
}

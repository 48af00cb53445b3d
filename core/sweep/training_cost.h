// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>

namespace pw {

// What a whole training run takes, beyond one iteration: days, money and energy for so many tokens, on
// machines that fail.
//
//   wall clock:  | work tau | checkpoint delta | work tau | chk | wor X restart R | work tau | ...
//                                                                  ^ every M seconds on average: what was
//                                                                    done since the checkpoint is lost
//
// Failures come independently at a constant rate, so that a job of N GPUs fails every M = (GPU hours a
// failure) / N hours. The interval between checkpoints that wastes least is about sqrt(2 delta M) (Young
// 1974, doi:10.1145/361147.361115), more exactly (Daly 2006, doi:10.1016/j.future.2004.11.016)
//
//   tau = sqrt(2 delta M) (1 + sqrt(delta / 2M) / 3 + (delta / 2M) / 9) - delta      for delta < 2M, else M,
//
// and a run of work W then takes W / tau * M exp(R / M) (exp((tau + delta) / M) - 1) (there).
// Goodput is W over that. Both are published; checkpoints are taken to stop the training while they are
// written.
struct FailureModel {
    double gpuHours = 0.0;    // of one GPU between two failures that end the job; 0: none happen
    double checkpoint = 60.0; // s that writing one takes
    double restart = 600.0;   // s until training goes on behind a failure
};

struct Goodput {
    double interval = 0.0; // s of work between two checkpoints; 0: none are needed
    double share = 1.0;    // of the wall clock that is kept work
};
Goodput goodputOf(const FailureModel& failures, std::int64_t gpus);

// What the run is to come to. Money is that of all GPUs of the composition for as long as it runs, used or
// not, since they are bought or rented for it.
struct TrainingGoal {
    double tokens = 0.0;
    double deadlineDays = 0.0;  // 0: none
    double budget = 0.0;        // money, in the currency of the prices; 0: none
    double powerOverhead = 1.0; // facility over GPUs: cooling, hosts, conversion
    FailureModel failures;
};

struct TrainingCost {
    Goodput goodput;
    double days = 0.0;      // infinity where it fails faster than it gets on; so are money and energy then
    double money = 0.0;     // 0: a price is not known
    double energyKwh = 0.0; // used GPUs at their full power, so an upper end; 0: a power is not known
    bool meets = true;      // deadline and budget, as far as they are stated and can be told

    bool ends() const { return std::isfinite(days); }
};

struct TrainingRates {
    double tokensPerSecond = 0.0;
    std::int64_t gpusUsed = 0;   // that can fail the job
    double pricePerHour = 0.0;   // of all GPUs; 0: not known
    double energyPerToken = 0.0; // J, of the GPUs used; 0: not known
};
// `rates` of a plan that can run: tokensPerSecond above 0.
TrainingCost trainingCost(const TrainingGoal& goal, const TrainingRates& rates);

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/quantity.h"
#include "core/search/proof/scope.h"

#include <memory>
#include <string>

namespace pw {

// A proven lower bound of iteration_s over every plan of its scope.
struct Bound {
    Seconds value; // 0 = none
    ProofScope scope;
    std::string kind; // "launch-count", "capacity" or "enumeration"
    std::shared_ptr<const Json>
        certificate;           // what provesBound() (certificate.h) checks; null without a bound
    Seconds provenBefore = {}; // of any launch counts, where `value` speaks of the rules' counts alone

    // No plan takes less that has the scope's axes, whatever its launch counts are. 0 = none is proven.
    Seconds ofAnyLaunches() const { return scope.ruledLaunches ? provenBefore : value; }
};

// The bound that speaks of any launch counts; without a certificate where that is another one.
inline Bound ofAnyLaunches(Bound bound) {
    if (bound.scope.ruledLaunches) {
        bound.value = bound.provenBefore;
        bound.scope.ruledLaunches = false;
        bound.kind = "launch-count";
    }
    return bound;
}

} // namespace pw

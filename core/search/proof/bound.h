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
        certificate; // what provesBound() (certificate.h) checks; null without a bound
};

} // namespace pw

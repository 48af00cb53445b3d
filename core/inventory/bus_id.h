// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace pw {

// PCI addresses are written with 8 digits of domain by nvidia-smi and 4 elsewhere, in either case:
// "00000000:8F:00.0" and "0000:8f:00.0" are one. Text that is no address comes back as it is.
std::string normalisedBusId(std::string_view text);

} // namespace pw

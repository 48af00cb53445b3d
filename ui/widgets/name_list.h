// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>
#include <vector>

class QLineEdit;

namespace pw {

struct Cluster;

// A line of names with commas between them completes the last one: nodes and kinds of the cluster, which
// follow by followNames(). A device has its node's name in front. What one of these names alone begins with
// is taken for it, and stands there in full once the field is left.
void completeNames(QLineEdit* field);
enum class NamedItems { Devices, AlsoSwitches }; // links are typed in full
void followNames(QLineEdit* field, const Cluster& cluster, NamedItems items = NamedItems::Devices);
std::vector<std::string> namesIn(const QLineEdit* field);    // in full
std::vector<std::string> typedNames(const QLineEdit* field); // as they stand there
QString namesText(const std::vector<std::string>& names);

} // namespace pw

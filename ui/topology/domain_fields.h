// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/cluster.h"

#include <QObject>
#include <QString>

#include <functional>
#include <vector>

class QComboBox;
class QLineEdit;
class QWidget;

namespace pw {

struct AppContext;
struct PropertyForm;
class ValueField;

// The rows of the property panel about NVLink: the domain that the chosen nodes are in, which can be another,
// a new one or none, and its name, bandwidth and latency. What is changed holds for all nodes of a domain.
// Each is one undo step; a refusal reaches the user through Document::failed.
class DomainFields : public QObject {
    Q_OBJECT

public:
    DomainFields(const AppContext& app, PropertyForm& form);
    void show(const std::vector<const Node*>& nodes); // those that are chosen
    // Chooses the nodes of the domain that is called so; false if there is none.
    bool choose(const QString& domain);

private:
    void fillChoice();
    void take(int choice);
    void rename();
    void setDomains(const QString& what, const std::function<void(NvlinkDomain&)>& change);

    const AppContext& m_app;
    QComboBox* m_choice;
    QLineEdit* m_name;
    ValueField* m_rate;
    ValueField* m_delay;
    std::vector<QWidget*> m_figures;     // with their captions: shown where there is a domain
    std::vector<std::string> m_nodes;    // ids
    std::vector<NvlinkDomain> m_domains; // that they are in, each once
    bool m_outside = false;              // some of them are in none
};

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/cluster.h"
#include "ui/session/view.h"

#include <functional>
#include <memory>
#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QStackedWidget;

namespace pw {

struct AppContext;
struct Project;
class DomainFields;
class ValueField;

// The properties of what is chosen on the canvas: nodes, a switch, or links. Several items of one sort are
// edited together, and a field whose items differ says which values there are. Enter or leaving a field is
// one undo step.
class PropertyPanel : public View {
    Q_OBJECT

public:
    explicit PropertyPanel(const AppContext& app, QWidget* parent = nullptr);
    void focusField(const QString& name); // "bandwidth"; the first field if there is no such one

protected:
    void keyPressEvent(QKeyEvent* event) override; // Escape leads back to the drawing

private:
    struct NodeRow {
        ValueField* field;
        double (*get)(const Node&);
        void (*set)(Node&, double);
    };
    struct LinkRow {
        ValueField* field;
        double (*get)(const Link&);
        void (*set)(Link&, double);
    };

    QWidget* nodePage();
    QWidget* switchPage();
    QWidget* linkPage();
    void refresh();
    void describePlan(const QString& node);
    QString lanesTogether() const; // of a link of several
    QString switchSides() const;   // what the chosen switches are cabled to, and whether it blocks
    void describeLinks(int page);  // of what is chosen: what the plan in view asks of them
    void setNodes(const QString& what, ValueField* field, const std::function<void(Node&)>& change);
    void setLinksOf(const QString& what, ValueField* field, const std::function<void(Link&)>& change);
    void rename();
    void leave(const QLineEdit& field); // after Enter: the canvas has the keys again, unless it was refused
    QString chosenSorts() const;        // "2 nodes, 1 link"

    const AppContext& m_app;
    QLabel* m_icon;
    QLabel* m_title;
    QLabel* m_items;
    QLabel* m_nameLabel;
    QLineEdit* m_name;
    QLabel* m_nameNote;
    QStackedWidget* m_pages;
    QLabel* m_nothing = nullptr; // on the page of what has no properties
    QComboBox* m_kind = nullptr;
    QComboBox* m_medium = nullptr;
    QLabel* m_switchSides = nullptr;
    QLabel* m_mediumNote = nullptr; // what the medium makes of a line rate
    QLabel* m_network = nullptr;    // of the links
    DomainFields* m_domain = nullptr;
    QLabel* m_plan = nullptr;
    QLabel* m_nodeTraffic = nullptr; // likewise of its links
    QLabel* m_switchTraffic = nullptr;
    QLabel* m_linkTraffic = nullptr;
    std::vector<NodeRow> m_nodeRows;
    std::vector<LinkRow> m_linkRows;
    ValueField* m_bandwidth = nullptr;
    int m_typedLanes = 0;             // in front of the rate that was typed last; 0: none
    std::vector<const Node*> m_nodes; // of the shown project, which m_shown keeps alive
    std::vector<const Switch*> m_switches;
    std::vector<const Link*> m_links;
    qsizetype m_notes = 0; // chosen
    std::shared_ptr<const Project> m_shown;
};

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/property_panel.h"

#include "core/base/units.h"
#include "core/edit/edit.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/icons.h"
#include "ui/base/manual_link.h"
#include "ui/base/own_colour.h"
#include "ui/base/theme.h"
#include "ui/commands/app_context.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/link_traffic.h"
#include "ui/session/memory_room.h"
#include "ui/session/plan_text.h"
#include "ui/session/selection.h"
#include "ui/topology/domain_fields.h"
#include "ui/topology/drawing.h"
#include "ui/topology/property_form.h"
#include "ui/topology/user_catalogue.h"
#include "ui/widgets/value_field.h"

#include <QApplication>
#include <QComboBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace pw {

PropertyPanel::PropertyPanel(const AppContext& app, QWidget* parent)
    : View(parent), m_app(app), m_icon(new QLabel(this)), m_title(new QLabel(this)),
      m_items(new QLabel(this)), m_nameLabel(new QLabel(tr("Name"), this)), m_name(new QLineEdit(this)),
      m_nameNote(new QLabel(this)), m_pages(new QStackedWidget(this)) {
    setObjectName(QStringLiteral("properties"));
    setAccessibleName(tr("Properties"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_title->setObjectName(QStringLiteral("properties.title"));
    m_title->setFont(headingFont());
    m_items->setObjectName(QStringLiteral("properties.items"));
    m_items->setForegroundRole(QPalette::PlaceholderText);
    m_items->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_items->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_name->setObjectName(QStringLiteral("properties.name"));
    m_name->setAccessibleName(tr("Name"));
    m_name->setMinimumHeight(24);
    m_nameNote->setObjectName(QStringLiteral("properties.name.note"));
    m_nameNote->setFont(smallFont());
    m_nameNote->setWordWrap(true);
    openLinks(m_nameNote);
    m_nameNote->hide();
    connect(m_name, &QLineEdit::editingFinished, this, &PropertyPanel::rename);

    auto* head = new QHBoxLayout;
    head->setContentsMargins(10, 10, 10, 6);
    head->setSpacing(8);
    head->addWidget(m_icon);
    head->addWidget(m_title);
    head->addWidget(m_items, 1);
    auto* nameRow = new QGridLayout;
    nameRow->setContentsMargins(10, 0, 10, 0);
    nameRow->setHorizontalSpacing(8);
    nameRow->setVerticalSpacing(2);
    nameRow->setColumnMinimumWidth(0, kPropertyLabelWidth);
    m_nameLabel->setForegroundRole(QPalette::PlaceholderText);
    m_nameLabel->setBuddy(m_name);
    nameRow->addWidget(m_nameLabel, 0, 0);
    nameRow->addWidget(m_name, 0, 1);
    nameRow->addWidget(m_nameNote, 1, 1);

    m_nothing = new QLabel(this);
    m_nothing->setObjectName(QStringLiteral("properties.empty"));
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setWordWrap(true);
    m_nothing->setMargin(16);
    m_nothing->setForegroundRole(QPalette::PlaceholderText);
    m_pages->addWidget(m_nothing);
    m_pages->addWidget(nodePage());
    m_pages->addWidget(switchPage());
    m_pages->addWidget(linkPage());

    auto* body = new QWidget;
    auto* bodyColumn = new QVBoxLayout(body);
    bodyColumn->setContentsMargins(0, 0, 0, 0);
    bodyColumn->setSpacing(0);
    bodyColumn->addLayout(head);
    bodyColumn->addLayout(nameRow);
    bodyColumn->addWidget(m_pages, 1);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(body);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(scroll);

    // Queued: what is typed is taken first, and may be refused.
    for (QLineEdit* field : findChildren<QLineEdit*>())
        connect(
            field, &QLineEdit::returnPressed, this, [this, field] { leave(*field); }, Qt::QueuedConnection);
    connect(&app.document, &Document::changed, this, &PropertyPanel::refresh);
    connect(&app.selection, &Selection::itemsChanged, this, [this, scroll] {
        refresh();
        scroll->verticalScrollBar()->setValue(0); // another item begins with its name
    });
    connect(&app.selection, &Selection::planChanged, this, &PropertyPanel::refresh);
    connect(&app.links, &LinkTraffic::changed, this, [this] { describeLinks(m_pages->currentIndex()); });
    connect(&app.selection, &Selection::focusRequested, this, [this](const QString& where) {
        if (m_domain->choose(where)) { // an NVLink domain is seen by its nodes
            Q_EMIT raiseRequested();
            return focusField(QStringLiteral("domainBandwidth"));
        }
        // An item by its name, or one of its fields or GPUs: "n4.memoryTaken", "n3.g2".
        const Cluster& cluster = m_app.document.project()->cluster;
        for (const QString& id : {where, where.section(QLatin1Char('.'), 0, -2)}) {
            if (describeItem(cluster, id).isEmpty())
                continue;
            if (!m_app.selection.items().contains(id)) // else all that are chosen
                m_app.selection.setItems({id});
            Q_EMIT raiseRequested();
            focusField(id == where ? QString() : where.section(QLatin1Char('.'), -1));
            return;
        }
    });
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, &PropertyPanel::refresh);
    refresh();
}

void PropertyPanel::refresh() {
    m_shown = m_app.document.project();
    m_nodes.clear();
    m_switches.clear();
    m_links.clear();
    m_notes = 0;
    QStringList ids(m_app.selection.items().begin(), m_app.selection.items().end());
    ids.sort();
    for (const QString& id : ids) {
        if (const Node* n = m_shown->cluster.node(s(id)))
            m_nodes.push_back(n);
        else if (const Switch* item = m_shown->cluster.findSwitch(s(id)))
            m_switches.push_back(item);
        else if (const Link* l = m_shown->cluster.link(s(id)))
            m_links.push_back(l);
        else if (id.startsWith(kNotePrefix))
            ++m_notes;
    }
    const std::size_t boxes = m_nodes.size() + m_switches.size();
    // Links that came along with boxes do not hide the boxes; boxes of two sorts have no common properties.
    const int page = !m_nodes.empty() && m_switches.empty()   ? 1
                     : m_nodes.empty() && !m_switches.empty() ? 2
                     : boxes == 0 && !m_links.empty()         ? 3
                                                              : 0;
    m_pages->setCurrentIndex(page);
    const std::size_t count = page == 3 ? m_links.size() : boxes;
    // The number is of all that is chosen, as in the status line.
    const auto chosen = static_cast<std::size_t>(ids.size());
    const bool alike = page != 0 && count == chosen;
    const QString one = page == 1   ? tr("Node")
                        : page == 2 ? tr("Switch")
                        : page == 3 ? tr("Link")
                                    : tr("Note");
    const QString many = !alike      ? tr("items")
                         : page == 1 ? tr("nodes")
                         : page == 2 ? tr("switches")
                                     : tr("links");
    m_title->setText(chosen == 0   ? tr("Nothing chosen")
                     : chosen == 1 ? one
                                   : QStringLiteral("%1 %2").arg(chosen).arg(many));
    m_nothing->setText(chosen == 0 ? tr("Choose nodes, a switch or links on the canvas.")
                       : boxes == 0
                           ? tr("A double click on a note writes on it.")
                           : tr("Nodes and switches have no properties in common. Choose items of one "
                                "sort to edit them together."));
    m_icon->setPixmap(icon(page == 3   ? QStringLiteral("link")
                           : page == 2 ? QStringLiteral("switch")
                                       : QStringLiteral("node"),
                           IconTone::Text)
                          .pixmap(20));
    m_icon->setVisible(page != 0);
    QStringList shown;
    if (page == 3)
        for (const Link* l : m_links)
            shown << QStringLiteral("%1 \u2013 %2").arg(q(l->a), q(l->b));
    else
        shown = ids;
    m_items->setToolTip(shown.join(QStringLiteral(", ")));
    m_items->setText(
        m_items->fontMetrics().elidedText(alike ? shown.join(QStringLiteral(", ")) : chosenSorts(),
                                          Qt::ElideRight, std::max(120, m_items->width())));
    m_items->setVisible(chosen > 1 || page != 0);

    const bool single = count == 1 && page != 0;
    m_name->setVisible(page != 0);
    m_nameLabel->setVisible(page != 0);
    const QString own = !single     ? QString()
                        : page == 1 ? q(m_nodes.front()->id)
                        : page == 2 ? q(m_switches.front()->id)
                                    : q(m_links.front()->id);
    m_name->setEnabled(single && alike);
    m_name->setText(own);
    m_name->setPlaceholderText(single ? QString() : tr("%1 values").arg(count));
    m_nameNote->hide();

    for (const NodeRow& row : m_nodeRows) {
        std::vector<double> values;
        for (const Node* n : m_nodes)
            values.push_back(row.get(*n));
        row.field->setValues(values);
    }
    for (const LinkRow& row : m_linkRows) {
        std::vector<double> values;
        for (const Link* l : m_links)
            values.push_back(row.get(*l));
        row.field->setValues(values);
    }
    if (page == 1) {
        m_kind->clear();
        for (const DeviceKind& k : kindsFor(m_shown->cluster))
            m_kind->addItem(q(k.name));
        std::map<QString, std::size_t> kinds;
        for (const Node* n : m_nodes)
            ++kinds[q(n->kind)];
        showValues(*m_kind, kinds);
        m_domain->show(m_nodes);
        describePlan(own);
    }
    if (page == 2) {
        std::map<QString, std::size_t> media;
        for (const Switch* item : m_switches)
            ++media[mediumText(item->medium)];
        showValues(*m_medium, media);
        m_switchSides->setText(switchSides());
        m_mediumNote->setVisible(media.size() == 1);
        m_mediumNote->setText(
            tr("Training usually gets %1 of a line rate here: fitted to published runs, where a "
               "test of one cable shows more. A link may have a share of its own.")
                .arg(usualShareText(m_switches.front()->medium)));
    }
    if (page == 3)
        m_network->setText(networkText(m_shown->cluster, m_links) + lanesTogether());
    describeLinks(page);
}

QString PropertyPanel::lanesTogether() const {
    if (m_links.size() != 1 || m_links.front()->lanes < 2)
        return {};
    const Link& link = *m_links.front();
    return tr("; all %1 lanes: %2 each way")
        .arg(link.lanes)
        .arg(q(formatByteRate(link.bandwidth * link.lanes)));
}

void PropertyPanel::describeLinks(int page) {
    QLabel* note = page == 1   ? m_nodeTraffic
                   : page == 2 ? m_switchTraffic
                   : page == 3 ? m_linkTraffic
                               : nullptr;
    if (!note)
        return;
    constexpr std::size_t kMost = 5; // links that are named
    const auto known = m_app.links.inView();
    const Candidate* candidate = known ? m_app.candidates.find(known->plan) : nullptr;
    note->setVisible(candidate != nullptr);
    if (!candidate)
        return;
    std::vector<const Link*> links = m_links;
    if (page != 3) {
        std::set<std::string_view> boxes;
        for (const Node* n : m_nodes)
            boxes.insert(n->id);
        for (const Switch* item : m_switches)
            boxes.insert(item->id);
        links.clear();
        for (const Link& l : m_shown->cluster.links)
            if (boxes.contains(l.a) || boxes.contains(l.b))
                links.push_back(&l);
    }
    const QString plan = planTitle(*candidate);
    if (known->error)
        note->setText(tr("%1: %2").arg(plan, messageText(*known->error)));
    else if (Candidates::isStale(*candidate, m_app.document.problem()))
        note->setText(tr("%1 is stale: what links carry by it is not shown.").arg(plan));
    else if (page == 3 && links.size() == 1)
        note->setText(tr("%1: %2").arg(plan, known->text(*links.front())));
    else if (const QString lines = known->busiest(links, kMost); lines.isEmpty())
        note->setText(tr("%1: these links carry nothing.").arg(plan));
    else
        note->setText(tr("%1, the busiest links:\n%2").arg(plan, lines));
}

// What the current plan does with a node: its stages and the fullest of its GPUs.
void PropertyPanel::describePlan(const QString& node) {
    const Candidate* candidate = node.isEmpty() ? nullptr : m_app.candidates.find(m_app.selection.plan());
    m_plan->setVisible(candidate != nullptr);
    if (!candidate)
        return;
    const bool stale = Candidates::isStale(*candidate, m_app.document.problem());
    const NodeNames names = stale ? m_app.candidates.drawnNames(*candidate) : NodeNames();
    QStringList stages;
    double worst = 0.0;
    QString fullest;
    for (const DeviceMemory& m : candidate->evaluation.memory) {
        const QString id = drawnDeviceId(*candidate->problem, m.device, names);
        if (!id.startsWith(node + QStringLiteral(".g")))
            continue;
        if (const QString stage = QString::number(m.stage); !stages.contains(stage))
            stages << stage;
        if (m.peak.total().value >= worst) {
            worst = m.peak.total().value;
            fullest =
                tr("%1 needs %2").arg(id, memoryText(m.peak.total(), memoryRoom(*candidate->problem, m)));
        }
    }
    m_plan->setText(
        stages.isEmpty()
            ? tr("%1 does not use this node.").arg(planTitle(*candidate))
            : tr("%1: stage %2. %3").arg(planTitle(*candidate), stages.join(QStringLiteral(", ")), fullest));
}

void PropertyPanel::setNodes(const QString& what, ValueField* field,
                             const std::function<void(Node&)>& change) {
    Result<Project> edited = *m_app.document.project();
    for (const Node* n : m_nodes) {
        Node changed = *n;
        change(changed);
        if (edited)
            edited = pw::setNode(withUserKind(*edited, changed.kind), changed);
    }
    if (!edited && field)
        field->setError(messageText(edited.error()), edited.error().code);
    else
        m_app.document.apply(edited, what);
}

void PropertyPanel::setLinksOf(const QString& what, ValueField* field,
                               const std::function<void(Link&)>& change) {
    std::vector<Link> changed;
    for (const Link* l : m_links) {
        changed.push_back(*l);
        change(changed.back());
    }
    const Result<Project> edited = setLinks(*m_app.document.project(), changed);
    if (!edited)
        field->setError(messageText(edited.error()), edited.error().code);
    else
        m_app.document.apply(edited, what);
}

void PropertyPanel::rename() {
    const QSet<QString> items = m_app.selection.items();
    if (items.size() != 1 || m_name->text() == *items.begin())
        return;
    const QString old = *items.begin(), wanted = m_name->text().trimmed();
    const Result<Project> edited = renameItem(*m_app.document.project(), s(old), s(wanted));
    if (!edited) {
        m_nameNote->setText(messageText(edited.error()).toHtmlEscaped() + explainLink(edited.error().code));
        setOwnColour(*m_nameNote, QPalette::WindowText, theme().err);
        m_nameNote->show();
        return;
    }
    if (m_app.document.apply(edited, tr("Rename %1").arg(old)))
        m_app.selection.setItems({wanted});
}

void PropertyPanel::leave(const QLineEdit& field) {
    const bool named = &field == m_name; // hidden for a moment, as nothing was called so: the focus has gone
    const bool refused = field.property("invalid").toBool() || (named && m_nameNote->isVisible());
    if (!refused && (named || field.hasFocus()))
        m_app.selection.finishEditing();
}

// A field with a text that is not taken yet has used it for that.
void PropertyPanel::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && isAncestorOf(QApplication::focusWidget()))
        m_app.selection.finishEditing();
    View::keyPressEvent(event);
}

QString PropertyPanel::chosenSorts() const {
    QStringList sorts;
    const auto add = [&](std::size_t n, const QString& one, const QString& many) {
        if (n > 0)
            sorts << (n == 1 ? one : many.arg(n));
    };
    add(m_nodes.size(), tr("1 node"), tr("%1 nodes"));
    add(m_switches.size(), tr("1 switch"), tr("%1 switches"));
    add(m_links.size(), tr("1 link"), tr("%1 links"));
    add(static_cast<std::size_t>(m_notes), tr("1 note"), tr("%1 notes"));
    return sorts.join(QStringLiteral(", "));
}

void PropertyPanel::focusField(const QString& name) {
    QWidget* field = findChild<QWidget*>(QStringLiteral("properties.") + name);
    if (!field || !field->isVisibleTo(this))
        field = m_pages->currentIndex() == 3 ? m_linkRows.front().field->edit() : m_name;
    field->setFocus(Qt::ShortcutFocusReason);
    if (auto* edit = qobject_cast<QLineEdit*>(field))
        edit->selectAll();
    else if (auto* list = qobject_cast<QComboBox*>(field))
        list->showPopup();
}

} // namespace pw

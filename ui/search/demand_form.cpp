// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/demand_form.h"

#include "core/answers/require.h"
#include "core/edit/edit.h"
#include "ui/base/error_text.h"
#include "ui/session/document.h"
#include "ui/session/trainer_box.h"
#include "ui/widgets/name_list.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStyle>

#include <algorithm>
#include <iterator>
#include <utility>

namespace pw {

namespace {

constexpr char kRefusal[] = "refusal";

QString refusalOf(const QLineEdit* field) {
    return field->property(kRefusal).toString();
}

} // namespace

DemandForm::DemandForm(AppContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_target(new TrainerBox) {
    setObjectName(QStringLiteral("search.demand"));
    setAccessibleName(tr("What the plans have to be"));
    m_target->setObjectName(QStringLiteral("search.target"));
    m_target->setAccessibleName(tr("Run with"));
    m_target->setToolTip(tr("Only plans that this trainer can run, so that Export writes its files; the "
                            "search says what that costs. Answers are for it too."));
    m_target->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    connect(m_target, &QComboBox::currentIndexChanged, this, [this] {
        m_demand.target = m_target->trainer();
        Q_EMIT changed();
    });
    m_required = makeNames(QStringLiteral("require"), tr("Must use"),
                           tr("Nodes, devices or device kinds that every plan uses, with commas between"));
    m_required->setPlaceholderText(tr("any devices"));
    connect(m_required, &QLineEdit::textEdited, this, &DemandForm::takeRequired);
    connect(m_required, &QLineEdit::editingFinished, this, &DemandForm::takeRequired); // in full by now
    m_forbidden =
        makeNames(QStringLiteral("forbid"), tr("Leave out"),
                  tr("Nodes, devices, device kinds, switches or links that stay unused, with commas "
                     "between; part of the project"));
    m_forbidden->setPlaceholderText(tr("nothing"));
    connect(m_forbidden, &QLineEdit::editingFinished, this, &DemandForm::commitForbidden);
    connect(m_forbidden, &QLineEdit::textEdited, this, &DemandForm::judgeForbidden);
    auto* sizes = new QWidget;
    auto* row = new QHBoxLayout(sizes);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    m_sizes[0] = makeSize(QStringLiteral("max-tp"), tr("Largest tensor-parallel size"), m_demand.maxTp);
    m_sizes[1] = makeSize(QStringLiteral("max-cp"), tr("Largest context-parallel size"), m_demand.maxCp);
    m_sizes[2] = makeSize(QStringLiteral("max-ep"), tr("Largest expert-parallel size"), m_demand.maxEp);
    const char* names[] = {"tp", "cp", "ep"};
    for (std::size_t i = 0; i < 3; ++i) {
        row->addWidget(new QLabel(QLatin1String(names[i])));
        row->addWidget(m_sizes[i], 1);
    }

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(10, 10, 10, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    int line = 0;
    const auto add = [&](const QString& text, QWidget* field, QWidget* buddy) {
        auto* label = new QLabel(text);
        label->setForegroundRole(QPalette::PlaceholderText);
        label->setBuddy(buddy);
        grid->addWidget(label, line, 0);
        grid->addWidget(field, line++, 1);
    };
    add(tr("Run with"), m_target, m_target);
    add(tr("Must use"), m_required, m_required);
    add(tr("Leave out"), m_forbidden, m_forbidden);
    add(tr("Largest"), sizes, m_sizes[0]);
    setFocusProxy(m_target);
    connect(&context.document, &Document::replaced, this, &DemandForm::clear);
    connect(&context.document, &Document::changed, this, &DemandForm::refresh);
    refresh();
}

QLineEdit* DemandForm::makeNames(const QString& name, const QString& label, const QString& help) {
    auto* field = new QLineEdit;
    field->setObjectName(QStringLiteral("search.") + name);
    field->setAccessibleName(label);
    field->setToolTip(help);
    field->setProperty("help", help);
    field->setMinimumWidth(64);
    completeNames(field);
    return field;
}

QLineEdit* DemandForm::makeSize(const QString& name, const QString& label, int& size) {
    auto* field = new QLineEdit;
    field->setObjectName(QStringLiteral("search.") + name);
    field->setAccessibleName(label);
    field->setToolTip(label);
    field->setProperty("help", label);
    field->setPlaceholderText(tr("auto"));
    field->setMinimumWidth(36);
    connect(field, &QLineEdit::textEdited, this, [this, field, &size](const QString& text) {
        bool whole = false;
        const int value = text.trimmed().toInt(&whole);
        const bool empty = text.trimmed().isEmpty();
        const bool sound = empty || (whole && value >= 1 && value <= kMostAskedSize);
        if (sound)
            size = empty ? 0 : value;
        take(field, sound ? QString() : tr("a whole number from 1 to %1").arg(kMostAskedSize));
    });
    return field;
}

void DemandForm::take(QLineEdit* field, const QString& refusal) {
    field->setProperty(kRefusal, refusal);
    field->setProperty("invalid", !refusal.isEmpty());
    field->setToolTip(refusal.isEmpty() ? field->property("help").toString() : refusal);
    field->style()->unpolish(field);
    field->style()->polish(field);
    Q_EMIT changed();
}

QString DemandForm::refusal() const {
    for (const QLineEdit* field : {m_required, m_forbidden, m_sizes[0], m_sizes[1], m_sizes[2]})
        if (const QString why = refusalOf(field); !why.isEmpty())
            return QStringLiteral("%1: %2").arg(field->accessibleName(), why);
    return {};
}

void DemandForm::takeRequired() {
    m_demand.required = namesIn(m_required);
    take(m_required, whyNotRequired());
}

QString DemandForm::whyNotRequired() const {
    const auto problem = m_context.document.problem();
    if (m_demand.required.empty() || !problem)
        return {};
    const Status sound = checkRequired(*problem, m_demand.required);
    return sound ? QString() : errorText(sound.error()); // which of the names
}

QString DemandForm::whyNotForbidden(const std::vector<std::string>& names) const {
    const Result<Project> edited = setForbidden(*m_context.document.project(), names);
    return edited ? QString() : messageText(edited.error());
}

void DemandForm::judgeForbidden() {
    if (!refusalOf(m_forbidden).isEmpty())
        take(m_forbidden, whyNotForbidden(namesIn(m_forbidden)));
}

void DemandForm::commitForbidden() {
    const std::vector<std::string> names = namesIn(m_forbidden);
    const Project& project = *m_context.document.project();
    if (names == project.forbidden)
        return take(m_forbidden, {});
    const Result<Project> edited = setForbidden(project, names);
    if (!edited)
        return take(m_forbidden, messageText(edited.error()));
    take(m_forbidden, {});
    m_context.document.apply(edited, names.empty() ? tr("Leave out nothing")
                                                   : tr("Leave out %1").arg(namesText(names)));
}

void DemandForm::set(SearchDemand demand) {
    if (demand == m_demand)
        return;
    const SearchDemand before = std::exchange(m_demand, std::move(demand));
    const QSignalBlocker quietly(m_target);
    m_target->setTrainer(m_demand.target);
    m_demand.target = m_target->trainer(); // none where no plan is written for that of an older file
    // What is being typed stays where another part is demanded from elsewhere.
    if (m_demand.required != before.required) {
        m_required->setText(namesText(m_demand.required));
        take(m_required, whyNotRequired());
    }
    const std::pair<int, int> sizes[] = {
        {before.maxTp, m_demand.maxTp}, {before.maxCp, m_demand.maxCp}, {before.maxEp, m_demand.maxEp}};
    for (std::size_t i = 0; i < std::size(sizes); ++i)
        if (const auto [old, now] = sizes[i]; old != now) {
            m_sizes[i]->setText(now > 0 ? QString::number(now) : QString());
            take(m_sizes[i], {});
        }
    Q_EMIT changed();
}

void DemandForm::clear() {
    m_demand = {};
    const QSignalBlocker quietly(m_target);
    m_target->setTrainer(nullptr);
    for (QLineEdit* field : {m_required, m_forbidden, m_sizes[0], m_sizes[1], m_sizes[2]}) {
        field->clear();
        take(field, {});
    }
}

void DemandForm::refresh() {
    const Project& project = *m_context.document.project();
    followNames(m_required, project.cluster);
    followNames(m_forbidden, project.cluster, NamedItems::AlsoSwitches);
    judgeAnew();
    if (!m_forbidden->hasFocus() && refusalOf(m_forbidden).isEmpty())
        m_forbidden->setText(namesText(project.forbidden));
}

// What is asked may be there by now, or no longer. By its whole name: what only begins a name stands for it
// where it is typed.
void DemandForm::judgeAnew() {
    if (m_context.document.problem()) // without one nobody knows, and what was said stays
        if (const QString why = whyNotRequired(); why != refusalOf(m_required))
            take(m_required, why);
    if (refusalOf(m_forbidden).isEmpty())
        return;
    const QString why = whyNotForbidden(typedNames(m_forbidden));
    if (why.isEmpty()) // queued: an edit of its own, after the one that brought it
        QMetaObject::invokeMethod(this, &DemandForm::commitForbidden, Qt::QueuedConnection);
    else if (why != refusalOf(m_forbidden))
        take(m_forbidden, why);
}

} // namespace pw

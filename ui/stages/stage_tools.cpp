// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stages/stage_tools.h"

#include "ui/base/convert.h"
#include "ui/session/selection.h"
#include "ui/session/what_if.h"
#include "ui/stages/stage_edits.h"
#include "ui/widgets/eliding_combo.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>

namespace pw {

namespace {

constexpr int kSchedule = 112, kLeastSchedule = 64; // px
constexpr int kRecompute = 88, kMicrobatch = 58;
constexpr int kNamedRecompute = 116, kNamedMicrobatch = 84; // their values say what they are of

QString textOf(const whatif::ScheduleChoice& choice) {
    const QString kind = q(label(choice.kind));
    return choice.kind == ScheduleKind::H1F1B ? QStringLiteral("%1 %2").arg(kind, q(name(choice.rule)))
                                              : kind;
}

QString ruleHelp(LaunchRule rule) {
    switch (rule) {
    case LaunchRule::Artifact:
        return StageTools::tr("one, two or three more, by how slow the link is, as published");
    case LaunchRule::Ceil:
        return StageTools::tr("as many more as hide each transfer whole");
    case LaunchRule::Busy:
        return StageTools::tr("as many more as keep stages busy, as far as memory holds them");
    }
    return {};
}

QString helpOf(const whatif::ScheduleChoice& choice) {
    switch (choice.kind) {
    case ScheduleKind::GPipe:
        return StageTools::tr("All forwards, then all backwards; holds every micro-batch");
    case ScheduleKind::OneFOneB:
        return StageTools::tr("One forward, one backward in turns; the first stage holds most");
    case ScheduleKind::Interleaved:
        return StageTools::tr("Several chunks of the model a stage, so that the pipeline fills sooner");
    case ScheduleKind::Eager:
        return StageTools::tr("1F1B that launches nearly twice as many forwards first, to hide transfers");
    case ScheduleKind::H1F1B:
        return StageTools::tr("1F1B that launches more forwards before a slow link: %1")
            .arg(ruleHelp(choice.rule));
    case ScheduleKind::ZbH1:
        return StageTools::tr("Divides the backward pass: weight gradients fill gaps, activations as 1F1B");
    case ScheduleKind::Zb1p:
        return StageTools::tr("Divides the backward pass, in an order that is searched, memory as 1F1B");
    case ScheduleKind::Zb2p:
        return StageTools::tr(
            "Divides the backward pass, in an order that is searched, with twice the memory");
    case ScheduleKind::ZbV:
        return StageTools::tr("Divides the backward pass; two chunks a stage, the second runs back");
    }
    return {};
}

// Recompute as a number: mode, and the blocks of first-n.
int recomputeCode(Recompute mode, int layers) {
    return static_cast<int>(mode) * 10000 + layers;
}

} // namespace

StageTools::StageTools(StageEdits& edits, CurrentPlan& plan, Selection& selection, QWidget* parent)
    : QWidget(parent), m_edits(edits), m_plan(plan), m_selection(selection), m_stage(new QLabel),
      m_tp(new QComboBox), m_dp(new QSpinBox), m_recompute(new ElidingCombo), m_microbatch(new ElidingCombo),
      m_schedule(new ElidingCombo) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(5);
    const auto add = [row](QWidget* field, const QString& text, const QString& name, const QString& help,
                           int width) {
        QLabel* label = nullptr;
        if (!text.isEmpty()) {
            label = new QLabel(text);
            label->setForegroundRole(QPalette::PlaceholderText);
            label->setBuddy(field);
            row->addWidget(label);
        }
        field->setObjectName(QStringLiteral("stages.") + name);
        field->setAccessibleName(help);
        field->setToolTip(help);
        field->setFixedSize(width, 22);
        row->addWidget(field);
        return label;
    };
    m_stage->setObjectName(QStringLiteral("stages.chosen"));
    m_stage->setToolTip(tr("A click on a row chooses the stage that these fields change"));
    row->addWidget(m_stage);
    add(m_tp, tr("tp"), QStringLiteral("tp"), tr("Tensor-parallel size of the chosen stage"), 50);
    add(m_dp, tr("dp"), QStringLiteral("dp"), tr("Replicas of the chosen stage"), 50);
    m_recomputeLabel = add(m_recompute, tr("recompute"), QStringLiteral("recompute"),
                           tr("Recompute of the chosen stage"), kRecompute);
    m_microbatchLabel = add(m_microbatch, tr("micro-batch"), QStringLiteral("microbatch"),
                            tr("Sequences of a micro-batch over all replicas"), kMicrobatch);
    add(m_schedule, QString(), QStringLiteral("schedule"), tr("Schedule"), kSchedule);
    m_schedule->setMinimumWidth(kLeastSchedule);
    m_spare = {m_microbatchLabel, m_recomputeLabel, m_stage};
    m_dp->setRange(1, 4096);
    m_dp->setKeyboardTracking(false);
    connect(m_tp, &QComboBox::activated, this, [this] {
        m_edits.setTp(m_selection.stage(), m_tp->currentData().toInt());
        refresh();
    });
    connect(m_dp, &QSpinBox::valueChanged, this, [this](int value) {
        m_edits.setDp(m_selection.stage(), value);
        refresh();
    });
    connect(m_recompute, &QComboBox::activated, this, [this] {
        const int code = m_recompute->currentData().toInt();
        m_edits.setRecompute(m_selection.stage(), static_cast<Recompute>(code / 10000), code % 10000);
        refresh();
    });
    connect(m_microbatch, &QComboBox::activated, this, [this] {
        m_edits.setMicrobatch(m_microbatch->currentData().toLongLong());
        refresh();
    });
    connect(m_schedule, &QComboBox::activated, this, [this] {
        const auto at = static_cast<std::size_t>(m_schedule->currentIndex());
        const whatif::ScheduleChoice choice = whatif::scheduleChoices()[at];
        m_edits.setSchedule(choice.kind, choice.rule);
        refresh();
    });
    for (const whatif::ScheduleChoice& choice : whatif::scheduleChoices()) {
        m_schedule->addItem(textOf(choice));
        m_schedule->setItemData(m_schedule->count() - 1, helpOf(choice), Qt::ToolTipRole);
    }
    connect(&m_plan, &CurrentPlan::changed, this, &StageTools::refresh);
    connect(&m_selection, &Selection::stageChanged, this, &StageTools::refreshStage);
    refresh();
}

// In the title of the dock beside its name and buttons.
void StageTools::fitLabels() {
    const QWidget* title = parentWidget();
    if (!title || !title->layout())
        return;
    for (QLabel* label : m_spare)
        label->show();
    nameValues();
    const QLayout* row = title->layout();
    int others = row->contentsMargins().left() + row->contentsMargins().right() +
                 std::max(0, row->count() - 1) * std::max(0, row->spacing());
    for (int i = 0; i < row->count(); ++i)
        if (QLayoutItem* item = row->itemAt(i); item->widget() != this)
            others += item->minimumSize().width();
    const auto own = [this] {
        layout()->invalidate();
        return layout()->totalMinimumSize().width() + kSchedule - kLeastSchedule;
    };
    for (QLabel* label : m_spare) {
        if (others + own() <= title->width())
            return;
        label->hide();
        nameValues();
    }
}

// A field without its label says in its value what it is of.
void StageTools::nameValues() {
    const bool size = m_microbatchLabel->isHidden(), recompute = m_recomputeLabel->isHidden();
    for (int i = 0; i < m_microbatch->count(); ++i) {
        const QString value = m_microbatch->itemData(i).toString();
        // Not "mbs", which is what one replica takes.
        m_microbatch->setItemText(i, !size                         ? value
                                     : value == QLatin1String("1") ? tr("1 seq")
                                                                   : tr("%1 seqs").arg(value));
    }
    for (int i = 0; i < m_recompute->count(); ++i)
        m_recompute->setItemText(i, recomputeText(m_recompute->itemData(i).toInt(), recompute));
    m_microbatch->setFixedWidth(size ? kNamedMicrobatch : kMicrobatch);
    m_recompute->setFixedWidth(recompute ? kNamedRecompute : kRecompute);
}

QString StageTools::recomputeText(int code, bool named) {
    const auto mode = static_cast<Recompute>(code / 10000);
    if (const int first = code % 10000)
        return named ? tr("recompute first %1").arg(first) : tr("first %1").arg(first);
    if (!named)
        return q(name(mode));
    return mode == Recompute::None ? tr("no recompute") : tr("%1 recompute").arg(q(name(mode)));
}

bool StageTools::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        fitLabels();
    return QWidget::eventFilter(watched, event);
}

bool StageTools::event(QEvent* event) {
    if (event->type() == QEvent::ParentChange && parentWidget())
        parentWidget()->installEventFilter(this);
    if (event->type() == QEvent::Show)
        fitLabels();
    return QWidget::event(event);
}

void StageTools::refresh() {
    if (m_edits.whatIf().isEditing())
        return; // a drag: the fields follow when it ends
    setVisible(m_edits.pipeline() != nullptr);
    refreshPlan();
    refreshStage();
}

void StageTools::refreshPlan() {
    const Pipeline* pipeline = m_edits.pipeline();
    if (!pipeline)
        return;
    const QString help = m_plan.plan() ? microbatchHelp(*m_plan.plan()) : QString();
    m_microbatch->setToolTip(help);
    m_microbatchLabel->setToolTip(help);
    const QSignalBlocker quiet(m_microbatch), quietToo(m_schedule);
    m_microbatch->clear();
    for (const std::int64_t size :
         whatif::microbatchChoices(*m_edits.whatIf().problem(), *m_edits.whatIf().plan()))
        m_microbatch->addItem({}, static_cast<qlonglong>(size));
    nameValues();
    m_microbatch->setCurrentIndex(m_microbatch->findData(static_cast<qlonglong>(pipeline->microbatchSize)));
    const std::vector<whatif::ScheduleChoice>& choices = whatif::scheduleChoices();
    const auto now = std::find_if(choices.begin(), choices.end(), [&](const whatif::ScheduleChoice& choice) {
        return choice.kind == pipeline->schedule.kind &&
               (choice.kind != ScheduleKind::H1F1B || choice.rule == pipeline->schedule.rule);
    });
    m_schedule->setCurrentIndex(static_cast<int>(now - choices.begin()));
    m_schedule->setToolTip(now == choices.end() ? tr("Schedule") : tr("Schedule: %1").arg(helpOf(*now)));
}

void StageTools::refreshStage() {
    const int chosen = m_selection.stage();
    const Stage* stage = m_edits.stageAt(chosen);
    for (QWidget* field :
         {static_cast<QWidget*>(m_tp), static_cast<QWidget*>(m_dp), static_cast<QWidget*>(m_recompute)})
        field->setEnabled(stage != nullptr);
    const QSignalBlocker quiet(m_tp), quietToo(m_dp), quietAsWell(m_recompute);
    m_stage->setText(stage ? tr("Stage %1:").arg(chosen) : tr("Stage –:"));
    m_tp->clear();
    m_recompute->clear();
    if (!stage)
        return m_dp->clear(); // its words; the next stage has its own number
    for (const int tp : whatif::tpChoices(*m_edits.whatIf().problem(), *m_edits.whatIf().plan(), chosen))
        m_tp->addItem(QString::number(tp), tp);
    if (m_tp->findData(stage->tp) < 0) // of a plan from elsewhere
        m_tp->addItem(QString::number(stage->tp), stage->tp);
    m_tp->setCurrentIndex(m_tp->findData(stage->tp));
    m_dp->setValue(stage->dp() / std::max(m_edits.pipeline()->count, 1));
    for (const Recompute mode : {Recompute::None, Recompute::Selective, Recompute::Full})
        m_recompute->addItem({}, recomputeCode(mode, 0));
    int blocks = 0;
    for (const LayerRange& chunk : stage->chunks)
        blocks += (chunk.last - chunk.first + 1) / 2;
    for (int first = 1; first < blocks; ++first)
        m_recompute->addItem({}, recomputeCode(Recompute::Full, first));
    nameValues();
    m_recompute->setCurrentIndex(
        m_recompute->findData(recomputeCode(stage->recompute, stage->recomputeLayers)));
}

} // namespace pw

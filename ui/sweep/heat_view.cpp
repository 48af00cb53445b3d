// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/heat_view.h"

#include "ui/base/convert.h"
#include "ui/commands/commands.h"
#include "ui/sweep/heat_plot.h"
#include "ui/sweep/sweep_pages.h"
#include "ui/sweep/sweep_study.h"
#include "ui/sweep/sweep_words.h"
#include "ui/widgets/eliding_combo.h"
#include "ui/widgets/wrap_layout.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

namespace pw {

namespace {

constexpr int kNoAxis = -1, kStanding = -1; // data of the boxes

} // namespace

HeatView::HeatView(AppContext& context, QWidget* parent)
    : View(parent), m_study(SweepStudy::of(context.document)), m_plot(new HeatPlot(m_study)),
      m_figure(makeBox("sweep.heat.figure", tr("Value of a cell"))),
      m_over(makeBox("sweep.heat.over", tr("Of all tasks of a cell"))),
      m_x(makeBox("sweep.heat.x", tr("Level axis"))), m_y(makeBox("sweep.heat.y", tr("Upright axis"))),
      m_panels(makeBox("sweep.heat.panels", tr("A picture for each value of"))) {
    setObjectName(QStringLiteral("sweepHeatView"));
    setAccessibleName(tr("Heat map"));
    m_over->addItem(tr("best"), false);
    m_over->addItem(tr("median"), true);
    buildSweepPages(*this, context, m_plot, makeTools(), true);
    context.commands.attach("sweep", this);
    connect(m_plot, &HeatPlot::activated, context.commands.action("sweep.openPlan"), &QAction::trigger);
    connect(&m_study, &SweepStudy::opened, this, &HeatView::fillAxes);
    connect(&m_study, &SweepStudy::changed, this, &HeatView::fillFigures);
    for (QComboBox* box : {m_figure, m_over, m_x, m_y, m_panels})
        connect(box, &QComboBox::currentIndexChanged, this, &HeatView::ask);
    fillAxes();
}

QComboBox* HeatView::makeBox(const char* name, const QString& label) {
    auto* box = new ElidingCombo;
    box->setObjectName(QLatin1String(name));
    box->setAccessibleName(label);
    box->setToolTip(label);
    box->setFixedHeight(24);
    box->setFixedWidth(118);
    return box;
}

QWidget* HeatView::makeTools() {
    auto* tools = new QWidget;
    auto* rows = new WrapLayout(10, 4);
    const auto add = [rows](const QString& label, std::initializer_list<QWidget*> boxes) {
        auto* group = new QWidget;
        auto* row = new QHBoxLayout(group);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(6);
        auto* words = new QLabel(label);
        words->setForegroundRole(QPalette::PlaceholderText);
        row->addWidget(words);
        for (QWidget* box : boxes)
            row->addWidget(box);
        rows->addWidget(group);
    };
    m_over->setFixedWidth(76);
    add(tr("Show"), {m_figure, m_over});
    add(tr("over"), {m_x});
    add(tr("and"), {m_y});
    add(tr("for each"), {m_panels});
    auto* column = new QHBoxLayout(tools);
    column->setContentsMargins(10, 5, 10, 1);
    column->addLayout(rows);
    return tools;
}

// The two axes with most values begin, those of what one chooses before those of what may happen.
void HeatView::fillAxes() {
    const SweepStudy& study = m_study;
    const QSignalBlocker blockers[] = {QSignalBlocker(m_x), QSignalBlocker(m_y), QSignalBlocker(m_panels)};
    for (QComboBox* box : {m_x, m_y, m_panels})
        box->clear();
    for (QComboBox* box : {m_y, m_panels})
        box->addItem(tr("nothing"), kNoAxis);
    if (study.isOpen()) {
        const std::vector<SweepAxis>& axes = study.sweep().axes;
        int first = -1, second = -1;
        for (int a = 0; a < static_cast<int>(axes.size()); ++a) {
            const auto length = [&](int axis) {
                if (axis < 0)
                    return std::size_t{1};
                const SweepAxis& of = axes[static_cast<std::size_t>(axis)];
                return of.isWorld() ? std::size_t{1} : of.values.size();
            };
            for (QComboBox* box : {m_x, m_y, m_panels})
                box->addItem(q(axes[static_cast<std::size_t>(a)].name), a);
            if (first < 0 || length(a) > length(first)) {
                second = first;
                first = a;
            } else if (second < 0 || length(a) > length(second)) {
                second = a;
            }
        }
        m_x->setCurrentIndex(m_x->findData(first));
        m_y->setCurrentIndex(m_y->findData(second));
    }
    fillFigures();
}

void HeatView::fillFigures() {
    const SweepStudy& study = m_study;
    std::vector<int> wanted;
    for (const SweepFigureRow& row : sweepFigureTable())
        if (study.isOpen() && study.has(row.figure))
            wanted.push_back(static_cast<int>(row.figure));
    wanted.push_back(kStanding);
    std::vector<int> there;
    for (int i = 0; i < m_figure->count(); ++i)
        there.push_back(m_figure->itemData(i).toInt());
    if (wanted != there) {
        const QSignalBlocker blocker(m_figure);
        const QVariant chosen = m_figure->currentIndex() > 0 ? m_figure->currentData() : QVariant();
        m_figure->clear();
        for (const int figure : wanted)
            m_figure->addItem(figure == kStanding ? tr("Tasks with a plan")
                                                  : figureName(static_cast<SweepFigure>(figure)),
                              figure);
        m_figure->setCurrentIndex(std::max(0, chosen.isValid() ? m_figure->findData(chosen) : 0));
    }
    ask();
}

void HeatView::ask() {
    if (!m_study.isOpen())
        return m_plot->setQuestion({});
    const auto axis = [](const QComboBox* box) {
        const int chosen = box->currentData().toInt();
        return chosen == kNoAxis ? std::optional<std::size_t>()
                                 : std::optional(static_cast<std::size_t>(chosen));
    };
    HeatQuestion question;
    question.x = axis(m_x).value_or(0);
    question.y = axis(m_y) == question.x ? std::nullopt : axis(m_y);
    question.panels =
        axis(m_panels) == question.x || axis(m_panels) == question.y ? std::nullopt : axis(m_panels);
    if (m_figure->currentData().toInt() != kStanding)
        question.figure = static_cast<SweepFigure>(m_figure->currentData().toInt());
    question.median = m_over->currentData().toBool();
    m_plot->setQuestion(question);
    const int hidden = m_plot->hiddenPanels();
    setSubtitle(hidden > 0 ? tr("%1 more values are not shown").arg(hidden) : QString());
}

} // namespace pw

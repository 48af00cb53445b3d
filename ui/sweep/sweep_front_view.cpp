// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_front_view.h"

#include "ui/commands/commands.h"
#include "ui/sweep/sweep_front_plot.h"
#include "ui/sweep/sweep_pages.h"
#include "ui/sweep/sweep_study.h"
#include "ui/sweep/sweep_table.h"
#include "ui/sweep/sweep_table_model.h"
#include "ui/sweep/sweep_words.h"
#include "ui/widgets/eliding_combo.h"
#include "ui/widgets/empty_state.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>

#include <algorithm>
#include <cmath>
#include <span>

namespace pw {

namespace {

constexpr int kNoFigure = -1; // data of the third box

// The first of these that is known.
int firstKnown(const SweepStudy& study, std::initializer_list<SweepFigure> figures) {
    for (const SweepFigure figure : figures)
        if (study.has(figure))
            return static_cast<int>(figure);
    return kNoFigure;
}

struct Found {
    std::vector<std::size_t> front;
    std::size_t lacking = 0; // plans that are in none of it, for one of the figures is not known
};

std::size_t lackAny(std::span<const SweepRow> rows, std::span<const SweepFigure> figures) {
    const auto lacks = [&](const SweepRow& row) {
        return row.standing == TaskStanding::Plan && std::ranges::any_of(figures, [&row](SweepFigure figure) {
                   return std::isnan(row.figure(figure));
               });
    };
    return static_cast<std::size_t>(std::ranges::count_if(rows, lacks));
}

} // namespace

SweepFrontView::SweepFrontView(AppContext& context, QWidget* parent)
    : View(parent), m_study(SweepStudy::of(context.document)), m_plot(new SweepFrontPlot(m_study)),
      m_table(new SweepTable(context)), m_x(makeBox("sweep.front.x", tr("Level axis"))),
      m_y(makeBox("sweep.front.y", tr("Upright axis"))),
      m_third(makeBox("sweep.front.third", tr("What counts beside them"))) {
    setObjectName(QStringLiteral("sweepFrontView"));
    setAccessibleName(tr("Trade-offs"));
    m_table->setObjectName(QStringLiteral("sweep.front.table"));
    m_table->setAccessibleName(tr("Tasks that no other beats"));
    auto* parts = new QSplitter(Qt::Vertical);
    parts->setChildrenCollapsible(false);
    parts->addWidget(m_plot);
    parts->addWidget(m_table);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 2);
    parts->setSizes({300, 200});
    auto* none = new EmptyState(QStringLiteral("grid"));
    none->setText(tr("No plans yet"), tr("Plans that no other beats stand here once tasks have some."));
    m_pages = new QStackedWidget;
    m_pages->addWidget(none);
    m_pages->addWidget(parts);
    buildSweepPages(*this, context, m_pages, makeTools(), false);
    setFocusProxy(m_plot);
    context.commands.attach("sweep", this);
    connect(m_plot, &SweepFrontPlot::activated, context.commands.action("sweep.openPlan"), &QAction::trigger);
    connect(&m_study, &SweepStudy::opened, this, &SweepFrontView::fill);
    connect(&m_study, &SweepStudy::changed, this, &SweepFrontView::fill);
    for (QComboBox* box : {m_x, m_y, m_third})
        connect(box, &QComboBox::currentIndexChanged, this, &SweepFrontView::ask);
    fill();
}

SweepFrontView::~SweepFrontView() = default;

QComboBox* SweepFrontView::makeBox(const char* name, const QString& label) {
    auto* box = new ElidingCombo;
    box->setObjectName(QLatin1String(name));
    box->setAccessibleName(label);
    box->setToolTip(label);
    box->setFixedHeight(24);
    box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // the column keeps its width
    box->setMinimumWidth(56);
    return box;
}

QWidget* SweepFrontView::makeTools() {
    auto* tools = new QWidget;
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(10, 5, 10, 1);
    row->setSpacing(6);
    const auto words = [row](const QString& text) {
        auto* label = new QLabel(text);
        label->setForegroundRole(QPalette::PlaceholderText);
        row->addWidget(label);
    };
    row->addWidget(m_y, 1);
    words(tr("over"));
    row->addWidget(m_x, 1);
    words(tr("beside"));
    row->addWidget(m_third, 1);
    return tools;
}

// Boxes with the figures that there are; what was chosen stays.
void SweepFrontView::fill() {
    const SweepStudy& study = m_study;
    std::vector<int> wanted;
    for (const SweepFigureRow& row : sweepFigureTable())
        if (study.isOpen() && study.has(row.figure))
            wanted.push_back(static_cast<int>(row.figure));
    using enum SweepFigure;
    const int time = firstKnown(study, {Days, Iteration});
    const int money = firstKnown(study, {Money, PricePerToken, PricePerHour, Gpus});
    const int begin[] = {money, time, firstKnown(study, {Power})};
    QComboBox* const boxes[] = {m_x, m_y, m_third};
    for (int b = 0; b < 3; ++b) {
        QComboBox* box = boxes[b];
        std::vector<int> all = wanted;
        if (box == m_third)
            all.insert(all.begin(), kNoFigure);
        std::vector<int> there;
        for (int i = 0; i < box->count(); ++i)
            there.push_back(box->itemData(i).toInt());
        if (all == there)
            continue;
        const QSignalBlocker blocker(box);
        box->clear();
        for (const int figure : all)
            box->addItem(figure == kNoFigure ? tr("nothing") : figureName(static_cast<SweepFigure>(figure)),
                         figure);
        box->setCurrentIndex(std::max(0, box->findData(begin[b])));
    }
    ask();
}

void SweepFrontView::ask() {
    const SweepStudy& study = m_study;
    const bool isKnown = study.isOpen() && m_x->count() > 0;
    m_pages->setCurrentIndex(isKnown ? 1 : 0);
    if (!isKnown) {
        m_job.drop();
        m_table->tasks()->setTasks({});
        setSubtitle(QString());
        return;
    }
    std::vector<SweepFigure> figures;
    for (const QComboBox* box : {m_x, m_y, m_third})
        if (const int figure = box->currentData().toInt(); figure != kNoFigure)
            figures.push_back(static_cast<SweepFigure>(figure));
    m_job.start(
        [rows = study.rows(), figures](const std::stop_token&) {
            return Found{sweepFront(rows, figures), lackAny(rows, figures)};
        },
        [this, figures](const Result<Found>& found) {
            if (!found || !m_study.isOpen())
                return;
            m_plot->setPoints(figures[0], figures[1], found->front);
            m_table->tasks()->setTasks(found->front);
            if (const int column = m_table->tasks()->columnOf(figures[0]); column >= 0)
                m_table->sortByColumn(column, Qt::AscendingOrder);
            const QString front = tr("%1 that no other beats").arg(numberText(found->front.size()));
            setSubtitle(found->lacking == 0
                            ? front
                            : tr("%1; %2 plans lack a figure").arg(front, numberText(found->lacking)));
        });
}

} // namespace pw

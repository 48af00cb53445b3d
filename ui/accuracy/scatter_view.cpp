// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/scatter_view.h"

#include "ui/accuracy/error_histogram.h"
#include "ui/accuracy/scatter_plot.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/commands/commands.h"
#include "ui/widgets/empty_state.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPainter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pw {

// What the bands mean and how much of the chosen source lies in them.
class ScatterLegend : public QWidget {
public:
    explicit ScatterLegend(QWidget* parent) : QWidget(parent) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setObjectName(QStringLiteral("accuracy.scatter.legend"));
    }

    void setLines(const QString& within10, const QString& within25) {
        m_lines = {within10, within25, ScatterView::tr("dashed: predicted = measured")};
        const QFontMetrics metrics(smallFont());
        int widest = 0;
        for (const QString& line : m_lines)
            widest = std::max(widest, metrics.horizontalAdvance(line));
        resize(widest + 36, static_cast<int>(m_lines.size()) * kLine + 10);
        setAccessibleName(m_lines.join(QStringLiteral("; ")));
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = theme();
        QPainter painter(this);
        painter.setPen(t.line);
        painter.setBrush(t.panel);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
        painter.setFont(smallFont());
        int y = 5;
        for (int i = 0; i < m_lines.size(); ++i) {
            if (i < 2) {
                painter.setPen(t.line);
                painter.setBrush(i == 0 ? t.okGround : t.head);
                painter.drawRect(8, y + 4, 10, 10);
            }
            painter.setPen(t.text2);
            painter.drawText(QRect(i < 2 ? 26 : 8, y, width() - 26, kLine), Qt::AlignVCenter, m_lines[i]);
            y += kLine;
        }
    }

private:
    static constexpr int kLine = 20;
    QStringList m_lines;
};

ScatterView::ScatterView(AccuracyContext& context, QWidget* parent)
    : View(parent), m_context(context), m_plot(new ScatterPlot(context.accuracy)),
      m_legend(new ScatterLegend(m_plot)), m_empty(new EmptyState(QStringLiteral("chart"))),
      m_pages(new QStackedWidget), m_quantity(new QComboBox) {
    setObjectName(QStringLiteral("accuracyScatterView"));
    setAccessibleName(tr("Predicted against measured"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_pages->addWidget(m_plot);
    m_pages->addWidget(m_empty);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_pages);
    setFocusProxy(m_plot);
    setMinimumSize(260, 240);
    setSubtitle(tr("one point is one run"));
    makeTools();
    addAction(context.commands.action("accuracy.open"));
    addAction(context.commands.action("accuracy.leaveOut"));
    connect(&context.accuracy, &AccuracyStudy::changed, this, &ScatterView::refresh);
    connect(&context.accuracy, &AccuracyStudy::chosenChanged, this, &ScatterView::refresh);
    connect(&context.accuracy, &AccuracyStudy::quantityChanged, this, &ScatterView::refresh);
    connect(&context.accuracy, &AccuracyStudy::progressed, this, &ScatterView::refresh);
    connect(m_plot, &ScatterPlot::areaChanged, this, &ScatterView::placeLegend);
    refresh();
}

void ScatterView::makeTools() {
    auto* tools = new QWidget(this); // the dock takes it, where there is one
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_quantity->setObjectName(QStringLiteral("accuracy.quantity"));
    m_quantity->setAccessibleName(tr("Quantity compared"));
    m_quantity->addItem(tr("Iteration time"));
    m_quantity->addItem(tr("Peak memory"));
    m_quantity->setFixedSize(124, 22);
    connect(m_quantity, &QComboBox::activated, this, [this](int index) {
        m_context.accuracy.setQuantity(index == 0 ? RunQuantity::Time : RunQuantity::Memory);
    });
    auto* fit = new QToolButton;
    fit->setObjectName(QStringLiteral("accuracy.scatter.fit"));
    fit->setIcon(icon(QStringLiteral("fit"), IconTone::Text2));
    fit->setIconSize({14, 14});
    fit->setFixedSize(20, 20);
    fit->setToolTip(tr("Show all points (Home)"));
    fit->setAccessibleName(tr("Show all points"));
    connect(fit, &QToolButton::clicked, m_plot, &ScatterPlot::fit);
    row->addWidget(m_quantity);
    row->addWidget(fit);
    setTitleTools(tools);
}

void ScatterView::refresh() {
    const AccuracyStudy& study = m_context.accuracy;
    const StudySource* source = study.source(study.chosen());
    m_quantity->setCurrentIndex(study.quantity() == RunQuantity::Time ? 0 : 1);
    m_pages->setCurrentIndex(source ? 0 : 1);
    if (!source) {
        m_empty->setText(study.isRunning() ? tr("Predicting") : tr("No runs yet"),
                         study.isRunning()
                             ? tr("Points appear as the sources are done.")
                             : tr("Sources lists the published runs, and loads a table of your own."));
        return;
    }
    const ErrorHistogram h = errorHistogram(study.sources(), study.chosen(), study.quantity());
    m_legend->setLines(h.runs == 0 ? tr("within 10 %")
                                   : tr("within 10 %: %1 of %2").arg(shareText(h.within10), source->title),
                       h.runs == 0 ? tr("within 25 %") : tr("within 25 %: %1").arg(shareText(h.within25)));
    placeLegend();
}

void ScatterView::placeLegend() {
    const QRect area = m_plot->area();
    m_legend->move(area.right() - m_legend->width() - 10, area.bottom() - m_legend->height() - 10);
    m_legend->setVisible(m_legend->width() < area.width() * 3 / 5);
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/accuracy_bar.h"

#include "ui/accuracy/accuracy_study.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/commands/commands.h"
#include "ui/widgets/fitting_labels.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>

#include <array>

namespace pw {

namespace {

constexpr int kBetween = 16; // px

} // namespace

AccuracyBar::AccuracyBar(AccuracyContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_layout(new QComboBox), m_sources(new QLabel),
      m_runs(new QLabel) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setMinimumHeight(32);
    m_layout->setObjectName(QStringLiteral("layoutChooser"));
    m_layout->setAccessibleName(tr("Layout"));
    m_layout->addItem(tr("Accuracy   predicted against measured"));
    m_layout->addItem(tr("Planning   from a cluster to a plan"));
    m_layout->setFixedSize(300, 26);
    m_sources->setObjectName(QStringLiteral("figure.sources"));
    m_runs->setObjectName(QStringLiteral("figure.runs"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(6, 0, 0, 0);
    row->setSpacing(kBetween);
    row->addWidget(m_layout);
    for (QLabel* label : {m_sources, m_runs}) {
        label->setTextFormat(Qt::RichText);
        row->addWidget(label);
    }
    row->addStretch();
    connect(m_layout, &QComboBox::activated, this, [this](int index) {
        m_layout->setCurrentIndex(0); // this bar is only seen in the accuracy layout
        if (index == 1)
            m_context.commands.action("view.accuracy")->trigger();
    });
    connect(&context.accuracy, &AccuracyStudy::changed, this, &AccuracyBar::refresh);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, &AccuracyBar::refresh);
    refresh();
}

void AccuracyBar::refresh() {
    int runs = 0;
    for (const StudySource& source : m_context.accuracy.sources())
        runs += source.score.scorable;
    const auto figure = [](const QString& value, const QString& name) {
        return QStringLiteral(
                   "<span style='font-weight:600'>%1</span>&nbsp; <span style='color:%2'>%3</span>")
            .arg(value, theme().text2.name(), name);
    };
    const auto sources = static_cast<std::int64_t>(m_context.accuracy.sources().size());
    m_sources->setText(figure(countText(sources), tr("sources, each by itself")));
    m_runs->setText(figure(countText(runs), tr("runs of quality A and B")));
    fit();
}

void AccuracyBar::fit() {
    showWhatFits(std::array{m_sources, m_runs}, width() - m_layout->width() - kBetween, kBetween);
}

void AccuracyBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

} // namespace pw

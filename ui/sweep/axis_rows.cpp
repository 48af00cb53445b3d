// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/axis_rows.h"

#include "ui/base/convert.h"
#include "ui/base/icons.h"
#include "ui/widgets/file_dialogs.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pw {

namespace {

struct AxisWords {
    const char* of;
    const char* name;
    const char* hint; // of its values
    bool files;
};
constexpr AxisWords kAxisWords[] = {
    {"cluster.nodes", QT_TRANSLATE_NOOP("pw::AxisRows", "Nodes of %1"),
     QT_TRANSLATE_NOOP("pw::AxisRows", "0, 2, 4"), false},
    {"cluster", QT_TRANSLATE_NOOP("pw::AxisRows", "Cluster files"),
     QT_TRANSLATE_NOOP("pw::AxisRows", "a.json, b.json"), true},
    {"model", QT_TRANSLATE_NOOP("pw::AxisRows", "Model files"),
     QT_TRANSLATE_NOOP("pw::AxisRows", "a.json, b.json"), true},
    {"recipe.gbs", QT_TRANSLATE_NOOP("pw::AxisRows", "Global batch"),
     QT_TRANSLATE_NOOP("pw::AxisRows", "256, 512, 1024"), false},
    {"recipe.seq", QT_TRANSLATE_NOOP("pw::AxisRows", "Sequence length"),
     QT_TRANSLATE_NOOP("pw::AxisRows", "2048, 4096"), false},
    {"recipe.mbs", QT_TRANSLATE_NOOP("pw::AxisRows", "Micro-batch size"),
     QT_TRANSLATE_NOOP("pw::AxisRows", "1, 2, 4"), false},
    {"recipe.recompute", QT_TRANSLATE_NOOP("pw::AxisRows", "Recompute"),
     QT_TRANSLATE_NOOP("pw::AxisRows", "none, full"), false},
    {"search.planner", QT_TRANSLATE_NOOP("pw::AxisRows", "Planner"),
     QT_TRANSLATE_NOOP("pw::AxisRows", "pipewright, megatron"), false},
    {"search.target", QT_TRANSLATE_NOOP("pw::AxisRows", "Trainer"),
     QT_TRANSLATE_NOOP("pw::AxisRows", "megatron, hexiscale"), false},
    {"plan", QT_TRANSLATE_NOOP("pw::AxisRows", "Plans"),
     QT_TRANSLATE_NOOP("pw::AxisRows", "search, plans.json:1"), true},
    {"scenario", QT_TRANSLATE_NOOP("pw::AxisRows", "What happens"),
     QT_TRANSLATE_NOOP("pw::AxisRows", "none, lost:n1, slow:n3:0.9"), false},
    {"uncertainty", QT_TRANSLATE_NOOP("pw::AxisRows", "Draws of what may be off"),
     QT_TRANSLATE_NOOP("pw::AxisRows", "8"), false},
};

const AxisWords& wordsOf(const std::string& of) {
    return *std::ranges::find_if(kAxisWords, [&](const AxisWords& words) { return of == words.of; });
}

} // namespace

AxisRows::AxisRows(std::vector<AxisChoice> choices, QWidget* parent)
    : QWidget(parent), m_choices(std::move(choices)), m_column(new QVBoxLayout(this)) {
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(4);
}

std::vector<DraftAxis> AxisRows::axes() const {
    std::vector<DraftAxis> all;
    for (const Row& row : m_rows) {
        const AxisChoice& choice = m_choices[static_cast<std::size_t>(row.of->currentIndex())];
        all.push_back({choice.of, choice.deviceKind, s(row.values->text())});
    }
    return all;
}

void AxisRows::setAxes(const std::vector<DraftAxis>& axes) {
    {
        const QSignalBlocker blocker(this);
        while (!m_rows.empty())
            remove(m_rows.back().widget);
        for (const DraftAxis& axis : axes)
            add(axis);
    }
    Q_EMIT changed();
}

void AxisRows::add(const DraftAxis& axis) {
    Row row;
    row.widget = new QWidget;
    row.of = new QComboBox;
    row.of->setFixedWidth(180);
    for (const AxisChoice& choice : m_choices) {
        const QString name = tr(wordsOf(choice.of).name);
        row.of->addItem(choice.deviceKind.empty() ? name : name.arg(q(choice.deviceKind)));
    }
    const auto at = std::ranges::find_if(m_choices, [&](const AxisChoice& choice) {
        return choice.of == axis.of && choice.deviceKind == axis.deviceKind;
    });
    row.of->setCurrentIndex(static_cast<int>(at - m_choices.begin()));
    row.values = new QLineEdit(q(axis.values));
    const QString number = QString::number(m_rows.size() + 1);
    row.of->setAccessibleName(tr("What axis %1 changes").arg(number));
    row.values->setAccessibleName(tr("Values of axis %1").arg(number));
    row.values->setObjectName(QStringLiteral("newSweep.values"));
    const auto button = [&](const QString& iconName, const QString& text) {
        auto* tool = new QToolButton;
        tool->setIcon(icon(iconName, IconTone::Text2));
        tool->setToolTip(text);
        tool->setAccessibleName(text);
        return tool;
    };
    auto* files = button(QStringLiteral("open"), tr("Choose files"));
    auto* gone = button(QStringLiteral("close"), tr("Leave the axis out"));
    const auto follow = [this, row, files] {
        const AxisWords& words = wordsOf(m_choices[static_cast<std::size_t>(row.of->currentIndex())].of);
        row.values->setPlaceholderText(tr(words.hint));
        files->setEnabled(words.files);
    };
    follow();
    auto* line = new QHBoxLayout(row.widget);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(6);
    line->addWidget(row.of);
    line->addWidget(row.values, 1);
    line->addWidget(files);
    line->addWidget(gone);
    m_column->addWidget(row.widget);
    m_rows.push_back(row);
    connect(row.of, &QComboBox::currentIndexChanged, this, follow);
    connect(row.of, &QComboBox::currentIndexChanged, this, &AxisRows::changed);
    connect(row.values, &QLineEdit::textChanged, this, &AxisRows::changed);
    connect(files, &QToolButton::clicked, this, [this, row] { askFiles(row); });
    connect(gone, &QToolButton::clicked, this, [this, widget = row.widget] { remove(widget); });
    Q_EMIT changed();
}

void AxisRows::remove(const QWidget* widget) {
    const auto row = std::ranges::find(m_rows, widget, &Row::widget);
    row->widget->hide();
    row->widget->deleteLater();
    m_rows.erase(row);
    Q_EMIT changed();
}

void AxisRows::askFiles(const Row& row) {
    const QStringList files = askForFiles(this, QStringLiteral("axis"), tr("Values of the axis"),
                                          tr("JSON files (*.json *.json.gz)"));
    if (files.isEmpty())
        return;
    QStringList all = row.values->text().split(QLatin1Char(','), Qt::SkipEmptyParts);
    all << files;
    for (QString& value : all)
        value = value.trimmed();
    row.values->setText(all.join(QStringLiteral(", ")));
}

} // namespace pw

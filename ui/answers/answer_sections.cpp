// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/answer_sections.h"

#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/commands/context_menu.h"
#include "ui/widgets/figure_table.h"

#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScrollBar>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace pw {

namespace {

constexpr int kRow = 22, kHeader = 24; // pixels

QTableWidget* tableFor(const AnswerTable& answer) {
    auto* table =
        new QTableWidget(static_cast<int>(answer.rows.size()), static_cast<int>(answer.headings.size()));
    table->setAccessibleName(q(answer.text));
    quietTable(table, kRow, kHeader);
    table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table->setAlternatingRowColors(true);
    table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    for (int column = 0; column < table->columnCount(); ++column) {
        QString heading = q(answer.headings[static_cast<std::size_t>(column)]);
        const bool figures = heading.startsWith(u'>');
        if (figures)
            heading.remove(0, 1);
        const Qt::Alignment alignment = Qt::AlignVCenter | (figures ? Qt::AlignRight : Qt::AlignLeft);
        auto* head = new QTableWidgetItem(heading);
        head->setTextAlignment(alignment);
        table->setHorizontalHeaderItem(column, head);
        for (int row = 0; row < table->rowCount(); ++row) {
            auto* cell = new QTableWidgetItem(
                q(answer.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]));
            cell->setTextAlignment(alignment);
            table->setItem(row, column, cell);
        }
    }
    table->resizeColumnsToContents();
    table->horizontalHeader()->setStretchLastSection(true);
    table->setFixedHeight(kHeader + table->rowCount() * kRow +
                          table->horizontalScrollBar()->sizeHint().height());
    return table;
}

} // namespace

AnswerSections::AnswerSections(const Commands& commands, QWidget* parent)
    : QScrollArea(parent), m_commands(commands) {
    setObjectName(QStringLiteral("answers.sections"));
    setAccessibleName(tr("Answers"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
}

void AnswerSections::setTables(const std::vector<AnswerTable>& tables) {
    auto* page = new QWidget;
    page->setBackgroundRole(QPalette::Base);
    page->setAutoFillBackground(true);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(10, 6, 10, 6);
    column->setSpacing(6);
    for (const AnswerTable& answer : tables) {
        if (!answer.text.empty()) {
            auto* text = new QLabel(sentence(answer.text));
            text->setWordWrap(true);
            text->setTextFormat(Qt::PlainText);
            text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
            column->addWidget(text);
        }
        if (answer.rows.empty())
            continue;
        QTableWidget* table = tableFor(answer);
        column->addWidget(table);
        const auto at = std::find(answer.headings.begin(), answer.headings.end(), kPlanHeading);
        const auto plan = at == answer.headings.end() ? -1 : static_cast<int>(at - answer.headings.begin());
        offerMenu(table, plan);
        if (plan < 0)
            continue;
        connect(table, &QTableWidget::cellActivated, this,
                [this, table, plan](int row) { Q_EMIT planActivated(table->item(row, plan)->text()); });
    }
    column->addStretch(1);
    setWidget(page); // the one before goes
}

// `plan`: the column that names one, or -1.
void AnswerSections::offerMenu(QTableWidget* table, int plan) {
    RowMenu menu = tableMenu(table, "answers");
    menu.commands = &m_commands;
    if (plan >= 0)
        menu.fill = [this, table, plan](QMenu& entries) {
            const QString name = table->item(table->currentRow(), plan)->text();
            entries.addAction(tr("&Open plan %1").arg(name), this,
                              [this, name] { Q_EMIT planActivated(name); });
        };
    pw::offerMenu(table, std::move(menu));
}

} // namespace pw

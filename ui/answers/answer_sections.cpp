// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/answer_sections.h"

#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/widgets/figure_table.h"

#include <QAction>
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
constexpr qsizetype kSpokenCells = 4;

// Each line is one; what is indented goes on.
QString sentences(const std::string& text) {
    QStringList lines = q(text).split(u'\n');
    for (QString& line : lines)
        line = sentence(line);
    return lines.join(u'\n');
}

// Without the mark of figures.
QString headingText(const std::string& heading) {
    const QString text = q(heading);
    return text.startsWith(u'>') ? text.mid(1) : text;
}

// `name`: for whoever hears it.
QTableWidget* tableFor(const AnswerTable& answer, const QString& name) {
    auto* table =
        new QTableWidget(static_cast<int>(answer.rows.size()), static_cast<int>(answer.headings.size()));
    table->setAccessibleName(name);
    quietTable(table, kRow, kHeader);
    table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table->setAlternatingRowColors(true);
    table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    for (int column = 0; column < table->columnCount(); ++column) {
        const std::string& stated = answer.headings[static_cast<std::size_t>(column)];
        const QString heading = headingText(stated);
        const bool figures = stated.starts_with('>');
        const Qt::Alignment alignment = Qt::AlignVCenter | (figures ? Qt::AlignRight : Qt::AlignLeft);
        auto* head = new QTableWidgetItem(heading);
        head->setTextAlignment(alignment);
        table->setHorizontalHeaderItem(column, head);
        for (int row = 0; row < table->rowCount(); ++row) {
            auto* cell = new QTableWidgetItem(
                q(answer.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]));
            cell->setTextAlignment(alignment);
            if (!heading.isEmpty() && !cell->text().isEmpty())
                cell->setData(Qt::AccessibleTextRole, QStringLiteral("%1 %2").arg(heading, cell->text()));
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

QString firstResult(const std::vector<AnswerTable>& tables) {
    QStringList said;
    const auto words = std::find_if(tables.begin(), tables.end(),
                                    [](const AnswerTable& table) { return !table.text.empty(); });
    if (words != tables.end()) {
        const QString line = sentences(words->text).section(u'\n', 0, 0);
        said << (line.endsWith(u'.') || line.endsWith(u':') ? line : line + u'.');
    }
    const auto rows = std::find_if(tables.begin(), tables.end(),
                                   [](const AnswerTable& table) { return !table.rows.empty(); });
    if (rows != tables.end()) {
        QStringList cells;
        for (std::size_t i = 0; i < rows->headings.size() && cells.size() < kSpokenCells; ++i)
            if (const QString cell = q(rows->rows.front()[i]); !cell.isEmpty())
                cells << QStringLiteral("%1 %2").arg(headingText(rows->headings[i]), cell).trimmed();
        said << cells.join(QStringLiteral(", ")) + u'.';
    }
    return said.join(u' ');
}

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
    QString above; // a table without a text of its own is about what stands there
    std::vector<QTableWidget*> made;
    for (const AnswerTable& answer : tables) {
        if (!answer.text.empty()) {
            above = sentences(answer.text);
            auto* text = new QLabel(above);
            text->setWordWrap(true);
            text->setTextFormat(Qt::PlainText);
            text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
            column->addWidget(text);
        }
        if (answer.rows.empty())
            continue;
        QTableWidget* table = tableFor(answer, above);
        made.push_back(table);
        column->addWidget(table);
        connect(table, &QTableWidget::currentCellChanged, this, [this, table] { follow(*table); });
        const auto at = std::find(answer.headings.begin(), answer.headings.end(), kPlanHeading);
        const auto plan = at == answer.headings.end() ? -1 : static_cast<int>(at - answer.headings.begin());
        offerMenu(table, plan);
        if (plan < 0)
            continue;
        connect(table, &QTableWidget::cellActivated, this, [this, table, plan](int row) {
            if (const QString name = table->item(row, plan)->text(); !name.isEmpty())
                Q_EMIT planActivated(name);
        });
        for (int row = 0; row < table->rowCount(); ++row)
            if (const QString name = table->item(row, plan)->text(); !name.isEmpty())
                for (int cell = 0; cell < table->columnCount(); ++cell)
                    table->item(row, cell)->setToolTip(
                        tr("A double-click or Enter opens plan %1; the menu exports it").arg(name));
    }
    column->addStretch(1);
    setWidget(page); // the one before goes
    m_first = made.empty() ? nullptr : made.front();
    setAccessibleDescription(firstResult(tables));
    QWidget* before = this;
    for (QTableWidget* table : made) { // a new widget is the last of the whole window otherwise
        setTabOrder(before, table);
        before = table;
    }
}

void AnswerSections::focusAnswer() {
    if (!m_first)
        return setFocus();
    m_first->setCurrentCell(0, 0);
    m_first->setFocus();
    verticalScrollBar()->setValue(0); // the words above it first
}

// Tables do not scroll down by themselves.
void AnswerSections::follow(const QTableWidget& table) {
    const QTableWidgetItem* item = table.currentItem();
    if (item == nullptr || !table.hasFocus())
        return;
    const QPoint row = table.viewport()->mapTo(widget(), table.visualItemRect(item).center());
    ensureVisible(horizontalScrollBar()->value(), row.y(), 0, kRow);
}

// `plan`: the column that names one, or -1.
void AnswerSections::offerMenu(QTableWidget* table, int plan) {
    RowMenu menu = tableMenu(table, "answers");
    menu.commands = &m_commands;
    if (plan >= 0)
        menu.fill = [this, table, plan](QMenu& entries) {
            const QString name = table->item(table->currentRow(), plan)->text();
            if (name.isEmpty()) // a plan of another question, which is none of the project's
                return;
            entries.addAction(tr("&Open plan %1").arg(name), this,
                              [this, name] { Q_EMIT planActivated(name); });
            entries.addAction(tr("&Export plan %1...").arg(name), this, [this, name] {
                Q_EMIT planActivated(name);
                QMetaObject::invokeMethod( // the menu is gone then
                    m_commands.action("plan.export"), &QAction::trigger, Qt::QueuedConnection);
            });
        };
    pw::offerMenu(table, std::move(menu));
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/option_form.h"

#include "core/search/options.h"
#include "core/search/planners.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/manual_link.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace pw {

namespace {

QString translated(const char* text) {
    return QCoreApplication::translate("SearchOptions", text);
}

QString objectNameOf(const SearchOptionRow& row) {
    return QStringLiteral("search.") + QLatin1String(row.name);
}

// 0 stands for "the program decides" where it is allowed; the field is empty then and says so in grey.
bool mayBeEmpty(const SearchOptionRow& row) {
    return row.type() != SearchOptionRow::Type::Planner && row.type() != SearchOptionRow::Type::Switch &&
           row.low <= 0.0 && std::strcmp(row.name, "seed") != 0;
}

QString fieldText(const SearchOptionRow& row, const QString& value) {
    return mayBeEmpty(row) && value == QLatin1String("0") ? QString() : value;
}

} // namespace

OptionForm::OptionForm(QWidget* parent) : QWidget(parent), m_unfold(new QToolButton), m_experts(new QWidget) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 4, 10, 8);
    column->setSpacing(4);
    m_parts[0].grid = new QGridLayout;
    m_parts[1].grid = new QGridLayout(m_experts);
    for (const Part& part : m_parts) {
        part.grid->setContentsMargins(0, 0, 0, 0);
        part.grid->setHorizontalSpacing(8);
        part.grid->setVerticalSpacing(4);
    }
    for (const SearchOptionRow& row : searchOptionTable()) {
        auto* label = new QLabel(translated(row.label));
        label->setForegroundRole(QPalette::PlaceholderText);
        QWidget* field = makeField(row);
        label->setBuddy(field);
        m_parts[row.expert ? 1 : 0].fields.emplace_back(label, field);
    }
    m_unfold->setObjectName(QStringLiteral("search.experts"));
    m_unfold->setText(tr("For experts"));
    m_unfold->setAccessibleName(tr("Options for experts"));
    m_unfold->setToolTip(tr("Limits of work, cores, wider axes, and what a planner leaves out"));
    m_unfold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_unfold->setAutoRaise(true);
    m_unfold->setCheckable(true);
    const auto follow = [this](bool open) {
        m_unfold->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        m_experts->setVisible(open);
    };
    connect(m_unfold, &QToolButton::toggled, this, follow);
    follow(false);
    column->addLayout(m_parts[0].grid);
    arrange(1); // before what stands below: Tab goes in the order in which parts come in
    column->addWidget(m_unfold, 0, Qt::AlignLeft);
    column->addWidget(m_experts);
    refreshHints();
}

void OptionForm::unfoldFor(const QWidget& field) {
    if (m_experts->isAncestorOf(&field))
        m_unfold->setChecked(true);
}

bool OptionForm::expertsTouched() const {
    return std::ranges::any_of(searchOptionTable(), [this](const SearchOptionRow& row) {
        return row.expert &&
               (m_refused.contains(QLatin1String(row.name)) ||
                searchOptionText(m_options, row.name) != searchOptionText(SearchOptions{}, row.name));
    });
}

int OptionForm::widthFor(int pairs) const {
    int widest = 0;
    for (const Part& part : m_parts) {
        std::vector<int> columns(static_cast<std::size_t>(2 * pairs), 0);
        for (std::size_t i = 0; i < part.fields.size(); ++i) {
            const auto& [label, field] = part.fields[i];
            const std::size_t column = i % static_cast<std::size_t>(pairs) * 2;
            columns[column] = std::max(columns[column], label->minimumSizeHint().width());
            columns[column + 1] =
                std::max({columns[column + 1], field->minimumSizeHint().width(), field->minimumWidth()});
        }
        widest = std::max(widest, std::reduce(columns.begin(), columns.end()) +
                                      (2 * pairs - 1) * part.grid->horizontalSpacing());
    }
    const QMargins margins = layout()->contentsMargins();
    return widest + margins.left() + margins.right();
}

void OptionForm::arrange(int pairs) {
    if (pairs == m_pairs)
        return;
    m_pairs = pairs;
    for (const Part& part : m_parts) {
        for (const auto& [label, field] : part.fields) {
            part.grid->removeWidget(label);
            part.grid->removeWidget(field);
        }
        for (std::size_t i = 0; i < part.fields.size(); ++i) {
            const int row = static_cast<int>(i) / pairs, column = static_cast<int>(i) % pairs * 2;
            part.grid->addWidget(part.fields[i].first, row, column);
            part.grid->addWidget(part.fields[i].second, row, column + 1);
        }
        part.grid->setColumnStretch(1, 3);
        part.grid->setColumnStretch(3, pairs > 1 ? 2 : 0);
    }
    updateGeometry();
}

QSize OptionForm::minimumSizeHint() const {
    return {widthFor(1), QWidget::minimumSizeHint().height()};
}

void OptionForm::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange(width() >= widthFor(2) ? 2 : 1);
}

QWidget* OptionForm::makeField(const SearchOptionRow& row) {
    const QString now = q(searchOptionText(m_options, row.name));
    QWidget* field = nullptr;
    if (row.type() == SearchOptionRow::Type::Planner) {
        auto* box = new QComboBox;
        for (const PlannerRow& planner : plannerTable()) {
            box->addItem(translated(planner.label), q(planner.name));
            box->setItemData(
                box->count() - 1,
                QStringLiteral("%1 (%2)").arg(translated(planner.help), translated(planner.standing)),
                Qt::ToolTipRole);
        }
        box->setCurrentIndex(box->findData(now));
        box->setMinimumContentsLength(8);
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        connect(box, &QComboBox::currentIndexChanged, this,
                [this, box, &row] { take(row, box->currentData().toString(), box); });
        field = box;
    } else if (row.type() == SearchOptionRow::Type::Switch) {
        auto* box = new QComboBox;
        box->addItem(tr("off"), QStringLiteral("off"));
        box->addItem(tr("on"), QStringLiteral("on"));
        box->setCurrentIndex(box->findData(now));
        connect(box, &QComboBox::currentIndexChanged, this,
                [this, box, &row] { take(row, box->currentData().toString(), box); });
        field = box;
    } else {
        auto* line = new QLineEdit(fieldText(row, now));
        line->setPlaceholderText(row.type() == SearchOptionRow::Type::Duration ? tr("none, s")
                                 : row.type() == SearchOptionRow::Type::Parts  ? tr("nothing")
                                                                               : tr("auto"));
        line->setMinimumWidth(64);
        connect(line, &QLineEdit::textEdited, this,
                [this, line, &row](const QString& text) { take(row, text, line); });
        field = line;
    }
    field->setObjectName(objectNameOf(row));
    field->setAccessibleName(translated(row.label));
    field->setToolTip(translated(row.help));
    return field;
}

void OptionForm::take(const SearchOptionRow& row, const QString& text, QWidget* field) {
    const QString name = QLatin1String(row.name);
    const bool automatic = mayBeEmpty(row) && text.trimmed().isEmpty();
    const std::string given =
        row.type() != SearchOptionRow::Type::Parts && automatic ? "0" : s(text.trimmed());
    const Status set = setSearchOption(m_options, row.name, given);
    if (set)
        m_refused.remove(name);
    else
        m_refused[name] = messageText(set.error());
    field->setProperty(kMessageCodeProperty, set ? QString() : q(set.error().code));
    field->setProperty("invalid", !set);
    field->setToolTip(set ? translated(row.help) : m_refused.value(name));
    field->style()->unpolish(field);
    field->style()->polish(field);
    refreshHints();
    Q_EMIT changed();
}

void OptionForm::setOptions(const SearchOptions& options) {
    m_options = options;
    m_refused.clear();
    for (const SearchOptionRow& row : searchOptionTable()) {
        const QString now = q(searchOptionText(m_options, row.name));
        if (auto* box = findChild<QComboBox*>(objectNameOf(row)))
            box->setCurrentIndex(box->findData(now));
        else if (auto* line = findChild<QLineEdit*>(objectNameOf(row)))
            line->setText(fieldText(row, now));
    }
    refreshHints();
}

// An empty work limit is the planner's own, which depends on the problem; the tool tip says how.
void OptionForm::refreshHints() {
    if (expertsTouched())
        m_unfold->setChecked(true);
    auto* work = findChild<QLineEdit*>(QStringLiteral("search.work"));
    if (!work)
        return;
    for (const PlannerRow& planner : plannerTable())
        if (m_options.planner == planner.name)
            work->setToolTip(tr("Stage candidates to evaluate. Automatic: %1.").arg(q(planner.workText)));
}

QString OptionForm::refusal() const {
    for (const SearchOptionRow& row : searchOptionTable())
        if (const auto at = m_refused.constFind(QLatin1String(row.name)); at != m_refused.constEnd())
            return QStringLiteral("%1: %2").arg(translated(row.label), *at);
    return {};
}

} // namespace pw

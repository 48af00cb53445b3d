// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/details/property_list.h"

#include "ui/base/focus_frame.h"
#include "ui/base/own_colour.h"
#include "ui/base/theme.h"
#include "ui/commands/context_menu.h"
#include "ui/widgets/elided_label.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace pw {

namespace {

constexpr int kPropertyRow = 20, kNameColumn = 92;
constexpr int kKeptValue = 150; // of a value; what stands behind it gives way first

ElidedLabel* text() {
    auto* label = new ElidedLabel;
    label->setFont(bodyFont());
    label->setFixedHeight(kPropertyRow);
    return label;
}

QLabel* link() {
    auto* label = new QLabel;
    label->setFont(bodyFont());
    label->setTextFormat(Qt::RichText);
    label->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    label->setFixedHeight(kPropertyRow);
    label->setContextMenuPolicy(Qt::NoContextMenu); // its row has one
    return label;
}

QLabel* badge() {
    auto* label = new QLabel;
    label->setFont(smallFont());
    label->setFixedHeight(16);
    return label;
}

// Only where there is something to say, and made then; it goes to `place` in the line.
void say(QLabel*& label, const QString& words, QLabel* (*made)(), QHBoxLayout& line, int place) {
    if (!label && !words.isEmpty()) {
        label = made();
        line.insertWidget(place, label);
    }
    if (!label)
        return;
    label->setText(words);
    label->setVisible(!words.isEmpty());
}

QString withHelp(const QString& words, const QString& help) {
    return help.isEmpty() ? words : words + QLatin1Char('\n') + help;
}

} // namespace

PropertyList::PropertyList(const char* place, QWidget* parent)
    : QWidget(parent), m_grid(new QGridLayout(this)) {
    setAccessibleName(tr("Properties"));
    setFocusPolicy(Qt::StrongFocus);
    makeMenu(place);
    m_grid->setContentsMargins(10, 4, 10, 6);
    m_grid->setHorizontalSpacing(0);
    m_grid->setVerticalSpacing(0);
    m_grid->setColumnMinimumWidth(0, kNameColumn);
    m_grid->setColumnStretch(1, 1);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, &PropertyList::fill);
}

void PropertyList::setProperties(std::vector<Property> properties) {
    if (properties == m_properties && m_stale == m_shownStale)
        return;
    const QString heading = m_current < m_properties.size() ? headingOf(m_current) : QString();
    m_properties = std::move(properties);
    m_shownStale = m_stale;
    if (m_current >= m_properties.size() || headingOf(m_current) != heading) { // other rows: from their top
        const auto same = std::ranges::find(m_properties, heading, &Property::name);
        m_current = heading.isEmpty() || same == m_properties.end()
                        ? 0
                        : static_cast<std::size_t>(same - m_properties.begin());
    }
    fill();
    describe();
}

QString PropertyList::headingOf(std::size_t row) const {
    while (row > 0 && m_properties[row].name.isEmpty())
        --row;
    return m_properties[row].name;
}

QString PropertyList::spokenText(std::size_t row) const {
    const Property& property = m_properties[row];
    QStringList parts = {property.value, property.note, property.badge};
    parts.removeAll(QString());
    const QString heading = headingOf(row), words = parts.join(QStringLiteral(", "));
    return heading.isEmpty() ? words : tr("%1: %2").arg(heading, words);
}

void PropertyList::describe() {
    const QString text = m_properties.empty() ? QString() : spokenText(m_current);
    if (text != accessibleDescription())
        setAccessibleDescription(text);
}

std::vector<AccessiblePart> PropertyList::accessibleParts() const {
    std::vector<AccessiblePart> parts;
    const std::size_t rows = std::min({m_rows.size(), m_properties.size(), kMostParts});
    for (std::size_t row = 0; row < rows; ++row)
        if (m_rows[row].cell) // else it is being made
            parts.push_back({QString::number(row), spokenText(row), m_properties[row].help, rowRect(row),
                             QAccessible::ListItem, row == m_current});
    return parts;
}

void PropertyList::activatePart(const QString& key) {
    const std::size_t row = key.toULongLong();
    if (row >= m_properties.size())
        return;
    goTo(row);
    if (const QString link = m_properties[row].link; !link.isEmpty()) // whoever follows it shows other rows
        Q_EMIT linkActivated(link);
}

void PropertyList::goTo(std::size_t row) {
    m_current = row;
    describe();
    update();
}

void PropertyList::makeMenu(const char* place) {
    RowMenu menu;
    menu.place = place;
    menu.choose = [this](const QPoint& at) { return chooseAt(at); };
    menu.current = [this] { return m_properties.empty() ? QRect() : rowRect(m_current); };
    menu.text = [this] { return textOf(m_properties[m_current]); };
    menu.value = [this] { return m_properties[m_current].value; };
    menu.all = [this] {
        QStringList lines;
        for (const Property& property : m_properties)
            lines << textOf(property);
        return lines.join(QLatin1Char('\n'));
    };
    offerMenu(this, std::move(menu));
}

QString PropertyList::textOf(const Property& property) const {
    QStringList parts = {property.name, property.value, property.note, property.badge};
    while (parts.last().isEmpty() && parts.size() > 1)
        parts.removeLast();
    return parts.join(QLatin1Char('\t'));
}

QRect PropertyList::rowRect(std::size_t row) const {
    const QRect cell = m_rows[row].cell->geometry();
    return QRect(0, cell.top(), width(), cell.height());
}

bool PropertyList::chooseAt(const QPoint& at) {
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (rowRect(i).contains(at)) {
            goTo(i);
            return true;
        }
    return false;
}

void PropertyList::mousePressEvent(QMouseEvent* event) {
    chooseAt(event->position().toPoint());
}

void PropertyList::keyPressEvent(QKeyEvent* event) {
    const bool up = event->key() == Qt::Key_Up;
    if ((!up && event->key() != Qt::Key_Down) || (up ? m_current == 0 : m_current + 1 >= m_rows.size()))
        return QWidget::keyPressEvent(event); // whoever stands around scrolls
    goTo(up ? m_current - 1 : m_current + 1);
}

void PropertyList::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void PropertyList::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

void PropertyList::paintEvent(QPaintEvent*) {
    if (!hasFocus())
        return;
    QPainter painter(this);
    if (m_current < m_rows.size())
        painter.fillRect(rowRect(m_current), theme().accentGround);
    paintFocusFrame(painter, m_current < m_rows.size() ? rowRect(m_current) : rect());
}

void PropertyList::setStale(bool stale) {
    m_stale = stale;
}

void PropertyList::make(Row& row, std::size_t index, bool isLink) {
    row = {text(), new QWidget, isLink ? link() : text(), nullptr, nullptr, isLink};
    auto* line = new QHBoxLayout(row.cell);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(6);
    line->addWidget(row.value);
    line->addStretch(1);
    if (isLink)
        connect(row.value, &QLabel::linkActivated, this, &PropertyList::linkActivated, Qt::QueuedConnection);
    m_grid->addWidget(row.name, static_cast<int>(index), 0);
    m_grid->addWidget(row.cell, static_cast<int>(index), 1);
}

void PropertyList::remove(Row& row) {
    delete row.name;
    delete row.cell;
    row = {};
}

void PropertyList::fill() {
    const Theme& t = theme();
    for (std::size_t i = m_properties.size(); i < m_rows.size(); ++i)
        remove(m_rows[i]);
    m_rows.resize(m_properties.size());
    for (std::size_t i = 0; i < m_properties.size(); ++i) {
        const Property& property = m_properties[i];
        Row& row = m_rows[i];
        const bool isLink = !property.link.isEmpty();
        if (row.name && row.link != isLink)
            remove(row);
        if (!row.name)
            make(row, i, isLink);
        row.name->setText(property.name);
        row.name->setToolTip(property.help);
        setOwnColour(*row.name, QPalette::WindowText, t.text2);
        if (isLink) {
            row.value->setText(QStringLiteral("<a href=\"%1\" style=\"color:%2\">%3</a>")
                                   .arg(property.link, t.accent.name(), property.value.toHtmlEscaped()));
            row.value->setObjectName(QStringLiteral("link.") + property.link);
        } else {
            row.value->setText(property.value);
            row.value->setToolTip(withHelp(property.value, property.help));
            setOwnColour(*row.value, QPalette::WindowText,
                         m_shownStale     ? t.text2
                         : property.warns ? t.warn
                                          : t.text);
        }
        row.value->setAccessibleName(property.name + QStringLiteral(": ") + property.value);
        row.value->setMinimumWidth(0); // else the words before count
        row.value->setMinimumWidth(std::min(row.value->sizeHint().width(), kKeptValue));
        auto* line = static_cast<QHBoxLayout*>(row.cell->layout());
        say(
            row.note, property.note, []() -> QLabel* { return text(); }, *line, 1);
        say(row.badge, property.badge, badge, *line, row.note ? 2 : 1);
        if (row.note) {
            setOwnColour(*row.note, QPalette::WindowText, t.text2);
            row.note->setToolTip(property.help.isEmpty() ? QString()
                                                         : withHelp(property.note, property.help));
        }
        if (row.badge)
            row.badge->setStyleSheet(QStringLiteral("background:%1;color:%2;border-radius:3px;padding:0 5px;")
                                         .arg(t.title.name(), t.text2.name()));
    }
}

} // namespace pw

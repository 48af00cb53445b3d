// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/value_field.h"

#include "core/base/units.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/manual_link.h"
#include "ui/base/own_colour.h"
#include "ui/base/theme.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QRegularExpression>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace pw {

namespace {

QString trValue(const char* text) {
    return QCoreApplication::translate("pw::ValueField", text);
}

// What follows the number; empty for words.
QString unitOf(const QString& text) {
    qsizetype end = 0;
    while (end < text.size() && (text[end].isDigit() || QStringLiteral(".,+-").contains(text[end])))
        ++end;
    return end == 0 ? QString() : text.mid(end).trimmed();
}

// Where the rate begins in "4 × 400 Gbit/s" or "4x400G"; 0 where no lanes stand in front of it.
qsizetype behindLanes(const QString& text) {
    static const QRegularExpression lanes(QStringLiteral("^\\s*\\d+\\s*[xX*\u00d7]\\s*"));
    return lanes.match(text).capturedLength();
}

Result<double> parsePlain(std::string_view text, char dropped, bool whole) {
    std::string digits;
    for (const char c : text)
        if (c != dropped && c != ' ')
            digits += c;
    bool ok = false;
    const double value = QLocale::c().toDouble(q(digits), &ok);
    if (!ok || !std::isfinite(value) || (whole && value != std::floor(value)))
        return badInput(
            "field.number", {},
            wordingOf(whole ? trValue("A whole number is expected") : trValue("A number is expected")));
    return value;
}

} // namespace

ValueSpec countSpec(double low, double high) {
    return {[](std::string_view t) { return parsePlain(t, ',', true); },
            [](double v) { return QLocale(QLocale::English).toString(v, 'f', 0); },
            {},
            low,
            high};
}

ValueSpec bitRateSpec(double low, double high) {
    return {[](std::string_view t) { return parseBandwidth(t); },
            [](double v) { return q(formatBitRate(BytesPerSecond(v))); },
            [](double v) { return trValue("%1 each way").arg(q(formatByteRate(BytesPerSecond(v)))); }, low,
            high};
}

ValueSpec laneRateSpec(double low, double high, int mostLanes, std::function<void(int)> lanes) {
    ValueSpec spec = bitRateSpec(low, high);
    spec.parse = [mostLanes, lanes = std::move(lanes)](std::string_view t) -> Result<double> {
        const QString text = q(t);
        const qsizetype rate = behindLanes(text);
        lanes(0);
        if (rate > 0) {
            QString number = text.left(rate).trimmed();
            number.chop(1);
            bool isNumber = false;
            const int count = number.trimmed().toInt(&isNumber);
            if (!isNumber || count < 1 || count > mostLanes)
                return badInput("field.range", {},
                                wordingOf(trValue("1 to %1 lanes are allowed").arg(mostLanes)));
            lanes(count);
        }
        return parseBandwidth(s(text.mid(rate)));
    };
    return spec;
}

ValueSpec byteRateSpec(double low, double high, const QString& zero) {
    return {[zero](std::string_view t) -> Result<double> {
                if (q(t).trimmed().compare(zero, Qt::CaseInsensitive) == 0)
                    return 0.0;
                return parseBandwidth(t);
            },
            [zero](double v) { return v > 0.0 ? q(formatByteRate(BytesPerSecond(v))) : zero; },
            [](double v) { return v > 0.0 ? q(formatBitRate(BytesPerSecond(v))) : QString(); },
            low,
            high,
            QStringLiteral("GB/s")};
}

ValueSpec flopRateSpec(double low, double high, const QString& zero) {
    return {[zero](std::string_view t) -> Result<double> {
                QString text = q(t).trimmed();
                if (text.compare(zero, Qt::CaseInsensitive) == 0)
                    return 0.0;
                double scale = 1e12;
                for (const auto& [letter, factor] :
                     {std::pair('G', 1e9), std::pair('T', 1e12), std::pair('P', 1e15)})
                    for (const char* rest : {"FLOP/s", "FLOPS", ""})
                        if (const QString unit = QLatin1Char(letter) + QLatin1String(rest);
                            text.endsWith(unit, Qt::CaseInsensitive)) {
                            text.chop(unit.size());
                            scale = factor;
                        }
                Result<double> value = parsePlain(s(text), ',', false);
                return value ? Result<double>(*value * scale) : value;
            },
            [zero](double v) {
                return v > 0.0 ? QLocale::c().toString(v / 1e12, 'g', 6) + QStringLiteral(" TFLOP/s") : zero;
            },
            {},
            low,
            high};
}

ValueSpec durationSpec(double low, double high) {
    return {[](std::string_view t) { return parseDuration(t); },
            [](double v) { return q(formatDuration(Seconds(v))); },
            {},
            low,
            high};
}

ValueSpec memorySpec(double low, double high) {
    return {[](std::string_view t) { return parseBytes(t); },
            [](double v) { return q(formatGibibytes(Bytes(v))); },
            [](double v) { return trValue("%1 bytes").arg(QLocale(QLocale::English).toString(v, 'f', 0)); },
            low, high};
}

ValueSpec priceSpec(const QString& zero) {
    return {[zero](std::string_view t) -> Result<double> {
                const QString text = q(t).trimmed();
                if (text.isEmpty() || text.compare(zero, Qt::CaseInsensitive) == 0)
                    return 0.0;
                return parsePlain(t, ',', false);
            },
            [zero](double v) { return v > 0.0 ? QLocale::c().toString(v, 'g', 8) : zero; },
            {},
            0.0,
            1e6};
}

ValueSpec factorSpec(double low, double high) {
    return {[](std::string_view t) { return parsePlain(t, ',', false); },
            [](double v) { return QLocale::c().toString(v, 'g', 6); },
            {},
            low,
            high};
}

ValueSpec percentSpec(double low, double high) {
    return {[](std::string_view t) -> Result<double> {
                Result<double> v = parsePlain(t, '%', false);
                return v ? Result<double>(*v / 100.0) : v;
            },
            [](double v) { return QLocale::c().toString(v * 100.0, 'g', 4) + QStringLiteral(" %"); },
            {},
            low,
            high};
}

QString valuesText(const std::vector<std::pair<QString, std::size_t>>& counted) {
    constexpr std::size_t kMost = 8; // that are named
    std::vector<std::pair<QString, std::size_t>> kinds;
    for (const auto& [text, count] : counted)
        if (!kinds.empty() && kinds.back().first == text)
            kinds.back().second += count;
        else
            kinds.emplace_back(text, count);
    if (kinds.empty())
        return {};
    if (kinds.size() == 1)
        return trValue("about %1").arg(kinds.front().first);
    std::ranges::stable_sort(kinds, [](const auto& l, const auto& r) { return l.second > r.second; });
    QStringList named;
    for (std::size_t i = 0; i < std::min(kMost, kinds.size()); ++i)
        named << trValue("%1 (%2)").arg(kinds[i].first, QString::number(kinds[i].second));
    if (kinds.size() > kMost)
        named << QStringLiteral("\u2026");
    return trValue("%1 values: %2").arg(QString::number(kinds.size()), named.join(QStringLiteral(", ")));
}

ValueField::ValueField(ValueSpec spec, const QString& objectName, const QString& accessibleName,
                       QWidget* parent)
    : QWidget(parent), m_spec(std::move(spec)), m_edit(new QLineEdit(this)), m_below(new QLabel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(m_edit);
    column->addWidget(m_below);
    setFocusProxy(m_edit);
    m_edit->setObjectName(objectName);
    m_edit->setAccessibleName(accessibleName);
    m_edit->setMinimumHeight(24);
    m_below->setObjectName(objectName + QStringLiteral(".note"));
    m_below->setFont(smallFont());
    m_below->setWordWrap(true);
    m_below->hide();
    connect(m_edit, &QLineEdit::editingFinished, this, &ValueField::commit);
    m_edit->installEventFilter(this);
}

// A click into a field chooses its number, as Tab does, and Esc brings back what stood there.
bool ValueField::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::FocusIn:
        m_clickedInto = static_cast<QFocusEvent*>(event)->reason() == Qt::MouseFocusReason;
        break;
    case QEvent::MouseButtonRelease:
        if (std::exchange(m_clickedInto, false) && !m_edit->hasSelectedText())
            m_edit->selectAll();
        break;
    case QEvent::KeyPress:
        if (static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape && m_edit->text() != m_shown) {
            m_edit->setText(m_shown);
            m_edit->selectAll();
            setError({});
            return true;
        }
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

// The line edit goes after it, and ends its editing where it has the focus.
ValueField::~ValueField() {
    disconnect(m_edit, nullptr, this, nullptr);
}

void ValueField::setValues(const std::vector<double>& values) {
    m_error.clear();
    setEnabled(!values.empty());
    const bool same = !values.empty() && std::all_of(values.begin(), values.end(),
                                                     [&](double v) { return v == values.front(); });
    m_shown = same ? m_spec.print(values.front()) : QString();
    m_unit = values.empty() ? QString() : unitOf(m_spec.print(values.front()));
    if (m_unit.isEmpty())
        m_unit = m_spec.unit;
    m_edit->setText(m_shown);
    std::map<double, std::size_t> counts;
    for (const double value : values)
        ++counts[value];
    std::vector<std::pair<QString, std::size_t>> counted;
    if (counts.size() > 1)
        for (const auto& [value, count] : counts)
            counted.emplace_back(m_spec.print(value), count);
    m_edit->setPlaceholderText(valuesText(counted));
    m_edit->setToolTip(m_edit->placeholderText()); // which may be cut
    m_note = same && m_spec.below ? m_spec.below(values.front()) : QString();
    showBelow(m_note, false);
}

void ValueField::setExample(const QString& text) {
    m_edit->setPlaceholderText(text);
    m_unit = m_spec.unit.isEmpty() ? unitOf(text) : m_spec.unit;
}

void ValueField::setError(const QString& text, const std::string& code) {
    m_error = text;
    setProperty(kMessageCodeProperty, q(code));
    showBelow(text.isEmpty() ? m_note : text, !text.isEmpty());
}

QString ValueField::error() const {
    return m_error;
}

QString ValueField::below() const {
    return m_below->text();
}

void ValueField::showBelow(const QString& text, bool error) {
    m_below->setText(text);
    m_below->setVisible(!text.isEmpty());
    setOwnColour(*m_below, QPalette::WindowText, error ? theme().err : theme().text2);
    m_edit->setAccessibleDescription(text);
    if (m_edit->property("invalid").toBool() == error)
        return; // each polish reads all rules
    m_edit->setProperty("invalid", error);
    m_edit->style()->unpolish(m_edit);
    m_edit->style()->polish(m_edit);
}

QString ValueField::withUnit(const QString& text) const {
    if (m_unit.isEmpty() || text.isEmpty())
        return text;
    if (const qsizetype rate = behindLanes(text); rate > 0)
        return text.left(rate) + withUnit(text.mid(rate));
    if (unitOf(text).isEmpty() && text.back().isDigit())
        return QStringLiteral("%1 %2").arg(text, m_unit);
    // A prefix alone: the rest is as it was shown.
    const QString prefix = unitOf(text);
    for (const char* base : {"bit/s", "B/s", "FLOP/s"})
        if (prefix.size() == 1 && QStringLiteral("kMGTP").contains(prefix) &&
            m_unit.endsWith(QLatin1String(base)))
            return text.chopped(1) + QLatin1Char(' ') + prefix + QLatin1String(base);
    return text;
}

void ValueField::commit() {
    const QString text = m_edit->text().trimmed();
    if (text == m_shown) {
        const bool wrong = !m_error.isEmpty();
        setError({});
        if (wrong)
            Q_EMIT mended();
        return;
    }
    const Result<double> value = m_spec.parse(s(withUnit(text)));
    if (!value) {
        setError(messageText(value.error()), value.error().code);
        return;
    }
    if (*value < m_spec.low || *value > m_spec.high) {
        setError(trValue("%1 to %2 is allowed").arg(m_spec.print(m_spec.low), m_spec.print(m_spec.high)),
                 "field.range");
        return;
    }
    // The refusal of an edit comes back as setError and must survive: compare with what was typed from here
    // on.
    m_shown = text;
    setError({});
    Q_EMIT committed(*value);
}

} // namespace pw

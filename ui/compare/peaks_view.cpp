// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/peaks_view.h"

#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/commands/context_menu.h"
#include "ui/session/compare_set.h"
#include "ui/session/shown_plan.h"
#include "ui/widgets/empty_state.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStackedWidget>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw {

namespace {

constexpr int kAxis = 44, kLabelRow = 18, kTop = 10;

Bytes moving(const MemoryParts& parts) {
    return parts.activations + parts.transient;
}

// More devices than have room are shown by the fullest of each run of neighbours.
class PeakBars : public QWidget {
public:
    explicit PeakBars(CompareSet& set) : m_set(set) {
        setObjectName(QStringLiteral("compare.peaks"));
        setAccessibleName(PeaksView::tr("Peak memory"));
        setFocusPolicy(Qt::StrongFocus);
        makeMenu();
        connect(&set, &CompareSet::changed, this, qOverload<>(&QWidget::update));
        connect(&ThemeControl::instance(), &ThemeControl::changed, this, qOverload<>(&QWidget::update));
    }

protected:
    bool event(QEvent* event) override {
        if (event->type() != QEvent::ToolTip)
            return QWidget::event(event);
        const auto& help = static_cast<const QHelpEvent&>(*event);
        const int group = groupAt(help.pos());
        QToolTip::showText(help.globalPos(), group < 0 ? QString() : textOf(shown(group)), this);
        return true;
    }

    void mousePressEvent(QMouseEvent* event) override { choose(groupAt(event->position().toPoint())); }

    void keyPressEvent(QKeyEvent* event) override {
        const int by = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
        if (by == 0 || !any())
            return QWidget::keyPressEvent(event);
        choose(std::clamp(current() + by, 0, groups() - 1));
        setAccessibleDescription(textOf(shown(current())));
    }

    void paintEvent(QPaintEvent*) override {
        const Theme& t = theme();
        QPainter painter(this);
        painter.fillRect(rect(), t.panel);
        const Comparison* c = m_set.comparison();
        if (!c || c->memory.empty())
            return;
        double most = 1.0;
        for (const DevicePeaks& device : c->memory) {
            most = std::max(most, toGibibytes(device.capacity));
            for (const MemoryParts& peak : device.peak)
                most = std::max(most, toGibibytes(peak.total()));
        }
        const int bottom = height() - kLabelRow, room = bottom - kTop;
        const auto y = [&](double gib) { return bottom - static_cast<int>(std::lround(gib / most * room)); };
        painter.setFont(smallFont());
        double step = 5.0;
        while (most / step > 5.0)
            step *= 2.0;
        for (double at = 0.0; at <= most; at += step) {
            painter.fillRect(kAxis, y(at), width() - kAxis, 1, t.grid);
            painter.setPen(t.text2);
            paintFigures(painter, QRect(0, y(at) - 8, kAxis - 6, 16), Qt::AlignRight, decimalText(at, 0));
        }
        const auto plans = static_cast<int>(c->names.size());
        const int each = std::max(1, (pitch() - 4) / plans);
        QStringList names;
        for (int group = 0; group < groups(); ++group)
            names << q(shown(group).device);
        const int labelled = labelEvery(names, pitch());
        for (int group = 0; group < groups(); ++group) {
            const DevicePeaks& device = shown(group);
            const int left = kAxis + group * pitch() + 2;
            for (int p = 0; p < plans; ++p) {
                const MemoryParts& peak = device.peak[static_cast<std::size_t>(p)];
                const double whole = toGibibytes(peak.total()), rest = whole - toGibibytes(moving(peak));
                const int x = left + p * each, wide = std::max(1, each - 1);
                const bool base = static_cast<std::size_t>(p) == m_set.base();
                painter.fillRect(x, y(whole), wide, y(rest) - y(whole), base ? t.memory[6] : t.memory[5]);
                painter.fillRect(x, y(rest), wide, bottom - y(rest), base ? t.memory[1] : t.memory[2]);
                if (device.capacity.value > 0.0 && peak.total() > device.capacity)
                    painter.fillRect(x, y(whole), wide, y(toGibibytes(device.capacity)) - y(whole),
                                     t.overflow);
            }
            if (device.capacity.value > 0.0)
                painter.fillRect(left, y(toGibibytes(device.capacity)), each * plans, 2, t.err);
            if (hasFocus() && group == current()) {
                painter.setPen(QPen(t.accent, 2));
                painter.drawRect(rectOf(group));
            }
            painter.setPen(t.text2);
            if (group % labelled == 0) { // at the right edge the end of the name, which tells GPUs apart
                const QRect place(left, bottom + 2, std::min(labelled * pitch(), width() - left),
                                  kLabelRow - 2);
                painter.drawText(
                    place, Qt::AlignLeft,
                    painter.fontMetrics().elidedText(names[group], Qt::ElideMiddle, place.width()));
            }
        }
    }

private:
    void makeMenu() {
        RowMenu menu;
        menu.place = "peaks";
        menu.choose = [this](const QPoint& at) { return choose(groupAt(at)); };
        menu.current = [this] { return any() ? rectOf(current()) : QRect(); };
        menu.text = [this] { return textOf(shown(current())); };
        menu.all = [this] {
            QStringList devices;
            for (const DevicePeaks& device : m_set.comparison()->memory)
                devices << textOf(device);
            return devices.join(QLatin1Char('\n'));
        };
        menu.device = [this] { return q(shown(current()).device); };
        offerMenu(this, std::move(menu));
    }
    bool any() const { return m_set.comparison() && !m_set.comparison()->memory.empty() && groups() > 0; }
    int current() const { return std::min(m_current, groups() - 1); }
    int groupAt(const QPoint& at) const { // -1: none
        const int group = any() && at.x() >= kAxis ? (at.x() - kAxis) / pitch() : -1;
        return group < groups() ? group : -1;
    }
    bool choose(int group) {
        if (group < 0)
            return false;
        m_current = group;
        update();
        return true;
    }
    QRect rectOf(int group) const {
        return {kAxis + group * pitch(), kTop, pitch(), height() - kTop - kLabelRow};
    }
    QString textOf(const DevicePeaks& device) const {
        QStringList lines = {q(device.device)};
        const Comparison& c = *m_set.comparison();
        for (std::size_t p = 0; p < c.names.size(); ++p)
            if (const ShownDevice* own = m_set.lanes()[p].plan->device(q(device.device)))
                lines << PeaksView::tr("%1: %2").arg(q(c.names[p]), memoryText(*own));
            else
                lines << PeaksView::tr("%1: unused").arg(q(c.names[p]));
        return lines.join(QLatin1Char('\n'));
    }
    int devices() const { return static_cast<int>(m_set.comparison()->memory.size()); }
    int pitch() const {
        return std::clamp((width() - kAxis) / std::max(1, devices()),
                          2 * static_cast<int>(CompareSet::kMost) + 4, 64);
    }
    int groups() const { return std::min(devices(), (width() - kAxis) / pitch()); }
    const DevicePeaks& shown(int group) const {
        const auto& all = m_set.comparison()->memory;
        const std::size_t first =
            all.size() * static_cast<std::size_t>(group) / static_cast<std::size_t>(groups());
        const std::size_t end =
            all.size() * static_cast<std::size_t>(group + 1) / static_cast<std::size_t>(groups());
        const auto fullest = [](const DevicePeaks& device) {
            double most = 0.0;
            for (const MemoryParts& peak : device.peak)
                most = std::max(most, peak.total().value);
            return most;
        };
        return *std::max_element(
            all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(end),
            [&](const DevicePeaks& a, const DevicePeaks& b) { return fullest(a) < fullest(b); });
    }

    CompareSet& m_set;
    int m_current = 0; // group of menu and keys
};

} // namespace

int labelEvery(const QStringList& names, int pitch) {
    constexpr int kApart = 6; // px
    const QFontMetrics metrics(smallFont());
    int widest = 0;
    for (const QString& name : names)
        widest = std::max(widest, metrics.horizontalAdvance(name));
    return (widest + kApart + pitch - 1) / pitch;
}

PeaksView::PeaksView(AppContext& context, QWidget* parent)
    : View(parent), m_set(context.compare), m_pages(new QStackedWidget), m_bars(new PeakBars(m_set)) {
    setObjectName(QStringLiteral("peaksView"));
    setAccessibleName(tr("Peak memory"));
    auto* empty = new EmptyState(QStringLiteral("chart"));
    empty->setText(tr("Nothing to compare"), tr("Plans on the same cluster show their memory here."));
    m_pages->addWidget(empty);
    m_pages->addWidget(m_bars);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
    setMinimumSize(280, 100);
    setFocusProxy(m_bars);
    connect(&m_set, &CompareSet::changed, this, &PeaksView::refresh);
    refresh();
}

void PeaksView::refresh() {
    const Comparison* comparison = m_set.comparison();
    const bool any = comparison && !comparison->memory.empty();
    m_pages->setCurrentIndex(any ? 1 : 0);
    setSubtitle(any ? tr("∴ GiB, bars in the order of the lanes; activations stand on top of what stays")
                    : QString());
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plot_widget.h"

#include "ui/widgets/qcustomplot.h"

#include <QAccessible>
#include <QAccessibleWidget>

#include <algorithm>

namespace pw {
namespace {

// Without what the plot library draws on: it has no name and nothing to say.
class PlotInterface : public QAccessibleWidget {
public:
    explicit PlotInterface(QWidget* widget) : QAccessibleWidget(widget, QAccessible::Chart) {}

    int childCount() const override { return static_cast<int>(parts().size()); }
    QAccessibleInterface* child(int index) const override { return parts().value(index); }
    int indexOfChild(const QAccessibleInterface* child) const override {
        const QList<QAccessibleInterface*> all = parts();
        const auto at = std::find(all.begin(), all.end(), child);
        return at == all.end() ? -1 : static_cast<int>(at - all.begin());
    }

private:
    QList<QAccessibleInterface*> parts() const {
        QList<QAccessibleInterface*> all;
        for (int i = 0; i < QAccessibleWidget::childCount(); ++i)
            if (QAccessibleInterface* part = QAccessibleWidget::child(i);
                part && !qobject_cast<QCustomPlot*>(part->object()))
                all.append(part);
        return all;
    }
};

QAccessibleInterface* plotFactory(const QString&, QObject* object) {
    auto* widget = qobject_cast<QWidget*>(object);
    return widget && dynamic_cast<PlotWidget*>(widget) ? new PlotInterface(widget) : nullptr;
}

} // namespace

PlotWidget::PlotWidget() {
    [[maybe_unused]] static const bool once = (QAccessible::installFactory(plotFactory), true);
}

} // namespace pw

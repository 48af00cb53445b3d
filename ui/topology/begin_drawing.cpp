// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/begin_drawing.h"

#include "ui/base/convert.h"
#include "ui/topology/canvas_edits.h"
#include "ui/topology/cluster_form.h"
#include "ui/widgets/wrap_layout.h"

#include <QCoreApplication>
#include <QPushButton>
#include <QVBoxLayout>

namespace pw {

BeginDrawing::BeginDrawing(Selection& selection, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("topology.begin"));
    setMaximumWidth(860);
    auto* sizes = new ClusterForm(QStringLiteral("topology.sizes"), selection);
    auto* templates = new WrapLayout(8, 8);
    for (const ClusterTemplate& row : clusterTemplates()) {
        if (!row.make) // asks, as the button above does
            continue;
        auto* button = new QPushButton(QCoreApplication::translate("pw::TopologyCanvas", row.label));
        button->setObjectName(QStringLiteral("topology.template.") + QLatin1String(row.key));
        button->setAccessibleName(button->text());
        button->setToolTip(QCoreApplication::translate("pw::TopologyCanvas", row.help));
        connect(button, &QPushButton::clicked, this, [this, sizes, key = QLatin1String(row.key)] {
            Q_EMIT templateChosen(key, q(sizes->size().kind));
        });
        templates->addWidget(button);
    }
    connect(sizes, &ClusterForm::drawRequested, this, &BeginDrawing::drawRequested);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    column->addWidget(sizes);
    column->addLayout(templates);
}

} // namespace pw

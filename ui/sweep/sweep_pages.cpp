// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_pages.h"

#include "ui/commands/commands.h"
#include "ui/session/document.h"
#include "ui/sweep/sweep_study.h"
#include "ui/widgets/empty_state.h"

#include <QAction>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace pw {

void buildSweepPages(View& view, AppContext& context, QWidget* content, QWidget* tools, bool offers) {
    auto* open = new QWidget;
    auto* inner = new QVBoxLayout(open);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(0);
    if (tools)
        inner->addWidget(tools);
    inner->addWidget(content, 1);
    auto* empty = new EmptyState(QStringLiteral("grid"));
    auto* pages = new QStackedWidget;
    pages->addWidget(empty);
    pages->addWidget(open);
    auto* column = new QVBoxLayout(&view);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(pages);
    view.setAutoFillBackground(true);
    view.setBackgroundRole(QPalette::Base);
    view.setFocusProxy(content);
    const SweepStudy& study = SweepStudy::of(context.document);
    const auto follow = [pages, empty, offers, &study] {
        pages->setCurrentIndex(study.isOpen() ? 1 : 0);
        if (study.isReading())
            empty->setText(View::tr("Reading"), study.path());
        else
            empty->setText(View::tr("No sweep is open"),
                           offers ? View::tr("A sweep asks one question for many clusters, numbers of nodes, "
                                             "batches or scenarios.")
                                  : QString());
        empty->setButton(offers && !study.isReading() ? View::tr("Open a sweep...") : QString(),
                         QStringLiteral("open"));
        empty->setSecondButton(offers && !study.isReading() ? View::tr("New sweep...") : QString(),
                               QStringLiteral("new"));
    };
    const QAction* made = context.commands.action("sweep.new");
    const auto followAction = [empty, made] {
        empty->secondButton()->setEnabled(made->isEnabled());
        empty->secondButton()->setToolTip(made->toolTip());
    };
    QObject::connect(made, &QAction::changed, empty, followAction);
    QObject::connect(empty, &EmptyState::secondClicked, made, &QAction::trigger);
    followAction();
    QObject::connect(empty, &EmptyState::clicked, context.commands.action("sweep.open"), &QAction::trigger);
    QObject::connect(&study, &SweepStudy::opened, &view, follow);
    follow();
}

} // namespace pw

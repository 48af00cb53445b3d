// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/ui_fixture.h"
#include "tests/whatif/edited_plan.h"
#include "ui/stages/stage_map.h"
#include "ui/stages/stage_rows.h"

#include <QMouseEvent>
#include <QTest>

#include <string_view>

namespace pw {

// A plan that a search has found, in view and open to edits.
struct EditedFixture : UiFixture {
    EditedFixture() {
        Project project = smallProject();
        project.model->blocks = 8;
        document.adopt(project, QString());
        plan = test::editPlan(*document.problem());
        const auto evaluation = evaluate(*document.problem(), plan);
        base = candidates.add(document.problem(), {{plan, *evaluation}}, QStringLiteral("searched"));
        selection.setPlan(base);
        for (const char* id : {"whatif.keep", "whatif.revert"})
            commands->bind(id, &window, [this, id] {
                id == std::string_view("whatif.keep") ? whatIf.keep() : whatIf.revert();
            });
    }
    const Candidate& current() const { return *candidates.find(selection.plan()); }
    int boundaryLayer(int boundary) const { return whatif::boundaryLayer(current().plan, boundary); }
    Plan plan;
    int base = -1;
};

// And its stages on the map, with the mouse.
struct EditedMapFixture : EditedFixture {
    EditedMapFixture() {
        map.resize(868, 182);
        map.show();
        rows = map.findChild<StageRows*>();
        // The signal is late, so that a first layout has happened.
        if (!QTest::qWaitForWindowActive(&map))
            qWarning("the stage map has no focus");
    }
    int xOf(double layer) const {
        return StageColumns::of(rows->width(), static_cast<int>(current().problem->model().blocks) + 2)
                   .layerX(layer) -
               1;
    }
    void drag(const QPoint& from, const QPoint& to, Qt::KeyboardModifiers keys = {}, bool release = true) {
        QTest::mousePress(rows, Qt::LeftButton, keys, from);
        for (int i = 1; i <= 4; ++i) {
            const QPoint at = from + (to - from) * i / 4;
            QMouseEvent move(QEvent::MouseMove, at, rows->mapToGlobal(at), Qt::LeftButton, Qt::LeftButton,
                             keys);
            QCoreApplication::sendEvent(rows, &move);
        }
        if (release)
            QTest::mouseRelease(rows, Qt::LeftButton, keys, to);
    }
    StageMap map{context};
    StageRows* rows = nullptr;
};

} // namespace pw

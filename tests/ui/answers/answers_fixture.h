// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/ui_fixture.h"
#include "ui/answers/answers_view.h"
#include "ui/widgets/message_bar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace pw {

// The Answers view with a small budget, and hands to work its controls with.
struct AnswersFixture : UiFixture {
    AnswersFixture() {
        SearchOptions options;
        options.work = 5'000;
        runner.setOptions(options);
        view.resize(1000, 260);
        view.show();
    }
    template <class W>
    W* control(const char* name) const {
        return view.findChild<W*>(QLatin1String(name));
    }
    QPushButton* button(const char* name) const { return control<QPushButton>(name); }
    // Whether it was asked and answered.
    bool press(const char* name) {
        QSignalSpy answered(&view, &AnswersView::answered);
        QTest::mouseClick(button(name), Qt::LeftButton);
        return view.isRunning() && answered.wait(60'000);
    }
    void type(const char* name, const QString& text) {
        auto* field = control<QLineEdit>(name);
        field->setFocus();
        field->selectAll();
        QTest::keyClick(field, Qt::Key_Delete);
        QTest::keyClicks(field, text);
    }
    // With the arrow keys, as far as it takes.
    bool choose(const char* name, const QVariant& data) {
        auto* box = control<QComboBox>(name);
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Home);
        for (int i = 0; i < box->count() && box->currentData() != data; ++i)
            QTest::keyClick(box, Qt::Key_Down);
        return box->currentData() == data;
    }
    void tick(const char* name) { QTest::mouseClick(control<QCheckBox>(name), Qt::LeftButton, {}, {8, 12}); }
    QString message() const {
        const auto* bar = view.findChild<MessageBar*>();
        return bar->isVisible() ? bar->text() : QString();
    }
    QString texts() const {
        QStringList list;
        for (const QLabel* label : view.findChildren<QLabel*>())
            list.append(label->text());
        return list.join(u'\n');
    }
    AnswersView view{context};
};

} // namespace pw

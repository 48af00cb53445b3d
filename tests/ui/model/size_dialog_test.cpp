// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/ui_fixture.h"
#include "ui/model/model_panel.h"
#include "ui/model/size_dialog.h"

#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <cmath>

using namespace pw;

// A decoder that no file describes is entered size by size.
class SizeDialogTest : public QObject {
    Q_OBJECT

private:
    static void type(SizeDialog& dialog, const char* name, const char* text) {
        auto* field = dialog.findChild<QLineEdit*>(QStringLiteral("size.") + QLatin1String(name));
        field->selectAll();
        QTest::keyClicks(field, QLatin1String(text));
    }

private Q_SLOTS:
    void whatIsTypedIsTheModel() {
        SizeDialog dialog(SizeDialog::usual());
        type(dialog, "name", "mine");
        type(dialog, "blocks", "12");
        type(dialog, "hidden", "1,024");
        type(dialog, "heads", "16");
        type(dialog, "kvHeads", "16");
        type(dialog, "headDim", "64");
        type(dialog, "ffn", "4096");
        type(dialog, "vocab", "50304");
        dialog.findChild<QCheckBox*>(QStringLiteral("size.gatedMlp"))->setChecked(false);
        const Result<Model> model = dialog.model();
        QVERIFY(model);
        QCOMPARE(model->name, std::string("mine"));
        QCOMPARE(model->blocks, std::int64_t{12});
        QCOMPARE(model->hidden, std::int64_t{1024});
        QVERIFY(!model->gatedMlp && model->rmsNorm);
        QVERIFY(checkModel(*model, "model"));
        // Attention 4 h^2, MLP 2 h ffn, norms; head and embedding of their own.
        const double expected = 12.0 * (4.0 * 1024 * 1024 + 2.0 * 1024 * 4096) + 2.0 * 50304 * 1024;
        QVERIFY(std::abs(static_cast<double>(parameterCount(*model)) / expected - 1.0) < 1e-3);
        QVERIFY(dialog.findChild<QPushButton*>(QStringLiteral("size.accept"))->isEnabled());
    }

    void whatIsNoModelIsRefusedAtOnce() {
        SizeDialog dialog(SizeDialog::usual());
        const auto* accept = dialog.findChild<QPushButton*>(QStringLiteral("size.accept"));
        const auto* verdict = dialog.findChild<QLabel*>(QStringLiteral("size.verdict"));
        QVERIFY(accept->isEnabled());
        type(dialog, "heads", "many");
        QVERIFY(!accept->isEnabled());
        QVERIFY2(verdict->text().contains(QStringLiteral("Heads")), qPrintable(verdict->text()));
        type(dialog, "heads", "32");
        QVERIFY(accept->isEnabled());
        type(dialog, "kvHeads", "7"); // does not divide the heads
        QVERIFY(!accept->isEnabled());
    }

    void thePanelTakesIt() {
        UiFixture ui;
        ModelPanel panel(ui.context, QString());
        panel.show();
        panel.findChild<QPushButton*>(QStringLiteral("model.sizes"))->click();
        auto* dialog = panel.findChild<SizeDialog*>();
        QVERIFY(dialog);
        type(*dialog, "name", "mine");
        dialog->findChild<QPushButton*>(QStringLiteral("size.accept"))->click();
        QVERIFY(ui.document.project()->model);
        QCOMPARE(ui.document.project()->model->name, std::string("mine"));
        ui.document.undoStack()->undo();
        QVERIFY(!ui.document.project()->model);
    }
};

QTEST_MAIN(SizeDialogTest)
#include "size_dialog_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The road of somebody new: a sample of the start page, Run, Export. It ends in files that train, with
// nothing chosen on the way.

#include "tests/ui/window_fixture.h"
#include "ui/commands/commands.h"
#include "ui/export/export_dialog.h"

#include <QDir>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTimer>

using namespace pw;

class SampleRoadTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_folders.use(); }

    void endsInFilesThatTrain_data() {
        QTest::addColumn<QString>("file");
        const QDir projects(QStringLiteral(PW_SOURCE_DIR "/samples/projects"));
        const QStringList names = projects.entryList({QStringLiteral("*.pwx")});
        QVERIFY(!names.isEmpty());
        for (const QString& name : names)
            QTest::newRow(qPrintable(name)) << projects.filePath(name);
    }

    void endsInFilesThatTrain() {
        QFETCH(const QString, file);
        MainWindow window;
        QVERIFY(window.openFile(file));
        const Model& model = *window.context().document.project()->model;
        QVERIFY(model.learnedPositions > 0 || model.rotaryBase > 0); // trained as it was published
        SearchOptions options;
        options.work = 400'000; // enough for the plans of every sample to differ between stages
        window.context().runner.setOptions(options);
        QSignalSpy ended(&window.context().runner, &SearchRunner::finished);
        window.commands().action("search.run")->trigger();
        QVERIFY(ended.wait(60'000));
        QVERIFY(window.commands().action("plan.export")->isEnabled());
        const QDir folder(m_folders.filePath(QFileInfo(file).baseName()));
        QString target, said;
        QTimer::singleShot(0, &window, [&] {
            auto* dialog = window.findChild<ExportDialog*>();
            if (!dialog)
                return;
            const auto* targets = dialog->findChild<QListWidget*>(QStringLiteral("export.targets"));
            target = targets->currentItem()->data(Qt::UserRole).toString();
            dialog->setFolder(folder.path());
            QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("export.export")),
                              Qt::LeftButton);
            said = dialog->findChild<QLabel*>(QStringLiteral("export.report"))->text();
            dialog->reject();
        });
        window.commands().action("plan.export")->trigger();
        QCOMPARE(target, QStringLiteral("runner"));
        for (const char* name : {"plan.json", "run.sh", "runner/run.py"})
            QVERIFY2(folder.exists(QLatin1String(name)), qPrintable(said));
    }

private:
    WindowFolders m_folders;
};

QTEST_MAIN(SampleRoadTest)
#include "sample_road_test.moc"

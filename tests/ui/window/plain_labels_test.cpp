// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window_fixture.h"
#include "ui/base/background_job.h"
#include "ui/window/dialog_pictures.h"

#include <QLabel>
#include <QMessageBox>
#include <QToolTip>

using namespace pw;

namespace {

// Loaded, it would end no more; here it only has to be shown.
constexpr const char* kMarkup = "<img src=\"/nowhere/to/be/found.png\"><b>7b</b>";

} // namespace

// Names out of files are text: no label, tool tip or message takes them for HTML, which would load what they
// name.
class PlainLabelsTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;
    std::unique_ptr<MainWindow> m_window;

    // Of everything that there is now. What is rich has asked for it, and escapes what it puts in.
    static QStringList trusting() {
        QStringList labels;
        for (QWidget* widget : QApplication::allWidgets()) {
            auto* label = qobject_cast<QLabel*>(widget);
            if (!label)
                continue;
            label->ensurePolished();
            if (label->textFormat() == Qt::AutoText ||
                (label->textFormat() == Qt::RichText && label->text().contains(QLatin1String("<img"))))
                labels << label->objectName() + QLatin1String(": ") + label->text();
        }
        return labels;
    }

private Q_SLOTS:
    void initTestCase() {
        m_folder.use();
        Project project = smallProject();
        project.name = kMarkup;
        project.cluster.name = kMarkup;
        project.model->name = kMarkup;
        const QString file = m_folder.filePath(QStringLiteral("f-<b>bold<b>.pwx"));
        QVERIFY(writeFileAtomically(s(file), printProject(project)));
        m_window = std::make_unique<MainWindow>();
        m_window->show();
        QVERIFY(m_window->openFile(file));
    }
    void cleanupTestCase() { m_window.reset(); }

    void ofTheWindow() {
        QVERIFY(!m_window->findChildren<QLabel*>().isEmpty());
        QCOMPARE(trusting(), QStringList());
        QVERIFY(searched(*m_window));
        QCOMPARE(trusting(), QStringList());
        const auto* model = m_window->findChild<QLabel*>(QStringLiteral("status.model"));
        QVERIFY(model && model->text().contains(QLatin1String(kMarkup))); // as it is, letter by letter
        QCOMPARE(model->textFormat(), Qt::PlainText);
        QVERIFY(model->sizeHint().width() > 200); // its letters are shown
    }

    void ofEveryDialog_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < dialogPictures().size(); ++i)
            QTest::newRow(dialogPictures()[i].name) << static_cast<int>(i);
    }
    void ofEveryDialog() {
        QFETCH(int, index);
        const DialogPicture& picture = dialogPictures()[static_cast<std::size_t>(index)];
        const auto dialog = picture.make(*m_window, m_folder.path());
        dialog->show();
        QTRY_VERIFY_WITH_TIMEOUT(!BackgroundJob::anyRunning(), 60'000);
        QCOMPARE(trusting(), QStringList());
    }

    void ofTipsAndMessages() {
        QToolTip::showText(m_window->mapToGlobal(QPoint(10, 10)), QLatin1String(kMarkup), m_window.get());
        int tips = 0;
        for (QWidget* widget : QApplication::allWidgets())
            tips += widget->inherits("QTipLabel") ? 1 : 0;
        QVERIFY(tips > 0);
        QCOMPARE(trusting(), QStringList());
        QMessageBox box(QMessageBox::Warning, QLatin1String(kMarkup), QLatin1String(kMarkup), QMessageBox::Ok,
                        m_window.get());
        box.setInformativeText(QLatin1String(kMarkup));
        box.show();
        QCOMPARE(trusting(), QStringList());
    }
};

QTEST_MAIN(PlainLabelsTest)
#include "plain_labels_test.moc"

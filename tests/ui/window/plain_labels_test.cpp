// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window_fixture.h"
#include "ui/base/background_job.h"
#include "ui/base/convert.h"
#include "ui/window/dialog_pictures.h"

#include <QImage>
#include <QLabel>
#include <QMessageBox>
#include <QTemporaryDir>
#include <QToolTip>

#include <sys/inotify.h>
#include <unistd.h>

#include <array>

using namespace pw;

namespace {

// A file that a label would load if it took its text for HTML, and whether anybody has opened it since the
// last look.
class Bait {
public:
    Bait() {
        const QString file = m_folder.filePath(QStringLiteral("bait.png"));
        QImage(8, 8, QImage::Format_RGB32).save(file);
        m_markup = "<img src=\"" + s(file) + "\"><b>7b</b>";
        if (inotify_add_watch(m_watch, file.toLocal8Bit().constData(), IN_OPEN) < 0)
            qFatal("no watch");
    }
    ~Bait() { ::close(m_watch); }
    Bait(const Bait&) = delete;
    Bait& operator=(const Bait&) = delete;
    const std::string& markup() const { return m_markup; }
    bool taken() const {
        std::array<char, 4096> events{};
        return ::read(m_watch, events.data(), events.size()) > 0;
    }

private:
    QTemporaryDir m_folder;
    std::string m_markup;
    int m_watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
};

} // namespace

// Names out of files are text: no label, tool tip or message takes them for HTML, which would load what they
// name.
class PlainLabelsTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;
    const Bait m_bait;
    std::unique_ptr<MainWindow> m_window;

    QString markup() const { return q(m_bait.markup()); }

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
        QVERIFY(project.model);
        project.name = m_bait.markup();
        project.cluster.name = m_bait.markup();
        project.model->name = m_bait.markup();
        const QString file = m_folder.filePath(QStringLiteral("f-<b>bold<b>.pwx"));
        QVERIFY(writeFileAtomically(s(file), printProject(project)));
        m_window = std::make_unique<MainWindow>();
        m_window->show();
        QVERIFY(m_window->openFile(file));
        QVERIFY(!m_bait.taken());
        MainWindow second; // whose views are made when the project is there
        QVERIFY(second.openFile(file));
        second.show();
        QVERIFY(QTest::qWaitForWindowExposed(&second));
        QVERIFY(!m_bait.taken());
    }
    void cleanup() { QVERIFY(!m_bait.taken()); }
    void cleanupTestCase() { m_window.reset(); }

    void theBaitWorks() {
        QLabel label;
        label.setTextFormat(Qt::RichText);
        label.setText(markup());
        label.heightForWidth(100);
        QVERIFY(m_bait.taken());
    }

    void ofTheWindow() {
        QVERIFY(!m_window->findChildren<QLabel*>().isEmpty());
        QCOMPARE(trusting(), QStringList());
        QVERIFY(searched(*m_window));
        QCOMPARE(trusting(), QStringList());
        const auto* model = m_window->findChild<QLabel*>(QStringLiteral("status.model"));
        QVERIFY(model && model->text().contains(markup())); // as it is, letter by letter
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
        QToolTip::showText(m_window->mapToGlobal(QPoint(10, 10)), markup(), m_window.get());
        int tips = 0;
        for (QWidget* widget : QApplication::allWidgets())
            tips += widget->inherits("QTipLabel") ? 1 : 0;
        QVERIFY(tips > 0);
        QCOMPARE(trusting(), QStringList());
        QMessageBox box(QMessageBox::Warning, markup(), markup(), QMessageBox::Ok, m_window.get());
        box.setInformativeText(markup());
        box.show();
        QCOMPARE(trusting(), QStringList());
    }
};

QTEST_MAIN(PlainLabelsTest)
#include "plain_labels_test.moc"

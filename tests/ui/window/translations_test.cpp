// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "tests/error_texts.h"
#include "tests/skip.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/background_job.h"
#include "ui/search/rejection_bar.h"
#include "ui/session/search_demand.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/dialog_pictures.h"
#include "ui/window/translations.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTranslator>
#include <QXmlStreamReader>

#include <set>

using namespace pw;

namespace {

const QChar kMark(0xA4);
using Text = std::pair<QString, QString>; // context, source

// Marks whatever it is asked for, and remembers it.
class Marking : public QTranslator {
public:
    QString translate(const char* context, const char* source, const char*, int) const override {
        const QString text = QString::fromUtf8(source);
        if (text.isEmpty())
            return {};
        m_asked.insert({QString::fromLatin1(context), text});
        return kMark + text;
    }
    bool isEmpty() const override { return false; }
    // Without those of Qt itself.
    std::set<Text> asked() const {
        std::set<Text> own;
        for (const Text& text : m_asked)
            if (!text.first.startsWith(QLatin1Char('Q')) || text.first == QLatin1String("QObject"))
                own.insert(text);
        return own;
    }

private:
    mutable std::set<Text> m_asked;
};

std::set<Text> textsOf(const QString& path) {
    std::set<Text> texts;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return texts;
    QXmlStreamReader reader(&file);
    QString context;
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement) {
            if (reader.name() == QLatin1String("name"))
                context = reader.readElementText();
            else if (reader.name() == QLatin1String("source"))
                texts.insert({context, reader.readElementText()});
        }
    return reader.hasError() ? std::set<Text>() : texts;
}

const QString kTemplate = QStringLiteral(PW_SOURCE_DIR "/resources/translations/pipewright_template.ts");

} // namespace

// Every text that people read can be translated: nothing in the window is a literal, and the template that
// translators start from has what the window asks for.
class TranslationsTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;
    Marking m_marking;
    std::unique_ptr<MainWindow> m_window;

    // Names of formats, and what core says, which is English; names of cases and titles of papers are data.
    static bool isExempt(const QObject& of) {
        for (const char* name : {"export.matrix", "blockedReason", "published.title"})
            if (of.objectName() == QLatin1String(name))
                return true;
        return of.inherits("QHeaderView"); // asked of its table
    }

    void look(const QWidget& under, std::set<QString>& found) const {
        const QString nearest =
            m_window->context().candidates.shown(m_window->context().selection.plan(), false)->nearest;
        const auto words = [&](const QObject& of, const char* what, QString text) {
            if (isExempt(of) || text == nearest)
                return;
            // Figures, units and names of things have no mark; words in a row do.
            static const QRegularExpression sentence(
                QStringLiteral("[A-Za-z]{3,}[ ,]+(?:[a-z]{2,})|^[A-Z][a-z]{3,}$"));
            text.remove(QRegularExpression(QStringLiteral("<[^>]*>")));
            if (!text.contains(kMark) && sentence.match(text).hasMatch())
                found.insert(QStringLiteral("%1 of %2: %3").arg(QLatin1String(what), of.objectName(), text));
        };
        for (const auto* button : under.findChildren<QAbstractButton*>())
            words(*button, "text", button->text());
        for (const auto* label : under.findChildren<QLabel*>())
            words(*label, "text", label->text());
        for (const auto* field : under.findChildren<QLineEdit*>())
            words(*field, "placeholder", field->placeholderText());
        for (const auto* dock : under.findChildren<QDockWidget*>())
            words(*dock, "title", dock->windowTitle());
        for (const auto* widget : under.findChildren<QWidget*>()) {
            words(*widget, "name", widget->accessibleName());
            words(*widget, "tool tip", widget->toolTip());
        }
        for (const auto* action : under.findChildren<QAction*>()) {
            words(*action, "text", action->text());
            words(*action, "help", action->statusTip());
        }
        for (const auto* view : under.findChildren<QAbstractItemView*>())
            for (int column = 0; view->model() && column < view->model()->columnCount(); ++column)
                words(*view, "heading", view->model()->headerData(column, Qt::Horizontal).toString());
    }

private Q_SLOTS:
    void initTestCase() {
        m_folder.use();
        QVERIFY(QApplication::installTranslator(&m_marking));
        m_window = std::make_unique<MainWindow>();
        m_window->show();
        QVERIFY(m_window->openFile(m_folder.smallProjectFile()));
        QVERIFY(searched(*m_window));
        m_window->accuracyDocks();
        m_window->comparePlans();
        for (const Clash& clash : clashTable())
            QVERIFY(q(clashError(clash).message).contains(kMark));
        for (const RejectionRow& row : rejectionTable())
            QVERIFY(rejectionText(row.reason).contains(kMark));
    }
    void cleanupTestCase() {
        QApplication::removeTranslator(&m_marking);
        m_window.reset();
    }

    void nothingInTheWindowIsALiteral() {
        std::set<QString> found;
        look(*m_window, found);
        for (const DialogPicture& picture : dialogPictures()) {
            const auto dialog = picture.make(*m_window, m_folder.path());
            QVERIFY2(dialog, picture.name);
            dialog->show();
            QTRY_VERIFY_WITH_TIMEOUT(!BackgroundJob::anyRunning(), 60'000);
            look(*dialog, found);
        }
        QString all;
        for (const QString& text : found)
            all += text + QLatin1Char('\n');
        QVERIFY2(found.empty(), qPrintable(all));
    }

    // What core refuses is said in the window's language, with the values of the case.
    void refusalsAreTranslatedWithTheirValues() {
        const QString file = m_folder.filePath(QStringLiteral("newer.pwx"));
        QVERIFY(writeFileAtomically(s(file), R"({"schema": "pipewright-project", "version": 999})"));
        QVERIFY(!m_window->openFile(file));
        QStringList shown;
        for (const auto* bar : m_window->findChildren<MessageBar*>())
            if (bar->isVisible())
                shown << bar->text();
        const QStringList refusal =
            shown.filter(QStringLiteral("%1the project was saved by a newer Pipewright").arg(kMark));
        QCOMPARE(refusal.size(), 1);
        QVERIFY2(refusal.front().contains(QStringLiteral("(file version 999;")), qPrintable(refusal.front()));
        QVERIFY2(!refusal.front().contains(test::kHole), qPrintable(refusal.front()));
    }

    // resources/translations/update makes the template anew. For it, this leaves what is only known while the
    // program runs, such as the command table, and what core says in the file that PIPEWRIGHT_TEXTS names.
    void theTemplateHasWhatIsAsked() {
        std::set<Text> asked = m_marking.asked();
        QVERIFY(asked.size() > 500);
        for (const auto& [text, source] : test::errorTexts())
            asked.insert({QStringLiteral("Errors"), text});
        if (const QString path = qEnvironmentVariable("PIPEWRIGHT_TEXTS"); !path.isEmpty()) {
            QString lines;
            for (QString source; const auto& [c, t] : asked) {
                source = t;
                source.replace(QLatin1Char('\\'), QStringLiteral("\\\\"))
                    .replace(QLatin1Char('"'), QStringLiteral("\\\""))
                    .replace(QLatin1Char('\n'), QStringLiteral("\\n"));
                lines += QStringLiteral("QT_TRANSLATE_NOOP(\"%1\", \"%2\")\n").arg(c, source);
            }
            QVERIFY(writeFileAtomically(s(path), s(lines)));
            return;
        }
        const std::set<Text> known = textsOf(kTemplate);
        QString missing;
        for (const Text& text : asked)
            if (!known.count(text))
                missing += text.first + QStringLiteral(": ") + text.second + QLatin1Char('\n');
        QVERIFY2(missing.isEmpty(),
                 qPrintable(QStringLiteral("resources/translations/update was not run:\n") + missing));
    }

    // A translation that somebody has made of the template is found by its language.
    void aTranslationIsLoaded() {
        const QString release = QStandardPaths::findExecutable(
            QStringLiteral("lrelease"), {QStringLiteral("/usr/lib/qt6/bin"), QStringLiteral("/usr/bin")});
        if (!release.startsWith(QLatin1String("/usr/lib/qt6")))
            PW_SKIP("lrelease", "Qt 6's lrelease is not installed");
        QFile ts(m_folder.filePath(QStringLiteral("pipewright_de.ts")));
        QVERIFY(ts.open(QIODevice::WriteOnly));
        ts.write("<?xml version=\"1.0\"?><!DOCTYPE TS><TS version=\"2.1\" language=\"de\"><context>"
                 "<name>Commands</name><message><source>&amp;Open...</source>"
                 "<translation>\u00d6&amp;ffnen...</translation></message></context></TS>");
        ts.close();
        QCOMPARE(QProcess::execute(release, {QStringLiteral("-silent"), ts.fileName(), QStringLiteral("-qm"),
                                             m_folder.filePath(QStringLiteral("pipewright_de.qm"))}),
                 0);
        QTranslator translator;
        QVERIFY(!loadTranslation(translator, QLocale(QLocale::French), {m_folder.path()}));
        QVERIFY(loadTranslation(translator, QLocale(QLocale::German), {m_folder.path()}));
        QCOMPARE(translator.translate("Commands", "&Open..."), QStringLiteral("\u00d6&ffnen..."));
    }
};

QTEST_MAIN(TranslationsTest)
#include "translations_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/manual_window.h"

#include "core/manual/search_words.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/convert.h"
#include "ui/base/manual_link.h"
#include "ui/help/hit_delegate.h"
#include "ui/help/manual_browser.h"
#include "ui/help/manual_pages.h"

#include <QAccessible>
#include <QDesktopServices>
#include <QLineEdit>
#include <QListWidget>
#include <QTest>
#include <QTreeWidget>

#include <set>

using namespace pw;

namespace {

// Stands in for the desktop's browser.
class Desktop : public QObject {
    Q_OBJECT

public:
    QList<QUrl> opened;

public Q_SLOTS:
    void open(const QUrl& url) { opened << url; }
};

} // namespace

// The manual's own window: its search, its contents, and its pages for those who read them otherwise.
class ManualWindowTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;

private Q_SLOTS:
    void initTestCase() { m_folder.use(); }

    void aSearchFindsThePagesThatAreAboutIt() {
        const auto pageOf = [](const ManualHit& hit) { return shippedManual().pages()[hit.page].name; };
        const std::vector<ManualHit> proofs = shippedManual().search("lower bound proof");
        QVERIFY(!proofs.empty());
        QCOMPARE(pageOf(proofs.front()), std::string("proofs.md"));
        const auto first = [&](const char* query) {
            const std::vector<ManualHit> hits = shippedManual().search(query);
            return hits.empty() ? std::string() : pageOf(hits.front());
        };
        QCOMPARE(first("how exact are predicted times"), std::string("accuracy.md"));
        QCOMPARE(first("no plan can be faster"), std::string("proofs.md"));
        QCOMPARE(first("bubble"), std::string("glossary.md"));
        for (const std::string_view page : pagesWithKeywords())
            QVERIFY2(shippedManual().page(page), std::string(page).c_str());
    }

    // In the page as in the hits: "an" is no part of "plan".
    void onlyBeginningsOfWordsAreMarked() {
        ManualWindow manual;
        manual.open(QStringLiteral("proofs.md"));
        manual.browser().setMarked({QStringLiteral("an")});
        QVERIFY(manual.browser().markedCount() > 0);
        for (const QTextEdit::ExtraSelection& mark : manual.browser().extraSelections()) {
            const int at = mark.cursor.selectionStart();
            QVERIFY(at == 0 || !manual.browser().document()->characterAt(at - 1).isLetterOrNumber());
        }
    }

    void aSearchFindsMarksAndOpens() {
        ManualWindow manual;
        manual.show();
        QVERIFY(QTest::qWaitForWindowActive(&manual));
        QTest::keyClick(&manual, Qt::Key_F, Qt::ControlModifier);
        auto* line = manual.findChild<QLineEdit*>(QStringLiteral("manual.search"));
        QVERIFY(line->hasFocus());
        QTest::keyClicks(line, QStringLiteral("bubble"));
        auto* hits = manual.findChild<QListWidget*>(QStringLiteral("manual.hits"));
        QVERIFY(hits->isVisible());
        QVERIFY(hits->count() > 3);
        std::set<QString> pages;
        for (int row = 0; row < hits->count(); ++row) {
            pages.insert(hits->item(row)->text().section(QStringLiteral(", "), -1));
            const QString snippet = hits->item(row)->data(HitDelegate::SnippetRole).toString();
            const auto marks = hits->item(row)->data(HitDelegate::MarksRole).value<QList<QPoint>>();
            for (const QPoint& mark : marks)
                QCOMPARE(snippet.mid(mark.x(), mark.y()).toLower(), QStringLiteral("bubble"));
        }
        QVERIFY(pages.size() > 2);
        QTest::keyClick(line, Qt::Key_Down);
        QVERIFY(hits->hasFocus());
        QCOMPARE(hits->currentRow(), 0);
        QVERIFY(manual.browser().markedCount() > 0);
        const QUrl first = manual.browser().source();
        QTest::keyClick(hits, Qt::Key_Down);
        QVERIFY(manual.browser().source() != first);
        QTest::keyClick(&manual, Qt::Key_F3);
        const int at = manual.browser().textCursor().selectionStart();
        QCOMPARE(manual.browser().textCursor().selectedText().toLower(), QStringLiteral("bubble"));
        QTest::keyClick(&manual, Qt::Key_F3, Qt::ShiftModifier);
        if (manual.browser().markedCount() > 1)
            QVERIFY(manual.browser().textCursor().selectionStart() != at);
        QTest::keyClick(hits, Qt::Key_Up);
        QTest::keyClick(hits, Qt::Key_Up);
        QVERIFY(line->hasFocus());
        QTest::keyClick(&manual, Qt::Key_Escape);
        QVERIFY(line->text().isEmpty());
        QVERIFY(manual.isVisible()); // it ended the search; the next one ends the window
        QVERIFY(manual.findChild<QTreeWidget*>()->isVisible());
        QCOMPARE(manual.browser().markedCount(), 0);
        // Whoever asks for a page sees where it stands, not what was searched for before.
        QTest::keyClicks(line, QStringLiteral("bubble"));
        manual.open(QStringLiteral("window.md#timeline"));
        QVERIFY(manual.findChild<QTreeWidget*>()->isVisible());
        QTest::keyClick(&manual, Qt::Key_Escape);
        QVERIFY(!manual.isVisible());
    }

    void theContentsFollowThePageBothWays() {
        ManualWindow manual;
        manual.show();
        QVERIFY(QTest::qWaitForWindowActive(&manual));
        auto* contents = manual.findChild<QTreeWidget*>();
        QCOMPARE(contents->topLevelItemCount(), static_cast<int>(shippedManual().pages().size()));
        manual.open(QStringLiteral("window.md#timeline"));
        QCOMPARE(contents->currentItem()->text(0), QStringLiteral("Timeline"));
        QVERIFY(manual.windowTitle().startsWith(contents->currentItem()->parent()->text(0)));
        contents->setCurrentItem(contents->topLevelItem(0));
        Q_EMIT contents->itemActivated(contents->topLevelItem(0), 0);
        QCOMPARE(manual.browser().page(), QStringLiteral("index.md"));
        QTest::keyClick(&manual, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(manual.browser().source(), manualUrl(QStringLiteral("window.md#timeline")));
        QTest::keyClick(&manual, Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(manual.browser().page(), QStringLiteral("index.md"));
        manual.open(QStringLiteral("planners/haap.md"));
        QTest::keyClick(&manual, Qt::Key_Home, Qt::AltModifier);
        QCOMPARE(manual.browser().page(), QStringLiteral("index.md"));
    }

    // With its words, and what the page is about.
    void aPageIsADocumentForReaders() {
        ManualBrowser page;
        page.resize(600, 400);
        page.open(QStringLiteral("window.md"));
        QAccessibleInterface* told = QAccessible::queryAccessibleInterface(&page);
        QCOMPARE(told->role(), QAccessible::Document);
        QCOMPARE(told->childCount(), 0);
        QVERIFY(told->state().readOnly);
        QCOMPARE(told->text(QAccessible::Description), q(shippedManual().page("window.md")->title()));
        QAccessibleTextInterface* text = told->textInterface();
        QVERIFY(text);
        const QString whole = page.toPlainText();
        QCOMPARE(text->characterCount(), static_cast<int>(whole.size()));
        QCOMPARE(text->text(0, text->characterCount()).left(60), whole.left(60));
        text->setSelection(0, 2, 6);
        QCOMPARE(page.textCursor().selectedText(), whole.mid(2, 4));
        int start = -1, end = -1;
        text->selection(0, &start, &end);
        QCOMPARE(std::pair(start, end), std::pair(2, 6));
        QVERIFY(text->attributes(0, &start, &end).contains(QStringLiteral("bold"))); // the heading
        text->setCursorPosition(1'000'000'000);                                      // a careless reader
        QCOMPARE(text->cursorPosition(), text->characterCount());
        QCOMPARE(text->selectionCount(), 0);
    }

    void headingsAreReached() {
        ManualWindow manual;
        manual.show();
        manual.open(QStringLiteral("window.md#runs"));
        QVERIFY(manual.browser().cursorForPosition({30, 60}).position() >
                manual.browser().document()->characterCount() / 2);
    }

    void linksOutOfItGoToTheDesktop() {
        Desktop desktop;
        QDesktopServices::setUrlHandler(QStringLiteral("https"), &desktop, "open");
        ManualBrowser browser;
        browser.open(QStringLiteral("proofs.md"));
        browser.setSource(QUrl(QStringLiteral("https://example.org/paper")));
        QDesktopServices::unsetUrlHandler(QStringLiteral("https"));
        QCOMPARE(desktop.opened, QList<QUrl>{QUrl(QStringLiteral("https://example.org/paper"))});
        QCOMPARE(browser.page(), QStringLiteral("proofs.md"));
    }

    void picturesGiveWayToTheColumn() {
        ManualBrowser browser;
        browser.resize(900, 600);
        browser.show();
        browser.open(QStringLiteral("window.md"));
        const auto widest = [&browser] { return browser.document()->idealWidth(); };
        const auto picture = [&browser] {
            return browser.document()
                ->resource(QTextDocument::ImageResource, QUrl(QStringLiteral("pictures/window-light.png")))
                .value<QImage>();
        };
        QVERIFY(!picture().isNull());
        const qreal wide = picture().deviceIndependentSize().width();
        QVERIFY2(wide <= 900 && wide > 600, qPrintable(QString::number(wide)));
        browser.resize(600, 600);
        const qreal narrow = picture().deviceIndependentSize().width();
        QVERIFY2(narrow < 600, qPrintable(QString::number(narrow)));
        QVERIFY(widest() > 0);
    }
};

QTEST_MAIN(ManualWindowTest)
#include "manual_window_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/space/rejection.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/background_job.h"
#include "ui/base/manual_link.h"
#include "ui/commands/key_sheet.h"
#include "ui/help/glossary.h"
#include "ui/help/help.h"
#include "ui/help/help_topics.h"
#include "ui/help/manual_browser.h"
#include "ui/help/manual_pages.h"
#include "ui/help/manual_window.h"
#include "ui/memory/memory_plot.h"
#include "ui/model/size_dialog.h"
#include "ui/search/convergence_plot.h"
#include "ui/search/rejection_bar.h"
#include "ui/timeline/legend.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/read_by_keys.h"
#include "ui/window/dialog_pictures.h"
#include "ui/window/dock_area.h"
#include "ui/window/dock_table.h"

#include <QDialog>
#include <QDockWidget>
#include <QFile>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QRegularExpression>
#include <QScopeGuard> // keep: qScopeGuard()
#include <QStandardItemModel>
#include <QTabBar>
#include <QTableView>
#include <QTableWidget>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>
#include <set>

using namespace pw;

// The manual in the program: found by F1 from every view, by a search, and from every message.
class HelpTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;
    std::unique_ptr<MainWindow> m_window;

    QUrl shown() const {
        const ManualWindow* manual = m_window->help().manual();
        return manual && manual->isVisible() ? const_cast<ManualWindow*>(manual)->browser().source() : QUrl();
    }
    static QString listed(const std::set<std::string>& words) {
        QStringList list;
        for (const std::string& word : words)
            list << q(word);
        return list.join(QStringLiteral(", "));
    }
    // Rows of a label's picture in which single dots of its colour alternate with nothing.
    static QList<int> marks(const QImage& label, const QColor& colour) {
        QList<int> rows;
        for (int y = 0; y < label.height(); ++y) {
            int dots = 0, pairs = 0;
            for (int x = 0; x + 1 < label.width(); ++x) {
                dots += label.pixelColor(x, y) == colour ? 1 : 0;
                pairs += label.pixelColor(x, y) == colour && label.pixelColor(x + 1, y) == colour ? 1 : 0;
            }
            if (dots >= 8 && pairs == 0)
                rows << y;
        }
        return rows;
    }
    QTabBar* tabsWith(const QString& title) const {
        for (QTabBar* tabs : m_window->docks().findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
            for (int i = 0; i < tabs->count(); ++i)
                if (tabs->isVisible() && tabs->tabText(i) == title)
                    return tabs;
        return nullptr;
    }
    // The focus is in another view than this one.
    void focusElsewhere(const QDockWidget* view) {
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        for (const char* name : {"topology", "plans"})
            if (QDockWidget* other = m_window->docks().dock(QLatin1String(name)); other != view) {
                other->widget()->setFocus();
                if (QWidget* focus = QApplication::focusWidget(); focus && other->isAncestorOf(focus))
                    break;
            }
        QVERIFY(QApplication::focusWidget() && !view->isAncestorOf(QApplication::focusWidget()));
    }
    // A click there, where F1 led elsewhere before, leads to the view's page.
    void clickLeads(const QDockWidget* view, QWidget* part, const QPoint& at) {
        const char* target = helpTarget(view);
        QVERIFY(QString::fromLatin1(target) != QLatin1String(helpTarget(QApplication::focusWidget())));
        QTest::mouseClick(part, Qt::LeftButton, {}, at);
        QTest::keyClick(m_window.get(), Qt::Key_F1);
        QCOMPARE(shown(), manualUrl(QString::fromLatin1(target)));
        cleanup();
    }
    // The focus goes there as if by a click, and F1 is pressed.
    void helpAt(QWidget* part) {
        part->window()->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(part->window()));
        part->setFocus();
        QTest::keyClick(part->window(), Qt::Key_F1);
    }

private Q_SLOTS:
    void initTestCase() {
        m_folder.use();
        m_window = std::make_unique<MainWindow>();
        m_window->show();
        QVERIFY(m_window->openFile(m_folder.smallProjectFile()));
        QVERIFY(searched(*m_window));
    }
    void cleanupTestCase() { m_window.reset(); }
    void cleanup() {
        if (ManualWindow* manual = m_window->help().manual())
            manual->hide();
    }

    void everyPartHasATopicAndEveryTopicLeads() {
        std::set<std::string> parts = {"startPage", "mainWindow", "toolBar"};
        for (const DockLayout* layout : {&planningLayout(), &accuracyLayout(), &sweepLayout()})
            for (const DockRow& dock : layout->docks)
                parts.insert(dock.name);
        for (const DialogPicture& picture : dialogPictures())
            if (const auto dialog = picture.make(*m_window, m_folder.path());
                qobject_cast<QDialog*>(dialog.get()))
                parts.insert(s(dialog->objectName()));
        for (const HelpTopic& topic : helpTopics()) {
            QVERIFY2(parts.erase(topic.name) == 1, topic.name);
            QVERIFY2(shippedManual().leadsSomewhere(topic.target), topic.target);
        }
        QVERIFY2(parts.empty(), parts.empty() ? "" : parts.begin()->c_str());
        QVERIFY(shippedManual().leadsSomewhere("messages.md#reasons-of-rejection"));
        QVERIFY(shippedManual().page("first-steps.md"));
    }

    void f1OpensTheViewWithTheFocus_data() {
        QTest::addColumn<QString>("dock");
        for (const DockRow& dock : planningLayout().docks)
            QTest::newRow(dock.name) << QString::fromLatin1(dock.name);
    }
    void f1OpensTheViewWithTheFocus() {
        QFETCH(QString, dock);
        QDockWidget* view = m_window->docks().dock(dock);
        view->show();
        view->raise();
        QWidget* inside = view->widget();
        while (inside->focusProxy())
            inside = inside->focusProxy();
        if (!inside->isVisible()) // the view is empty and shows why
            inside = view->findChild<EmptyState*>();
        inside->setFocusPolicy(Qt::StrongFocus);
        helpAt(inside);
        QCOMPARE(shown(), manualUrl(QString::fromLatin1(helpTarget(view))));
        QVERIFY(shown().hasFragment());
    }

    void f1OpensTheViewWhoseTabWasClicked() {
        m_window->resize(2400, 1400); // all tabs are in sight
        int clicked = 0;
        for (const Perspective each : {Perspective::Draw, Perspective::Look, Perspective::Compare}) {
            m_window->showPerspective(each);
            QCoreApplication::processEvents();
            for (QDockWidget* view : m_window->docks().docks()) {
                QTabBar* tabs = view->isVisible() ? tabsWith(view->windowTitle()) : nullptr;
                for (int i = 0; tabs && i < tabs->count(); ++i) {
                    if (tabs->tabText(i) != view->windowTitle())
                        continue;
                    const QPoint at = tabs->tabRect(i).center();
                    QVERIFY2(tabs->rect().contains(at), qPrintable(view->objectName()));
                    tabs->setCurrentIndex(i == 0 ? 1 : 0); // it is brought forward, and then in front already
                    for (int again = 0; again < 2; ++again) {
                        focusElsewhere(view);
                        clickLeads(view, tabs, at);
                        QVERIFY2(!QTest::currentTestFailed(), qPrintable(view->objectName()));
                    }
                    ++clicked;
                }
            }
        }
        QVERIFY2(clicked > 12, qPrintable(QString::number(clicked)));
        m_window->showPerspective(Perspective::Look);
    }

    void f1OpensTheViewThatWasClickedAnywhere() {
        m_window->resize(2400, 1400);
        m_window->showPerspective(Perspective::Look);
        m_window->context().selection.setPlan(m_window->context().candidates.all().front().id);
        const auto inFront = [this](const char* name) {
            QDockWidget* view = m_window->docks().dock(QLatin1String(name));
            view->show();
            view->raise();
            QCoreApplication::processEvents();
            focusElsewhere(view);
            return view;
        };
        for (const DockRow& row : planningLayout().docks) {
            QDockWidget* view = inFront(row.name);
            clickLeads(view, view->titleBarWidget(), {12, 12});
            QVERIFY2(!QTest::currentTestFailed(), row.name);
        }
        for (const char* name : {"answers", "planners", "planRuns"}) {
            QDockWidget* view = inFront(name);
            auto* empty = view->findChild<EmptyState*>();
            QVERIFY2(empty->isVisible(), name);
            clickLeads(view, empty, {4, 4});
            QVERIFY2(!QTest::currentTestFailed(), name);
        }
        QDockWidget* memory = inFront("memory");
        auto* plot = memory->findChild<MemoryPlot*>();
        QTRY_VERIFY(plot->isVisible());
        clickLeads(memory, plot, {20, 20});
        QDockWidget* search = inFront("search");
        auto* convergence = search->findChild<ConvergencePlot*>();
        QVERIFY(convergence->isVisible());
        QWidget* inner = convergence->childAt(convergence->rect().center());
        clickLeads(search, inner ? inner : convergence, {20, 20});
    }

    // A view that comes forward by itself takes nothing from where the user is.
    void f1StaysWhereTheUserIs() {
        m_window->showPerspective(Perspective::Look);
        QDockWidget* planners = m_window->docks().dock(QStringLiteral("planners"));
        focusElsewhere(planners);
        const QWidget* before = QApplication::focusWidget();
        m_window->docks().reveal(planners);
        QCoreApplication::processEvents();
        QCOMPARE(QApplication::focusWidget(), before);
        // Nor does one that a key brings forward lose the focus to the tabs that it goes through.
        QTabBar* tabs = tabsWith(planners->windowTitle());
        tabs->setFocus();
        QTest::keyClick(tabs, Qt::Key_Right);
        QVERIFY(tabs->hasFocus());
        for (const QDockWidget* view : m_window->docks().docks())
            if (view->windowTitle() == tabs->tabText(tabs->currentIndex()))
                QCOMPARE(helpTarget(tabs), helpTarget(view));
    }

    void f1OverAboutIsWithinReach() {
        bool seen = false;
        const auto helped = [&] {
            auto* about = m_window->findChild<QMessageBox*>();
            const auto close = qScopeGuard([&] { about->close(); });
            QCOMPARE(about->windowModality(), Qt::WindowModal);
            QTRY_COMPARE(QApplication::activeWindow(), about);
            QTest::keyClick(about, Qt::Key_F1);
            ManualWindow* manual = m_window->help().manual();
            QVERIFY(manual && QTest::qWaitForWindowActive(manual));
            QTest::keyClick(manual->windowHandle(), Qt::Key_F, Qt::ControlModifier);
            seen = manual->findChild<QLineEdit*>(QStringLiteral("manual.search"))->hasFocus();
        };
        QVERIFY(QMetaObject::invokeMethod(m_window.get(), helped, Qt::QueuedConnection));
        m_window->commands().action("help.about")->trigger();
        QVERIFY(seen); // a window that a dialog blocks gets no keys
    }

    void theOnlyFindingNeedsNoChoice() {
        QStandardItemModel model(1, 2);
        for (int column = 0; column < 2; ++column)
            model.setData(model.index(0, column), QStringLiteral("bubble"), kMessageCodeRole);
        QTableView table;
        table.setModel(&model);
        QVERIFY(!table.currentIndex().isValid());
        QCOMPARE(messageCodeAt(&table), QStringLiteral("bubble"));
        model.setRowCount(2);
        QCOMPARE(messageCodeAt(&table), QString());
        model.setRowCount(0);
        QCOMPARE(messageCodeAt(&table), QString());
    }

    void f1WorksInADialog() {
        for (const DialogPicture& picture : dialogPictures()) {
            if (qstrcmp(picture.name, "kinds") != 0)
                continue;
            const auto dialog = picture.make(*m_window, m_folder.path());
            dialog->setWindowModality(Qt::WindowModal);
            dialog->show();
            helpAt(dialog->findChild<QListWidget*>());
            QCOMPARE(shown(), manualUrl(QStringLiteral("window.md#device-kinds")));
            QVERIFY(m_window->help().manual()->isEnabled());
        }
    }

    void wordsOfTheFieldLeadToTheGlossary() {
        std::set<std::string> anchors;
        for (const GlossaryTerm& term : glossaryTable()) {
            QVERIFY2(shippedManual().leadsSomewhere(std::string(kGlossaryPage) + '#' + term.anchor),
                     term.word);
            QVERIFY2(GlossaryMarks::toolTip(term, {}).size() > 40, term.word);
            anchors.insert(term.anchor);
        }
        // Words of proofs and of the program's own pages, which mean something else, or nothing, in a view.
        const std::set<std::string> others = {
            "arc",        "artifact", "busy",      "capability", "ceil",   "chain",   "class", "column",
            "fill",       "grid",     "inventory", "line",       "option", "pattern", "place", "path",
            "lead-block", "tail",     "problem",   "sharing",    "way",    "wider"};
        for (const ManualSection& section : shippedManual().page(kGlossaryPage)->sections)
            if (section.level == 3)
                QVERIFY2(anchors.contains(section.anchor) != others.contains(section.anchor),
                         section.anchor.c_str());
    }

    // Wherever a view or dialog names something that the glossary has, it is marked and explained.
    void wordsOfTheGlossaryAreMarked() {
        const auto* marks = m_window->help().findChild<GlossaryMarks*>();
        std::set<QString> texts;
        std::set<std::string> unmarked, untold;
        const auto tipAt = [](QWidget* part, const QPoint& at) {
            QToolTip::hideText();
            QHelpEvent ask(QEvent::ToolTip, at, part->mapToGlobal(at));
            QApplication::sendEvent(part, &ask);
            return QToolTip::text();
        };
        // The page's headings, in singular and plural.
        static const std::vector<QRegularExpression> headings = [] {
            std::vector<QRegularExpression> all;
            for (const ManualSection& section : shippedManual().page(kGlossaryPage)->sections) {
                const bool asRow = std::ranges::any_of(glossaryTable(), [&](const GlossaryTerm& row) {
                    return section.anchor == row.anchor && !row.alone;
                });
                for (const QString& word : q(section.heading).split(QStringLiteral(", ")))
                    if (section.level == 3 && asRow && word != QLatin1String("ZeRO")) // and not the number
                        all.emplace_back(
                            QStringLiteral("(?<![\\w-])%1s?(?![\\w-])").arg(QRegularExpression::escape(word)),
                            QRegularExpression::CaseInsensitiveOption);
            }
            return all;
        }();
        const auto look = [&](const QString& text) { // whether there is something to tell
            const bool prose = text.size() > 60 || text.contains(QLatin1Char('.')) ||
                               text.contains(QLatin1Char('\n')) || Qt::mightBeRichText(text);
            for (const QRegularExpression& heading : headings)
                if (const auto found = heading.match(text); found.hasMatch() && !prose) {
                    const auto& words = marks->wordsIn(text);
                    if (std::ranges::none_of(words, [&](const GlossaryMarks::Word& word) {
                            return word.at <= found.capturedStart() &&
                                   found.capturedEnd() <= word.at + word.size;
                        }))
                        unmarked.insert(s(text));
                }
            if (!marks->wordsIn(text).empty())
                texts.insert(text);
            return !marks->wordsIn(text).empty();
        };
        const auto lookUnder = [&](const QWidget& under) {
            for (auto* label : under.findChildren<QLabel*>())
                if (look(label->text()) && label->rect().contains(2, 2) && // squeezed out of a bar, perhaps
                    !tipAt(label, {2, 2}).contains(QLatin1String("F1")))
                    untold.insert(s(label->text()));
            for (auto* legend : under.findChildren<Legend*>())
                for (const Legend::Shown& entry : legend->shown())
                    if (look(entry.text) &&
                        !tipAt(legend, entry.words.center()).contains(QLatin1String("F1")))
                        untold.insert(s(entry.text));
            for (auto* header : under.findChildren<QHeaderView*>())
                for (int column = 0; header->orientation() == Qt::Horizontal && column < header->count();
                     ++column) {
                    const QString text = header->model()->headerData(column, Qt::Horizontal).toString();
                    const QPoint at(header->sectionViewportPosition(column) + 2, 2);
                    if (look(text) && !header->isSectionHidden(column) &&
                        header->viewport()->rect().contains(at) &&
                        !tipAt(header->viewport(), at).contains(QLatin1String("F1")))
                        untold.insert(s(text));
                }
        };
        m_window->accuracyDocks();
        m_window->sweepDocks();
        lookUnder(*m_window);
        lookUnder(SizeDialog(*m_window->context().document.project()->model));
        for (const DialogPicture& picture : dialogPictures())
            if (const auto dialog = picture.make(*m_window, m_folder.path()))
                lookUnder(*dialog);
        QVERIFY2(unmarked.empty(), qPrintable(listed(unmarked)));
        QVERIFY2(untold.empty(), qPrintable(listed(untold)));
        QVERIFY2(texts.size() > 50, qPrintable(QString::number(texts.size())));
    }

    // A header that explains its column has no second definition below: the glossary's is of the word alone.
    void aHeaderThatExplainsItselfIsDefinedOnce() {
        const auto* marks = m_window->help().findChild<GlossaryMarks*>();
        QStandardItemModel model(0, 2);
        model.setHorizontalHeaderLabels({QStringLiteral("Idle"), QStringLiteral("Bubble")});
        model.setHeaderData(0, Qt::Horizontal, QStringLiteral("Of all GPUs"), Qt::ToolTipRole);
        QTableView table;
        table.setModel(&model);
        table.resize(400, 100);
        table.show();
        QWidget* header = table.horizontalHeader()->viewport();
        const auto tipOf = [&](int column) {
            QToolTip::hideText();
            const QPoint at(table.horizontalHeader()->sectionViewportPosition(column) + 4, 4);
            QHelpEvent ask(QEvent::ToolTip, at, header->mapToGlobal(at));
            QApplication::sendEvent(header, &ask);
            return QToolTip::text();
        };
        const QStringList own = tipOf(0).split(QLatin1Char('\n'));
        QCOMPARE(own.size(), 2);
        QCOMPARE(own.front(), QStringLiteral("Of all GPUs"));
        QVERIFY(own.back().contains(QLatin1String("F1")));
        QCOMPARE(tipOf(1), GlossaryMarks::toolTip(*marks->term(QStringLiteral("Bubble")), {}));
        QVERIFY(!tipOf(1).startsWith(own.back()));
    }

    void aWordIsFoundInANameAndNotInProse() {
        const GlossaryMarks* marks = m_window->help().findChild<GlossaryMarks*>();
        const auto found = [&](const char* text) {
            QStringList words;
            for (const GlossaryMarks::Word& word : marks->wordsIn(QString::fromUtf8(text)))
                words << QString::fromUtf8(text).remove(QLatin1Char('&')).mid(word.at, word.size);
            return words.join(QLatin1Char('|'));
        };
        QCOMPARE(found("Gap to the lower bound"), QStringLiteral("Gap|lower bound"));
        QCOMPARE(found("tp, pp, dp"), QStringLiteral("tp|pp|dp"));
        QCOMPARE(found("&Micro-batches"), QStringLiteral("Micro-batches"));
        QCOMPARE(found("Stage candidates"), QStringLiteral("Stage candidates")); // not its second word alone
        QCOMPARE(found("ZB-H1"), QStringLiteral("ZB-H1"));
        QCOMPARE(found("Launch"), QStringLiteral("Launch"));
        QCOMPARE(found("Launch files"), QString()); // of a cluster
        QCOMPARE(found("unbound"), QString());
        QCOMPARE(found("gap-free"), QString());
        QCOMPARE(found("zero GPUs"), QString());
        QCOMPARE(found("The gap is what is left of it."), QString());
        QCOMPARE(found("<b>Gap</b>"), QString());
        QCOMPARE(found(""), QString());
    }

    // Dots under the word alone, and F1 on it leads to its entry, beside one that has its own.
    void onlyTheWordIsUnderlined() {
        QLabel label(QStringLiteral("Peaks of bubble and idle"));
        label.resize(label.sizeHint());
        const QColor colour = label.palette().color(label.foregroundRole());
        const QImage picture = label.grab().toImage();
        const QList<int> rows = marks(picture, colour);
        QVERIFY(!rows.isEmpty());
        const int dotted = rows.back(); // below the letters, of which none goes lower
        QList<int> dots;
        for (int x = 0; x < picture.width(); ++x)
            if (picture.pixelColor(x, dotted) == colour)
                dots << x;
        const int before = label.fontMetrics().horizontalAdvance(QStringLiteral("Peaks of "));
        const int between = label.fontMetrics().horizontalAdvance(QStringLiteral("Peaks of bubble"));
        QVERIFY(dots.front() >= before - 1);
        QVERIFY(std::ranges::none_of(dots, [&](int x) { return x > between + 1 && x < between + 8; }));
        QVERIFY(dots.back() > between + 8);
    }

    void f1OverAWordOpensItsEntry() {
        m_window->showPerspective(Perspective::Look);
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        const auto* glossary = m_window->help().findChild<GlossaryMarks*>();
        QLabel* label = nullptr; // one that is seen, long enough for several dots
        const auto found = [&] {
            for (auto* each : m_window->findChildren<QLabel*>())
                if (const QPoint middle = each->mapToGlobal(each->rect().center());
                    each->text().size() > 5 && glossary->wordsIn(each->text()).size() == 1 &&
                    each->visibleRegion().boundingRect() == each->rect() &&
                    QApplication::widgetAt(middle) == each)
                    label = each;
            return label != nullptr;
        };
        QTRY_VERIFY(found());
        const QString target = QLatin1String(kGlossaryPage) + QLatin1Char('#') +
                               QLatin1String(glossary->term(label->text())->anchor);
        QCursor::setPos(label->mapToGlobal(label->rect().center()));
        m_window->commands().action("help.here")->trigger();
        QCOMPARE(shown(), manualUrl(target));
        // The word has dots under it, which one that the glossary does not have lacks.
        const QColor colour = label->palette().color(label->foregroundRole());
        QVERIFY(!marks(label->grab().toImage(), colour).isEmpty());
        label->setText(QStringLiteral("Nothing of it"));
        QVERIFY(marks(label->grab().toImage(), colour).isEmpty());
        QCursor::setPos(0, 0);
    }

    void theStartPageAndTheMenuOpenItToo() {
        m_window->commands().action("help.firstSteps")->trigger();
        QCOMPARE(shown(), manualUrl(QStringLiteral("first-steps.md")));
        m_window->help().manual()->hide();
        m_window->commands().action("help.manual")->trigger();
        QCOMPARE(shown(), manualUrl(QStringLiteral("first-steps.md"))); // where it was left
    }

    void messagesLeadToTheirEntries() {
        MessageBar bar;
        bar.setError(QStringLiteral("Refused."), badInput("json.syntax", "a.json:1", "is no JSON"));
        auto* explain = bar.findChild<QToolButton*>(QStringLiteral("messageBar.explain"));
        QVERIFY(explain->isVisible());
        explain->click();
        QCOMPARE(shown(), manualUrl(QStringLiteral("messages.md#jsonsyntax")));
        bar.setMessage(MessageBar::Tone::Info, QStringLiteral("Said."), QStringLiteral("without a code"));
        QVERIFY(explain->isHidden());

        // A refused edit stands in the window's bar and among the messages.
        m_window->context().document.apply(badInput("edit.kind", "n9", "there is no such kind"), QString());
        auto* messages = m_window->docks().findChild<QListWidget*>(QStringLiteral("problems.messages"));
        Q_EMIT messages->clicked(messages->model()->index(0, 0));
        QCOMPARE(shown(), manualUrl(QStringLiteral("messages.md#editkind")));
    }

    // The last column of findings, problems and import messages; the code of a refused export.
    void rowsLeadToTheirEntries_data() {
        QTest::addColumn<QString>("table");
        QTest::addColumn<QString>("dialog");
        QTest::newRow("export") << QStringLiteral("export.refusals") << QStringLiteral("exportRefused");
        QTest::newRow("import") << QStringLiteral("import.notes") << QStringLiteral("importRefused");
    }
    void rowsLeadToTheirEntries() {
        QFETCH(QString, table);
        QFETCH(QString, dialog);
        for (const DialogPicture& picture : dialogPictures()) {
            if (dialog != QLatin1String(picture.name))
                continue;
            const auto made = picture.make(*m_window, m_folder.path());
            made->show();
            QTRY_VERIFY_WITH_TIMEOUT(!BackgroundJob::anyRunning(), 60'000);
            auto* rows = made->findChild<QTableWidget*>(table);
            const QString code = rows->item(0, 0)->data(kMessageCodeRole).toString();
            QVERIFY(!code.isEmpty());
            int clicks = 0;
            for (int column = 0; column < rows->columnCount(); ++column) {
                Q_EMIT rows->clicked(rows->model()->index(0, column));
                clicks += shown().isEmpty() ? 0 : 1;
                cleanup();
            }
            QCOMPARE(clicks, 1);
            rows->setCurrentCell(0, 0);
            made->activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(made.get()));
            rows->setFocus();
            QTest::keyClick(made.get(), Qt::Key_F1, Qt::ShiftModifier);
            QCOMPARE(shown(), messageUrl(s(code)));
        }
    }

    void reasonsOfRejectionLeadToTheirEntries() {
        RejectionBar bar;
        bar.resize(320, 60);
        bar.setCounts({{Rejection::OutOfMemory, 30}, {Rejection::SlowerThanTheBest, 12}});
        bar.show();
        QCOMPARE(bar.accessibleParts().size(), std::size_t{2});
        QTest::mouseClick(&bar, Qt::LeftButton, {}, bar.accessibleParts()[0].rect.center());
        QCOMPARE(shown(), manualUrl(QStringLiteral("messages.md#out-of-memory")));
        bar.setFocus();
        QTest::keyClick(&bar, Qt::Key_Right);
        QTest::keyClick(&bar, Qt::Key_Right);
        QTest::keyClick(&bar, Qt::Key_Return);
        QCOMPARE(shown(), manualUrl(QStringLiteral("messages.md#slower-than-the-best")));
    }

    void theKeysPageIsTheTable() {
        QFile page(QStringLiteral(PW_SOURCE_DIR "/resources/manual/generated/keys.md"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        QVERIFY2(keysPage() == QString::fromUtf8(page.readAll()),
                 "keys.md is stale: the target manual-tables writes it");
    }

    // With a screen reader arrows go through the text; without one they scroll as ever.
    void arrowsReadWhereSomebodyListens() {
        ManualBrowser page;
        page.resize(500, 200);
        page.open(QStringLiteral("glossary"));
        page.show();
        QVERIFY(QTest::qWaitForWindowActive(&page));
        page.setFocus();
        const auto movesCaret = [&page] {
            const int before = page.textCursor().position();
            for (int i = 0; i < 3; ++i)
                QTest::keyClick(&page, Qt::Key_Down);
            return page.textCursor().position() != before;
        };
        readByKeys(page, false);
        QVERIFY(!movesCaret());
        readByKeys(page, true);
        QVERIFY(movesCaret());
    }

    void theWindowComesBackWhereItWas() {
        m_window->help().show(QStringLiteral("index.md"));
        m_window->help().manual()->resize(700, 500);
        m_window->context().document.undoStack()->setClean();
        m_window->context().document.setNewPlans(false);
        m_window->close();
        MainWindow again;
        again.show();
        again.help().show(QStringLiteral("index.md"));
        QCOMPARE(again.help().manual()->size(), QSize(700, 500));
    }
};

QTEST_MAIN(HelpTest)
#include "help_test.moc"

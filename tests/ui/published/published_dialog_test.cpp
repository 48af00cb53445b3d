// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/published/published_dialog.h"

#include "core/base/file.h"
#include "core/reproduce/reproduced_text.h"
#include "ui/base/convert.h"
#include "ui/base/theme.h"
#include "ui/published/published_table_model.h"
#include "ui/widgets/message_bar.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

#include <algorithm>

using namespace pw;

namespace {

// A sound file with a case of a bare schedule, which predicts in no time.
Json smallFile() {
    return Json::parse(R"({"schema": "pipewright-published-1", "name": "own", "title": "<b>Own</b> figures",
        "source": "a report", "cases": [{"name": "pipe", "assumed": "equal <i>stages</i>", "rows": [
            {"quantity": "bubble", "unit": "%", "figure": "bubble", "published": 29.1667, "where": "Table 1",
             "measured": true, "schedule": {"kind": "1f1b", "microbatches": 24,
             "forward": [1, 1, 1, 1, 1, 1, 1, 1], "backward": [2, 2, 2, 2, 2, 2, 2, 2], "send": [0, 0, 0, 0, 0, 0, 0]}},
            {"quantity": "span", "unit": "s", "figure": "makespan", "published": 1000, "where": "Table 2",
             "why": "another <u>clock</u>", "schedule": {"kind": "1f1b", "microbatches": 24,
             "forward": [1, 1, 1, 1, 1, 1, 1, 1], "backward": [2, 2, 2, 2, 2, 2, 2, 2], "send": [0, 0, 0, 0, 0, 0, 0]}},
            {"quantity": "energy", "unit": "J", "published": 5, "where": "Table 3",
             "not_predicted": "watts are not <tt>modelled</tt>"}]}]})");
}

} // namespace

// The papers and their cases, what was published of them, and the same predicted.
class PublishedDialogTest : public QObject {
    Q_OBJECT

    struct Shown {
        Shown() { dialog.show(); }
        template <class T>
        T* part(const char* name) const {
            return dialog.findChild<T*>(QStringLiteral("published.") + QLatin1String(name));
        }
        QTreeWidget* list() const { return part<QTreeWidget>("cases"); }
        const QAbstractItemModel* rows() const { return part<QTableView>("table")->model(); }
        QString cell(int row, int column) const { return rows()->index(row, column).data().toString(); }
        QString tip(int row, int column) const {
            return rows()->index(row, column).data(Qt::ToolTipRole).toString();
        }
        QStringList column(int column) const {
            QStringList cells;
            for (int row = 0; row < rows()->rowCount(); ++row)
                cells << cell(row, column);
            return cells;
        }
        QTreeWidgetItem* paper(const QString& name) const {
            for (int i = 0; i < list()->topLevelItemCount(); ++i)
                if (list()->topLevelItem(i)->text(0).startsWith(name + QLatin1Char(':')))
                    return list()->topLevelItem(i);
            return nullptr;
        }
        void choose(const char* ofPaper, const char* ofCase) const { // "" = all of it
            QTreeWidgetItem* item = paper(QLatin1String(ofPaper));
            QVERIFY(item);
            for (int i = 0; *ofCase && i < item->childCount(); ++i)
                if (item->child(i)->text(0) == QLatin1String(ofCase))
                    return list()->setCurrentItem(item->child(i));
            QVERIFY(!*ofCase);
            list()->setCurrentItem(item);
        }
        bool compute() const {
            QSignalSpy ended(&dialog.predictions(), &PublishedPredictions::finished);
            part<QPushButton>("compute")->click();
            return ended.wait(60'000);
        }
        PublishedDialog dialog;
    };

    static QString write(const QTemporaryDir& folder, const Json& file) {
        const QString path = folder.filePath(QStringLiteral("own.json"));
        return writeFileAtomically(s(path), file.dump()) ? path : QString();
    }

private Q_SLOTS:
    void initTestCase() { ThemeControl::instance().apply(*qApp, ThemeMode::Light); }

    void everyCaseIsListed() {
        const Shown shown;
        const Result<std::vector<PublishedPaper>> papers = publishedPapers();
        QVERIFY(papers);
        QCOMPARE(shown.list()->topLevelItemCount(), static_cast<int>(papers->size()));
        for (std::size_t p = 0; p < papers->size(); ++p) {
            const PublishedPaper& paper = (*papers)[p];
            const QTreeWidgetItem* item = shown.list()->topLevelItem(static_cast<int>(p));
            QCOMPARE(item->text(0), q(paper.name + ": " + paper.title));
            QCOMPARE(item->childCount(), static_cast<int>(paper.cases.size()));
            for (std::size_t c = 0; c < paper.cases.size(); ++c) {
                const PublishedCase& one = paper.cases[c];
                const QTreeWidgetItem* child = item->child(static_cast<int>(c));
                QCOMPARE(child->text(0), q(one.name));
                QCOMPARE(child->text(1), one.cluster ? QString::number(one.cluster->gpuCount()) : QString());
                QCOMPARE(child->text(2), one.model ? q(one.model->name) : QString());
                QVERIFY(child->text(3).endsWith(QStringLiteral(" of %1").arg(one.rows.size())));
            }
        }
        for (const char* part : {"cases", "table", "notes", "progress"})
            QVERIFY2(!shown.part<QWidget>(part)->accessibleName().isEmpty(), part);
    }

    // Each choice shows the rows of its case, or of all cases of its paper, and says whose they are.
    void aPaperShowsTheRowsOfAllItsCases() {
        const Shown shown;
        const QAbstractItemModelTester tester(const_cast<QAbstractItemModel*>(shown.rows()),
                                              QAbstractItemModelTester::FailureReportingMode::Fatal);
        const auto* table = shown.part<QTableView>("table");
        shown.choose("zero-bubble", "bubbles of equal stages");
        QCOMPARE(shown.rows()->rowCount(), 5);
        QVERIFY(table->isColumnHidden(PublishedTableModel::Case));
        shown.choose("zero-bubble", "");
        QCOMPARE(shown.rows()->rowCount(), 29);
        QVERIFY(!table->isColumnHidden(PublishedTableModel::Case));
        QCOMPARE(shown.cell(0, PublishedTableModel::Case), QStringLiteral("bubbles of equal stages"));
        QCOMPARE(shown.cell(28, PublishedTableModel::Case), QStringLiteral("measured runs"));
        QVERIFY(!shown.part<QPushButton>("open")->isEnabled());
        shown.choose("harp", "2 + 1, GPT 760M");
        QCOMPARE(shown.rows()->rowCount(), 8);
        QVERIFY(shown.part<QPushButton>("open")->isEnabled());
        QVERIFY2(shown.part<QLabel>("case")->text().contains(QStringLiteral("3 GPUs (")),
                 qPrintable(shown.part<QLabel>("case")->text()));
        shown.choose("primepar", "3D parallelism"); // which has no cluster
        QVERIFY(!shown.part<QPushButton>("open")->isEnabled());
        QVERIFY(shown.part<QLabel>("case")->text().contains(QStringLiteral("cannot be opened")));
    }

    // What core predicts, in a column of its own: what was published stays as it was.
    void computingFillsThePredictedColumn() {
        const Shown shown;
        shown.choose("zero-bubble", "bubbles of equal stages");
        const QStringList published = shown.column(PublishedTableModel::Published);
        QCOMPARE(shown.column(PublishedTableModel::Predicted),
                 QStringList(published.size(), QStringLiteral("not computed")));
        QCOMPARE(shown.column(PublishedTableModel::Same), QStringList(published.size(), QString()));
        QVERIFY(shown.compute());
        const std::vector<PublishedPaper> papers = *publishedPapers();
        const PublishedPaper& paper = *std::find_if(
            papers.begin(), papers.end(), [](const PublishedPaper& p) { return p.name == "zero-bubble"; });
        ReproduceOptions options;
        options.only = 0;
        const Result<std::vector<ReproducedRow>> rows = reproduce(paper, options);
        QVERIFY(rows);
        QCOMPARE(static_cast<int>(rows->size()), shown.rows()->rowCount());
        for (int row = 0; row < shown.rows()->rowCount(); ++row) {
            const ReproducedRow& own = (*rows)[static_cast<std::size_t>(row)];
            QVERIFY(own.predicted);
            QCOMPARE(shown.cell(row, PublishedTableModel::Predicted), q(predictedText(own)));
            QCOMPARE(shown.cell(row, PublishedTableModel::Published), q(publishedText(*own.row)));
            QCOMPARE(shown.cell(row, PublishedTableModel::Same), q(agreementText(own)));
        }
        QCOMPARE(shown.column(PublishedTableModel::Published), published);
        QVERIFY(!shown.part<QPushButton>("compute")->isEnabled()); // all is there
        QCOMPARE(shown.part<QLabel>("state")->text(), QStringLiteral("5 of 5 rows are predicted."));
        shown.choose("harp", "2 + 1, GPT 760M"); // and is kept
        QVERIFY(shown.part<QPushButton>("compute")->isEnabled());
        shown.choose("zero-bubble", "bubbles of equal stages");
        QCOMPARE(shown.cell(0, PublishedTableModel::Predicted), q(predictedText(rows->front())));
    }

    void cancellingKeepsWhatIsThere() {
        const Shown shown;
        shown.choose("harp", "");
        QVERIFY(!shown.part<QPushButton>("cancel")->isEnabled());
        QSignalSpy ended(&shown.dialog.predictions(), &PublishedPredictions::finished);
        shown.part<QPushButton>("compute")->click();
        QVERIFY(shown.part<QPushButton>("cancel")->isEnabled() &&
                !shown.part<QPushButton>("compute")->isEnabled());
        shown.part<QPushButton>("cancel")->click();
        QVERIFY(ended.count() > 0 || ended.wait(60'000));
        QVERIFY(!shown.dialog.predictions().isRunning());
        QVERIFY(shown.dialog.predictions().wasCancelled());
        QVERIFY(!shown.dialog.predictions().failure());
        QVERIFY(shown.column(PublishedTableModel::Predicted).contains(QStringLiteral("not computed")));
        QVERIFY(!shown.part<QPushButton>("cancel")->isEnabled());
        QVERIFY(shown.part<QPushButton>("compute")->isEnabled());
        QVERIFY(!shown.dialog.findChild<MessageBar*>()->isVisible()); // it is no error
        shown.choose("zero-bubble", "bubbles of equal stages");
        QVERIFY(shown.compute());
        QVERIFY(!shown.dialog.predictions().wasCancelled());
        QVERIFY(!shown.column(PublishedTableModel::Predicted).contains(QStringLiteral("not computed")));
    }

    void closingCancels() {
        Shown shown;
        shown.choose("harp", "");
        QSignalSpy ended(&shown.dialog.predictions(), &PublishedPredictions::finished);
        shown.part<QPushButton>("compute")->click();
        QTest::keyClick(&shown.dialog, Qt::Key_Escape);
        QVERIFY(!shown.dialog.isVisible());
        QVERIFY(ended.count() > 0 || ended.wait(60'000));
        QVERIFY(shown.dialog.predictions().wasCancelled());
    }

    void reasonsAndAssumptionsAreSaid() {
        const QTemporaryDir folder;
        Shown shown;
        QVERIFY(shown.dialog.addFile(write(folder, smallFile())));
        shown.choose("own", "pipe");
        auto* notes = shown.part<QPlainTextEdit>("notes");
        QVERIFY(notes->toPlainText().contains(QStringLiteral("Equal <i>stages</i>")));
        QVERIFY(!notes->toPlainText().contains(QStringLiteral("clock")));
        QVERIFY(shown.compute());
        QCOMPARE(shown.column(PublishedTableModel::Same),
                 (QStringList{QStringLiteral("yes"), QStringLiteral("no"), QString()}));
        QCOMPARE(
            shown.column(PublishedTableModel::Standing),
            (QStringList{QStringLiteral("measured"), QStringLiteral("stated"), QStringLiteral("stated")}));
        QCOMPARE(shown.cell(2, PublishedTableModel::Predicted), QStringLiteral("none"));
        QCOMPARE(shown.tip(1, PublishedTableModel::Same), QStringLiteral("Another <u>clock</u>"));
        QCOMPARE(shown.tip(2, PublishedTableModel::Predicted),
                 QStringLiteral("Watts are not <tt>modelled</tt>"));
        const QString text = notes->toPlainText();
        QVERIFY2(text.contains(QStringLiteral("Another <u>clock</u>\n    for: span")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("modelled</tt>\n    for: energy")), qPrintable(text));
        // Files are data: their text is shown as it is.
        QCOMPARE(shown.part<QLabel>("title")->text(), QStringLiteral("<b>Own</b> figures"));
        for (const char* label : {"title", "source", "case", "state"})
            QCOMPARE(shown.part<QLabel>(label)->textFormat(), Qt::PlainText);
    }

    void aBrokenFileIsRefusedWithItsPlace() {
        const QTemporaryDir folder;
        Shown shown;
        const int before = shown.list()->topLevelItemCount();
        const QTreeWidgetItem* chosen = shown.list()->currentItem();
        const auto* bar = shown.dialog.findChild<MessageBar*>();
        Json file = smallFile();
        file["cases"][0]["rows"][0]["schedule"]["kind"] = "<b>none</b>";
        QVERIFY(!shown.dialog.addFile(write(folder, file)));
        QVERIFY(bar->isVisible());
        QVERIFY2(bar->accessibleName().contains(QStringLiteral("/cases/0/rows/0/schedule/kind")),
                 qPrintable(bar->accessibleName()));
        QVERIFY(!shown.dialog.addFile(folder.filePath(QStringLiteral("missing.json"))));
        QVERIFY2(bar->accessibleName().contains(QStringLiteral("missing.json")),
                 qPrintable(bar->accessibleName()));
        QCOMPARE(shown.list()->topLevelItemCount(), before);
        QCOMPARE(shown.list()->currentItem(), chosen);
    }

    // Once more the same file, as it is now: what is shown follows it.
    void aFileIsReadAgain() {
        const QTemporaryDir folder;
        Shown shown;
        const int before = shown.list()->topLevelItemCount();
        Json file = smallFile();
        QVERIFY(shown.dialog.addFile(write(folder, file)));
        QCOMPARE(shown.list()->topLevelItemCount(), before + 1);
        QVERIFY(shown.compute());
        QCOMPARE(shown.cell(1, PublishedTableModel::Same), QStringLiteral("no"));
        file["cases"][0]["rows"].erase(0);
        QVERIFY(shown.dialog.addFile(write(folder, file)));
        QCOMPARE(shown.list()->topLevelItemCount(), before + 1);
        QCOMPARE(shown.list()->currentItem(), shown.paper(QStringLiteral("own")));
        QCOMPARE(shown.column(PublishedTableModel::Quantity),
                 (QStringList{QStringLiteral("span"), QStringLiteral("energy")}));
        QCOMPARE(shown.cell(0, PublishedTableModel::Predicted), QStringLiteral("not computed"));
        QVERIFY(!shown.dialog.findChild<MessageBar*>()->isVisible());
    }

    void enterOpensACase() {
        const Shown shown;
        QSignalSpy opened(&shown.dialog, &PublishedDialog::openRequested);
        shown.choose("zero-bubble", "bubbles of equal stages");
        QTest::keyClick(shown.list(), Qt::Key_Return);
        QCOMPARE(opened.count(), 0); // it has no cluster
        shown.choose("aceso", "GPT 1.3B on 4 V100");
        QTest::keyClick(shown.list(), Qt::Key_Return);
        QCOMPARE(opened.count(), 1);
        const auto chosen = opened.front().front().value<PublishedProject>();
        QCOMPARE(chosen.project.name, std::string("aceso: GPT 1.3B on 4 V100"));
        QCOMPARE(chosen.project.cluster.gpuCount(), 4);
        QCOMPARE(chosen.options.planner, std::string("aceso"));
        QVERIFY(chosen.problem && chosen.plans.empty());
        QVERIFY(shown.dialog.isVisible());
    }
};

QTEST_MAIN(PublishedDialogTest)
#include "published_dialog_test.moc"

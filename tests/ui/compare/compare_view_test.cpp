// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/ui_fixture.h"
#include "tests/whatif/edited_plan.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/compare/compare_lanes.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/difference_model.h"
#include "ui/compare/differences_view.h"
#include "ui/compare/peaks_view.h"
#include "ui/compare/plan_list.h"
#include "ui/plans/plan_table_model.h"
#include "ui/session/shown_plan.h"
#include "ui/widgets/eliding_header.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTableView>

#include <cmath>
#include <set>

using namespace pw;

// Plans against each other: one axis, one list of differences, one selection.
class CompareViewTest : public QObject {
    Q_OBJECT

private:
    struct Fixture : UiFixture {
        Fixture() {
            const auto problem = openLongProject();
            const Plan plan = test::editPlan(*problem);
            for (const int layer : {7, 3, 9}) {
                const Plan moved = *whatif::moveBoundary(*problem, plan, 0, layer);
                ids.push_back(candidates.add(problem, {{moved, *evaluate(*problem, moved)}},
                                             QStringLiteral("searched")));
            }
        }
        std::vector<int> ids;
    };

private Q_SLOTS:
    void itIsEmptyUntilTwoArePicked() {
        Fixture f;
        CompareView view(f.context);
        DifferencesView differences(f.context);
        view.resize(900, 500);
        view.show();
        auto* lanes = view.findChild<CompareLanes*>();
        QVERIFY(!lanes->isVisible());
        f.compare.setPlans({f.ids[0]});
        QVERIFY(!lanes->isVisible() && !f.compare.comparison());
        f.compare.setPlans({f.ids[0], f.ids[1]});
        QVERIFY(lanes->isVisible() && f.compare.comparison());
        f.compare.add(f.ids[2]);
        QCOMPARE(f.compare.lanes().size(), std::size_t(3));
        f.candidates.remove(f.ids[2]); // gone from the table, gone from here
        QCOMPARE(f.compare.lanes().size(), std::size_t(2));
        f.compare.remove(1);
        QVERIFY(!lanes->isVisible());
    }

    void theModelsAddUpAndTurnWithTheBase() {
        Fixture f;
        DifferenceModel model(f.compare);
        FieldModel fields(f.compare);
        QAbstractItemModelTester tester(&model), testerToo(&fields);
        f.compare.setPlans({f.ids[0], f.ids[1]});
        QCOMPARE(model.columnCount(), 4);
        const int rows = model.rowCount();
        double sum = 0.0;
        for (int row = 0; row + 1 < rows; ++row)
            sum += model.index(row, 3).data(DifferenceModel::ChangeRole).toDouble();
        const double whole = model.index(rows - 1, 3).data(DifferenceModel::ChangeRole).toDouble();
        QVERIFY(std::abs(sum - whole) < 1e-6);
        QVERIFY(std::abs(whole) > 0.0);
        f.compare.swapBase();
        QCOMPARE(f.compare.base(), std::size_t(1));
        QCOMPARE(model.index(rows - 1, 3).data(DifferenceModel::ChangeRole).toDouble(), -whole);
        bool blocks = false;
        for (int row = 0; row < fields.rowCount(); ++row)
            blocks =
                blocks || (fields.index(row, 0).data().toString() == QStringLiteral("Blocks of a stage") &&
                           fields.index(row, 1).data(FieldModel::DiffersRole).toBool());
        QVERIFY(blocks);
    }

    // What differs comes first, what all stages have stands once; whatever is cut elsewhere stands in lines,
    // and whole in tool tips.
    void differencesComeFirstAndWhole() {
        Fixture f;
        DifferencesView view(f.context);
        view.resize(300, 600);
        view.show();
        f.compare.setPlans({f.ids[0], f.ids[1]});
        QCoreApplication::processEvents();
        const auto* fields = view.findChild<QTableView*>(QStringLiteral("compare.fields"));
        QCOMPARE(fields->model()->index(0, 0).data().toString(), QStringLiteral("Blocks of a stage"));
        const QModelIndexList recompute = fields->model()->match(
            fields->model()->index(0, 0), Qt::DisplayRole, QStringLiteral("Recompute"));
        QCOMPARE(recompute.size(), 1);
        const QModelIndex alike = recompute.front().siblingAtColumn(1);
        QCOMPARE(alike.data().toString(), QStringLiteral("none"));
        QCOMPARE(alike.data(Qt::ToolTipRole).toString(), QStringLiteral("none none none"));
        for (const char* name : {"compare.fields", "compare.differences"}) {
            const auto* table = view.findChild<QTableView*>(QLatin1String(name));
            for (int row = 0; row < table->model()->rowCount(); ++row) {
                const QModelIndex index = table->model()->index(row, 0);
                const QFontMetrics metrics(qvariant_cast<QFont>(index.data(Qt::FontRole)));
                const QRect room(0, 0, table->columnWidth(0) - 16, 0);
                const QString text = index.data().toString();
                QVERIFY2(metrics.boundingRect(room, Qt::TextWordWrap, text).height() <= table->rowHeight(row),
                         qPrintable(text));
                QCOMPARE(index.data(Qt::ToolTipRole).toString(), text);
            }
        }
    }

    // Rows of many lines may be higher than what is seen of the table: it moves by less than a row.
    void everyLineOfARowIsReached() {
        Fixture f;
        DifferencesView view(f.context);
        view.resize(300, 200);
        view.show();
        f.compare.setPlans({f.ids[0], f.ids[1]});
        QCoreApplication::processEvents();
        for (const char* name : {"compare.fields", "compare.differences"}) {
            const auto* table = view.findChild<QTableView*>(QLatin1String(name));
            QVERIFY(table->verticalScrollBar()->maximum() > 0);
            table->verticalScrollBar()->setValue(1);
            QCOMPARE(table->rowViewportPosition(0), -1);
        }
    }

    void lanesShareTheAxis() {
        Fixture f;
        f.compare.setPlans({f.ids[0], f.ids[1], f.ids[2]});
        const auto end = [&](std::size_t lane) { return f.compare.lanes()[lane].plan->timeline->end; };
        const std::int64_t longest = std::max({end(0), end(1), end(2)});
        QCOMPARE(f.compare.range().traceEnd(), longest);
        for (std::size_t lane = 0; lane < 3; ++lane)
            QCOMPARE(f.compare.laneWindow(lane, {0, longest}), (TimeWindow{0, longest}));
        f.compare.setAlign(CompareSet::Align::End);
        const TimeWindow all{0, f.compare.range().traceEnd()};
        for (std::size_t lane = 0; lane < 3; ++lane)
            QVERIFY(std::abs(f.compare.laneWindow(lane, all).end - end(lane)) <= 1);
        f.compare.setAlign(CompareSet::Align::Start);
        f.compare.setNormalised(true);
        const TimeWindow same{0, f.compare.range().traceEnd()};
        for (std::size_t lane = 0; lane < 3; ++lane) // all iterations as long as the base's
            QVERIFY(std::abs(static_cast<double>(f.compare.laneWindow(lane, same).end) /
                                 static_cast<double>(end(lane)) -
                             1.0) < 1e-3);
    }

    void screenReadersAlignTheLanes() {
        Fixture f;
        CompareView view(f.context);
        view.resize(1000, 600);
        view.show();
        f.compare.setPlans({f.ids[0], f.ids[1]});
        const auto toggle = [&view](const char* name) {
            auto* button = view.findChild<QAbstractButton*>(QLatin1String(name));
            QAccessible::queryAccessibleInterface(button)->actionInterface()->doAction(
                QAccessibleActionInterface::toggleAction());
        };
        toggle("compare.align2");
        QCOMPARE(f.compare.align(), CompareSet::Align::End);
        toggle("compare.share");
        QVERIFY(f.compare.isNormalised());
        toggle("compare.seconds");
        QVERIFY(!f.compare.isNormalised());
    }

    void aClickMarksTheMicrobatchInEveryLane() {
        Fixture f;
        CompareView view(f.context);
        view.resize(1000, 600);
        view.show();
        f.compare.setPlans({f.ids[0], f.ids[1]});
        QCoreApplication::processEvents();
        auto* lanes = view.findChild<CompareLanes*>();
        const GanttViewport port = lanes->viewport(1);
        const pw::Lane& bars = f.compare.lanes()[1].plan->timeline->tracks[0].lane(LaneRole::Compute);
        std::size_t wanted = 0;
        while (bars.microbatch(wanted) != 5)
            ++wanted;
        const double x = port.x((bars.start(wanted) + bars.end(wanted)) / 2);
        QTest::mouseClick(
            lanes, Qt::LeftButton, {},
            QPoint(CompareLanes::kLabels + static_cast<int>(x), lanes->rowRect(1, 0).center().y()));
        QCOMPARE(f.compare.microbatch(), 5);
        QCOMPARE(f.compare.activeLane(), std::size_t(1));
        f.commands->action("compare.base")->trigger();
        QCOMPARE(f.compare.base(), std::size_t(1));
        QVERIFY(lanes->headText(1).startsWith(QStringLiteral("Lane 2: plan ")));
        QVERIFY(lanes->headText(1).contains(QStringLiteral("(base)")));
        lanes->setFocus();
        f.compare.setActiveLane(0);
        QTest::keyClick(lanes, Qt::Key_Tab);
        QCOMPARE(f.compare.activeLane(), std::size_t(1));
    }

    void aDifferenceFramesItsRows() {
        Fixture f;
        CompareView view(f.context);
        DifferencesView differences(f.context);
        PeaksView peaks(f.context);
        f.compare.setPlans({f.ids[0], f.ids[1]});
        view.resize(1000, 600);
        differences.resize(400, 600);
        peaks.resize(600, 200);
        view.show();
        differences.show();
        peaks.show();
        auto* table = differences.findChild<QTableView*>(QStringLiteral("compare.differences"));
        table->selectRow(0);
        QCOMPARE(f.compare.chosen(), 0);
        f.commands->action("compare.next")->trigger();
        QCOMPARE(f.compare.chosen(), 1);
        QCOMPARE(table->currentIndex().row(), 1);
        auto* words = differences.findChild<QLabel*>(QStringLiteral("compare.words"));
        QVERIFY(words->text().contains(QStringLiteral("takes")));
        auto* lanes = view.findChild<CompareLanes*>();
        const int stage = f.compare.comparison()->time[1].stage[0];
        QVERIFY(stage >= 0);
        const QImage image = lanes->grab().toImage();
        const QRect row = lanes->rowRect(0, stage);
        QCOMPARE(image.pixelColor(row.left() + CompareLanes::kLabels, row.center().y()), theme().accent);
        f.commands->action("compare.clear")->trigger();
        QCOMPARE(f.compare.chosen(), -1);
        QVERIFY(!peaks.grab().isNull());
    }

    // GPUs differ in the last letter of their names, which is there however narrow the bars are.
    void labelsOfPeaksAreWhole() {
        const QStringList names = {QStringLiteral("hgx01.g0"), QStringLiteral("hgx01.g1"),
                                   QStringLiteral("compute-17.g5")};
        const int widest = QFontMetrics(smallFont()).horizontalAdvance(names.back());
        for (const int pitch : {12, 27, 40, 64, 300}) {
            const int every = labelEvery(names, pitch);
            QVERIFY2(every >= 1 && every * pitch > widest, qPrintable(QString::number(pitch)));
            QVERIFY2((every - 1) * pitch < widest + 8, qPrintable(QString::number(pitch))); // no more
        }
    }

    // Where the keys are: which difference it is, of what, and by how much.
    void theListSaysTheChosenDifference() {
        Fixture f;
        CompareView view(f.context);
        f.compare.setPlans({f.ids[0], f.ids[1]});
        view.resize(1000, 600);
        view.show();
        const auto* lanes = view.findChild<CompareLanes*>();
        const QString whole = lanes->accessibleDescription();
        QVERIFY2(whole.startsWith(QStringLiteral("Lane ")), qPrintable(whole));
        QStringList heard;
        const std::vector<TimeDifference>& differences = f.compare.comparison()->time;
        QVERIFY(differences.size() > 1);
        for (std::size_t i = 0; i < differences.size(); ++i) {
            f.commands->action("compare.next")->trigger();
            const QString said = lanes->accessibleDescription();
            QVERIFY2(said.startsWith(QStringLiteral("Difference %1 of %2, %3: plan ")
                                         .arg(i + 1)
                                         .arg(differences.size())
                                         .arg(sentence(std::string(label(differences[i].entry))))),
                     qPrintable(said));
            QVERIFY2(said.contains(QString::fromStdString(
                         signedDuration(differences[i].seconds[1] - differences[i].seconds[0]))),
                     qPrintable(said));
            QVERIFY(!heard.contains(said));
            heard << said;
        }
        f.commands->action("compare.clear")->trigger();
        QCOMPARE(lanes->accessibleDescription(), whole);
    }

    // A peak stands beside what it is held against, which is less than the memory for whoever wants to be
    // surer.
    void peaksNameTheLimit() {
        Fixture f;
        Recipe recipe = f.document.project()->recipe;
        recipe.fitChance = 0.9;
        f.document.apply(setRecipe(*f.document.project(), recipe), QStringLiteral("chance"));
        const auto problem = f.document.problem();
        const Plan plan = test::editPlan(*problem);
        const int surer =
            f.candidates.add(problem, {{plan, *evaluate(*problem, plan)}}, QStringLiteral("searched"));
        PeaksView peaks(f.context);
        peaks.resize(900, 200);
        f.compare.setPlans({f.ids[0], surer});
        peaks.show();
        auto* bars = peaks.findChild<QWidget*>(QStringLiteral("compare.peaks"));
        QTest::keyClick(bars, Qt::Key_Right);
        const QStringList lines = bars->accessibleDescription().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 3);
        QVERIFY2(lines[1].endsWith(QStringLiteral(" GiB")), qPrintable(lines[1]));
        QVERIFY2(lines[2].contains(QStringLiteral("at most")) && lines[2].contains(QStringLiteral("90 %")),
                 qPrintable(lines[2]));
    }

    // By its name each device is found in the stage that has it; one that is not used is in none.
    void aDeviceIsFoundInItsStage() {
        Fixture f;
        const auto plan = f.candidates.shown(f.ids[0], false);
        QVERIFY(plan->stages.size() > 1);
        for (std::size_t stage = 0; stage < plan->stages.size(); ++stage)
            for (const ShownDevice& device : plan->stages[stage].memory) {
                QCOMPARE(plan->stageOfDevice(device.id), static_cast<int>(stage));
                QCOMPARE(plan->device(device.id), &device);
            }
        QCOMPARE(plan->stageOfDevice(QStringLiteral("n99.g0")), -1);
        QVERIFY(!plan->device(QStringLiteral("n99.g0")));
        const ShownPlan copy = *plan; // has its own
        const ShownDevice& first = copy.stages.front().memory.front();
        QCOMPARE(copy.device(first.id), &first);
    }

    // Rows give way before plans do; then each plan shows some of its rows, and all scroll together.
    void plansShareTheHeight() {
        using Layout = LaneLayout;
        const int heads = 2 * (Layout::kHead + Layout::kGap);
        const Layout whole({3, 4}, heads + 7 * Layout::kMostRow + 50);
        QCOMPARE(whole.rowHeight(), Layout::kMostRow);
        QCOMPARE(whole.most(), 0);
        QCOMPARE(Layout({3, 4}, 0).height(),
                 heads + 7 * Layout::kMostRow); // nobody has said how much is seen
        const Layout lower({3, 4}, heads + 7 * 30);
        QCOMPARE(lower.rowHeight(), 30);
        QCOMPARE(lower.most(), 0);
        QCOMPARE(lower.height(), heads + 7 * 30);
        const Layout cut({2, 16}, heads + 240); // the short one is whole, the other has what it leaves
        QCOMPARE(cut.rowHeight(), Layout::kLeastRow);
        QCOMPARE(cut.shown(0), 2 * Layout::kLeastRow);
        QCOMPARE(cut.shown(1), 240 - 2 * Layout::kLeastRow);
        QCOMPARE(cut.most(), 16 * Layout::kLeastRow - cut.shown(1));
        QCOMPARE(cut.scroll(0, cut.most()), 0);
        QCOMPARE(cut.scroll(1, 10), 10);
        QCOMPARE(cut.height(), heads + 240);
        const Layout low({8, 8, 8, 8}, 100); // no room for more than a row each
        for (std::size_t lane = 0; lane < 4; ++lane)
            QCOMPARE(low.shown(lane), Layout::kLeastRow);
        QVERIFY(low.height() > 100);
        QCOMPARE(Layout({}, 300).height(), 0);
    }

    // The row of a chosen difference comes into sight where a plan shows only some of its rows.
    void aChosenDifferenceIsScrolledTo() {
        Fixture f;
        CompareView view(f.context);
        view.resize(1000, 220);
        view.show();
        f.compare.setPlans({f.ids[0], f.ids[1], f.ids[2]});
        QCoreApplication::processEvents();
        auto* lanes = view.findChild<CompareLanes*>();
        QVERIFY(!lanes->rowsRect(0).contains(lanes->rowRect(0, 2))); // else nothing is to be scrolled
        std::set<int> stages;
        for (std::size_t i = 0; i < f.compare.comparison()->time.size(); ++i) {
            f.compare.setChosen(static_cast<int>(i));
            const int stage = f.compare.comparison()->time[i].stage[0];
            if (stage < 0)
                continue;
            QVERIFY2(lanes->rowsRect(0).contains(lanes->rowRect(0, stage)),
                     qPrintable(QString::number(stage)));
            stages.insert(stage);
        }
        QVERIFY(!stages.empty());
    }

    void theFirstRowsOfAllPlansAreSeen_data() {
        QTest::addColumn<int>("plans");
        QTest::addColumn<int>("height");
        QTest::newRow("two") << 2 << 340;
        QTest::newRow("two in a low dock") << 2 << 250;
        QTest::newRow("three") << 3 << 300;
    }
    void theFirstRowsOfAllPlansAreSeen() {
        QFETCH(int, plans);
        QFETCH(int, height);
        Fixture f;
        CompareView view(f.context);
        view.resize(1000, height);
        view.show();
        f.compare.setPlans({f.ids.begin(), f.ids.begin() + plans});
        QCoreApplication::processEvents();
        auto* lanes = view.findChild<CompareLanes*>();
        auto* bar = view.findChild<QScrollArea*>()->verticalScrollBar();
        const int seen = lanes->parentWidget()->height();
        const auto check = [&](int track) {
            for (std::size_t lane = 0; lane < static_cast<std::size_t>(plans); ++lane) {
                const QRect rows = lanes->rowsRect(lane), head = lanes->headRect(lane);
                const int up = lanes->y();
                QVERIFY2(rows.contains(lanes->rowRect(lane, track)), qPrintable(QString::number(lane)));
                QVERIFY2(up + rows.bottom() < seen, qPrintable(QString::number(up + rows.bottom())));
                QVERIFY(up + head.top() >= 0 && head.bottom() < rows.top());
            }
        };
        check(0);
        const int last = static_cast<int>(f.compare.lanes()[0].plan->timeline->tracks.size()) - 1;
        bar->setValue(bar->maximum()); // where there is anything left to see
        QCoreApplication::processEvents();
        for (std::size_t lane = 0; lane < static_cast<std::size_t>(plans); ++lane)
            QVERIFY(lanes->rowsRect(lane).contains(lanes->rowRect(lane, last)));
        // What a click means is what is seen there.
        const std::size_t lowest = static_cast<std::size_t>(plans) - 1;
        f.compare.setActiveLane(0);
        QTest::mouseClick(lanes, Qt::LeftButton, {},
                          QPoint(CompareLanes::kLabels / 2, lanes->rowRect(lowest, last).center().y()));
        QCOMPARE(f.compare.activeLane(), lowest);
    }

    // Figures and heading of the changes are whole in a narrow dock too; the names give way.
    void changesHaveRoomBesideTheFigures() {
        Fixture f;
        DifferencesView differences(f.context);
        f.compare.setPlans({f.ids[0], f.ids[1]});
        differences.resize(340, 600);
        differences.show();
        QCoreApplication::processEvents();
        const auto* table = differences.findChild<QTableView*>(QStringLiteral("compare.differences"));
        const auto* header = static_cast<const ElidingHeader*>(table->horizontalHeader());
        QCOMPARE(header->shownText(3), table->model()->headerData(3, Qt::Horizontal).toString());
        const int padding = 16;
        QVERIFY(table->columnWidth(3) >= figuresWidth(bodyFont(), QStringLiteral("+33.055")) + padding);
        const int narrow = table->columnWidth(0);
        differences.resize(700, 600);
        QCoreApplication::processEvents();
        QVERIFY(table->columnWidth(0) > narrow);
    }

    void differentQuestionsAreComparedInNumbersWithANote() {
        Fixture f;
        CompareView view(f.context);
        Recipe recipe = f.document.project()->recipe;
        recipe.gbs = 128;
        f.document.apply(setRecipe(*f.document.project(), recipe), QStringLiteral("batch"));
        const auto problem = f.document.problem();
        Plan plan = test::editPlan(*problem);
        plan.pipelines.front().microbatches = 32;
        const int other =
            f.candidates.add(problem, {{plan, *evaluate(*problem, plan)}}, QStringLiteral("searched"));
        f.compare.setPlans({f.ids[0], other});
        QVERIFY(f.compare.comparison());
        QCOMPARE(f.compare.comparison()->inputs.size(), std::size_t(1));
        QVERIFY(f.compare.lanes()[0].plan->stale && !f.compare.lanes()[1].plan->stale);
    }

    // Where a plan's name stands, it is said that its figures are of an earlier state.
    void aStalePlanIsCalledSoInItsHead() {
        Fixture f;
        CompareView view(f.context);
        DifferenceModel differences(f.compare);
        FieldModel fields(f.compare);
        PlanList list(f.context);
        const auto* lanes = view.findChild<CompareLanes*>();
        const QString stale = QStringLiteral("stale");
        f.compare.setPlans({f.ids[0], f.ids[1]});
        QVERIFY(!lanes->headText(0).contains(stale));
        Recipe recipe = f.document.project()->recipe;
        recipe.gbs = 128;
        f.document.apply(setRecipe(*f.document.project(), recipe), QStringLiteral("batch"));
        const auto problem = f.document.problem();
        Plan plan = test::editPlan(*problem);
        plan.pipelines.front().microbatches = 32;
        const int now =
            f.candidates.add(problem, {{plan, *evaluate(*problem, plan)}}, QStringLiteral("searched"));
        f.compare.setPlans({now, f.ids[0]});
        QVERIFY(!lanes->headText(0).contains(stale) && lanes->headText(1).contains(stale));
        for (const QAbstractItemModel* model :
             {static_cast<QAbstractItemModel*>(&differences), static_cast<QAbstractItemModel*>(&fields)}) {
            const auto heading = [&](int column) {
                return model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
            };
            QVERIFY(!heading(1).contains(stale) && heading(2).contains(stale));
        }
        const QAbstractItemModel* rows = list.table()->model();
        QCOMPARE(rows->rowCount(), 4);
        for (int row = 0; row < rows->rowCount(); ++row) {
            const QModelIndex origin = rows->index(row, PlanTableModel::Origin);
            QCOMPARE(origin.data().toString() == stale, row > 0);
            QCOMPARE(origin.data(PlanTableModel::IdRole).toInt() == now, row == 0);
        }
    }
};

QTEST_MAIN(CompareViewTest)
#include "compare_view_test.moc"

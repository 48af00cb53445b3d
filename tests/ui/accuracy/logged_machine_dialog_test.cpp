// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/gpu_text.h"
#include "core/calibrate/network_text.h"
#include "core/edit/edit.h"
#include "tests/ui/ui_fixture.h"
#include "tests/whatif/edited_plan.h"
#include "ui/accuracy/logged_machine_dialog.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

using namespace pw;

namespace {

// The names of what is shown as a window of its own.
class Windows : public QObject {
public:
    Windows() { qApp->installEventFilter(this); }
    bool eventFilter(QObject* object, QEvent* event) override {
        if (event->type() == QEvent::Show && object->isWidgetType() &&
            static_cast<QWidget*>(object)->isWindow())
            shown << object->objectName();
        return false;
    }

    QStringList shown;
};

} // namespace

// Where training logs were printed: what is proposed, and what is taken for an answer.
class LoggedMachineDialogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theDrawnMachineIsProposed() {
        UiFixture ui;
        QVERIFY(LoggedMachineDialog::drawn(ui.cluster()) == LoggedMachine{});
        ui.document.apply(addNodes(*ui.document.project(), "A100-SXM4-40GB", 4, 2, {0, 0}),
                          QStringLiteral("nodes"));
        QVERIFY(LoggedMachineDialog::drawn(ui.cluster()) == (LoggedMachine{"A100-SXM4-40GB", "", 4}));
        ui.document.apply(addSwitch(*ui.document.project(), "InfiniBand", {304, 48}), QStringLiteral("s1"));
        for (const char* node : {"n1", "n2"})
            ui.document.apply(addLink(*ui.document.project(), node, "s1"), QStringLiteral("link"));
        const LoggedMachine machine = LoggedMachineDialog::drawn(ui.cluster());
        const NetworkText network = parseNetwork(machine.network);
        const Link& link = ui.cluster().links.front();
        QCOMPARE(network.medium, std::string("InfiniBand"));
        QCOMPARE(std::max(1, network.count), link.lanes);
        QCOMPARE(network.rate.value, link.bandwidth.value);
        QVERIFY(network.per == NetworkText::Per::Node);
        // Two rails are one way out; a slow network of another kind beside them is none of it.
        ui.document.apply(addSwitch(*ui.document.project(), "InfiniBand", {304, 144}), QStringLiteral("s2"));
        ui.document.apply(addSwitch(*ui.document.project(), "Ethernet", {304, 240}), QStringLiteral("s3"));
        for (const char* node : {"n1", "n2"})
            for (const char* rail : {"s2", "s3"})
                ui.document.apply(addLink(*ui.document.project(), node, rail), QStringLiteral("link"));
        Project slow = *ui.document.project();
        for (Link& each : slow.cluster.links)
            if (each.a == "s3" || each.b == "s3")
                each.bandwidth = BytesPerSecond(125e6);
        ui.document.apply(slow, QStringLiteral("slow"));
        const NetworkText rails = parseNetwork(LoggedMachineDialog::drawn(ui.cluster()).network);
        QCOMPARE(rails.medium, std::string("InfiniBand"));
        QCOMPARE(rails.count, 2 * std::max(1, network.count));
        QCOMPARE(rails.rate.value, network.rate.value);
        ui.document.apply(addNodes(*ui.document.project(), "V100-SXM2-16GB", 4, 1, {480, 0}),
                          QStringLiteral("another kind"));
        // Kinds that differ are a mixture; their networks differ too, for which a run has no words.
        const LoggedMachine mixed = LoggedMachineDialog::drawn(ui.cluster());
        QVERIFY(mixed == (LoggedMachine{"2x4xA100-SXM4-40GB + 1x4xV100-SXM2-16GB", "", 4}));
        const Result<GpuText> parts = parseGpus(mixed.gpu, {}, Catalogue::builtin());
        QVERIFY(parts && parts->parts.size() == 2 && parts->parts[0].count == 8);
    }

    // A plan's machines stand in the order of its ranks, not in that of the drawing: the log of the run that
    // it was exported for is predicted as that plan.
    void aPlansMachinesAreInTheOrderOfItsRanks() {
        Project project;
        project = *addNodes(project, "A100-SXM4-40GB", 4, 2, {0, 0});
        project = *addNodes(project, "V100-SXM2-32GB", 4, 1, {480, 0});
        project = *addSwitch(project, "InfiniBand", {304, 48});
        for (const Node& node : std::vector<Node>(project.cluster.nodes))
            project = *addLink(project, node.id, "s1");
        project.model = smallProject().model;
        const auto problem = problemOf(project);
        QVERIFY(problem);
        const int blocks = static_cast<int>((*problem)->model().blocks);
        const auto on = [&](const char* node, int from, int to) {
            std::vector<std::string> gpus;
            for (int g = 0; g < 4; ++g)
                gpus.push_back(std::string(node) + ".g" + std::to_string(g));
            return test::stageOn(**problem, layersOfBlocks(from, to, blocks), gpus, 2);
        };
        Plan plan;
        plan.pipelines.resize(1);
        plan.pipelines.front().stages = {on("n3", 0, 1), on("n1", 1, 2), on("n2", 2, blocks)};
        QCOMPARE(LoggedMachineDialog::ranked(**problem, plan).gpu,
                 std::string("1x4xV100-SXM2-32GB + 2x4xA100-SXM4-40GB"));
        plan.pipelines.front().stages[2].replicas.pop_back(); // half of a node: nobody says it so
        QCOMPARE(LoggedMachineDialog::ranked(**problem, plan).gpu,
                 std::string("2x4xA100-SXM4-40GB + 1x4xV100-SXM2-32GB"));
    }

    // What is typed counts as a whole or is refused at the field; nothing of it is passed over.
    void everyKindOfAMixtureCounts() {
        const LoggedMachine project{"2x4xA100-SXM4-40GB + 1x4xV100-SXM2-16GB", "", 4};
        LoggedMachineDialog dialog({QStringLiteral("train.log")}, {}, project);
        auto* gpu = dialog.findChild<QComboBox*>(QStringLiteral("loggedMachine.gpu"));
        auto* accept = dialog.findChild<QPushButton*>(QStringLiteral("loggedMachine.accept"));
        auto* verdict = dialog.findChild<QLabel*>(QStringLiteral("loggedMachine.verdict"));
        gpu->setEditText(QStringLiteral("32 H100-SXM-80GB, 16 A100-SXM4-80GB"));
        QVERIFY2(accept->isEnabled(), qPrintable(verdict->text()));
        for (const char* part : {"32 \u00d7 H100-SXM-80GB", "16 \u00d7 A100-SXM4-80GB"})
            QVERIFY2(verdict->text().contains(QString::fromUtf8(part)), qPrintable(verdict->text()));
        for (const char* text :
             {"H100-SXM-80GB, A100-SXM4-80GB", "H100-SXM-80GB + A100-SXM4-80GB", "H100, 16 A100"}) {
            gpu->setEditText(QLatin1String(text));
            QVERIFY2(!accept->isEnabled(), text);
            QVERIFY2(verdict->text().contains(QStringLiteral("how many of each")),
                     qPrintable(verdict->text()));
        }
        gpu->setEditText(QStringLiteral("H100-SXM-80GB"));
        QVERIFY(accept->isEnabled());
        auto* network = dialog.findChild<QLineEdit*>(QStringLiteral("loggedMachine.network"));
        network->setText(QStringLiteral("fast"));
        QVERIFY(!accept->isEnabled());
        QVERIFY2(verdict->text().contains(QStringLiteral("\"fast\"")), qPrintable(verdict->text()));
        dialog.findChild<QPushButton*>(QStringLiteral("loggedMachine.project"))->click();
        QVERIFY(dialog.machine() == project);
        QVERIFY(accept->isEnabled());
    }

    // Nothing flashes beside it while it is made, and the project is offered only where it has machines.
    void itIsTheOnlyWindow() {
        Windows windows;
        const LoggedMachine project{"A100-SXM4-40GB", "", 4};
        for (const LoggedMachine& machine : {project, LoggedMachine{}}) {
            LoggedMachineDialog dialog({QStringLiteral("train.log")}, {}, machine);
            QCOMPARE(windows.shown, QStringList());
            dialog.show();
            const auto* offer = dialog.findChild<QPushButton*>(QStringLiteral("loggedMachine.project"));
            QCOMPARE(offer->isVisible(), !machine.gpu.empty());
            QCOMPARE(windows.shown, QStringList{QStringLiteral("loggedMachine")});
            windows.shown.clear();
        }
    }
};

QTEST_MAIN(LoggedMachineDialogTest)
#include "logged_machine_dialog_test.moc"

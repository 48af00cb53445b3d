// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/edit.h"
#include "tests/ui/ui_fixture.h"
#include "ui/base/convert.h"
#include "ui/topology/canvas.h"
#include "ui/topology/property_panel.h"

#include <QLabel>

using namespace pw;

// What the plan in view asks of the links: in the drawing and in the properties.
class LinkTrafficTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_ui = std::make_unique<UiFixture>();
        m_ui->openSmallProject();
        QVERIFY(m_ui->search());
    }
    void cleanup() { m_ui.reset(); }

    void followsThePlanInView() {
        QSignalSpy changed(&m_ui->links, &LinkTraffic::changed);
        QVERIFY(!m_ui->links.inView());
        const Candidate* plan = overNodes();
        QVERIFY(plan);
        m_ui->selection.setPlan(plan->id);
        QVERIFY(changed.wait());
        const auto known = m_ui->links.inView();
        QVERIFY(known && !known->error && known->plan == plan->id);
        const LinkLoads loads = linkLoads(*plan->problem, plan->plan);
        const std::vector<Link>& links = plan->problem->topology().cluster().links;
        bool any = false;
        for (std::size_t i = 0; i < links.size(); ++i) {
            const double busier = std::max(loads[i][0].total(), loads[i][1].total());
            QCOMPARE(known->share(q(links[i].id)), busier / plan->evaluation.iteration.value);
            any = any || busier > 0.0;
        }
        QVERIFY(any);
        m_ui->selection.setPlan(-1);
        QVERIFY(!m_ui->links.inView());
    }

    void theDrawingShowsIt() {
        TopologyCanvas canvas(m_ui->context);
        QVERIFY(!canvas.drawing().links.front().label.contains(u'%'));
        QVERIFY(canvas.drawing().links.front().load < 0.0);
        QSignalSpy changed(&m_ui->links, &LinkTraffic::changed);
        m_ui->selection.setPlan(overNodes()->id);
        QVERIFY(changed.wait());
        int busy = 0;
        for (const LinkLook& look : canvas.drawing().links) {
            QVERIFY(look.load >= 0.0);
            QCOMPARE(look.label.contains(u'%'), look.load > 0.0);
            busy += look.load > 0.0;
        }
        QVERIFY(busy > 0);
        canvas.setOverlayShown(false); // the plan is not over the drawing
        QVERIFY(canvas.drawing().links.front().load < 0.0);
        canvas.setOverlayShown(true);
        // Another question: nothing is said of its links.
        m_ui->document.apply(addNodes(*m_ui->document.project(), "V100-SXM2-16GB", 4, 1, {900, 0}), {});
        QVERIFY(canvas.drawing().stale);
        QVERIFY(canvas.drawing().links.front().load < 0.0);
    }

    void thePropertiesSayWhatFor() {
        PropertyPanel panel(m_ui->context);
        QSignalSpy changed(&m_ui->links, &LinkTraffic::changed);
        m_ui->selection.setPlan(overNodes()->id);
        QVERIFY(changed.wait());
        const auto known = m_ui->links.inView();
        const Link* busy = nullptr;
        for (const Link& link : m_ui->cluster().links)
            if (known->share(q(link.id)) > 0.0)
                busy = &link;
        QVERIFY(busy);
        m_ui->selection.setItems({q(busy->id)});
        const QString of = text(panel, "properties.link.traffic");
        QVERIFY2(of.contains(known->text(*busy)), qPrintable(of));
        QVERIFY2(of.contains(QStringLiteral("% of the iteration to ")), qPrintable(of));
        QVERIFY2(of.contains(QStringLiteral("activations")) || of.contains(QStringLiteral("gradients")),
                 qPrintable(of));
        m_ui->selection.setItems({QStringLiteral("s1")});
        const QString behind = text(panel, "properties.switch.traffic");
        QVERIFY2(behind.contains(known->text(*busy)), qPrintable(behind));
        m_ui->selection.setItems({q(busy->a == "s1" ? busy->b : busy->a)});
        QVERIFY(text(panel, "properties.node.traffic").contains(known->text(*busy)));
        m_ui->selection.setPlan(-1);
        QVERIFY(panel.findChild<QLabel*>(QStringLiteral("properties.node.traffic"))->isHidden());
    }

private:
    // A plan that needs the network.
    const Candidate* overNodes() const {
        for (const Candidate& candidate : m_ui->candidates.all()) {
            const LinkLoads loads = linkLoads(*candidate.problem, candidate.plan);
            for (const auto& ways : loads)
                if (ways[0].total() > 0.0)
                    return &candidate;
        }
        return nullptr;
    }
    static QString text(const PropertyPanel& panel, const char* name) {
        const auto* label = panel.findChild<QLabel*>(QLatin1String(name));
        return label && !label->isHidden() ? label->text() : QString();
    }

    std::unique_ptr<UiFixture> m_ui;
};

QTEST_MAIN(LinkTrafficTest)
#include "link_traffic_test.moc"

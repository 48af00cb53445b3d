// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/constants.h"

#include "core/base/file.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <set>

using namespace pw;

namespace {

std::vector<double> valuesOf(const ConstantSet& set) {
    std::vector<double> values;
    for (const FittedConstant& constant : set.list())
        values.push_back(constant.value);
    return values;
}

ConstantSet doubled() {
    std::vector<double> values = valuesOf(ConstantSet::builtin());
    for (double& value : values)
        value *= 2.0;
    return ConstantSet::builtin().with(values);
}

std::string file(const std::string& section, const std::string& items) {
    return R"({"schema":"pipewright-constants-1","sections":{")" + section + R"(":[)" + items + "]}}";
}

} // namespace

class ConstantsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // At most 30 of them, each told what it means, where it comes from and how it may be set again.
    void everyoneIsToldAbout() {
        std::set<std::string> names;
        int fitted = 0;
        for (const FittedConstant& c : ConstantSet::builtin().list()) {
            QVERIFY2(names.insert(c.section + "." + c.name).second, c.name.c_str());
            QVERIFY2(!c.unit.empty() && !c.meaning.empty() && !c.source.empty(), c.name.c_str());
            if (c.fit != FittedTo::Runs)
                continue;
            ++fitted;
            QVERIFY2(c.least > 0.0 && c.least <= c.start && c.start <= c.most, c.name.c_str());
            QVERIFY2(c.least <= c.value && c.value <= c.most, c.name.c_str());
        }
        QVERIFY(names.size() <= 36);
        QVERIFY(fitted > 0);
    }

    // The fields that formulas read are those of the file by name: each of them moves with its own constant
    // and with no other.
    void fieldsFollowTheirNames() {
        using Field = double (*)(const ConstantSet&);
        const std::vector<std::pair<const char*, Field>> fields = {
            {"communication.launch", [](const ConstantSet& s) { return s.comm().launch.value; }},
            {"communication.step", [](const ConstantSet& s) { return s.comm().step.value; }},
            {"communication.switched_share", [](const ConstantSet& s) { return s.comm().switchedShare; }},
            {"communication.direct_share", [](const ConstantSet& s) { return s.comm().directShare; }},
            {"communication.mesh_share", [](const ConstantSet& s) { return s.comm().meshShare; }},
            {"communication.reducing_share", [](const ConstantSet& s) { return s.comm().reducingShare; }},
            {"communication.low_latency_share",
             [](const ConstantSet& s) { return s.comm().lowLatencyShare; }},
            {"communication.pcie_share", [](const ConstantSet& s) { return s.comm().pcieShare; }},
            {"communication.rdma_latency", [](const ConstantSet& s) { return s.comm().rdmaLatency.value; }},
            {"communication.ethernet_latency",
             [](const ConstantSet& s) { return s.comm().ethernetLatency.value; }},
            {"communication.rdma_share", [](const ConstantSet& s) { return s.comm().rdmaShare; }},
            {"communication.efa_share", [](const ConstantSet& s) { return s.comm().efaShare; }},
            {"communication.ethernet_share", [](const ConstantSet& s) { return s.comm().ethernetShare; }},
            {"communication.host_copy_rate",
             [](const ConstantSet& s) { return s.comm().hostCopyRate.value; }},
            {"compute.sustained_share", [](const ConstantSet& s) { return s.compute().sustainedShare; }},
            {"compute.energy_12nm", [](const ConstantSet& s) { return s.compute().energy12nm; }},
            {"compute.energy_8nm", [](const ConstantSet& s) { return s.compute().energy8nm; }},
            {"compute.product_startup", [](const ConstantSet& s) { return s.compute().productStartup; }},
            {"compute.memory_share", [](const ConstantSet& s) { return s.compute().memoryShare; }},
            {"compute.kernel_launch", [](const ConstantSet& s) { return s.compute().kernelLaunch; }},
            {"compute.host_call", [](const ConstantSet& s) { return s.compute().hostCall; }},
            {"compute.attention_forward", [](const ConstantSet& s) { return s.compute().attentionForward; }},
            {"compute.attention_backward",
             [](const ConstantSet& s) { return s.compute().attentionBackward; }},
            {"compute.rowwise_share", [](const ConstantSet& s) { return s.compute().rowwiseShare; }},
            {"compute.quantise_bytes", [](const ConstantSet& s) { return s.compute().quantiseBytes; }},
            {"compute.overlap_slowdown", [](const ConstantSet& s) { return s.compute().overlapSlowdown; }},
            {"compute.hidden_share", [](const ConstantSet& s) { return s.compute().hiddenShare; }},
            {"compute.library_share", [](const ConstantSet& s) { return s.compute().libraryShare; }},
            {"compute.attention_library_share",
             [](const ConstantSet& s) { return s.compute().attentionLibraryShare; }},
            {"compute.queued_launch", [](const ConstantSet& s) { return s.compute().queuedLaunch; }},
            {"compute.graph_launch", [](const ConstantSet& s) { return s.compute().graphLaunch; }},
            {"compute.update_share", [](const ConstantSet& s) { return s.compute().updateShare; }},
            {"memory.workspaces", [](const ConstantSet& s) { return s.memory().workspaces; }},
            {"memory.reserved_factor", [](const ConstantSet& s) { return s.memory().reservedFactor; }},
            {"memory.in_use_offset", [](const ConstantSet& s) { return s.memory().inUseOffset; }},
            {"memory.gpu_memory_offset", [](const ConstantSet& s) { return s.memory().gpuMemoryOffset; }},
        };
        const ConstantSet& builtin = ConstantSet::builtin();
        QCOMPARE(fields.size(), builtin.list().size()); // none that nobody reads
        for (std::size_t i = 0; i < builtin.list().size(); ++i) {
            const FittedConstant& constant = builtin.list()[i];
            const std::string name = constant.section + "." + constant.name;
            std::vector<double> values = valuesOf(builtin);
            values[i] *= 2.0;
            const ConstantSet other = builtin.with(values);
            for (const auto& [field, read] : fields)
                QVERIFY2(read(other) == (field == name ? 2.0 * constant.value : read(builtin)),
                         (name + " and " + field).c_str());
        }
    }

    void setsAreTheirValues() {
        const ConstantSet& builtin = ConstantSet::builtin();
        QVERIFY(builtin.with(valuesOf(builtin)) == builtin);
        const ConstantSet twice = doubled();
        QVERIFY(twice != builtin);
        QVERIFY(twice == doubled());
        // As a problem writes it: all of them, also where a value leaves the range of a fit.
        const auto again = ConstantSet::fromJson(JsonReader(twice.toJson(), "p.json"));
        QVERIFY2(again, again ? "" : again.error().text().c_str());
        QVERIFY(*again == twice);
        const auto rest = ConstantSet::fromJson(JsonReader(Json::object(), "p.json"));
        QVERIFY(rest && *rest == builtin);
        const auto whereOf = [](const char* text) {
            const auto json = parseJson(text, "p.json");
            const auto set = ConstantSet::fromJson(JsonReader(*json, "p.json"));
            return set ? std::string("read") : set.error().where;
        };
        QCOMPARE(whereOf(R"({"compute":{"host_cal":4e-5}})"), std::string("p.json#/compute/host_cal"));
        QCOMPARE(whereOf(R"({"memory":{"host_call":4e-5}})"), std::string("p.json#/memory/host_call"));
        for (const char* value : {"0", "-1", "\"4e-5\""})
            QCOMPARE(whereOf((std::string(R"({"compute":{"host_call":)") + value + "}}").c_str()),
                     std::string("p.json#/compute/host_call"));
    }

    void filesReadBack() {
        const auto resource = readFile(PW_SOURCE_DIR "/resources/calibration/constants.json");
        QVERIFY(resource);
        QCOMPARE(ConstantSet::builtin().text(), *resource); // a new fit changes its values alone
        std::vector<double> values = valuesOf(ConstantSet::builtin());
        for (std::size_t i = 0; i < values.size(); ++i)
            if (ConstantSet::builtin().list()[i].fit == FittedTo::Runs)
                values[i] = ConstantSet::builtin().list()[i].start;
        const ConstantSet other = ConstantSet::builtin().with(values);
        const auto back = ConstantSet::read(other.text(), "c.json");
        QVERIFY2(back, back ? "" : back.error().text().c_str());
        QVERIFY(valuesOf(*back) == values);
        const auto one = ConstantSet::read(file("compute", R"({"name":"host_call","value":4e-5})"), "c.json");
        QVERIFY(one);
        QCOMPARE(one->compute().hostCall, 4e-5);
        QCOMPARE(one->compute().kernelLaunch, ConstantSet::builtin().compute().kernelLaunch);
    }

    void mistakesArePlaced() {
        const auto whereOf = [](const std::string& text) {
            const auto set = ConstantSet::read(text, "c.json");
            return set ? std::string("read") : set.error().where;
        };
        QCOMPARE(whereOf("{"), std::string("c.json:1:2"));
        QCOMPARE(whereOf(R"({"schema":"pipewright-calibration-1","sections":{}})"),
                 std::string("c.json#/schema"));
        QCOMPARE(whereOf(file("compute", R"({"name":"host_cal","value":4e-5})")),
                 std::string("c.json#/sections/compute/0/name"));
        QCOMPARE(whereOf(file("memory", R"({"name":"host_call","value":4e-5})")),
                 std::string("c.json#/sections/memory/0/name"));
        for (const char* value : {"0", "-1", "\"4e-5\"", "1"}) // the last one leaves its range
            QCOMPARE(whereOf(file("compute", std::string(R"({"name":"host_call","value":)") + value + "}")),
                     std::string("c.json#/sections/compute/0/value"));
    }
};

QTEST_APPLESS_MAIN(ConstantsTest)
#include "constants_test.moc"

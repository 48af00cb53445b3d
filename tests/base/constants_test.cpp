// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/constants.h"

#include "core/base/file.h"

#include <QTest>

#include <set>
#include <thread>

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
        QVERIFY(names.size() <= 30);
        QVERIFY(fitted > 0);
    }

    void scopesNestAndEnd() {
        const double plain = fittedConstant("compute", "host_call");
        const ConstantSet twice = doubled();
        {
            const ConstantScope outer(twice);
            QCOMPARE(fittedConstant("compute", "host_call"), 2.0 * plain);
            {
                const ConstantScope inner(ConstantSet::builtin());
                QCOMPARE(fittedConstant("compute", "host_call"), plain);
            }
            QCOMPARE(fittedConstant("compute", "host_call"), 2.0 * plain);
            double elsewhere = 0.0;
            std::thread([&] { elsewhere = fittedConstant("compute", "host_call"); }).join();
            QCOMPARE(elsewhere, plain); // scopes are of one thread
        }
        QCOMPARE(fittedConstant("compute", "host_call"), plain);
        QCOMPARE(ConstantSet::builtin().value("compute", "host_call"), plain);
    }

    void derivedValuesFollow() {
        int made = 0;
        OfConstants<double> derived;
        const auto get = [&] {
            return derived.get([&] {
                ++made;
                return fittedConstant("compute", "host_call");
            });
        };
        const double plain = get();
        QCOMPARE(get(), plain);
        QCOMPARE(made, 1);
        for (int round = 0; round < 3; ++round) { // sets that may come to lie at one address
            const ConstantSet twice = doubled();
            const ConstantScope scope(twice);
            QCOMPARE(get(), 2.0 * plain);
            QCOMPARE(made, 2 + round);
        }
        QCOMPARE(get(), plain);
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
        QCOMPARE(one->value("compute", "host_call"), 4e-5);
        QCOMPARE(one->value("compute", "kernel_launch"), fittedConstant("compute", "kernel_launch"));
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

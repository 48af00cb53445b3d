// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Software stacks as files: what one may say, how several are joined, and that those that ship hold together.

#include "core/problem/recipe.h"
#include "core/problem/software_stack.h"

#include <QtTest>
#include <nlohmann/json.hpp>

#include <filesystem>

using namespace pw;

namespace {

constexpr const char* kStack =
    R"({"schema":"pipewright-stack-1","name":"ours","label":"Ours","what":"w","order":5,
  "extends":"base","words":[{"word":"ours","from":"2024-06"}],"assumes":{"zero":1},
  "capabilities":{"launch":{"value":"compiled","source":"s"},"bucket":{"value":"25 MiB","source":"s"}}})";

const std::vector<SoftwareStack>& known() {
    static const std::vector<SoftwareStack> list = [] {
        auto base =
            readStack(R"({"schema":"pipewright-stack-1","name":"base","label":"B","what":"w","order":1,
            "words":[],"assumes":{"zero":3,"sequence_parallel":true},
            "capabilities":{"launch":{"value":"eager","source":"b"},"fused_loss":{"value":"on","source":"b"}}})",
                      "b.json", {});
        return std::vector<SoftwareStack>{*base};
    }();
    return list;
}

std::string whereOf(const char* from, const char* to) {
    QByteArray text = kStack;
    const auto at = text.indexOf(from);
    if (at < 0)
        return "lost";
    const auto stack = readStack(text.replace(at, qstrlen(from), to).toStdString(), "s.json", known());
    return stack ? std::string("read") : stack.error().where;
}

} // namespace

class SoftwareStackTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // What it does not say itself is as in the stack that it extends; what neither says stays as it was.
    void aFileIsReadAndTakesInItsBase() {
        const auto stack = readStack(kStack, "s.json", known());
        QVERIFY2(stack, stack ? "" : stack.error().text().c_str());
        QCOMPARE(stack->words.front().from, 202406);
        QCOMPARE(stack->words.front().before, 0);
        QCOMPARE(stack->zero, std::optional(1));
        QCOMPARE(stack->sequenceParallel, std::optional(true));
        QCOMPARE(stack->sources.at("fused_loss"), std::string("b"));
        Software software;
        software.shardRanks = 8;
        stack->apply(software);
        Software expected;
        expected.kernels = Launch::Compiled;
        expected.fusedLoss = Choice::On;
        expected.bucketBytes = 25.0 * 1024 * 1024;
        expected.shardRanks = 8;
        QVERIFY(software == expected);
    }

    void mistakesHaveTheirPlace() {
        QCOMPARE(whereOf("stack-1", "stack-2"), std::string("s.json#/schema"));
        QCOMPARE(whereOf("\"ours\"", "\"a+b\""), std::string("s.json#/name"));
        QCOMPARE(whereOf("2024-06", "2024-13"), std::string("s.json#/words/0/from"));
        QCOMPARE(whereOf("2024-06", "June"), std::string("s.json#/words/0/from"));
        QCOMPARE(whereOf("\"base\"", "\"nothing\""), std::string("s.json#/extends"));
        QCOMPARE(whereOf("\"zero\":1", "\"zero\":4"), std::string("s.json#/assumes/zero"));
        QCOMPARE(whereOf("compiled", "quick"), std::string("s.json#/capabilities/launch"));
        QCOMPARE(whereOf("\"launch\"", "\"speed\""), std::string("s.json#/capabilities/speed"));
        QCOMPARE(whereOf(",\"source\":\"s\"", ""), std::string("s.json#/capabilities/launch/source"));
        QCOMPARE(whereOf("\"order\":5", "\"order\":5,\"colour\":1"), std::string("s.json#/colour"));
    }

    // A new stack is a new file: one that nobody lists in the build would be lost.
    void everyFileShips() {
        std::size_t files = 0;
        for (const auto& entry : std::filesystem::directory_iterator(PW_SOURCE_DIR "/resources/stacks")) {
            const std::string name = entry.path().stem().string();
            QVERIFY2(softwareOfStack(name, "here"), name.c_str());
            ++files;
        }
        QCOMPARE(softwareStacks().size(), files);
        for (std::size_t i = 1; i < softwareStacks().size(); ++i)
            QVERIFY(softwareStacks()[i - 1].order <= softwareStacks()[i].order);
    }

    void namesAreJoinedByTheirOrder() {
        const auto nemo = softwareOfStack("nemo", "here");
        const auto tuned = softwareOfStack("mlperf+nemo", "here");
        QVERIFY(nemo && tuned);
        QVERIFY(nemo->graphs == Graphs::None && tuned->graphs == Graphs::Iteration);
        QVERIFY(nemo->scaling == Scaling::Delayed && tuned->scaling == Scaling::Tensor);
        QCOMPARE(tuned->attention, nemo->attention);
        for (const char* wrong : {"", "nemo+", "nemo+nemo", "Nemo", "torch"})
            QCOMPARE(softwareOfStack(wrong, "here").error().where, std::string("here"));
    }

    // A recipe names its stack; its own capabilities count for more, and the whole of it reads back.
    void aRecipeNamesItsStack() {
        const auto read = [](const char* text) {
            const auto json = parseJson(text, "r.json");
            return recipeFromJson(JsonReader(*json, "r.json"));
        };
        const auto plain = read(R"({"gbs":8,"seq":16,"stack":"nemo"})");
        QVERIFY2(plain, plain ? "" : plain.error().text().c_str());
        QVERIFY(plain->software == *softwareOfStack("nemo", ""));
        const auto other = read(R"({"gbs":8,"seq":16,"stack":"nemo","software":{"attention":"flash-3"}})");
        QVERIFY(other);
        QCOMPARE(other->software.attention, std::string("flash-3"));
        QCOMPARE(other->software.products, plain->software.products);
        for (const Recipe& recipe : {*plain, *other}) {
            const Json json = toJson(recipe);
            const auto back = recipeFromJson(JsonReader(json, "r.json"));
            QVERIFY(back && *back == recipe);
        }
        QCOMPARE(read(R"({"gbs":8,"seq":16,"stack":"ours"})").error().where, std::string("r.json#/stack"));
        // A stack that does not ship: the document says all of it.
        const auto foreign = read(R"({"gbs":8,"seq":16,"stack":"ours","software":{"graphs":"layer"}})");
        QVERIFY(foreign && foreign->software.graphs == Graphs::Layer && foreign->stack == "ours");
        QCOMPARE(read(R"({"gbs":8,"seq":16,"software":{"attention":"flash-9"}})").error().where,
                 std::string("r.json#/software/attention"));
    }
};

QTEST_APPLESS_MAIN(SoftwareStackTest)
#include "software_stack_test.moc"

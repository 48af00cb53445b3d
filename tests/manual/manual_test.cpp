// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/manual/manual.h"
#include "core/manual/search_words.h"

#include <QTest>

using namespace pw;

namespace {

Manual threePages() {
    return Manual(
        {readManualPage("window.md", "# The window\n\n## Timeline\n\nEvery *bubble* of a stage, "
                                     "`bubble` by bubble.\n\n## Memory\n\nNo word of it.\n"),
         readManualPage("words.md", "# Words\n\n## Bubble\n\nIdle share. Größe und Maß, "
                                    "and a pipe that leaks.\n\n## Pipe leak\n\nA leak of a pipe.\n"),
         readManualPage("index.md", "# Manual\n\n1. [Words](words.md#bubble)\n2. [Window](window.md)\n")});
}

std::vector<std::string> found(const Manual& manual, const char* query) {
    std::vector<std::string> anchors;
    for (const ManualHit& hit : manual.search(query))
        anchors.push_back(manual.pages()[hit.page].sections[hit.section].anchor);
    return anchors;
}

} // namespace

// The manual's pages: headings that can be linked to, and words that are found.
class ManualTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anchorsAreThoseOfGitHub_data() {
        QTest::addColumn<QByteArray>("heading");
        QTest::addColumn<QByteArray>("anchor");
        QTest::newRow("words") << QByteArray("What a prediction is worth")
                               << QByteArray("what-a-prediction-is-worth");
        QTest::newRow("code") << QByteArray("json.syntax") << QByteArray("jsonsyntax");
        QTest::newRow("refusal") << QByteArray("E_DIVIDE_HEADS") << QByteArray("e_divide_heads");
        QTest::newRow("rule") << QByteArray("slow-stage") << QByteArray("slow-stage");
        QTest::newRow("signs") << QByteArray("Estimates (∴), B → W’s") << QByteArray("estimates--b--ws");
        QTest::newRow("letters") << QByteArray("Größe") << QByteArray("größe");
    }
    void anchorsAreThoseOfGitHub() {
        QFETCH(QByteArray, heading);
        QFETCH(QByteArray, anchor);
        QCOMPARE(QByteArray::fromStdString(headingAnchor(heading.toStdString())), anchor);
    }

    void headingsCarryTheirAnchors() {
        const ManualPage page =
            readManualPage("a.md", "Before.\n\n# A `b.c`\n\ntext\n\n## Same\n\n## Same\n");
        QCOMPARE(page.sections.size(), std::size_t{4});
        QCOMPARE(page.sections[0].level, 0);
        QCOMPARE(page.sections[0].words, std::string("Before."));
        QCOMPARE(page.title(), std::string("A b.c"));
        QCOMPARE(page.sections[1].anchor, std::string("a-bc"));
        QCOMPARE(page.sections[1].words, std::string("text"));
        QCOMPARE(page.sections[3].anchor, std::string("same-1"));
        QVERIFY(page.html.find("<h1 id=\"a-bc\">A <code>b.c</code></h1>") != std::string::npos);
        QVERIFY(page.html.find("<h2 id=\"same-1\">Same</h2>") != std::string::npos);
    }

    void tablesLinksAndPicturesAreRead() {
        const auto suffixed = [](const std::string& target) { return target + ".html"; };
        const ManualPage page = readManualPage(
            "a.md", "# A\n\n| left | right |\n|---|---:|\n| one | [two](b) |\n\n![alt](c.png)\n<b>raw</b>\n",
            suffixed);
        QCOMPARE(page.links, std::vector<std::string>{"b"});
        QCOMPARE(page.pictures, std::vector<std::string>{"c.png"});
        QVERIFY(page.html.find("<td align=\"right\"><a href=\"b.html\">two</a></td>") != std::string::npos);
        QVERIFY(page.html.find("<b>") == std::string::npos); // Markdown only
        QCOMPARE(page.sections[0].words, std::string("left right one two alt raw"));
    }

    void pagesStandInTheOrderOfTheIndex() {
        std::vector<std::string> names;
        const Manual manual = threePages();
        for (const ManualPage& page : manual.pages())
            names.push_back(page.name);
        QCOMPARE(names, (std::vector<std::string>{"index.md", "words.md", "window.md"}));
    }

    void linksAreResolvedFromTheirPage() {
        QCOMPARE(resolvedLink("a.md", "b.md#c"), std::string("b.md#c"));
        QCOMPARE(resolvedLink("planners/haap.md", "../proofs.md"), std::string("proofs.md"));
        QCOMPARE(resolvedLink("planners/haap.md", "harp.md"), std::string("planners/harp.md"));
        QCOMPARE(resolvedLink("planners/haap.md", "#seeds"), std::string("planners/haap.md#seeds"));
        QCOMPARE(resolvedLink("a.md", "https://example.org/a"), std::string("https://example.org/a"));
        QCOMPARE(resolvedLink("a.md", "../LICENSE"), std::string("../LICENSE"));
        QVERIFY(isExternal("mailto:a@b") && !isExternal("a.md#b:c"));
        const Manual manual = threePages();
        QVERIFY(manual.leadsSomewhere("window.md") && manual.leadsSomewhere("window.md#memory"));
        QVERIFY(!manual.leadsSomewhere("window.md#nothing") && !manual.leadsSomewhere("nothing.md"));
    }

    void headingsComeFirst() {
        const Manual manual = threePages();
        QCOMPARE(found(manual, "BUBBLE"), (std::vector<std::string>{"bubble", "timeline"}));
        QCOMPARE(found(manual, "stage  bubble"), std::vector<std::string>{"timeline"});
        QCOMPARE(found(manual, "Maß"), std::vector<std::string>{"bubble"});
        QCOMPARE(found(manual, "words"), (std::vector<std::string>{"words", "manual", "memory"}));
        QCOMPARE(found(manual, "leak of"), (std::vector<std::string>{"pipe-leak", "bubble"}));
        QVERIFY(found(manual, "nowhere").empty());
        QVERIFY(found(manual, "  ").empty());
    }

    void wordsAreFoundByTheirBeginnings() {
        const Manual manual(
            {readManualPage("a.md", "# A\n\nThe gap is \u201cproven\u201d; unbounded `E_DIVIDE` of "
                                    "`--json`, \u00e4u\u00dfere.\n")});
        for (const char* query : {"prov", "gap the", "divide", "--json", "json", "\u00e4u\u00df"})
            QCOMPARE(found(manual, query).size(), std::size_t{1});
        for (const char* query : {"bounded", "roven", "son", "u\u00dfere"})
            QVERIFY2(found(manual, query).empty(), query);
        const ManualHit hit = manual.search("unbounded bounded").front();
        QCOMPARE(hit.marks.size(), std::size_t{1}); // nothing inside a word is marked
    }

    // In any order. One that only the page's title has counts for its sections; such a page comes first, with
    // what the whole of it has.
    void theTitleOfThePageCountsForItsSections() {
        const Manual manual(
            {readManualPage("proofs.md",
                            "# Proofs\n\nWhat holds.\n\n## The number\n\nA bound from below is the lower "
                            "one.\n\n## Else\n\nNothing of it.\n"),
             readManualPage("other.md", "# Other\n\n## First\n\nNo proof, but a lower bound.\n"),
             readManualPage("index.md", "# Manual\n\n1. [Other](other.md)\n2. [Proofs](proofs.md)\n")});
        const std::vector<std::string> expected = {"proofs", "the-number", "first"};
        QCOMPARE(found(manual, "lower bound proof"), expected);
        QCOMPARE(found(manual, "proof bound lower"), expected);
        // By itself it is found as the page, not as each of its sections.
        QCOMPARE(found(manual, "proofs"), (std::vector<std::string>{"proofs", "manual", "first"}));
    }

    void sentencesAreSearchedByTheirStems() {
        using Words = std::vector<std::string>;
        QCOMPARE(searchWords("How exact are the predicted times?"), (Words{"exact", "predict", "time"}));
        QCOMPARE(searchWords("No plan can be faster"), (Words{"plan", "faster"}));
        QCOMPARE(searchWords("Predictions, planned stages (--json)"),
                 (Words{"predict", "plan", "stage", "--json"}));
        QCOMPARE(searchWords("bus speed across gpus"), (Words{"bus", "speed", "across", "gpu"}));
        QCOMPARE(searchWords("what is it"), (Words{"what", "is", "it"})); // nothing else to go by
        QVERIFY(searchWords(" ? ").empty());
        // Common words and the middle of others count nothing, and are not marked.
        const Manual manual({readManualPage("a.md", "# A\n\nAn anchor and a plan of stages.\n")});
        const ManualHit hit = manual.search("an is the staging of").front();
        QCOMPARE(hit.marks.size(), std::size_t{1});
        QCOMPARE(hit.snippet.substr(hit.marks[0].begin, hit.marks[0].length), std::string("stag"));
    }

    void pluralsAndDashesHaveStems() {
        using Words = std::vector<std::string>;
        QCOMPARE(searchWords("switches flushes boxes losses caches topologies"),
                 (Words{"switch", "flush", "box", "loss", "cach", "topolog"}));
        QCOMPARE(searchWords("series axes phases loss"), (Words{"serie", "axe", "phase", "loss"}));
        QCOMPARE(searchWords("micro-batches all-reduces pre- --all-schedules"),
                 (Words{"micro-batch", "all-reduce", "pre-", "--all-schedules"}));
        QCOMPARE(searchWords("modelling controlled filled supply deeply cheaply"),
                 (Words{"model", "control", "fill", "supply", "deep", "cheap"}));
        QCOMPARE(searchWords("biases buses uses causes"), (Words{"bias", "bus", "use", "caus"}));
        const Manual manual(
            {readManualPage("a.md", "# A\n\n## Switch\n\nCache of a micro-batch.\n\n## Topology\n\nWho "
                                    "supports a model.\n"),
             readManualPage("glossary.md", "# Words\n\n## Micro-batch\n\nSequences.\n")});
        QCOMPARE(found(manual, "switches"), std::vector<std::string>{"switch"});
        QCOMPARE(found(manual, "topologies modelling"), std::vector<std::string>{"topology"});
        QCOMPARE(found(manual, "micro-batches"), (std::vector<std::string>{"micro-batch", "switch"}));
        QVERIFY(found(manual, "supply").empty());
    }

    // What a page is about by other words than its own, and what the glossary explains.
    void keywordsAndEntriesComeFirst() {
        const Manual manual(
            {readManualPage("accuracy.md", "# Accuracy\n\nOf predictions.\n\n## Runs\n\nTimes beside.\n"),
             readManualPage("other.md", "# Other\n\n## Times\n\nPredicted times, predicted again, exact "
                                        "ones.\n\n## Bubble\n\nBubble by bubble.\n"),
             readManualPage("glossary.md", "# Words\n\n## Bubble\n\nIdle.\n"),
             readManualPage("index.md", "# Manual\n\n1. [Other](other.md)\n2. [Words](glossary.md)\n")});
        const auto first = [&](const char* query) {
            const ManualHit hit = manual.search(query).front();
            return manual.pages()[hit.page].name;
        };
        QCOMPARE(first("how exact are predicted times"), std::string("accuracy.md"));
        QCOMPARE(first("bubbles"), std::string("glossary.md"));
    }

    // Where no section has all of them.
    void mostOfTheWordsAreBetterThanNothing() {
        const Manual manual = threePages();
        QCOMPARE(found(manual, "bubble nowhere"), (std::vector<std::string>{"bubble", "timeline"}));
        QCOMPARE(found(manual, "stage nowhere bubble"), std::vector<std::string>{"timeline"});
    }

    void snippetsMarkTheWords() {
        std::string text = "# A\n\n";
        for (int i = 0; i < 60; ++i)
            text += "früher später ";
        text += "der gesuchte Fund steht hier ";
        for (int i = 0; i < 60; ++i)
            text += "früher später ";
        const Manual manual({readManualPage("a.md", text)});
        const std::vector<ManualHit> hits = manual.search("fund gesucht");
        QCOMPARE(hits.size(), std::size_t{1});
        const ManualHit& hit = hits.front();
        QVERIFY(hit.snippet.size() < 200);
        QCOMPARE(hit.marks.size(), std::size_t{2});
        QCOMPARE(hit.snippet.substr(hit.marks[0].begin, hit.marks[0].length), std::string("gesucht"));
        QCOMPARE(hit.snippet.substr(hit.marks[1].begin, hit.marks[1].length), std::string("Fund"));
        QVERIFY(QString::fromUtf8(hit.snippet.c_str()).toStdString() == hit.snippet); // no halved letter
    }
};

QTEST_APPLESS_MAIN(ManualTest)
#include "manual_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reproduce/reproduced_text.h"

#include <QTest>

using namespace pw;

namespace {

PublishedRow rowOf(std::optional<PublishedFigure> published, const char* why = "") {
    PublishedRow row;
    row.quantity = "iteration";
    row.unit = "s";
    row.published = published;
    row.why = why;
    return row;
}

} // namespace

// The words of rows, which the command line, the manual and the window share.
class ReproducedTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void figuresHaveTheirUnit() {
        const PublishedRow one = rowOf(PublishedFigure{1.23456, 1.23456});
        QCOMPARE(publishedText(one), std::string("1.235 s"));
        QCOMPARE(publishedText(rowOf(PublishedFigure{1.3, 1.6})), std::string("1.3 to 1.6 s"));
        QCOMPARE(publishedText(rowOf(PublishedFigure{0.0, 0.0})), std::string("0 s"));
        QCOMPARE(publishedText(rowOf(std::nullopt)), std::string());
        QCOMPARE(predictedText({nullptr, &one, 14.4567, {}}), std::string("14.46 s"));
        QCOMPARE(predictedText({nullptr, &one, std::nullopt, "no plan"}), std::string("none"));
    }

    void agreementNeedsBoth() {
        const PublishedRow one = rowOf(PublishedFigure{1.0, 1.0});
        const PublishedRow none = rowOf(std::nullopt);
        QCOMPARE(agreementText({nullptr, &one, 1.1, {}}), std::string("yes"));
        QCOMPARE(agreementText({nullptr, &one, 1.2, {}}), std::string("no"));
        QCOMPARE(agreementText({nullptr, &one, std::nullopt, "no plan"}), std::string());
        QCOMPARE(agreementText({nullptr, &none, 1.0, {}}), std::string());
    }

    void standingIsOfWhatWasPublished() {
        PublishedRow row = rowOf(PublishedFigure{1.0, 1.0});
        QCOMPARE(standingText(row), std::string("stated by the authors"));
        row.measured = true;
        QCOMPARE(standingText(row), std::string("measured by the authors"));
        row.published.reset();
        QCOMPARE(standingText(row), std::string());
    }

    // A reason stands beside a row that differs or has no prediction, and beside no other.
    void whyIsOfRowsThatDiffer() {
        const PublishedRow row = rowOf(PublishedFigure{1.0, 1.0}, "slower links");
        QCOMPARE(whyText({nullptr, &row, 1.0, {}}), std::string());
        QCOMPARE(whyText({nullptr, &row, 2.0, {}}), std::string("slower links"));
        QCOMPARE(whyText({nullptr, &row, std::nullopt, "no plan"}), std::string("no plan"));
    }

    void remarksAreSaidOnce() {
        PublishedCase first, second;
        first.assumed = second.assumed = "fp16";
        const PublishedRow slow = rowOf(PublishedFigure{1.0, 1.0}, "slower links");
        const PublishedRow silent = rowOf(PublishedFigure{1.0, 1.0});
        const std::vector<ReproducedRow> rows = {{&first, &slow, 1.0, {}},
                                                 {&first, &slow, 2.0, {}},
                                                 {&second, &slow, 3.0, {}},
                                                 {&second, &silent, 3.0, {}},
                                                 {&second, &slow, std::nullopt, "no plan"}};
        const ReproducedRemarks remarks = remarksOf(rows);
        QCOMPARE(remarks.assumed.size(), std::size_t{1});
        QCOMPARE(remarks.assumed[0].row, &rows[0]);
        QCOMPARE(remarks.assumed[0].text, std::string("fp16"));
        QCOMPARE(remarks.reasons.size(), std::size_t{2});
        QCOMPARE(remarks.reasons[0].row, &rows[1]);
        QCOMPARE(remarks.reasons[0].text, std::string("slower links"));
        QCOMPARE(remarks.reasons[1].row, &rows[4]);
        QCOMPARE(remarks.reasons[1].text, std::string("no plan"));
        QVERIFY(remarksOf({}).assumed.empty());
    }
};

QTEST_APPLESS_MAIN(ReproducedTextTest)
#include "reproduced_text_test.moc"

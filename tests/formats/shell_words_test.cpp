// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/shell_words.h"

#include <QTest>

#include <string>

using namespace pw;

class ShellWordsTest : public QObject {
    Q_OBJECT

private:
    // The words of the last command; what is open in one stands in brackets behind it.
    static QString last(const char* script) {
        const Result<ShellScript> read = readShell(script, "run.sh");
        if (!read)
            return QString::fromStdString(read.error().text());
        QString text;
        for (const ShellWord& word : read->words) {
            if (word.ends)
                continue;
            text += (text.isEmpty() ? "" : " ") + QString::fromStdString(word.text);
            if (!word.open.empty())
                text += QStringLiteral("[%1]").arg(QString::fromStdString(word.open));
        }
        return text;
    }

private Q_SLOTS:
    // As bash works them out with nothing set outside.
    void defaultsStandWhereNothingElseDoes_data() {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* script, const char* words) {
            QTest::newRow(script) << QByteArray(script) << QString::fromLatin1(words);
        };
        row("TP=${TP:-4}\nrun --tp $TP", "run --tp 4");
        row("run ${TP-4} ${TP:-8}", "run 4 8");
        row("TP=2\nrun ${TP:-4}", "run 2");
        row("TP=\nrun a${TP:-4} b${TP-8}", "run a4 b");
        row("run ${TP:=4} $TP", "run 4 4");
        row("run ${TP:-} end", "run  end");
        row("run \"${NAME:-a b}\"", "run a b");
        row("run ${DIR:-\"/data\"}/x", "run /data/x");
        row("B=3\nrun ${A:-${B:-4}} ${A:-$B}x", "run 3 3x");
        row("run ${1:-8}", "run [${1:-8}]"); // a function may have been given another
        row("A=$UNKNOWN\nrun ${A:-4}", "run [$UNKNOWN]");
        row("A=${B:-$UNKNOWN}\nrun $A", "run [$UNKNOWN]");
        row("run ${A:-$UNKNOWN}", "run [$UNKNOWN]");
        row("run $X${A:-4}", "run 4[$X]");
        row("A=\"--b 1\"\nrun ${A:-4}", "run --b 1");
        row("run ${A:+4} ${A#x} ${#A}", "run [${A:+4}] [${A#x}] [${#A}]"); // nothing else is worked out
    }
    void defaultsStandWhereNothingElseDoes() {
        QFETCH(QByteArray, script);
        QFETCH(QString, words);
        QCOMPARE(last(script.constData()), words);
    }

    // Nested without end they stay open, and a default is no way to a text without end.
    void nestingEnds() {
        std::string script = "run ";
        for (int i = 0; i < 10'000; ++i)
            script += "${A:-";
        script += "4" + std::string(10'000, '}');
        QVERIFY(last(script.c_str()).startsWith(QStringLiteral("run [${A:-")));
    }
};

QTEST_APPLESS_MAIN(ShellWordsTest)
#include "shell_words_test.moc"

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// What every test keeps to, so that a run of them says the same on any machine: they read nothing but this
// repository, are not skipped behind anybody's back, and rest on no clock.
#include "tests/skip.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>

namespace {

struct Line {
    QString file, text; // file: below tests/
};

// Of every source in tests/; this one apart, which names what it looks for.
QList<Line> linesOfTests() {
    const QString root = QStringLiteral(PW_SOURCE_DIR "/tests/");
    QDirIterator files(root, {QStringLiteral("*.cpp"), QStringLiteral("*.h"), QStringLiteral("*.py")},
                       QDir::Files, QDirIterator::Subdirectories);
    QList<Line> lines;
    while (files.hasNext()) {
        QFile file(files.next());
        const QString name = file.fileName().mid(root.size());
        if (name == QLatin1String("packaging/rules_test.cpp") || !file.open(QIODevice::ReadOnly))
            continue;
        for (const QString& text : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n')))
            lines.append({name, text});
    }
    return lines;
}

// In how many lines of a file time may be looked at all the same.
const QMap<QString, int> kClocks = {
    {QStringLiteral("e2e/desk.py"), 3},                // wait() pauses before it asks again, and gives up
    {QStringLiteral("engine/slurm.py"), 3},            // wait() as well: a scheduler takes its time
    {QStringLiteral("engine/slurm_sweep_test.py"), 4}, // how long a node and a controller are dead
    {QStringLiteral("store/store_crash_test.cpp"), 6}, // kills programs at any moment of what they take
};

} // namespace

// What PW_SKIP makes of a test, seen from outside: this program again, with --skip.
class Skipping : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cannotRun() { PW_SKIP("mount", "nothing can be mounted"); }
};

class RulesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void testsReadTheRepositoryAlone() {
        const QList<Line> lines = linesOfTests();
        QVERIFY(lines.size() > 10'000);
        for (const Line& line : lines)
            QVERIFY2(!line.text.contains(QLatin1String("PW_SOURCE_DIR")) ||
                         !line.text.contains(QLatin1String("..")),
                     qPrintable(line.file + QLatin1String(": ") + line.text));
    }

    // A test of a view is looked for where the view is.
    void testsOfTheWindowLieInItsFolders() {
        const QDir tests(QStringLiteral(PW_SOURCE_DIR "/tests/ui")),
            window(QStringLiteral(PW_SOURCE_DIR "/ui"));
        QCOMPARE(tests.entryList({QStringLiteral("*_test.cpp")}, QDir::Files), QStringList());
        const QStringList folders = tests.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        QVERIFY(folders.size() > 15);
        for (const QString& folder : folders)
            QVERIFY2(window.exists(folder), qPrintable(folder));
    }

    void skipsNameAReasonOfTheList() {
        QFile readme(QStringLiteral(PW_SOURCE_DIR "/tests/README.md"));
        QVERIFY(readme.open(QIODevice::ReadOnly));
        const QString text =
            QString::fromUtf8(readme.readAll()).section(QLatin1String("## Skipped tests"), 1);
        static const QRegularExpression row(QStringLiteral("^\\| `([a-z0-9-]+)` \\|"),
                                            QRegularExpression::MultilineOption);
        QSet<QString> listed, used;
        for (auto match = row.globalMatch(text.section(QLatin1String("\n## "), 0, 0)); match.hasNext();)
            listed << match.next().captured(1);
        static const QRegularExpression skip(QStringLiteral("PW_SKIP\\(\"([^\"]*)\"|^REASON = \"([^\"]*)\""));
        for (const Line& line : linesOfTests()) {
            const bool macro = line.file == QLatin1String("skip.h");
            QVERIFY2(macro || !line.text.contains(QLatin1String("QSKIP")), qPrintable(line.file));
            if (const auto match = skip.match(line.text); match.hasMatch() && !macro)
                used << match.captured(1) + match.captured(2);
        }
        for (const QString& reason : used + listed)
            QVERIFY2(used.contains(reason) && listed.contains(reason), qPrintable(reason));
    }

    void aSkipFailsUnlessItsReasonIsAllowed_data() {
        QTest::addColumn<QString>("allowed");
        QTest::addColumn<bool>("passes");
        QTest::newRow("nothing") << QString() << false;
        QTest::newRow("another reason") << QStringLiteral("clouds,%1s") << false;
        QTest::newRow("this reason") << QStringLiteral("%1") << true;
        QTest::newRow("this one of two") << QStringLiteral("clouds,%1") << true;
    }
    void aSkipFailsUnlessItsReasonIsAllowed() {
        QFETCH(QString, allowed);
        QFETCH(bool, passes);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PW_ALLOW_SKIP"),
                           QString(allowed).replace(QLatin1String("%1"), QLatin1String("mount")));
        QProcess program;
        program.setProcessEnvironment(environment);
        program.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--skip")});
        QVERIFY(program.waitForFinished(60'000));
        const QByteArray told = program.readAllStandardOutput();
        QCOMPARE(program.exitCode(), passes ? 0 : 1);
        QVERIFY2(told.contains(passes ? "SKIP" : "PW_ALLOW_SKIP=mount"), told.constData());

        QProcess driver; // the same rule of those in Python
        environment.insert(QStringLiteral("PYTHONDONTWRITEBYTECODE"), QStringLiteral("1"));
        environment.insert(QStringLiteral("PW_ALLOW_SKIP"),
                           QString(allowed).replace(QLatin1String("%1"), QLatin1String("screen")));
        driver.setProcessEnvironment(environment);
        driver.setWorkingDirectory(QStringLiteral(PW_SOURCE_DIR "/tests/e2e"));
        driver.start(QStringLiteral("/usr/bin/python3"),
                     {QStringLiteral("-c"), QStringLiteral("import desk; desk.skip('no screen')")});
        QVERIFY(driver.waitForFinished(60'000));
        QCOMPARE(driver.exitCode(), passes ? 77 : 1);
    }

    // A sleep is too short on a machine that is busy and too long on one that is not; an assertion on the
    // clock is a draw. Time is measured in tests/perf, alone and against budgets.
    void noTestRestsOnTheClock() {
        static const QRegularExpression clock(QStringLiteral(
            "QElapsedTimer|QDeadlineTimer|(steady|system|high_resolution)_clock|monotonic\\(|qWait\\(|qSleep|"
            "sleep_(for|until)|\\b[mu]?sleep\\(|nanosleep|currentMSecsSinceEpoch|nsecsElapsed|\\.elapsed\\("
            "\\)"));
        QMap<QString, QStringList> found;
        for (const Line& line : linesOfTests())
            if (!line.file.startsWith(QLatin1String("perf/")) && clock.match(line.text).hasMatch())
                found[line.file] << line.text.trimmed();
        for (const QString& file : found.keys() + kClocks.keys())
            QVERIFY2(found[file].size() == kClocks.value(file),
                     qPrintable(file + QLatin1String(":\n") + found[file].join(QLatin1Char('\n'))));
    }
};

int main(int argc, char** argv) {
    const QCoreApplication app(argc, argv);
    if (argc == 2 && qstrcmp(argv[1], "--skip") == 0) {
        Skipping skipping;
        return QTest::qExec(&skipping, {QStringLiteral("skipping")});
    }
    RulesTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "rules_test.moc"

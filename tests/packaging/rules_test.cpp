// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// What every test keeps to, so that a run of them says the same on any machine: they read nothing but this
// repository, are not skipped behind anybody's back, and rest on no clock. And what sources keep to, so that
// tests can have it so: the time and the disk are those that they are handed.
#include "tests/skip.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>

namespace {

struct Line {
    QString file, text; // file: below the root
};

// Of every source below the root, a folder of the repository, in these folders of it; this one apart, which
// names what it looks for.
QList<Line> linesBelow(const QString& root, const QStringList& folders) {
    QList<Line> lines;
    for (const QString& folder : folders) {
        QDirIterator files(root + folder,
                           {QStringLiteral("*.cpp"), QStringLiteral("*.h"), QStringLiteral("*.py")},
                           QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            const QString name = file.fileName().mid(root.size());
            if (name == QLatin1String("packaging/rules_test.cpp") || !file.open(QIODevice::ReadOnly))
                continue;
            for (const QString& text : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n')))
                lines.append({name, text});
        }
    }
    return lines;
}

QList<Line> linesOfTests() {
    return linesBelow(QStringLiteral(PW_SOURCE_DIR "/tests/"), {QString()});
}

QList<Line> linesOfSources() {
    return linesBelow(QStringLiteral(PW_SOURCE_DIR "/"),
                      {QStringLiteral("core"), QStringLiteral("app"), QStringLiteral("ui")});
}

QStringList namesBelow(const QString& folder, QDir::Filters what, const QStringList& like = {}) {
    return QDir(QStringLiteral(PW_SOURCE_DIR "/") + folder).entryList(like, what | QDir::NoDotAndDotDot);
}

// Folders with sources, of their own or further below; of ui's one has pictures alone.
QStringList roomsOf(const QString& folder) {
    QStringList rooms = namesBelow(folder, QDir::Dirs);
    rooms.removeIf([&](const QString& room) {
        QDirIterator sources(QStringLiteral(PW_SOURCE_DIR "/%1/%2").arg(folder, room),
                             {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                             QDirIterator::Subdirectories);
        return !sources.hasNext();
    });
    return rooms;
}

// What is a room without tests or tests without a room; `others` are folders of tests that are of no room.
QStringList unmirrored(const QStringList& rooms, const QStringList& tests, const QStringList& others) {
    QStringList wrong;
    for (const QString& room : rooms + others)
        if (!tests.contains(room))
            wrong << room + QLatin1String(" has no tests");
    for (const QString& folder : tests)
        if (rooms.contains(folder) == others.contains(folder))
            wrong << folder + QLatin1String(" is no room");
    return wrong;
}

const QStringList kOfNoRoom = {
    QStringLiteral("cli"),       // the program, driven from outside
    QStringLiteral("data"),      // what tests read
    QStringLiteral("e2e"),       // the window, driven from outside
    QStringLiteral("engine"),    // sweeps on a real Slurm
    QStringLiteral("fuzz"),      // every reader
    QStringLiteral("mutate"),    // tests of several rooms in one program
    QStringLiteral("packaging"), // the repository and its documents
    QStringLiteral("perf"),      // benchmarks
    QStringLiteral("runner"),    // samples/runner
    QStringLiteral("samples"),   // what ships as samples
    QStringLiteral("schemas"),   // what ships as schemas
    QStringLiteral("soak"),      // hours of the window
    QStringLiteral("ui"),        // has the folders of ui
};

// In how many lines of a file something may stand all the same.
using Exceptions = QMap<QString, int>;

// Files that have it in other lines than the exceptions say, with these lines.
QStringList strays(const QList<Line>& lines, const QRegularExpression& what, const Exceptions& exceptions) {
    QMap<QString, QStringList> found;
    for (const Line& line : lines)
        if (what.match(line.text).hasMatch())
            found[line.file] << line.text.trimmed();
    QStringList wrong, files = found.keys() + exceptions.keys();
    files.removeDuplicates();
    for (const QString& file : files)
        if (found.value(file).size() != exceptions.value(file))
            wrong << file + QLatin1String(":\n") + found.value(file).join(QLatin1Char('\n'));
    return wrong;
}

const Exceptions kClocks = {
    {QStringLiteral("e2e/desk.py"), 3},                // wait() pauses before it asks again, and gives up
    {QStringLiteral("engine/slurm.py"), 3},            // wait() as well: a scheduler takes its time
    {QStringLiteral("engine/slurm_sweep_test.py"), 4}, // how long a node and a controller are dead
    {QStringLiteral("store/store_crash_test.cpp"), 6}, // kills programs at any moment of what they take
    {QStringLiteral("runner/as_on_nodes.py"), 3},      // ranks that must end by themselves, and a limit
    {QStringLiteral("runner/runner_emulation_test.py"), 2}, // a clock of its own, that stands
    {QStringLiteral("cli/cli_hostile_test.cpp"), 1},        // another program, which waits to be told of
    // The time of a crash is the machine's, and lies between two looks at it.
    {QStringLiteral("ui/diagnostics/crash_handler_test.cpp"), 2},
};

} // namespace

// What sources are handed, how they would go round it, and where they may. The first of the files is the
// one that asks the system for everybody.
struct Rule {
    const char* what;
    QRegularExpression round;
    Exceptions exceptions;
    QStringList violations; // lines that it is for
};

const QList<Rule>& rules() {
    static const QList<Rule> all = {
        {"the clock",
         QRegularExpression(QStringLiteral("(steady|system|high_resolution)_clock|QElapsedTimer|"
                                           "QDeadlineTimer|Q(Date|Time|DateTime)::current|"
                                           "current(M)?SecsSinceEpoch|clock_gettime|gettimeofday|sleep_(for|"
                                           "until)|\\b[mu]?sleep\\(|nanosleep|"
                                           "sqlite3_(sleep|busy_timeout)")),
         {
             {QStringLiteral("core/base/clock.cpp"), 3},
             {QStringLiteral("ui/diagnostics/crash_handler.cpp"), 1}, // safe in a signal's handler
             {QStringLiteral("ui/problems/problems_panel.cpp"), 1},   // the time of day, for people
         },
         {QStringLiteral("    const auto now = std::chrono::steady_clock::now();"),
          QStringLiteral("    QElapsedTimer since;"),
          QStringLiteral("    text += QDateTime::currentDateTimeUtc().toString();"),
          QStringLiteral("        QThread::msleep(10);"), QStringLiteral("        sqlite3_sleep(10);")}},
        {"the disk",
         QRegularExpression(QStringLiteral(
             "\\b[io]?fstream\\b|(^|[^\\w>])::open\\(|\\bopenForReading\\(|\\bO_(RDONLY|WRONLY|RDWR)\\b|"
             "\\bmk(dtemp|stemp)\\(|"
             "\\b(fs|filesystem)::(remove|rename|create_|permissions|copy|resize_file)|"
             // Qt's; includes and facts are none of it.
             "\\bQFile( \\w|\\(|::(remove|rename|copy|link|moveToTrash|resize|setPermissions)\\()|"
             "\\bQ(SaveFile|LockFile|TemporaryFile|TemporaryDir)\\b(?!>)|"
             "\\bQDir\\(.*\\)\\.(remove|rename)|\\.(mkdir|mkpath|rmdir|rmpath|removeRecursively)\\(")),
         {
             {QStringLiteral("core/base/disk.cpp"), 9},
             // What is no file: a pipe and its copy in memory. The disk opens by it.
             {QStringLiteral("core/base/pipes.cpp"), 3},
             {QStringLiteral("core/base/pipes.h"), 1},
             // Programs that share a log know it by its inode, lock and rename it: one descriptor does it
             // all, and what fails stops nobody.
             {QStringLiteral("core/base/log_file.cpp"), 5},
             {QStringLiteral("app/cli/child_process.cpp"), 2}, // descriptors that a child inherits
             {QStringLiteral("app/manual_html.cpp"), 2},       // run by the build
             // Calls that are safe in a signal's handler, and what a crash has left: nothing is lost there.
             {QStringLiteral("ui/diagnostics/crash_handler.cpp"), 3},
             {QStringLiteral("ui/diagnostics/crash_reports.cpp"), 4},
             {QStringLiteral("ui/diagnostics/log_tail.cpp"), 1},   // reads the log, which goes round it
             {QStringLiteral("ui/diagnostics/window_log.cpp"), 1}, // makes its folder
             // What Qt has in the program itself, and what the system says of a process.
             {QStringLiteral("ui/base/icons.cpp"), 1},
             {QStringLiteral("ui/help/manual_pages.cpp"), 1},
             {QStringLiteral("ui/window/process.cpp"), 1},
             // Folders that are gone with who made them.
             {QStringLiteral("ui/sweep/new_sweep_dialog.h"), 1},
             {QStringLiteral("ui/window/screenshots.h"), 1},
             {QStringLiteral("ui/window/screenshots.cpp"), 1}, // pictures, which Qt writes by itself
         },
         {QStringLiteral("    std::ifstream in(path);"), QStringLiteral("std::ofstream(file) << text;"),
          QStringLiteral("    const int fd = ::open(path.c_str(), flags);"),
          QStringLiteral("    int fd = open(name, O_RDONLY);"),
          QStringLiteral("    const int fd = openForReading(path, code);"),
          QStringLiteral("        fs::remove_all(path, ignored);"),
          QStringLiteral("    std::filesystem::create_directories(folder);"),
          QStringLiteral("    QFile in(file);"), QStringLiteral("    QFile::remove(m_file);"),
          QStringLiteral("    QSaveFile out(path);"), QStringLiteral("    QDir().mkpath(folder);"),
          QStringLiteral("    QDir(folder).remove(name);")}},
        {"what it is handed",
         QRegularExpression(QStringLiteral("\\bsystem(Clock|Disk)\\(\\)")),
         {
             {QStringLiteral("core/base/clock.cpp"), 1}, // which make them, and say so
             {QStringLiteral("core/base/clock.h"), 1},
             {QStringLiteral("core/base/disk.cpp"), 1},
             {QStringLiteral("core/base/disk.h"), 1},
             // The program is where the machine's are taken: the date that something is kept under, and the
             // clock that a store waits by, which says that it does.
             {QStringLiteral("app/cli/stored_plans.cpp"), 4},
             {QStringLiteral("app/cli/sweep_slurm.cpp"), 1},
         },
         {QStringLiteral("    const double before = systemClock().steady();"),
          QStringLiteral("    if (!writeFileAtomically(path, text, systemDisk()))"),
          QStringLiteral("    const Clock& clock = systemClock();")}}, // in no header
    };
    return all;
}

// Lines that go round what they are handed. The system's own is what a header may fall back on: the default
// of an argument or a member.
QStringList goingRound(QList<Line> lines, const QRegularExpression& round, const Exceptions& exceptions) {
    static const QRegularExpression fallBack(QStringLiteral("= &?system(Clock|Disk)\\(\\)[;,)]"));
    lines.removeIf([](const Line& line) {
        return line.file.endsWith(QLatin1String(".h")) && fallBack.match(line.text).hasMatch();
    });
    return strays(lines, round, exceptions);
}

// What PW_SKIP makes of a test, seen from outside: this program again, with --skip.
class Skipping : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cannotRun() { PW_SKIP("ldd", "there is no ldd"); }
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

    // A test of a room or a view is looked for under its name.
    void testsMirrorTheSources() {
        const QStringList core = roomsOf(QStringLiteral("core")), ui = roomsOf(QStringLiteral("ui"));
        QVERIFY(core.size() > 25 && ui.size() > 25);
        QStringList wrong = unmirrored(core, namesBelow(QStringLiteral("tests"), QDir::Dirs), kOfNoRoom) +
                            unmirrored(ui, namesBelow(QStringLiteral("tests/ui"), QDir::Dirs), {});
        QStringList folders;
        for (const QString& room : core)
            folders << QStringLiteral("tests/") + room;
        for (const QString& room : ui)
            folders << QStringLiteral("tests/ui/") + room;
        for (const QString& folder : folders)
            if (namesBelow(folder, QDir::Files, {QStringLiteral("*_test.cpp")}).isEmpty())
                wrong << folder + QLatin1String(" holds no test");
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
        for (const char* folder : {"tests", "tests/ui"}) // each lies in the folder of a room
            QCOMPARE(namesBelow(QLatin1String(folder), QDir::Files, {QStringLiteral("*_test.cpp")}),
                     QStringList());
    }

    void whatIsNotMirroredIsFound() {
        const QStringList rooms = {QStringLiteral("base"), QStringLiteral("cost")},
                          others = {QStringLiteral("perf")};
        QCOMPARE(unmirrored(rooms, rooms + others, others), QStringList());
        QCOMPARE(unmirrored(rooms, rooms, others), QStringList{QStringLiteral("perf has no tests")});
        QCOMPARE(unmirrored(rooms, {rooms[0], others[0]}, others),
                 QStringList{QStringLiteral("cost has no tests")});
        QCOMPARE(unmirrored(rooms, rooms + others + QStringList{QStringLiteral("odd")}, others),
                 QStringList{QStringLiteral("odd is no room")});
        QCOMPARE(unmirrored(rooms + others, rooms + others, others), // which is a room by now
                 QStringList{QStringLiteral("perf is no room")});
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
                           QString(allowed).replace(QLatin1String("%1"), QLatin1String("ldd")));
        QProcess program;
        program.setProcessEnvironment(environment);
        program.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--skip")});
        QVERIFY(program.waitForFinished(60'000));
        const QByteArray told = program.readAllStandardOutput();
        QCOMPARE(program.exitCode(), passes ? 0 : 1);
        QVERIFY2(told.contains(passes ? "SKIP" : "PW_ALLOW_SKIP=ldd"), told.constData());

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
    // clock is a draw. Time is measured in tests/perf and tests/soak, alone and against budgets.
    void noTestRestsOnTheClock() {
        static const QRegularExpression clock(QStringLiteral(
            "QElapsedTimer|QDeadlineTimer|(steady|system|high_resolution)_clock|monotonic\\(|qWait\\(|qSleep|"
            "sleep_(for|until)|\\b[mu]?sleep\\(|sqlite3_sleep|nanosleep|Q(Date|Time|DateTime)::current|"
            "currentMSecsSinceEpoch|systemClock\\(|nsecsElapsed|\\.elapsed\\(\\)|clock_gettime|"
            "gettimeofday"));
        QList<Line> lines = linesOfTests();
        lines.removeIf([](const Line& line) {
            return line.file.startsWith(QLatin1String("perf/")) ||
                   line.file.startsWith(QLatin1String("soak/"));
        });
        const QStringList wrong = strays(lines, clock, kClocks);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
    }

    // A false clock, or a disk that is full, reaches no source that asks the system behind its back.
    void sourcesGoRoundNothingThatTheyAreHanded() {
        const QList<Line> lines = linesOfSources();
        QVERIFY(lines.size() > 50'000);
        for (const Rule& rule : rules()) {
            const QStringList wrong = goingRound(lines, rule.round, rule.exceptions);
            QVERIFY2(wrong.isEmpty(),
                     qPrintable(QStringLiteral("%1, in\n%2")
                                    .arg(QLatin1String(rule.what), wrong.join(QLatin1Char('\n')))));
        }
    }

    void whoGoesRoundIsFound() {
        const QString fresh = QStringLiteral("core/sweep/fresh.cpp");
        for (const Rule& rule : rules()) {
            const QString known = rule.exceptions.firstKey();
            for (const char* fine :
                 {"ProfileStore::open(path); ReadableFile::open(path);", "#include <QFile>",
                  "    if (!QFile::exists(path))", "    QFileInfo file(path);", "    clock.pause(0.01);"})
                QCOMPARE(goingRound({{fresh, QLatin1String(fine)}}, rule.round, {}), QStringList());
            for (const char* fallBack : {"    const Disk* disk = &systemDisk(); // never null",
                                         "                const Clock& clock = systemClock());"})
                QCOMPARE(goingRound({{QStringLiteral("core/sweep/fresh.h"), QLatin1String(fallBack)}},
                                    rule.round, {}),
                         QStringList());
            for (const QString& text : rule.violations) {
                const QStringList found = goingRound({{fresh, text}}, rule.round, {});
                QVERIFY2(found.size() == 1 && found[0].startsWith(fresh), qPrintable(text));
                QCOMPARE(strays({{known, text}}, rule.round, {{known, 1}}), QStringList());
                QCOMPARE(strays({{known, text}, {known, text}}, rule.round, {{known, 1}}).size(), 1); // more
            }
            QCOMPARE(strays({}, rule.round, {{known, 1}}).size(), 1); // an exception that nothing needs
        }
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

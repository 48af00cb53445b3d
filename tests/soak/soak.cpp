// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Long-running trust: commands, clicks, keys and dragging at random in the real window, projects opened,
// searched, edited, undone, saved, imported and exported, in rounds that end with the same small project at
// rest. There memory and open files are read, which must not grow from round to round, and how long the
// window took for an event.
//
//   soak [--minutes M | --actions N] [--seed S] [--screen]
//
// The seed is drawn and printed unless it is given. --screen starts an X server; else the platform is the
// environment's. With --minutes it ends with 1 where memory grew by more than 5 %, files stayed open, or an
// event took over 200 ms of processor time; the views of a project are made before. With --actions none of
// this is judged.

#include "tests/soak/soak_hands.h"
#include "tests/soak/soak_record.h"
#include "ui/base/background_job.h"
#include "ui/base/heap.h"
#include "ui/base/theme.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <csignal>
#include <cstdio>
#include <random>

#include <sys/prctl.h>
#include <unistd.h>

using namespace pw;

namespace {

constexpr int kActionsARound = 120;

struct Arguments {
    double minutes = 0.0;
    int actions = 0;
    std::uint64_t seed = 0;
    bool screen = false;
};

std::optional<Arguments> read(int argc, char** argv) {
    Arguments read;
    read.seed = std::random_device{}();
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--screen")
            read.screen = true;
        else if (i + 1 < argc && word == "--minutes")
            read.minutes = std::atof(argv[++i]);
        else if (i + 1 < argc && word == "--actions")
            read.actions = std::atoi(argv[++i]);
        else if (i + 1 < argc && word == "--seed")
            read.seed = std::strtoull(argv[++i], nullptr, 10);
        else
            return std::nullopt;
    }
    return read.minutes > 0.0 || read.actions > 0 ? std::optional(read) : std::nullopt;
}

// An X server that ends with this program, whose display is in the environment then.
class Screen {
public:
    bool start() {
        int ends[2];
        if (pipe(ends) != 0)
            return false;
        m_server = fork();
        if (m_server == 0) {
            prctl(PR_SET_PDEATHSIG, SIGTERM); // also when this program is killed
            close(ends[0]);
            const std::string number = std::to_string(ends[1]);
            execlp("Xvfb", "Xvfb", "-displayfd", number.c_str(), "-screen", "0", "1600x1000x24", "-nolisten",
                   "tcp", static_cast<char*>(nullptr));
            _exit(127);
        }
        close(ends[1]);
        std::string display = ":";
        for (char c = 0; ::read(ends[0], &c, 1) == 1 && c != '\n';)
            display += c;
        close(ends[0]);
        qputenv("DISPLAY", display.c_str());
        qputenv("QT_QPA_PLATFORM", "xcb");
        return display.size() > 1;
    }
    ~Screen() {
        if (m_server > 0)
            kill(m_server, SIGTERM);
    }

private:
    pid_t m_server = 0;
};

// The usual project without anything chosen, at rest: what a round is measured in.
bool rest(MainWindow& window, const QString& usual) {
    constexpr int kMostMs = 600'000;
    const auto jobsEnd = [] { return QTest::qWaitFor([] { return !BackgroundJob::anyRunning(); }, kMostMs); };
    window.context().runner.stop();
    window.context().tournament.stop();
    for (QWidget* other : QApplication::topLevelWidgets())
        if (other != &window && other->isVisible())
            other->close();
    window.context().document.undoStack()->setClean();
    window.context().document.setNewPlans(false);
    window.context().document.setNewDemand(false);
    if (jobsEnd() && window.openFile(usual) && jobsEnd())
        return true;
    std::fprintf(stderr, "soak: %s\n",
                 BackgroundJob::anyRunning() ? "a job has no end" : "the project does not open");
    return false;
}

} // namespace

int main(int argc, char** argv) {
    returnLargeBlocks();
    const std::optional<Arguments> arguments = read(argc, argv);
    if (!arguments) {
        std::fprintf(stderr, "usage: soak [--minutes M | --actions N] [--seed S] [--screen]\n");
        return 2;
    }
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    std::printf("seed %llu\n", static_cast<unsigned long long>(arguments->seed));
    Screen screen;
    if (arguments->screen && !screen.start()) {
        std::fprintf(stderr, "soak: Xvfb did not start\n");
        return 1;
    }
    // Whatever is saved, exported or kept lies here.
    const QTemporaryDir folder;
    for (const char* variable :
         {"HOME", "PIPEWRIGHT_CONFIG_DIR", "PIPEWRIGHT_DATA_DIR", "PIPEWRIGHT_STATE_DIR"})
        qputenv(variable, folder.filePath(QLatin1String(variable)).toUtf8());
    QDir(folder.path()).mkpath(QStringLiteral("HOME"));
    QDir::setCurrent(folder.path());
    SoakRecord record;
    SoakApplication app(argc, argv, record);
    app.setQuitOnLastWindowClosed(false);
    ThemeControl::instance().apply(app, ThemeMode::Light);

    MainWindow window;
    window.resize(1440, 900);
    window.show();
    const QString usual = folder.filePath(QStringLiteral("usual.pwx"));
    const auto usualAgain = [&] { // as it ships, whatever was saved there
        QFile::remove(usual);
        QFile::copy(QStringLiteral(PW_SOURCE_DIR "/samples/projects/mixed-16.pwx"), usual);
        return rest(window, usual);
    };
    if (!usualAgain())
        return 1;
    record = {};
    SoakHands hands(window, folder.path(), arguments->seed, record);
    QElapsedTimer since;
    since.start();
    int done = 0;
    const auto over = [&] {
        return arguments->minutes > 0.0 ? static_cast<double>(since.elapsed()) > 60e3 * arguments->minutes
                                        : done >= arguments->actions;
    };
    while (!over()) {
        for (int i = 0; i < kActionsARound && !over(); ++i, ++done)
            hands.act();
        record.begin("rest");
        if (!usualAgain())
            return 1;
        record.endRound(done, static_cast<double>(since.elapsed()) / 60e3);
    }
    window.context().document.undoStack()->setClean();
    window.context().document.setNewPlans(false);
    window.context().document.setNewDemand(false);
    return arguments->minutes == 0.0 || record.judge() ? 0 : 1;
}

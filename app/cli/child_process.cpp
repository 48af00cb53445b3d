// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <system_error>

namespace pw::cli {

namespace {

constexpr int kNotStarted = 127; // as shells have it

std::string reasonOf(int code) {
    return std::generic_category().message(code);
}

// In the child, between fork and exec: nothing that allocates or locks.
[[noreturn]] void become(char* const* words, int out, int err, bool searched, pid_t parent) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    std::signal(SIGXFSZ, SIG_DFL);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) // it died before that
        _exit(kNotStarted);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    const int null = open("/dev/null", O_RDONLY);
    if (null >= 0)
        dup2(null, STDIN_FILENO);
    searched ? execvp(words[0], words) : execv(words[0], words);
    _exit(kNotStarted);
}

Result<pid_t> start(const std::vector<std::string>& words, int out, int err, bool searched) {
    std::vector<char*> arguments;
    std::vector<std::string> copies = words;
    arguments.reserve(copies.size() + 1);
    for (std::string& word : copies)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0)
        become(arguments.data(), out, err, searched, parent);
    if (child < 0)
        return failure("child.start", words.front(),
                       {"cannot be started ({reason})", {{"reason", reasonOf(errno)}}});
    return child;
}

void readOn(pollfd& from, std::string& text) {
    std::array<char, 4096> piece{};
    const ssize_t got = read(from.fd, piece.data(), piece.size());
    if (got > 0)
        text.append(piece.data(), static_cast<std::size_t>(got));
    else if (got == 0 || errno != EINTR)
        from.fd = -1;
}

} // namespace

std::filesystem::path ownProgram() {
    std::error_code problem;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", problem);
    return problem ? "pipewright-cli" : program;
}

Result<pid_t> startProgram(const std::vector<std::string>& words, const std::filesystem::path& log) {
    const int fd = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0)
        return failure("file.create", log.string(),
                       {"cannot be made ({reason})", {{"reason", reasonOf(errno)}}});
    Result<pid_t> child = start(words, fd, fd, false);
    close(fd);
    return child;
}

Result<ProgramRun> runProgram(const std::vector<std::string>& words) {
    std::array<int, 2> out{}, err{};
    if (pipe2(out.data(), O_CLOEXEC) != 0)
        return failure("child.start", words.front(), Wording::asIs(reasonOf(errno)));
    if (pipe2(err.data(), O_CLOEXEC) != 0) {
        close(out[0]);
        close(out[1]);
        return failure("child.start", words.front(), Wording::asIs(reasonOf(errno)));
    }
    const Result<pid_t> child = start(words, out[1], err[1], true);
    close(out[1]);
    close(err[1]);
    ProgramRun run;
    if (child) {
        std::array<pollfd, 2> from{{{out[0], POLLIN, 0}, {err[0], POLLIN, 0}}};
        while (from[0].fd >= 0 || from[1].fd >= 0) {
            if (poll(from.data(), from.size(), -1) < 0 && errno != EINTR)
                break;
            if (from[0].fd >= 0 && from[0].revents != 0)
                readOn(from[0], run.out);
            if (from[1].fd >= 0 && from[1].revents != 0)
                readOn(from[1], run.err);
        }
    }
    close(out[0]);
    close(err[0]);
    if (!child)
        return child.error();
    int status = 0;
    while (waitpid(*child, &status, 0) < 0 && errno == EINTR) {
    }
    run.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (run.code == kNotStarted && run.out.empty() && run.err.empty())
        return failure("child.missing", words.front(), "is no program that can be run here");
    return run;
}

} // namespace pw::cli

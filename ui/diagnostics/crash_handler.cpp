// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnostics/crash_handler.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <exception>
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#if __has_include(<execinfo.h>)
#include <execinfo.h>
#define PW_HAS_BACKTRACE 1
#endif

namespace pw {
namespace {

namespace fs = std::filesystem;

struct Fault {
    int signal;
    const char* name;
};
constexpr std::array kFaults = {Fault{SIGSEGV, "SIGSEGV"}, Fault{SIGBUS, "SIGBUS"}, Fault{SIGFPE, "SIGFPE"},
                                Fault{SIGILL, "SIGILL"}, Fault{SIGABRT, "SIGABRT"}};
constexpr std::size_t kStackBytes = 64 * 1024;

// All that the handlers reach.
struct State {
    int file = -1;
    std::array<char, 512> head{};
    std::atomic<bool> reporting = false;
    pthread_t reporter{};
    std::terminate_handler terminate = nullptr;
    alignas(16) std::array<char, kStackBytes> stack{}; // a stack that has overflowed can hold no handler
};
State g_state;

// Text made without allocation or locale, which a handler may do.
class SafeText {
public:
    SafeText& operator<<(const char* text) {
        while (*text != '\0')
            add(*text++);
        return *this;
    }
    SafeText& number(std::uint64_t value, unsigned base = 10, int width = 1) {
        std::array<char, 20> digits{};
        int count = 0;
        do {
            digits[static_cast<std::size_t>(count++)] = "0123456789abcdef"[value % base];
            value /= base;
        } while (value > 0);
        for (int i = count; i < width; ++i)
            add('0');
        while (count > 0)
            add(digits[static_cast<std::size_t>(--count)]);
        return *this;
    }
    // A message of somebody else's: on one line.
    SafeText& data(const char* text) {
        for (; *text != '\0'; ++text)
            add(static_cast<unsigned char>(*text) < 0x20 || *text == 0x7F ? '?' : *text);
        return *this;
    }
    void write(int file) const {
        std::size_t done = 0;
        while (done < m_size) {
            const ssize_t n = ::write(file, m_text.data() + done, m_size - done);
            if (n <= 0)
                return; // nobody is left to be told
            done += static_cast<std::size_t>(n);
        }
    }

private:
    void add(char c) {
        if (m_size < m_text.size())
            m_text[m_size++] = c;
    }
    std::array<char, 1024> m_text{};
    std::size_t m_size = 0;
};

// "2026-11-22T17:05:03Z ". gmtime() may lock; the date is counted in eras of 400 years that begin on the 1st
// of March of the year 0.
void addNow(SafeText& text) {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    constexpr std::int64_t kDay = 86'400, kEraDays = 146'097, kTo1970 = 719'468;
    const std::int64_t second = now.tv_sec % kDay, days = now.tv_sec / kDay + kTo1970;
    const std::int64_t era = days / kEraDays, day = days % kEraDays;
    const std::int64_t year = (day - day / 1460 + day / 36'524 - day / 146'096) / 365;
    const std::int64_t ofYear = day - (365 * year + year / 4 - year / 100);
    const std::int64_t march = (5 * ofYear + 2) / 153; // months since March
    const std::int64_t month = march < 10 ? march + 3 : march - 9;
    const auto two = [&](std::int64_t n) { text.number(static_cast<std::uint64_t>(n), 10, 2); };
    text.number(static_cast<std::uint64_t>(year + era * 400 + (month <= 2 ? 1 : 0)), 10, 4) << "-";
    two(month);
    text << "-";
    two(ofYear - (153 * march + 2) / 5 + 1);
    text << "T";
    two(second / 3600);
    text << ":";
    two(second / 60 % 60);
    text << ":";
    two(second % 60);
    text << "Z ";
}

void writeCalls(int file) {
#ifdef PW_HAS_BACKTRACE
    std::array<void*, 128> calls{};
    ::backtrace_symbols_fd(calls.data(), ::backtrace(calls.data(), static_cast<int>(calls.size())), file);
#else
    SafeText() << "this platform tells no calls\n";
    static_cast<void>(file);
#endif
}

// True for the first thread; one that fails while another reports waits for the end that this one brings.
bool beginReport() {
    if (!g_state.reporting.exchange(true)) {
        g_state.reporter = ::pthread_self();
        return true;
    }
    while (::pthread_equal(g_state.reporter, ::pthread_self()) == 0)
        ::pause();
    return false; // the report itself failed, or it is std::terminate's and this its abort
}

void onSignal(int signal, siginfo_t* info, void*) {
    if (beginReport()) {
        SafeText text;
        text << g_state.head.data() << "\n";
        addNow(text);
        for (const Fault& fault : kFaults)
            if (fault.signal == signal)
                text << fault.name;
        if (signal != SIGABRT && info != nullptr && info->si_code > 0) // by a fault, not by kill()
            (text << " at address 0x").number(reinterpret_cast<std::uintptr_t>(info->si_addr), 16);
        text << "\n";
        text.write(g_state.file);
        writeCalls(g_state.file);
    }
    // As if there had never been a handler. Not by SA_RESETHAND: another thread that fails meanwhile would
    // end the program before the report is written.
    std::signal(signal, SIG_DFL);
    ::raise(signal);
}

[[noreturn]] void onTerminate() {
    if (beginReport()) {
        SafeText text;
        text << g_state.head.data() << "\n";
        addNow(text);
        text << "std::terminate";
        if (const std::exception_ptr thrown = std::current_exception()) {
            try {
                std::rethrow_exception(thrown);
            } catch (const std::exception& error) {
                (text << ": ").data(error.what());
            } catch (...) {
                text << ": an exception of no standard type";
            }
        }
        text << "\n";
        text.write(g_state.file);
        writeCalls(g_state.file);
    }
    std::abort();
}

// A new file that is ours alone and locked, so that nobody takes it for what a dead program has left.
int opened(const fs::path& folder, fs::path& file) {
    constexpr int kTries = 16;
    for (int i = 0; i < kTries; ++i) {
        file = folder / fmt::format("running-{}-{}.crash", ::getpid(), i);
        const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, 0600);
        if (fd < 0)
            continue;
        struct stat info {};
        if (::flock(fd, LOCK_EX | LOCK_NB) == 0 && ::fstat(fd, &info) == 0 && info.st_nlink > 0)
            return fd;
        ::close(fd);
    }
    file.clear();
    return -1;
}

} // namespace

CrashHandler::CrashHandler(const fs::path& folder, std::string_view head) {
    std::error_code code;
    fs::create_directories(folder, code);
    g_state.file = opened(folder, m_file);
    if (g_state.file < 0)
        return;
    head.copy(g_state.head.data(), g_state.head.size() - 1);
#ifdef PW_HAS_BACKTRACE
    void* call = nullptr;
    ::backtrace(&call, 1); // the first one loads a library
#endif
    stack_t stack{};
    stack.ss_sp = g_state.stack.data();
    stack.ss_size = g_state.stack.size();
    ::sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_sigaction = onSignal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (const Fault& fault : kFaults)
        ::sigaction(fault.signal, &action, nullptr);
    g_state.terminate = std::set_terminate(onTerminate);
}

CrashHandler::~CrashHandler() {
    if (g_state.file < 0)
        return;
    for (const Fault& fault : kFaults)
        std::signal(fault.signal, SIG_DFL);
    std::set_terminate(g_state.terminate);
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
    std::error_code ignored; // an empty report that stays is removed by the next program
    fs::remove(m_file, ignored);
    ::close(g_state.file);
    g_state.file = -1;
    g_state.head = {};
}

} // namespace pw

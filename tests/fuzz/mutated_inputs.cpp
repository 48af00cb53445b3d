// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Mutated inputs for every kind of targets.h: mutated_inputs [--count N] [--seed S] [--jobs J] [--kind K].
// None may crash, think for more than 10 s, wait for more than two minutes or take more than 1 GB. The seed
// is drawn where none is given, and printed; input i of a seed is the same wherever it runs. What is found is
// written to build/fuzz/found and named, and the run goes on behind it.
//
//   parent                          child, one of J, over every J-th input
//     | fork -----------------------> writes the number of the input into shared memory, runs it, ...
//     | waits                         killed by a signal or a limit
//     | saves that input, forks again from the next one
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/targets.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>

namespace {

namespace fs = std::filesystem;

[[maybe_unused]] constexpr rlim_t kMostMemory = 1'200'000'000; // of addresses, with the program's own
constexpr int kMostSeconds = 10;                               // of processor time, for one input
constexpr int kLongestWait = 120;                              // s, for one that only waits

struct Options {
    std::uint64_t count = 100'000, seed = 0;
    unsigned jobs = 2;
    std::string kind;
};

struct Corpus {
    std::vector<std::string> seeds;                                  // of all kinds
    std::vector<std::pair<const pw::fuzz::Kind*, std::size_t>> from; // a kind and one of its seeds
};

Corpus readCorpus(const std::string& only) {
    Corpus corpus;
    for (const pw::fuzz::Kind& kind : pw::fuzz::kinds()) {
        std::vector<fs::path> files;
        std::error_code none;
        for (const auto& entry :
             fs::directory_iterator(PW_SOURCE_DIR "/tests/fuzz/corpus/" + kind.name, none))
            files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        for (const fs::path& file : files) {
            std::ifstream in(file, std::ios::binary);
            corpus.seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
            if (only.empty() || only == kind.name)
                corpus.from.emplace_back(&kind, corpus.seeds.size() - 1);
        }
    }
    return corpus;
}

// Input `i` and what it is for.
std::pair<const pw::fuzz::Kind*, std::string> inputOf(const Corpus& corpus, std::uint64_t seed,
                                                      std::uint64_t i) {
    pw::Random random(seed ^ (i * 0x9E3779B97F4A7C15ULL));
    random.next();
    const auto& [kind, from] = corpus.from[i % corpus.from.size()];
    return {kind, pw::fuzz::mutated(corpus.seeds, from, random)};
}

// What a child says of itself.
struct Shared {
    std::atomic<std::uint64_t> input, read;
};

[[noreturn]] void child(const Corpus& corpus, const Options& options, std::uint64_t first, Shared& shared) {
    const rlimit noCore{0, 0};
#ifndef PW_ADDRESS_SANITIZER // which takes addresses without end
    const rlimit memory{kMostMemory, kMostMemory};
    setrlimit(RLIMIT_AS, &memory);
#endif
    setrlimit(RLIMIT_CORE, &noCore);
    std::freopen("/dev/null", "w", stderr); // what std::terminate has to say
    for (std::uint64_t i = first; i < options.count; i += options.jobs) {
        shared.input = i;
        const itimerval limit{{0, 0}, {kMostSeconds, 0}};
        setitimer(ITIMER_PROF, &limit, nullptr); // SIGPROF ends the process
        const itimerval patience{{0, 0}, {kLongestWait, 0}};
        setitimer(ITIMER_REAL, &patience, nullptr); // and SIGALRM
        const auto [kind, bytes] = inputOf(corpus, options.seed, i);
        shared.read += pw::fuzz::run(*kind, bytes) ? 1 : 0;
    }
    _exit(0);
}

std::string save(const std::string& kind, std::uint64_t input, const std::string& bytes) {
    const fs::path folder = PW_SOURCE_DIR "/build/fuzz/found";
    std::error_code none;
    fs::create_directories(folder, none);
    const fs::path file = folder / (kind + "-" + std::to_string(input));
    std::ofstream(file, std::ios::binary) << bytes;
    return file.string();
}

bool readOptions(int argc, char** argv, Options& options) {
    std::random_device device;
    options.seed = (std::uint64_t{device()} << 32) | device();
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string name = argv[i];
        char* end = nullptr;
        const std::uint64_t number = std::strtoull(argv[i + 1], &end, 10);
        const bool isNumber = *end == '\0';
        if (name == "--kind")
            options.kind = argv[i + 1];
        else if (name == "--count" && isNumber)
            options.count = number;
        else if (name == "--seed" && isNumber)
            options.seed = number;
        else if (name == "--jobs" && isNumber && number > 0 && number < 1000)
            options.jobs = static_cast<unsigned>(number);
        else
            return false;
    }
    return argc % 2 == 1;
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    if (!readOptions(argc, argv, options)) {
        std::fputs("mutated_inputs [--count N] [--seed S] [--jobs J] [--kind K]\n", stderr);
        return 2;
    }
    const Corpus corpus = readCorpus(options.kind);
    if (corpus.from.empty()) {
        std::fputs("mutated_inputs: there are no seeds of that kind\n", stderr);
        return 2;
    }
    std::printf("%llu inputs, seed %llu, %zu seeds\n", static_cast<unsigned long long>(options.count),
                static_cast<unsigned long long>(options.seed), corpus.from.size());
    std::fflush(stdout);
    void* memory = mmap(nullptr, options.jobs * sizeof(Shared), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return 1;
    auto* shared = static_cast<Shared*>(memory);
    std::map<pid_t, unsigned> children;
    const auto start = [&](unsigned job, std::uint64_t first) {
        const pid_t pid = fork();
        if (pid == 0)
            child(corpus, options, first, shared[job]);
        children[pid] = job;
    };
    for (unsigned job = 0; job < options.jobs; ++job)
        start(job, job);
    std::uint64_t found = 0;
    while (!children.empty()) {
        int status = 0;
        rusage used{};
        const pid_t pid = wait4(-1, &status, 0, &used);
        const auto at = children.find(pid);
        if (at == children.end())
            continue;
        const unsigned job = at->second;
        children.erase(at);
        std::error_code none;
        fs::remove_all(pw::fuzz::workFolder(pid), none);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            continue;
        ++found;
        const std::uint64_t input = shared[job].input;
        const auto [kind, bytes] = inputOf(corpus, options.seed, input);
        std::printf("%s: %s, in %s\n", kind->name.c_str(),
                    WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "ended",
                    save(kind->name, input, bytes).c_str());
        std::fflush(stdout);
        start(job, input + options.jobs);
    }
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    std::uint64_t read = 0;
    for (unsigned job = 0; job < options.jobs; ++job)
        read += shared[job].read;
    std::printf("%llu inputs, %llu of them read, %llu found, peak %ld MB\n",
                static_cast<unsigned long long>(options.count), static_cast<unsigned long long>(read),
                static_cast<unsigned long long>(found), used.ru_maxrss / 1024);
    return found == 0 ? 0 : 1;
}

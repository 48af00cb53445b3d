// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupt.h"
#include "app/cli/log_output.h"
#include "app/cli/session.h"
#include "app/cli/terminal.h"
#include "core/base/contained.h"
#include "core/base/pipes.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/document/plan_document.h"
#include "core/document/plan_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <unistd.h>

using namespace pw;
using namespace pw::cli;

namespace {

// Standard output takes one document. Whoever takes the turn first prints; the other side of the race with
// Ctrl-C prints nothing.
class Output {
public:
    explicit Output(bool json) : m_json(json) {}
    // They stand on standard error as events, which nothing else may part.
    void leaveErrorsToLog() { m_errorsInWords = false; }
    // A file that was asked for is written there: what there is to say goes to standard error.
    void leaveToFile() { m_isFile = true; }

    int finish(const Result<Answer>& result) {
        if (!result)
            return fail(result.error());
        const Answer& answer = *result;
        if (!takeTurn())
            pause();
        int code = 0;
        if (answer.refused)
            code = static_cast<int>(answer.refused->kind);
        if (m_json) {
            Json document = answer.document;
            if (answer.refused)
                document.update(errorDocument(*answer.refused));
            return print(printJson(document)) ? code : 1;
        }
        bool printed = true;
        if (m_isFile)
            say(answer.text);
        else
            printed = print(printable(answer.text, kInText));
        if (answer.refused && m_errorsInWords)
            say(errorText(*answer.refused));
        return printed ? code : 1;
    }

    // Help, which has no form as a document.
    int show(const std::string& text) {
        if (!takeTurn())
            pause();
        return print(text) ? 0 : 1;
    }

    int fail(const Error& error) {
        if (!takeTurn())
            pause();
        if (m_json)
            print(printJson(errorDocument(error)));
        else if (m_errorsInWords)
            say(errorText(error));
        return static_cast<int>(error.kind);
    }

    void giveUp() {
        if (takeTurn() && m_json)
            print(printJson(errorDocument(stopped("stopped", "stopped before it was done"))));
        _exit(static_cast<int>(ErrorKind::Stopped));
    }

private:
    bool takeTurn() { return !m_taken.test_and_set(); }
    static bool print(const std::string& text) {
        const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
        if (std::fflush(stdout) == 0 && written)
            return true;
        say("pipewright-cli: standard output cannot be written\n");
        return false;
    }

    bool m_json;
    bool m_errorsInWords = true;
    bool m_isFile = false;
    std::atomic_flag m_taken;
};

// CLI11 gives finished sentences; of those that people meet most the option is the place, as of our own.
Error parserError(const std::string& text) {
    constexpr std::string_view kRequired = " is required";
    if (text.starts_with("--") && text.ends_with(kRequired))
        return badInput("usage", text.substr(0, text.size() - kRequired.size()), "is required");
    constexpr std::string_view kTwice = ": At Most 1 required but received ";
    if (const std::size_t twice = text.find(kTwice); twice != std::string::npos)
        return badInput(
            "usage", text.substr(0, twice),
            {"is given {count} times; expected once", {{"count", text.substr(twice + kTwice.size())}}});
    const std::size_t colon = text.find(": ");
    if (colon != std::string::npos && text.find(' ') > colon)
        return badInput("usage", text.substr(0, colon), {"{why}", {{"why", text.substr(colon + 2)}}});
    return usage(Wording::asIs(text));
}

// CLI11 asks for a command without saying which word it took for none.
Error parseError(const CLI::App& app, const CLI::ParseError& error) {
    const CLI::App* parent = &app;
    while (!parent->get_subcommands().empty())
        parent = parent->get_subcommands().front();
    const std::vector<const CLI::App*> commands = parent->get_subcommands(nullptr);
    const std::vector<std::string> words = app.remaining(true);
    const auto word = std::find_if(words.begin(), words.end(),
                                   [](const std::string& w) { return !w.empty() && w.front() != '-'; });
    if (commands.empty() || word == words.end())
        return parserError(error.what());
    std::string names;
    for (const CLI::App* command : commands)
        names += (names.empty() ? "" : ", ") + command->get_name();
    return usage({"\"{word}\" is none of the commands {commands}", {{"word", *word}, {"commands", names}}});
}

// What was found in the input files stands with the command's own notes.
void addNotes(const Diagnostics& found, Json& document) {
    if (!document.is_object())
        return;
    for (const Diagnostic& d : found)
        document["notes"].push_back(toJson(d));
}

// A value of no letters, as an unset variable of a script leaves it: taken as it is it would pass for a flag
// that was never given, and a run would end well without the file that it was to write.
std::optional<Error> emptyValue(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options())
        for (const std::string& value : option->results())
            if (value.empty())
                return badInput("usage", option->get_name(),
                                {"is empty; expected {expected}", {{"expected", option->get_type_name()}}});
    for (const CLI::App* command : app.get_subcommands())
        if (std::optional<Error> found = emptyValue(*command))
            return found;
    return std::nullopt;
}

constexpr std::string_view kLogFile = "--log-file";

bool isWritten(std::string_view option) {
    return option == "--out" || option == "--trace" || option == "--residuals" || option == kLogFile;
}

// "-" is what pipelines call standard output.
void takeDash(CLI::App& app) {
    for (CLI::Option* option : app.get_options())
        if (isWritten(option->get_name()) && option->get_name() != kLogFile)
            option->transform(
                [](const std::string& value) { return value == "-" ? std::string(kStandardOutput) : value; });
    for (CLI::App* command : app.get_subcommands(nullptr))
        takeDash(*command);
}

// Names of files have any bytes; all else goes into documents and databases.
std::optional<Error> notText(const CLI::App& app) {
    constexpr std::array kFileTypes = {"FILE", "DB", "DIR", "P", "C", "M"};
    for (const CLI::Option* option : app.get_options()) {
        const std::string type = option->get_type_name();
        const std::string kind = type.substr(0, type.find('.')); // FILE.csv
        const bool file = std::find(kFileTypes.begin(), kFileTypes.end(), kind) != kFileTypes.end();
        std::error_code none;
        for (const std::string& value : option->results())
            if (!file && !isWellFormed(value) && !std::filesystem::exists(value, none))
                return badInput("usage", option->get_name(),
                                {"\"{text}\" is not UTF-8", {{"text", printable(value, kInLine)}}});
    }
    for (const CLI::App* command : app.get_subcommands())
        if (std::optional<Error> found = notText(*command))
            return found;
    return std::nullopt;
}

// What options name: files that the command writes, and all else, which may be files that it reads.
struct NamedFiles {
    std::vector<NamedFile> written, read;
};

void collectFiles(const CLI::App& of, NamedFiles& files) {
    for (const CLI::Option* option : of.get_options())
        for (const std::string& value : option->results()) {
            const std::string name = option->get_name();
            (isWritten(name) ? files.written : files.read).push_back({name, value});
            if (const std::string file = planArgument(value).file; file != value && !isWritten(name))
                files.read.push_back({name, file});
        }
    for (const CLI::App* command : of.get_subcommands())
        collectFiles(*command, files);
}

// What a command also reads would be lost, or have a log at its end.
std::optional<Error> overwrittenInput(const NamedFiles& files) {
    for (const NamedFile& to : files.written)
        if (std::optional<Error> lost = overwritten(files.read, to.option, to.path))
            return lost;
    for (const NamedFile& to : files.written)
        for (const NamedFile& other : files.written)
            if (to.option == kLogFile && other.option != kLogFile &&
                std::filesystem::path(to.path).lexically_normal() ==
                    std::filesystem::path(other.path).lexically_normal())
                return badInput(
                    "usage", to.option,
                    {"{file} is also what {option} names", {{"file", to.path}, {"option", other.option}}});
    return std::nullopt;
}

// One document a standard output.
std::optional<Error> sharedOutput(const NamedFiles& files, bool json) {
    const auto there = [](const NamedFile& file) { return file.path == kStandardOutput; };
    const auto count = std::count_if(files.written.begin(), files.written.end(), there);
    if (count > (json ? 0 : 1))
        return badInput("usage", std::find_if(files.written.begin(), files.written.end(), there)->option,
                        "is standard output, where another document goes already");
    return std::nullopt;
}

void logEnd(const Session& session, const NamedFiles& files, const Result<Answer>& answer) {
    if (!answer)
        return session.event(answer.error());
    if (answer->refused)
        return session.event(*answer->refused);
    for (const NamedFile& file : files.written)
        if (file.option != kLogFile)
            session.event(LogLevel::Info, file.path, "written");
    session.event(LogLevel::Info, "pipewright-cli", "done");
}

// Help and version end the parse with a code of 0; everything else of CLI11 is a usage error.
int finishParse(CLI::App& app, const CLI::ParseError& error, bool json, Output& output) {
    if (error.get_exit_code() != 0)
        return output.fail(parseError(app, error));
    if (json && error.get_name() == "CallForVersion")
        return output.finish(Answer{Json{{"name", "pipewright-cli"},
                                         {"version", version()},
                                         {"revision", revision()},
                                         {"build", buildKind()}},
                                    {},
                                    {}});
    std::ostringstream text; // CLI11 would not say that it could not print
    app.exit(error, text, text);
    return output.show(text.str());
}

} // namespace

int main(int argc, char** argv) {
    // Wanted before the parse, whose errors are printed too. With a value it is a flag all the same, or
    // refused.
    takePipes();
    std::signal(SIGXFSZ, SIG_IGN); // a limit on the size of files then is an error of writing
    const bool json = std::any_of(argv + 1, argv + argc, [](std::string_view arg) {
        return arg == "--json" || arg.starts_with("--json=");
    });
    Output output(json);
    Interrupt interrupt([&output] { output.giveUp(); });

    Session session;
    CLI::App app(
        "Plans how to train large language models on GPUs of different kinds. Every time and memory printed "
        "is predicted; ∴ marks what rests on estimates instead of measurements.",
        "pipewright-cli");
    app.require_subcommand(1);
    app.fallthrough();
    app.set_version_flag("--version", fmt::format("pipewright-cli {}\n{}", fullVersion(), buildKind()));
    app.add_flag("--json", session.json, "print one JSON document on standard output")
        ->disable_flag_override();
    app.add_flag("--reproducible", session.reproducible,
                 "documents without the times of the run, so that equal runs give equal bytes")
        ->disable_flag_override();
    app.add_option("--profiles", session.profiles, "database of measured profiles (SQLite)")->type_name("DB");
    app.add_option("--project", session.project, "project in place of cluster, model, recipe and profiles")
        ->type_name("FILE.pwx");
    app.add_option("--calibration", session.calibration, "factors fitted to your own machines by calibrate")
        ->type_name("FILE");
    app.add_flag("--emulated", session.emulated, "with --calibration: also factors fitted to an emulated run")
        ->disable_flag_override();
    LogOutput log;
    log.addTo(app);

    std::vector<Command> commands = {addPlan(app),    addEvaluate(app), addSimulate(app),  addImprove(app),
                                     addCompare(app), addSchedule(app), addPartition(app), addReproduce(app),
                                     addModel(app),   addCluster(app),  addValidate(app),  addCalibrate(app),
                                     addImport(app),  addExport(app),   addManual(app)};
    for (auto& further : {addSweep(app), addProfiles(app)})
        commands.insert(commands.end(), further.begin(), further.end());

    takeDash(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return finishParse(app, error, json, output);
    }
    session.json = json;
    if (const std::optional<Error> empty = emptyValue(app))
        return output.fail(*empty);
    if (const std::optional<Error> bytes = notText(app))
        return output.fail(*bytes);
    NamedFiles files;
    collectFiles(app, files);
    if (const std::optional<Error> shared = sharedOutput(files, json))
        return output.fail(*shared);
    if (std::any_of(files.written.begin(), files.written.end(),
                    [](const NamedFile& file) { return file.path == kStandardOutput; }))
        output.leaveToFile();
    if (const std::optional<Error> lost = overwrittenInput(files))
        return output.fail(*lost);
    session.named = files.read;
    if (const Status opened = log.open(session); !opened)
        return output.fail(opened.error());
    if (session.logsToTerminal)
        output.leaveErrorsToLog();
    session.event(LogLevel::Info, "pipewright-cli",
                  fmt::format("{}: {}", fullVersion(), fmt::join(argv + 1, argv + argc, " ")));
    for (const Command& command : commands)
        if (command.app->parsed()) {
            if (command.stoppable)
                session.stop = interrupt.listen();
            Result<Answer> answer = contained([&] { return command.run(session); });
            if (answer)
                addNotes(*session.notes, answer->document);
            if (answer && session.reproducible)
                leaveOutRunTimes(answer->document);
            logEnd(session, files, answer);
            if (const Status written = log.status(); !written)
                say(fmt::format("warning: {}\n", written.error().text()));
            return output.finish(answer);
        }
    return output.fail(usage("a subcommand is required"));
}

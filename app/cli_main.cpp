// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupt.h"
#include "app/cli/session.h"
#include "core/base/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <unistd.h>

using namespace pw;
using namespace pw::cli;

namespace {

// Standard output takes one document. Whoever takes the turn first prints; the other side of the race with
// Ctrl-C prints nothing.
class Output {
public:
    explicit Output(bool json) : m_json(json) {}

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
        const bool printed = print(answer.text);
        if (answer.refused)
            std::fputs(errorText(*answer.refused).c_str(), stderr);
        return printed ? code : 1;
    }

    int fail(const Error& error) {
        if (!takeTurn())
            pause();
        if (m_json)
            print(printJson(errorDocument(error)));
        else
            std::fputs(errorText(error).c_str(), stderr);
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
        std::fputs("pipewright-cli: standard output cannot be written\n", stderr);
        return false;
    }

    bool m_json;
    std::atomic_flag m_taken;
};

// CLI11 asks for a command without saying which word it took for none.
std::string parseMessage(const CLI::App& app, const CLI::ParseError& error) {
    const CLI::App* parent = &app;
    while (!parent->get_subcommands().empty())
        parent = parent->get_subcommands().front();
    const std::vector<const CLI::App*> commands = parent->get_subcommands(nullptr);
    const std::vector<std::string> words = app.remaining(true);
    const auto word = std::find_if(words.begin(), words.end(),
                                   [](const std::string& w) { return !w.empty() && w.front() != '-'; });
    if (commands.empty() || word == words.end())
        return error.what();
    std::string names;
    for (const CLI::App* command : commands)
        names += (names.empty() ? "" : ", ") + command->get_name();
    return "\"" + *word + "\" is none of the commands " + names;
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
                                fmt::format("is empty; expected {}", option->get_type_name()));
    for (const CLI::App* command : app.get_subcommands())
        if (std::optional<Error> found = emptyValue(*command))
            return found;
    return std::nullopt;
}

// Files that a command writes as a whole. What it also reads would be lost.
std::optional<Error> overwrittenInput(const CLI::App& app) {
    struct Given {
        std::string option, value;
    };
    std::vector<Given> read, written;
    const std::function<void(const CLI::App&)> collect = [&](const CLI::App& of) {
        for (const CLI::Option* option : of.get_options())
            for (const std::string& value : option->results()) {
                const std::string name = option->get_name();
                const bool out = name == "--out" || name == "--trace" || name == "--residuals";
                (out ? written : read).push_back({name, value});
            }
        for (const CLI::App* command : of.get_subcommands())
            collect(*command);
    };
    collect(app);
    for (const Given& to : written)
        for (const Given& from : read) {
            std::error_code none;
            if (std::filesystem::is_regular_file(to.value, none) &&
                std::filesystem::equivalent(to.value, from.value, none) && !none)
                return badInput("usage", to.option,
                                fmt::format("{} is also what {} names: writing it would destroy what is read",
                                            to.value, from.option));
        }
    return std::nullopt;
}

// Help and version end the parse with a code of 0; everything else of CLI11 is a usage error.
int finishParse(CLI::App& app, const CLI::ParseError& error, bool json, Output& output) {
    if (error.get_exit_code() != 0)
        return output.fail(usage(parseMessage(app, error)));
    if (json && error.get_name() == "CallForVersion")
        return output.finish(Answer{Json{{"name", "pipewright-cli"},
                                         {"version", version()},
                                         {"revision", revision()},
                                         {"build", buildKind()}},
                                    {},
                                    {}});
    return app.exit(error);
}

} // namespace

int main(int argc, char** argv) {
    // Wanted before the parse, whose errors are printed too. With a value it is a flag all the same, or
    // refused.
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
    app.add_option("--profiles", session.profiles, "database of measured profiles (SQLite)")->type_name("DB");
    app.add_option("--project", session.project, "project in place of cluster, model, recipe and profiles")
        ->type_name("FILE.pwx");
    app.add_option("--calibration", session.calibration, "factors fitted to your own machines by calibrate")
        ->type_name("FILE");
    const std::map<std::string, LogLevel> levels = {
        {"error", LogLevel::Error}, {"warning", LogLevel::Warning}, {"info", LogLevel::Info}};
    app.add_option_function<std::string>(
           "--log",
           [&](const std::string& text) {
               const auto level = levels.find(text);
               if (level == levels.end())
                   throw CLI::ValidationError("--log", "\"" + text + "\" is none of error, warning, info");
               session.log = level->second;
           },
           "what goes to standard error: error, warning (default) or info")
        ->type_name("LEVEL");

    std::vector<Command> commands = {addPlan(app),    addEvaluate(app), addSimulate(app),  addImprove(app),
                                     addCompare(app), addSchedule(app), addPartition(app), addModel(app),
                                     addCluster(app), addValidate(app), addCalibrate(app), addImport(app),
                                     addExport(app),  addManual(app)};
    for (Command& command : addProfiles(app))
        commands.push_back(std::move(command));

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return finishParse(app, error, json, output);
    }
    session.json = json;
    if (const std::optional<Error> empty = emptyValue(app))
        return output.fail(*empty);
    if (const std::optional<Error> lost = overwrittenInput(app))
        return output.fail(*lost);
    try {
        for (const Command& command : commands)
            if (command.app->parsed()) {
                if (command.stoppable)
                    session.stop = interrupt.listen();
                Result<Answer> answer = command.run(session);
                if (answer)
                    addNotes(*session.notes, answer->document);
                return output.finish(answer);
            }
    } catch (const std::exception& error) {
        return output.fail(failure("internal", "", error.what()));
    }
    return output.fail(usage("a subcommand is required"));
}

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// What a constant was set by, and so what may set it again.
enum class FittedTo {
    Runs,        // training runs as a whole: `pipewright-cli calibrate --constants`
    Collectives, // tables of single collectives, or of layers
    Hand,        // nobody but who chose it
};

// Every number that was fitted to measurements instead of read in a datasheet or derived, in one place:
// resources/calibration/constants.json, compiled in. A constant belongs to a class of hardware or of
// algorithm, never to a source of measurements or to one of its rows. The cost model reads them by section
// and name; views and documents list them with their meaning.
struct FittedConstant {
    std::string section; // "communication"
    std::string name;    // unique in its section
    double value = 0.0;
    std::string unit; // "s"; "1" for shares
    std::string meaning;
    std::string source; // what it was fitted to, and over which range
    FittedTo fit = FittedTo::Hand;
    // Of those fitted to runs: the value that a fit starts from, known without any run (a datasheet's figure,
    // a share of 1), and the range that it may not leave; all above 0.
    double start = 0.0, least = 0.0, most = 0.0;
};

// All of them with one value each. Immutable: a set of other values is another set.
class ConstantSet {
public:
    static const ConstantSet& builtin(); // the compiled-in file
    static const ConstantSet& current(); // of this thread: the innermost ConstantScope's, else builtin()

    // Reads the form of constants.json. What the file does not name keeps its built-in value. Bad input, with
    // file#/pointer: another form, a constant that does not exist, a value that is no number above 0 or that
    // leaves the range of a fit.
    static Result<ConstantSet> read(std::string_view text, const std::string& file);
    // constants.json as it is compiled in, with this set's values.
    std::string text() const;

    // In the order of the file.
    std::span<const FittedConstant> list() const { return m_list; }
    // A constant that the program itself asks for: a missing one is a mistake of ours and ends the program.
    double value(std::string_view section, std::string_view name) const;
    // The same set with other values, in the order of list().
    ConstantSet with(std::span<const double> values) const;

    // Tells sets apart: another one for every set that was ever made, copies share it.
    std::uint64_t id() const { return m_id; }

private:
    explicit ConstantSet(std::vector<FittedConstant> list);

    std::vector<FittedConstant> m_list;
    std::uint64_t m_id;
};

// Makes a set current for this thread while it lives; scopes nest. Other threads keep theirs, so whoever
// starts threads for a prediction hands the set on. A problem, its costs and its evaluation belong together:
// all of them have to be made under one set.
class ConstantScope {
public:
    explicit ConstantScope(const ConstantSet& set); // must outlive the scope
    ~ConstantScope();
    ConstantScope(const ConstantScope&) = delete;
    ConstantScope& operator=(const ConstantScope&) = delete;

private:
    const ConstantSet* m_before;
};

// Of the current set.
inline double fittedConstant(std::string_view section, std::string_view name) {
    return ConstantSet::current().value(section, name);
}

// What a formula makes of the current set, made anew whenever another one has become current: reading it
// takes a comparison in place of a search by name. Declare it `static thread_local`.
template <class T>
class OfConstants {
public:
    template <class Make>
    const T& get(Make make) {
        const std::uint64_t now = ConstantSet::current().id();
        if (m_set != now) {
            m_value = make();
            m_set = now;
        }
        return m_value;
    }

private:
    T m_value{};
    std::uint64_t m_set = 0; // no set has 0
};

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace pw {

// What is said, kept apart from what it is said of:
//
//     pattern   "is {found}; expected a whole number from {low} to {high}"
//     params    found = 0, low = 1, high = 1024
//     message   "is 0; expected a whole number from 1 to 1024"
//
// The command line and the documents show the message. Whoever speaks another language fills that language's
// pattern with the same values, so nothing is ever cut out of a finished sentence. Values are texts already:
// English words among them ("an object") stay English. A value that is a sentence of its own is a wording.
//
// Options of our command line are marked in patterns, since the window has fields in their place: {--forbid}
// is an option by name, {?; state it as --device KIND} an aside for the command line alone.

struct Wording;

// One value by its name. Fractions are shown in their shortest form; whoever wants fewer digits makes the
// text.
struct Param {
    std::string name, value;
    std::shared_ptr<const Wording> said; // null: the value is no sentence

    Param(std::string_view param, std::string_view text) : name(param), value(text) {}
    template <class Said, std::enable_if_t<std::is_base_of_v<Wording, Said>, int> = 0>
    Param(std::string_view param, const Said& wording) : Param(param, sharedWording(wording)) {}
    // Not of a truth value or a letter, which would be shown as a number.
    template <class Number, std::enable_if_t<std::is_arithmetic_v<Number> && !std::is_same_v<Number, bool> &&
                                                 !std::is_same_v<Number, char>,
                                             int> = 0>
    Param(std::string_view param, Number number) : name(param) {
        if constexpr (std::is_integral_v<Number>)
            value = std::to_string(number);
        else
            value = shortest(number);
    }

private:
    Param(std::string_view param, std::shared_ptr<const Wording> wording);
    static std::shared_ptr<const Wording> sharedWording(const Wording& wording);
    static std::string shortest(double number);
};
using Params = std::vector<Param>;

// The pattern with every {name} that has a value replaced by it, once: values are not looked into again. An
// option without one is written as it is, asides without their marks.
std::string filled(std::string_view pattern, const Params& params);
std::string withoutAsides(std::string_view pattern);

struct Wording {
    std::string message; // English, filled
    std::string pattern; // empty: the message is another library's or a file's, and stays as it is
    Params params;

    Wording() = default;
    Wording(const char* fixed) : Wording(fixed, {}) {} // the same text every time
    Wording(const char* pattern, Params params);
    static Wording asIs(std::string text); // of a library, a file, or the window

    std::string param(std::string_view name) const; // empty if there is none of that name
};

} // namespace pw

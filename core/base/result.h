// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/wording.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace pw {

// What kind of trouble it is decides the exit code of the command line (1 we or the disk failed, 2 bad
// input, 3 infeasible or refused, 4 stopped without a plan; resources/manual/command-line.md#exit-codes).
enum class ErrorKind { Failure = 1, BadInput = 2, Infeasible = 3, Stopped = 4 };

// Something said of a place: `code` is stable and dotted ("json.syntax", "E_SUBLAYER"), `where` names the
// place (file:line:column, file#/json/pointer, an item id such as "n4", or a field such as "model.gbs").
//
// The window says it in its own language (ui/base/error_text.h) where the wording has a pattern. All have but
// the few that pass on what another library said; packaging/check keeps it so for core and ui (wordings).
// Values are as they are, so that English words among them stay English. The command line speaks English
// alone.
struct Remark : Wording {
    std::string code, where;

    Remark() = default;
    Remark(std::string code_, std::string where_, Wording wording)
        : Wording(std::move(wording)), code(std::move(code_)), where(std::move(where_)) {}

    // "where: message", or the message alone when there is no place.
    Wording asWording() const;
    std::string text() const { return asWording().message; }
};

// An error is a value: what is wrong and what is expected, and as `reasons` the further ones found in the
// same pass, or why it is so. Reasons have no reasons of their own.
struct Error : Remark {
    ErrorKind kind = ErrorKind::Failure;
    std::vector<Error> reasons;

    Error() = default; // for containers that want one, such as QVariant
    Error(ErrorKind kind_, std::string code_, std::string where_, Wording wording)
        : Remark(std::move(code_), std::move(where_), std::move(wording)), kind(kind_) {}

    // One more reason, of the same kind and code, without a place.
    void because(Wording why) { reasons.emplace_back(kind, code, std::string(), std::move(why)); }
};

inline Error badInput(std::string code, std::string where, Wording wording) {
    return {ErrorKind::BadInput, std::move(code), std::move(where), std::move(wording)};
}
inline Error failure(std::string code, std::string where, Wording wording) {
    return {ErrorKind::Failure, std::move(code), std::move(where), std::move(wording)};
}
Error infeasible(std::string code, std::string where, Wording wording,
                 const std::vector<Wording>& reasons = {});
inline Error stopped(std::string code, Wording wording) {
    return {ErrorKind::Stopped, std::move(code), std::string(), std::move(wording)};
}

// Either a value or an Error. Reading the side that is not there is a bug of ours (std::get throws).
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return m_state.index() == 0; }
    T& operator*() & { return std::get<0>(m_state); }
    const T& operator*() const& { return std::get<0>(m_state); }
    T&& operator*() && { return std::get<0>(std::move(m_state)); }
    T* operator->() { return &std::get<0>(m_state); }
    const T* operator->() const { return &std::get<0>(m_state); }
    const Error& error() const { return std::get<1>(m_state); }

private:
    std::variant<T, Error> m_state;
};

struct Ok {};
using Status = Result<Ok>;

// What one pass found, told at once: the first of the list with all others and their reasons as its reasons,
// or Ok if there is none. `untold` were found beyond them.
Status statusOf(std::vector<Error> list, std::size_t untold = 0);

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace pw {

// What kind of trouble it is decides the exit code of the command line (1 we or the disk failed, 2 bad
// input, 3 infeasible or refused, 4 stopped without a plan; resources/manual/command-line.md#exit-codes).
enum class ErrorKind { Failure = 1, BadInput = 2, Infeasible = 3, Stopped = 4 };

// An error is a value. `code` is stable and dotted ("json.syntax", "E_SUBLAYER"), `where` names the place
// (file:line:column, file#/json/pointer, or an item id), `message` says what is wrong and what is expected in
// English, `reasons` lists the further ones found in the same pass. The window translates by code.
struct Error {
    ErrorKind kind = ErrorKind::Failure;
    std::string code;
    std::string where;
    std::string message;
    std::vector<std::string> reasons;

    // "where: message", or the message alone when there is no place.
    std::string text() const { return where.empty() ? message : where + ": " + message; }
};

inline Error badInput(std::string code, std::string where, std::string message) {
    return Error{ErrorKind::BadInput, std::move(code), std::move(where), std::move(message), {}};
}
inline Error failure(std::string code, std::string where, std::string message) {
    return Error{ErrorKind::Failure, std::move(code), std::move(where), std::move(message), {}};
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

} // namespace pw

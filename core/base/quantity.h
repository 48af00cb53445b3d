// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef> // keep: moc 6.4 cannot read <compare> unless another standard header came before it

#include <compare>
#include <limits>

namespace pw {

// A number with a unit in its type. Quantities of one kind add, compare and scale; mixing kinds does not
// compile. There is no unit algebra on purpose: what the model needs beyond that takes the plain value with
// .value, visible at the place.
// Doubles hold byte counts exactly up to 9e15, three orders above the memory of any cluster planned here.
template <class Tag>
struct Quantity {
    double value = 0.0;

    constexpr Quantity() = default;
    constexpr explicit Quantity(double v) : value(v) {}

    constexpr auto operator<=>(const Quantity&) const = default;
    constexpr Quantity& operator+=(Quantity o) {
        value += o.value;
        return *this;
    }
    constexpr Quantity& operator-=(Quantity o) {
        value -= o.value;
        return *this;
    }
    constexpr friend Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value + b.value); }
    constexpr friend Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value - b.value); }
    constexpr friend Quantity operator*(Quantity a, double f) { return Quantity(a.value * f); }
    constexpr friend Quantity operator*(double f, Quantity a) { return Quantity(a.value * f); }
    constexpr friend Quantity operator/(Quantity a, double f) { return Quantity(a.value / f); }
    constexpr friend double operator/(Quantity a, Quantity b) { return a.value / b.value; }
};

using Seconds = Quantity<struct SecondsTag>;
using Bytes = Quantity<struct BytesTag>;
using Flops = Quantity<struct FlopsTag>;                   // floating-point operations
using FlopsPerSecond = Quantity<struct FlopsPerSecondTag>; // rate
using BytesPerSecond = Quantity<struct BytesPerSecondTag>; // one direction

constexpr Bytes gibibytes(double n) {
    return Bytes(n * 1024.0 * 1024.0 * 1024.0);
}
constexpr double toGibibytes(Bytes b) {
    return b.value / (1024.0 * 1024.0 * 1024.0);
}

// s: of what does not come to its end.
inline constexpr double kNever = std::numeric_limits<double>::infinity();

} // namespace pw

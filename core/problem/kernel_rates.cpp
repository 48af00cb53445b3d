// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/kernel_rates.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace pw {

namespace embedded {
extern const char* const kernelRatesJson; // resources/kernels/rates.json, written into a unit by the build
}

namespace {

constexpr const char* kRatesSchema = "pipewright-kernels-1";
constexpr double kTera = 1e12, kLeastRate = 1e-3, kMostRate = 1e6; // TFLOP/s
constexpr std::array kFormats = {"bf16", "fp8", "fp8-block", "mxfp8", "nvfp4"};

std::vector<std::string> kindsOf(const JsonReader& row) {
    std::vector<std::string> kinds;
    for (const JsonReader& item : row.array("kinds")) {
        if (!item.value().is_string())
            item.fail("kernels.rates", item.where(), "is no name of a kind");
        else
            kinds.push_back(item.value().get<std::string>());
    }
    row.text("source"); // every row has one
    return kinds;
}

std::vector<double> numbersOf(const JsonReader& row, const char* key, double least, double most) {
    std::vector<double> numbers;
    for (const JsonReader& item : row.array(key)) {
        const Json& value = item.value();
        if (!value.is_number() || value.get<double>() < least || value.get<double>() > most)
            item.fail("kernels.rates", item.where(),
                      {"is no number from {least} to {most}", {{"least", least}, {"most", most}}});
        else
            numbers.push_back(value.get<double>());
    }
    return numbers;
}

// A kind, or one of it with other memory ("B300-SXM-270GB"): another power limit ("-500W") has other rates.
bool names(const std::vector<std::string>& kinds, std::string_view kind) {
    return std::ranges::any_of(kinds, [&](std::string_view name) {
        return kind == name || (kind.size() > name.size() && kind.starts_with(name) &&
                                kind[name.size()] == '-' && !kind.ends_with('W'));
    });
}

template <class Rows>
std::vector<std::string> librariesOf(const Rows& rows) {
    std::vector<std::string> list;
    for (const auto& row : rows)
        if (std::ranges::find(list, row.library) == list.end())
            list.push_back(row.library);
    return list;
}

} // namespace

KernelRates::Product KernelRates::productRow(const JsonReader& row, const std::string& library) {
    Product product{library, row.text("format"), kindsOf(row),
                    row.number("tflops", kLeastRate, kMostRate) * kTera};
    if (std::ranges::find(kFormats, product.format) == kFormats.end())
        row.fail("kernels.rates", row.where("format"),
                 {"\"{text}\" is no format", {{"text", product.format}}});
    return product;
}

KernelRates::Attention KernelRates::attentionRow(const JsonReader& row, const std::string& library) {
    Attention attention;
    attention.library = library;
    attention.kinds = kindsOf(row);
    attention.head = row.number("head", 1.0, 4096.0);
    const std::string pass = row.text("pass");
    if (pass != "forward" && pass != "backward")
        row.fail("kernels.rates", row.where("pass"), "is neither forward nor backward");
    attention.pass = pass == "backward" ? Pass::Backward : Pass::Forward;
    attention.sequence = numbersOf(row, "sequence", 1.0, 1e9);
    attention.rate = numbersOf(row, "tflops", kLeastRate, kMostRate);
    for (double& rate : attention.rate)
        rate *= kTera;
    if (attention.sequence.empty() || attention.sequence.size() != attention.rate.size() ||
        std::ranges::adjacent_find(attention.sequence, std::greater_equal()) != attention.sequence.end())
        row.fail("kernels.rates", row.where("sequence"),
                 "lengths must grow, and there must be one for each rate");
    return attention;
}

Result<KernelRates> KernelRates::read(std::string_view text, const std::string& file) {
    const Result<Json> document = parseJson(text, file);
    if (!document)
        return document.error();
    const JsonReader reader(*document, file);
    if (reader.text("schema") != kRatesSchema)
        reader.fail("kernels.rates", reader.where("schema"),
                    {"expected {schema}", {{"schema", kRatesSchema}}});
    KernelRates rates;
    for (const JsonReader& library : reader.array("products"))
        for (const JsonReader& row : library.array("rates")) {
            Product product = productRow(row, library.text("name"));
            for (const std::string& kind : product.kinds)
                if (rates.products(product.library, kind, product.format))
                    row.fail("kernels.rates", row.where(), {"{kind} is there twice", {{"kind", kind}}});
            rates.m_products.push_back(std::move(product));
        }
    for (const JsonReader& library : reader.array("attention"))
        for (const JsonReader& row : library.array("rates"))
            rates.m_attention.push_back(attentionRow(row, library.text("name")));
    if (const Status sound = reader.status(); !sound)
        return sound.error();
    return rates;
}

const KernelRates& KernelRates::builtin() {
    static const KernelRates rates = [] {
        Result<KernelRates> read = KernelRates::read(embedded::kernelRatesJson, "kernels/rates.json");
        if (!read) { // a mistake of ours in what is compiled in
            std::fprintf(stderr, "kernel rates: %s\n", read.error().text().c_str());
            std::abort();
        }
        return *std::move(read);
    }();
    return rates;
}

std::vector<std::string> KernelRates::productLibraries() const {
    return librariesOf(m_products);
}

std::vector<std::string> KernelRates::attentionLibraries() const {
    return librariesOf(m_attention);
}

std::optional<double> KernelRates::products(std::string_view library, std::string_view kind,
                                            std::string_view format) const {
    for (const Product& product : m_products)
        if (product.library == library && product.format == format && names(product.kinds, kind))
            return product.rate;
    return std::nullopt;
}

std::optional<double> KernelRates::attention(std::string_view library, std::string_view kind, double headDim,
                                             Pass pass, double sequence) const {
    const auto octaves = [&](const Attention& row) { return std::abs(std::log2(row.head / headDim)); };
    const Attention* nearest = nullptr;
    for (const Attention& row : m_attention)
        if (row.library == library && row.pass == pass && names(row.kinds, kind) &&
            (!nearest || octaves(row) < octaves(*nearest)))
            nearest = &row;
    if (!nearest)
        return std::nullopt;
    const std::vector<double>& lengths = nearest->sequence;
    const auto above = std::ranges::lower_bound(lengths, sequence);
    if (above == lengths.begin())
        return nearest->rate.front();
    if (above == lengths.end())
        return nearest->rate.back();
    const auto i = static_cast<std::size_t>(above - lengths.begin());
    const double share = std::log(sequence / lengths[i - 1]) / std::log(lengths[i] / lengths[i - 1]);
    return nearest->rate[i - 1] + share * (nearest->rate[i] - nearest->rate[i - 1]);
}

std::vector<std::string> productLibraries() {
    return KernelRates::builtin().productLibraries();
}

std::vector<std::string> attentionLibraries() {
    return KernelRates::builtin().attentionLibraries();
}

} // namespace pw

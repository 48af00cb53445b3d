// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/quantity.h"
#include "core/base/result.h"

#include <memory>
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
// algorithm, never to a source of measurements or to one of its rows. Views and documents list them with
// their meaning.
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

// The constants by section and name, as formulas read them; meaning, unit and source are in the file.
struct CommConstants {
    Seconds launch, step;
    double switchedShare = 0.0, directShare = 0.0, meshShare = 0.0, reducingShare = 0.0; // of line rates
    double lowLatencyShare = 0.0; // of the bulk protocol's rate
    double pcieShare = 0.0;
    Seconds rdmaLatency, ethernetLatency; // of a cable, for drawings that state none
    // Of a cable's rate, by the kind of network (network_kind.h); rdmaShare is that of remote memory access.
    double rdmaShare = 0.0, efaShare = 0.0, ethernetShare = 0.0;
    BytesPerSecond hostCopyRate; // of one flow whose packets the host copies
};
struct ComputeConstants {
    double sustainedShare = 0.0;               // of the best measured rate
    double energy12nm = 0.0, energy8nm = 0.0;  // J a FLOP
    double productStartup = 0.0;               // steps of the inner dimension
    double memoryShare = 0.0;                  // of the memory bandwidth, where the kind states none
    double kernelLaunch = 0.0, hostCall = 0.0; // s
    double attentionForward = 0.0, attentionBackward = 0.0; // of the kind's rate of fused attention
    double rowwiseShare = 0.0, quantiseBytes = 0.0;         // of the fp8 rate; a number of an fp8 operand
    double overlapSlowdown = 0.0, hiddenShare = 0.0;
    double libraryShare = 0.0, attentionLibraryShare = 0.0; // of published rates (resources/kernels)
    double queuedLaunch = 0.0, graphLaunch = 0.0;           // s
    double updateShare = 1.0; // of the attainable memory bandwidth, by an optimiser's step
};
struct MemoryConstants {
    double workspaces = 0.0, inUseOffset = 0.0, gpuMemoryOffset = 0.0; // GiB
    double reservedFactor = 1.0;
};

// All of them with one value each. Immutable: a set of other values is another set, and copies share what
// they hold. A Problem has the set that its costs are made with; nothing is current by itself.
class ConstantSet {
public:
    static const ConstantSet& builtin(); // the compiled-in file

    // Reads the form of constants.json. What the file does not name keeps its built-in value. Bad input, with
    // file#/pointer: another form, a constant that does not exist, a value that is no number above 0 or that
    // leaves the range of a fit.
    static Result<ConstantSet> read(std::string_view text, const std::string& file);
    // constants.json as it is compiled in, with this set's values.
    std::string text() const;

    // {section: {name: value}}, every constant; and back, where what is not named keeps its built-in value
    // and any value above 0 will do.
    Json toJson() const;
    static Result<ConstantSet> fromJson(const JsonReader& reader);

    // In the order of the file. Not of a set that is gone by the end of the line.
    std::span<const FittedConstant> list() const& { return m_content->list; }
    std::span<const FittedConstant> list() const&& = delete;
    const CommConstants& comm() const { return m_content->comm; }
    const ComputeConstants& compute() const { return m_content->compute; }
    const MemoryConstants& memory() const { return m_content->memory; }
    // The same set with other values, in the order of list().
    ConstantSet with(std::span<const double> values) const;

    bool operator==(const ConstantSet& other) const; // by value

private:
    struct Content {
        std::vector<FittedConstant> list;
        CommConstants comm;
        ComputeConstants compute;
        MemoryConstants memory;
    };
    explicit ConstantSet(std::vector<FittedConstant> list);

    std::shared_ptr<const Content> m_content;
};

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/machines/pci_kinds.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <string>

namespace pw {

namespace {

struct PciKind {
    std::string_view device, kind;
};
// From pci.ids (pciutils/pciids at c1c1254, 2026-08-22), vendor 10de; its names behind the rows where they
// are not the catalogue's.
constexpr std::array kNvidia = {
    PciKind{"15f8", "P100-PCIe-16GB"},
    PciKind{"15f9", "P100-SXM2-16GB"},
    PciKind{"1db1", "V100-SXM2-16GB"},
    PciKind{"1db4", "V100-PCIe-16GB"},
    PciKind{"1db5", "V100-SXM2-32GB"},
    PciKind{"1db6", "V100-PCIe-32GB"},
    PciKind{"1df5", "V100-SXM2-16GB"},
    PciKind{"1eb8", "T4"},
    PciKind{"20b0", "A100-SXM4-40GB"},
    PciKind{"20b1", "A100-PCIe-40GB"},
    PciKind{"20b2", "A100-SXM4-80GB"},
    PciKind{"20b5", "A100-PCIe-80GB"},
    PciKind{"20b7", "A30"},
    PciKind{"20f1", "A100-PCIe-40GB"},
    PciKind{"20f3", "A800-SXM4-80GB"},
    PciKind{"2235", "A40"},
    PciKind{"2236", "A10"},
    PciKind{"2237", "A10G"},
    PciKind{"2321", "H100-NVL-94GB"}, // H100L 94GB
    PciKind{"2324", "H800-SXM-80GB"}, // H800, beside "H800 PCIe"
    PciKind{"2329", "H20-96GB"},      // H20, beside "H20 HBM3e"
    PciKind{"2330", "H100-SXM-80GB"},
    PciKind{"2331", "H100-PCIe-80GB"},
    PciKind{"2335", "H200-141GB"},
    PciKind{"2342", "GH200-96GB"}, // GH200 120GB / 480GB, which are the CPU's
    PciKind{"26b5", "L40"},
    PciKind{"26b7", "L20"},
    PciKind{"26b9", "L40S-48GB"},
    PciKind{"26ba", "L20"},
    PciKind{"27b8", "L4"},
    PciKind{"2901", "B200-SXM"},
    PciKind{"2941", "GB200"}, // HGX GB200
    PciKind{"3182", "B300-SXM"},
    PciKind{"31c2", "GB300"},
    PciKind{"31c3", "GB300"},
};

std::string plain(std::string_view id) {
    std::string text = lowered(id);
    return text.starts_with("0x") ? text.substr(2) : text;
}

} // namespace

std::string_view kindOfPciIds(std::string_view vendor, std::string_view device) {
    const auto* row = std::ranges::find(kNvidia, std::string_view(plain(device)), &PciKind::device);
    return plain(vendor) == "10de" && row != kNvidia.end() ? row->kind : std::string_view();
}

} // namespace pw

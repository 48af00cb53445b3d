// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace pw::test {

// What tools print, typed out for tests of the command line and of the window.

// An nccl-tests program on four A100 of one node: 24 us and 133.3 GB/s (200 on the bus for all-reduce).
inline QByteArray timedCollective(const char* program, double busFactor = 1.5) {
    QByteArray rows =
        "# Collective test starting: " + QByteArray(program) + "\n# nThread 1\n# Using devices\n";
    for (int rank = 0; rank < 4; ++rank)
        rows += QStringLiteral("#  Rank  %1 Group  0 Pid 1 on a device  %1 [0000:1%1:00] NVIDIA "
                               "A100-SXM4-40GB\n")
                    .arg(rank)
                    .toUtf8();
    rows += "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   "
            "algbw   busbw #wrong\n";
    for (int power = 10; power <= 30; power += 4) {
        const double bytes = double(1 << power), us = 24.0 + bytes / 133.3333e3, rate = bytes / us / 1e3;
        const QString half = QStringLiteral(" %1 %2 %3 0")
                                 .arg(us, 0, 'f', 3)
                                 .arg(rate, 0, 'f', 3)
                                 .arg(busFactor * rate, 0, 'f', 3);
        rows += QStringLiteral("%1 %2 float sum -1").arg(1 << power).arg((1 << power) / 4).toUtf8() +
                half.toUtf8() + half.toUtf8() + "\n";
    }
    return rows;
}

// nvidia-smi topo -m and --query-gpu of two A100 joined by twelve NVLinks.
inline QByteArray pairMatrix() {
    return "\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV12\t0-7\nGPU1\tNV12\t X \t0-7\n";
}
inline QByteArray pairList() {
    return "index, name, memory.total [MiB]\n0, NVIDIA A100-SXM4-40GB, 40960 MiB\n"
           "1, NVIDIA A100-SXM4-40GB, 40960 MiB\n";
}

} // namespace pw::test

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/heap.h"

#include <cstdlib> // keep: __GLIBC__

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace pw {

void returnLargeBlocks() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

} // namespace pw

// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Before a function: its loops are compiled for wider vectors as well, and the processor chooses as the
// program starts. No variant joins a multiplication and an addition, so results are the same to the bit on
// all of them. Sanitizers are not yet there when the choice is made.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(PW_SANITIZED)
#define PW_VECTORISED __attribute__((target_clones("avx2", "default")))
#else
#define PW_VECTORISED
#endif

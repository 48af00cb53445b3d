// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Marks the few loops that gain from newer instructions (vectors of four doubles, counting bits): the loader
// takes the version that the processor has. What they compute is the same to the last bit either way.
// Sanitizers cannot see through the choice and do without.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&     \
    !defined(__SANITIZE_THREAD__)
#define PW_NEWER_INSTRUCTIONS __attribute__((target_clones("avx2", "default")))
#else
#define PW_NEWER_INSTRUCTIONS
#endif

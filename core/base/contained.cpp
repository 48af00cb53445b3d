// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/contained.h"

#include <new>

namespace pw {

Error unforeseen(const std::exception_ptr& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
        return failure("memory", "", "the machine has not the memory that this takes");
    } catch (const std::exception& error) {
        return failure("internal", "", Wording::asIs(error.what()));
    } catch (...) {
        return failure("internal", "", "an exception without words");
    }
}

} // namespace pw

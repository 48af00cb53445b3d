// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <mutex>
#include <shared_mutex>
#include <utility>

namespace pw {

// Values that are made when a key is first asked for, by any thread, and stay where they are. What makes a
// value depends on its key alone: two threads may make it at once, and the first one's is kept.
template <class Key, class Value>
class Memo {
public:
    template <class Make>
    const Value& at(const Key& key, const Make& make) const {
        {
            const std::shared_lock reading(m_mutex);
            if (const auto known = m_made.find(key); known != m_made.end())
                return known->second;
        }
        Value value = make();
        const std::unique_lock writing(m_mutex);
        return m_made.try_emplace(key, std::move(value)).first->second;
    }

private:
    mutable std::shared_mutex m_mutex;
    mutable std::map<Key, Value> m_made;
};

} // namespace pw

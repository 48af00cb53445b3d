// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/json_items.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/formats/source.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

namespace pw {

namespace {

constexpr std::size_t kMaxDepth = 128;
constexpr std::size_t kItemsPiece = 256 * 1024;
constexpr int kOutOfRange = 406; // the library's number for a literal beyond double

// The characters of the stream with their place. Reading fails at the end of a piece: then the text seems to
// end there, and `error` says why.
class Characters {
public:
    Characters(ByteStream& stream, const JsonItems& items)
        : m_stream(stream), m_items(items), m_piece(kItemsPiece, '\0') {
        refill();
        if (std::string_view(m_piece.data(), m_end).starts_with("\xEF\xBB\xBF"))
            m_at = m_counted = 3;
    }

    bool atEnd() const { return m_at == m_end; }
    const char& current() const { return m_piece[m_at]; }
    void next() {
        if (++m_at == m_end)
            refill();
    }

    std::uint64_t offset() const { return m_before + m_at; }
    // "line:column", for which the piece is looked through.
    std::string place() {
        count();
        return fmt::format("{}:{}", m_line, m_column);
    }
    std::optional<Error> error;

private:
    // Brings line and column up to here.
    void count() {
        for (; m_counted < m_at; ++m_counted) {
            const char c = m_piece[m_counted];
            if (c == '\n') {
                ++m_line;
                m_column = 1;
            } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) { // not a continuation byte
                ++m_column;
            }
        }
    }
    void refill() {
        count();
        m_counted = 0;
        m_before += m_end;
        m_at = m_end = 0;
        if (error)
            return;
        if (m_items.stop.stop_requested()) {
            error = stopped("stopped", "stopped before the file was read");
            return;
        }
        if (m_items.progress && m_stream.fileSize() > 0)
            m_items.progress(std::min(1.0, static_cast<double>(m_stream.fileRead()) / // the file may grow
                                               static_cast<double>(m_stream.fileSize())));
        const Result<std::size_t> got = m_stream.read(m_piece);
        if (!got)
            error = got.error();
        else
            m_end = *got;
    }

    ByteStream& m_stream;
    const JsonItems& m_items;
    std::string m_piece;
    std::size_t m_at = 0, m_end = 0, m_counted = 0;
    std::uint64_t m_before = 0, m_line = 1, m_column = 1;
};

// The library wants a pair of iterators; all that are not the end share the one position.
class Position {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    explicit Position(Characters* text) : m_text(text) {}
    reference operator*() const { return m_text->current(); }
    Position& operator++() {
        m_text->next();
        return *this;
    }
    Position operator++(int) {
        Position old = *this;
        ++*this;
        return old;
    }
    bool operator==(const Position& o) const { return ended() == o.ended(); }
    bool operator!=(const Position& o) const { return !(*this == o); }

private:
    bool ended() const { return m_text == nullptr || m_text->atEnd(); }
    Characters* m_text;
};

class ItemBuilder {
public:
    ItemBuilder(Characters& text, std::string file, const std::string& list, const JsonItems& items)
        : m_text(text), m_file(std::move(file)), m_list(list), m_items(items) {}

    Json root;
    std::optional<Error> error;
    bool listed = false;

    // The first of what the items had wrong, with the others as its reasons.
    Status faults() const {
        const Status found = statusOf(m_faults);
        if (found)
            return found;
        Error all = found.error();
        if (all.reasons.size() >= kMostFaults)
            all.reasons.erase(all.reasons.begin() + kMostFaults - 1, all.reasons.end());
        return all;
    }

    bool null() { return value(nullptr); }
    bool boolean(bool v) { return value(v); }
    bool number_integer(Json::number_integer_t v) { return value(v); }
    bool number_unsigned(Json::number_unsigned_t v) { return value(v); }
    bool number_float(Json::number_float_t v, const std::string&) { return value(v); }
    bool string(std::string& v) { return value(std::move(v)); }
    bool binary(Json::binary_t&) { return false; } // JSON text has none
    bool start_object(std::size_t) { return open(Json::object()); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(std::string& name) {
        const auto [slot, isNew] = m_open.back()->emplace(name, nullptr);
        if (!isNew)
            return refuse("json.duplicate", {"duplicate key \"{name}\"", {{"name", name}}});
        m_slot = &slot.value();
        m_listNext = m_open.size() == 1 && name == m_list;
        return true;
    }

    bool parse_error(std::size_t, const std::string& token, const nlohmann::detail::exception& ex) {
        if (ex.id == kOutOfRange)
            return refuse("json.number", "number out of range; expected a finite 64-bit number");
        if (m_text.atEnd())
            return refuse("json.syntax",
                          {"the document ends too early, at offset {offset}", {{"offset", m_text.offset()}}});
        return refuse("json.syntax", {"is not JSON here (offset {offset}): \"{token}\"",
                                      {{"offset", m_text.offset()},
                                       {"token", token.size() > 40 ? token.substr(0, 40) : token}}});
    }

private:
    bool refuse(const char* code, Wording wording) {
        error = badInput(code, fmt::format("{}:{}", m_file, m_text.place()), std::move(wording));
        return false;
    }

    // Of the list's own items, and not of what is inside them.
    bool inList() const { return m_inList && m_open.size() == 2; }

    template <class T>
    bool value(T&& v) {
        if (inList()) {
            m_item = Json(std::forward<T>(v));
            return handOver();
        }
        return place(Json(std::forward<T>(v))) != nullptr;
    }

    Json* place(Json&& v) {
        m_listNext = false;
        if (!m_inList && (m_held += sizeof(Json) + (v.is_string() ? v.get_ref<const std::string&>().size()
                                                                  : 0)) > kWholeFileLimit) {
            refuse("file.size", {"holds more than {limit} bytes beside \"{list}\"",
                                 {{"limit", kWholeFileLimit}, {"list", m_list}}});
            return nullptr;
        }
        if (m_open.empty()) {
            root = std::move(v);
            return &root;
        }
        Json& parent = *m_open.back();
        if (parent.is_array()) {
            parent.push_back(std::move(v));
            return &parent.back();
        }
        *m_slot = std::move(v);
        return m_slot;
    }

    bool open(Json&& container) {
        if (m_open.size() == kMaxDepth)
            return refuse("json.depth", {"nested deeper than {levels} levels", {{"levels", kMaxDepth}}});
        if (inList()) {
            m_item = std::move(container);
            m_open.push_back(&m_item);
            return true;
        }
        const bool starts = m_listNext && container.is_array();
        Json* placed = place(std::move(container));
        if (placed == nullptr)
            return false;
        m_open.push_back(placed);
        if (starts)
            m_inList = listed = true;
        return true;
    }

    bool close() {
        m_open.pop_back();
        if (inList())
            return handOver();
        if (m_inList && m_open.size() < 2)
            m_inList = false;
        return true;
    }

    bool handOver() {
        const JsonReader reader(m_item, m_file, fmt::format("/{}/{}", pointerEscape(m_list), m_count++));
        if (Status taken = m_items.take(reader); !taken) {
            error = taken.error();
            return false;
        }
        if (Status sound = reader.status(); !sound) {
            m_faults.push_back(sound.error());
            return m_faults.size() < kMostFaults;
        }
        return true;
    }

    Characters& m_text;
    const std::string m_file;
    const std::string& m_list;
    const JsonItems& m_items;
    std::vector<Json*> m_open;
    Json* m_slot = nullptr;
    Json m_item;
    bool m_listNext = false, m_inList = false;
    std::size_t m_count = 0, m_held = 0;
    std::vector<Error> m_faults;
};

} // namespace

Result<Json> readJsonItems(const std::filesystem::path& path, const std::string& list,
                           const JsonItems& items) {
    Result<ByteStream> stream = ByteStream::open(path);
    if (!stream)
        return stream.error();
    Characters text(*stream, items);
    ItemBuilder builder(text, path.string(), list, items);
    Json::sax_parse(Position(&text), Position(nullptr), &builder);
    if (text.error)
        return *text.error;
    if (builder.error)
        return *builder.error;
    if (const Status faults = builder.faults(); !faults)
        return faults.error();
    if (!builder.root.is_object() || !builder.listed)
        return badInput("json.list", path.string() + "#", {"holds no list \"{list}\"", {{"list", list}}});
    return std::move(builder.root);
}

} // namespace pw

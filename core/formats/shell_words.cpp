// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/shell_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace pw {

namespace {

constexpr std::size_t kMostWords = 1'000'000;
constexpr std::size_t kMostText = std::size_t{64} << 20;
constexpr int kMostNested = 32; // defaults in defaults

bool isNameCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

class Reader {
public:
    Reader(std::string_view text, const std::string& file) : m_text(text), m_file(file) {}

    Result<ShellScript> read() {
        while (!m_error && m_at < m_text.size())
            step();
        endWord();
        if (m_inArray)
            fail(m_arrayLine, "this ( is not closed");
        if (m_error)
            return *std::move(m_error);
        end();
        for (const auto& [name, words] : m_arrays)
            if (!m_used.contains(name)) {
                m_script.words.insert(m_script.words.end(), words.begin(), words.end());
                end();
            }
        for (const auto& [name, word] : m_options)
            if (!m_used.contains(name)) {
                m_script.words.push_back(word);
                end();
            }
        return std::move(m_script);
    }

private:
    void fail(int line, Wording wording) {
        if (!m_error)
            m_error = badInput("shell.syntax", fmt::format("{}:{}", m_file, line), std::move(wording));
    }

    char peek(std::size_t ahead = 0) const {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
    }
    char take() {
        const char c = m_text[m_at++];
        m_line += c == '\n' ? 1 : 0;
        return c;
    }

    void begin() {
        if (!m_word)
            m_word = ShellWord{{}, m_line, {}, false};
    }

    void end() {
        if (!m_script.words.empty() && !m_script.words.back().ends)
            m_script.words.push_back({{}, m_line, {}, true});
        m_commandStart = true;
    }

    void push(ShellWord word) {
        std::vector<ShellWord>& target = m_inArray ? m_arrays[m_array] : m_script.words;
        m_length += word.text.size();
        if (++m_count > kMostWords || m_length > kMostText)
            fail(word.line, "comes to more words than are read");
        else
            target.push_back(std::move(word));
    }

    void endWord() {
        if (!m_word)
            return;
        ShellWord word = *std::move(m_word);
        m_word.reset();
        if (!m_spliced.empty()) {
            const std::string name = std::exchange(m_spliced, {});
            const auto found = m_arrays.find(name);
            if (found != m_arrays.end() && word.text.empty() && word.open.empty()) {
                m_used.insert(name);
                const std::vector<ShellWord> copy = found->second; // it may be extended by itself
                for (const ShellWord& one : copy)
                    push(one);
                m_commandStart = false;
                return;
            }
            word.open = "${" + name + "[@]}";
        }
        if (m_commandStart && !m_inArray && assign(word))
            return;
        m_commandStart = m_commandStart && (word.text == "export" || word.text == "declare" ||
                                            word.text == "local" || word.text == "readonly");
        push(std::move(word));
    }

    // NAME=value in front of a command.
    bool assign(const ShellWord& word) {
        const std::size_t equals = word.text.find('=');
        if (equals == std::string::npos || equals == 0 || (word.text[0] >= '0' && word.text[0] <= '9') ||
            !std::all_of(word.text.begin(), word.text.begin() + static_cast<std::ptrdiff_t>(equals),
                         isNameCharacter))
            return false;
        const std::string name = word.text.substr(0, equals);
        m_options.erase(name);
        const std::string_view value = std::string_view(word.text).substr(equals + 1);
        if (const std::string_view words = trimmed(value);
            words.starts_with("--") && words.find(' ') != std::string_view::npos) {
            m_options[name] = {std::string(value), word.line, word.open, false};
            m_used.erase(name);
        }
        if (word.open.empty()) {
            m_values[name] = word.text.substr(equals + 1);
            m_open.erase(name);
        } else {
            m_values.erase(name);
            m_open[name] = word.open;
        }
        m_length += word.text.size();
        if (m_length > kMostText)
            fail(word.line, "comes to more text than is read");
        return true;
    }

    // NAME=( or NAME+=( in front of a command.
    bool openArray() {
        if (!m_word || !m_commandStart || m_inArray || !m_word->text.ends_with('='))
            return false;
        std::string name = m_word->text.substr(0, m_word->text.size() - 1);
        const bool more = name.ends_with('+');
        if (more)
            name.pop_back();
        if (name.empty() || !std::all_of(name.begin(), name.end(), isNameCharacter))
            return false;
        m_word.reset();
        if (!more) {
            m_arrays[name].clear();
            m_used.erase(name);
        }
        m_array = std::move(name);
        m_inArray = true;
        m_arrayLine = m_line;
        return true;
    }

    void step() {
        const char c = peek();
        if (c == '\\') {
            take();
            if (m_at < m_text.size() && peek() == '\n')
                take();
            else if (m_at < m_text.size()) {
                begin();
                m_word->text += take();
            }
        } else if (c == '\'') {
            quoted();
        } else if (c == '"') {
            doubleQuoted();
        } else if (c == '$' || c == '`') {
            begin();
            expand();
        } else if (c == '#' && !m_word) {
            const std::size_t newline = std::min(m_text.find('\n', m_at), m_text.size());
            m_script.comments.push_back({m_text.substr(m_at + 1, newline - m_at - 1), m_line});
            m_at = newline;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            take();
            endWord();
        } else if (c == '\n' || c == ';' || c == '&' || c == '|' || c == '(' || c == ')' || c == '<' ||
                   c == '>') {
            separator(c);
        } else {
            begin();
            m_word->text += take();
        }
    }

    void separator(char c) {
        if (c == '(' && openArray()) {
            take();
            return;
        }
        endWord();
        take();
        if (m_inArray) {
            if (c == ')') {
                m_inArray = false;
                end();
            }
        } else if (c != '<' && c != '>') {
            end();
        }
    }

    void quoted() {
        const int line = m_line;
        begin();
        take();
        while (m_at < m_text.size() && peek() != '\'')
            m_word->text += take();
        if (m_at == m_text.size())
            return fail(line, "this quote is not closed");
        take();
    }

    void doubleQuoted() {
        const int line = m_line;
        begin();
        take();
        while (m_at < m_text.size() && peek() != '"') {
            const char c = peek();
            if (c == '\\' && m_at + 1 < m_text.size()) {
                take();
                const char next = take();
                if (next == '$' || next == '`' || next == '"' || next == '\\')
                    m_word->text += next;
                else if (next != '\n')
                    (m_word->text += '\\') += next;
            } else if (c == '$' || c == '`') {
                expand();
                if (m_error)
                    return;
            } else {
                m_word->text += take();
            }
        }
        if (m_at == m_text.size())
            return fail(line, "this quote is not closed");
        take();
    }

    // Behind an opening bracket, up to the one that closes it.
    void skipBrackets(char open, char close) {
        int depth = 1;
        while (m_at < m_text.size() && depth > 0) {
            const char c = take();
            depth += c == open ? 1 : c == close ? -1 : 0;
        }
    }

    // The name's value; one of options is kept even where a part of it is open.
    void use(const std::string& name) {
        const auto value = m_values.find(name);
        const auto options = m_options.find(name);
        if (value == m_values.end() && options == m_options.end()) {
            const auto open = m_open.find(name);
            m_word->open = open == m_open.end() ? "$" + name : open->second;
            return;
        }
        if (options != m_options.end()) {
            m_used.insert(name);
            if (!options->second.open.empty())
                m_word->open = options->second.open;
        }
        const std::string& text = value != m_values.end() ? value->second : options->second.text;
        m_length += text.size();
        if (m_length > kMostText)
            return fail(m_line, "comes to more text than is read");
        m_word->text += text;
    }

    // ${NAME:-default} and its like: whoever runs the script with nothing set gets the default. False: it is
    // none of these, or of an argument, which a function may be given.
    bool takeDefault(std::string_view inner) {
        const auto end =
            static_cast<std::size_t>(std::ranges::find_if_not(inner, isNameCharacter) - inner.begin());
        const bool orEmpty = end < inner.size() && inner[end] == ':';
        const std::size_t sign = end + (orEmpty ? 1 : 0);
        if (end == 0 || (inner[0] >= '0' && inner[0] <= '9') || sign >= inner.size() ||
            (inner[sign] != '-' && inner[sign] != '=') || m_nested >= kMostNested)
            return false;
        const std::string name(inner.substr(0, end));
        const auto value = m_values.find(name);
        if (m_open.contains(name) || m_options.contains(name) ||
            (value != m_values.end() && !(orEmpty && value->second.empty()))) {
            use(name);
            return true;
        }
        const std::size_t before = m_word->text.size();
        const std::string openBefore = std::exchange(m_word->open, {});
        expandWithin(inner.substr(sign + 1));
        if (inner[sign] == '=' && m_word->open.empty())
            m_values[name] = m_word->text.substr(before);
        if (m_word->open.empty())
            m_word->open = openBefore;
        return true;
    }

    // What stands in a default: text, quotes around it and further expansions.
    void expandWithin(std::string_view text) {
        const std::string_view outer = std::exchange(m_text, text);
        const std::size_t at = std::exchange(m_at, 0);
        const int line = m_line;
        ++m_nested;
        while (!m_error && m_at < m_text.size()) {
            const char c = peek();
            if (c == '$' || c == '`') {
                expand();
            } else if (c == '"' || c == '\'') {
                ++m_at;
            } else {
                m_word->text += take();
                if (++m_length > kMostText)
                    fail(line, "comes to more text than is read");
            }
        }
        --m_nested;
        m_text = outer;
        m_at = at;
        m_line = line;
    }

    void expand() {
        const std::size_t from = m_at;
        if (take() == '`') {
            while (m_at < m_text.size() && take() != '`') {
            }
            m_word->open = "`...`";
            return;
        }
        if (peek() == '(') {
            take();
            skipBrackets('(', ')');
            m_word->open = "$(...)";
        } else if (peek() == '{') {
            take();
            const std::size_t begin = m_at;
            skipBrackets('{', '}');
            const std::string_view inner = m_text.substr(begin, std::max(m_at, begin + 1) - begin - 1);
            if (inner.ends_with("[@]") || inner.ends_with("[*]"))
                m_spliced = inner.substr(0, inner.size() - 3);
            else if (std::all_of(inner.begin(), inner.end(), isNameCharacter))
                use(std::string(inner));
            else if (!takeDefault(inner))
                m_word->open = std::string(m_text.substr(from, std::min<std::size_t>(m_at - from, 60)));
        } else if (isNameCharacter(peek())) {
            std::string name;
            while (m_at < m_text.size() && isNameCharacter(peek()))
                name += take();
            use(name);
        } else if (m_at < m_text.size() &&
                   std::string_view("@*#?-$!").find(peek()) != std::string_view::npos) {
            m_word->open = fmt::format("${}", take());
        } else {
            m_word->text += '$';
        }
    }

    std::string_view m_text;
    const std::string& m_file;
    ShellScript m_script;
    std::optional<Error> m_error;
    std::size_t m_at = 0;
    int m_line = 1;
    std::optional<ShellWord> m_word;
    std::string m_spliced; // the array that the word is
    bool m_commandStart = true, m_inArray = false;
    std::string m_array;
    int m_arrayLine = 1;
    std::map<std::string, std::string> m_values;
    std::map<std::string, std::string> m_open; // of values that are not known: what is open in them
    int m_nested = 0;
    std::map<std::string, std::vector<ShellWord>> m_arrays;
    std::map<std::string, ShellWord> m_options; // values that are words of their own: "--a 1 --b 2"
    std::set<std::string> m_used;
    std::size_t m_count = 0, m_length = 0;
};

} // namespace

Result<ShellScript> readShell(std::string_view text, const std::string& file) {
    return Reader(text, file).read();
}

} // namespace pw

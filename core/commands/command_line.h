// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headroom {

/// A command line of the worker as it grows. Options without a value are left out. A value.
class CommandLine {
public:
    explicit CommandLine(std::vector<std::string> words) : m_words(std::move(words)) {}

    void option(const char* name, const std::string& value) {
        if (!value.empty())
            m_words.insert(m_words.end(), {name, value});
    }
    void option(const char* name, const std::filesystem::path& value) { option(name, value.string()); }
    void option(const char* name, std::int64_t value) { option(name, std::to_string(value)); }
    void option(const char* name, std::uint64_t value) { option(name, std::to_string(value)); }
    /// The shortest text that reads as the same number.
    void option(const char* name, double value);
    void flag(const char* name, bool given) {
        if (given)
            m_words.emplace_back(name);
    }
    void word(const std::string& word) {
        if (!word.empty())
            m_words.push_back(word);
    }
    std::vector<std::string> words() && { return std::move(m_words); }

private:
    std::vector<std::string> m_words;
};

} // namespace headroom

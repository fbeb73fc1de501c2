// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <set>
#include <string>
#include <vector>

namespace headroom::training {

/// Reads the settings of a kind one by one, each with its default and its range, and remembers every value
/// for study.json. Each call throws Error "study.setting" naming the key and what is possible. Call done()
/// at the end: what is left over is a mistake too. One thread.
class SettingsReader {
public:
    /// `kind` stands in the sentences.
    SettingsReader(const nlohmann::json& given, std::string kind);

    double number(const std::string& key, double unset, double least, double most);
    std::int64_t whole(const std::string& key, std::int64_t unset, std::int64_t least, std::int64_t most);
    /// A list of at least one; one number alone is a list too.
    std::vector<std::int64_t> wholes(const std::string& key, const std::vector<std::int64_t>& unset,
                                     std::int64_t least, std::int64_t most);
    bool flag(const std::string& key, bool unset);
    std::string word(const std::string& key, const std::string& unset,
                     std::initializer_list<const char*> possible);
    /// Any text.
    std::string text(const std::string& key, const std::string& unset);

    /// All values as read. Throws for keys that nobody asked for, naming those that there are.
    nlohmann::json done();

private:
    const nlohmann::json* find(const std::string& key);
    [[noreturn]] void refuse(const std::string& key, const std::string& wanted) const;
    template <class T>
    T kept(const std::string& key, T value);

    const nlohmann::json m_given;
    const std::string m_kind;
    nlohmann::json m_values = nlohmann::json::object();
};

/// "key=JSON" onto settings: "threshold=0.02"; a value that is no JSON is taken as a text. Throws Error
/// "study.setting" where there is no "=".
void setFromText(nlohmann::json& settings, const std::string& assignment);

} // namespace headroom::training

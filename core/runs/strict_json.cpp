// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/strict_json.h"

#include "core/errors/display_name.h"
#include "core/errors/unread_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <set>
#include <system_error>
#include <vector>

namespace headroom {

using nlohmann::json;

namespace {

constexpr int kDeepest = 16;
constexpr std::size_t kLargest = 16u << 20;

std::string lineAndColumn(std::string_view text, std::size_t offset) {
    const auto before = text.substr(0, std::min(offset, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const auto column = before.size() - (before.rfind('\n') + 1) + 1; // npos + 1 is 0
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

} // namespace

json parseStrictObject(std::string_view text, const std::string& name, const std::string& code) {
    const auto refuse = [&](const std::string& what) { throw Error(code, name + what, {{"file", name}}); };
    if (text.size() > kLargest)
        refuse(" has more than 16 MB, too much for a document of this kind.");
    std::vector<std::set<std::string>> open; // the keys seen in each open object; arrays stay empty
    const auto watch = [&](int depth, json::parse_event_t event, const json& parsed) {
        using Event = json::parse_event_t;
        if (event == Event::object_start || event == Event::array_start) {
            if (depth >= kDeepest)
                refuse(" is nested more than " + std::to_string(kDeepest) + " deep.");
            open.emplace_back();
        } else if (event == Event::object_end || event == Event::array_end) {
            open.pop_back();
        } else if (event == Event::key && !open.back().insert(parsed.get<std::string>()).second) {
            refuse(": the key “" + parsed.get<std::string>() + "” is duplicated.");
        }
        return true;
    };
    json document;
    try {
        document = json::parse(text.begin(), text.end(), watch);
    } catch (const json::parse_error& error) {
        refuse(" is not JSON at " + lineAndColumn(text, error.byte > 0 ? error.byte - 1 : 0) + ".");
    } catch (const json::exception&) { // a number beyond every range
        refuse(" is not JSON: a number in it is invalid.");
    }
    if (!document.is_object())
        refuse(" is not a JSON object.");
    return document;
}

std::string readSmallFile(const std::filesystem::path& file, const std::string& code) {
    const auto refuse = [&](const std::string& why) {
        throw Error(code, unreadText(file, why), {{"file", file.string()}});
    };
    std::FILE* stream = std::fopen(file.c_str(), "rbe");
    if (!stream)
        refuse(std::system_category().message(errno));
    std::string text;
    char buffer[16384];
    std::size_t count = 0;
    while ((count = std::fread(buffer, 1, sizeof buffer, stream)) > 0 && text.size() <= kLargest)
        text.append(buffer, count);
    const int problem = std::ferror(stream) ? errno : 0; // a folder opens, and cannot be read
    std::fclose(stream);
    if (problem)
        refuse(std::system_category().message(problem));
    return text;
}

json readStrictObject(const std::filesystem::path& file, const std::string& code) {
    return parseStrictObject(readSmallFile(file, code), displayName(file), code);
}

} // namespace headroom

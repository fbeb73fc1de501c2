// SPDX-License-Identifier: GPL-3.0-or-later
// A phone map as a file.
#include "core/alignment/grid_text.h"
#include "core/alignment/list_text.h"
#include "core/alignment/phone_map.h"
#include "core/alignment/phones.h"
#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/tensors/atomic_file.h"

#include <algorithm>

namespace headroom {

namespace {

[[noreturn]] void refuse(const std::string& code, const std::string& name, std::size_t line,
                         const std::string& reason) {
    throw Error(code, name + ", line " + std::to_string(line) + ": " + reason + ".",
                {{"file", name}, {"line", line}, {"reason", reason}});
}

std::string escaped(const std::string& label) {
    std::string result = label.starts_with("# ") ? "\\" : "";
    for (const char c : label)
        result += c == '\\' ? "\\\\" : c == '\t' ? "\\t" : c == '\n' ? "\\n" : std::string(1, c);
    return result;
}

/// What is no escape stands for itself: X-SAMPA's r\ is a label.
std::string unescaped(std::string_view text) {
    std::string result;
    if (text.starts_with("\\# "))
        text.remove_prefix(1);
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char next = text[at] == '\\' && at + 1 < text.size() ? text[at + 1] : '\0';
        if (next == '\\' || next == 't' || next == 'n') {
            result += next == 't' ? '\t' : next == 'n' ? '\n' : '\\';
            ++at;
        } else {
            result += text[at];
        }
    }
    return result;
}

/// kLeftOut, 0 … 36, or nothing for what is no name of a class.
std::optional<int> classNamed(std::string_view name) {
    if (name == "-")
        return kLeftOut;
    if (name == "sil")
        return kSilenceClass;
    const auto* const found = std::find(kPhoneClasses.begin(), kPhoneClasses.end(), name);
    if (found != kPhoneClasses.end())
        return static_cast<int>(found - kPhoneClasses.begin());
    return name.empty() || isSilence(name) ? std::nullopt : phoneClass(name);
}

} // namespace

PhoneMap PhoneMap::parse(std::string_view bytes, const std::string& name) {
    const auto text = gridText(bytes, name);
    PhoneMap map{Empty()};
    map.m_title = name;
    TextLines lines(text);
    bool header = false;
    while (const auto line = lines.next()) {
        if (line->text.empty() || line->text.starts_with("# ") || line->text == "#")
            continue;
        const auto cells = splitAt(line->text, '\t');
        if (!header) {
            if (cells.size() < 2 || cells[0] != "label" || cells[1] != "class")
                refuse("phones.noHeader", name, line->number,
                       "a phone map starts with the columns label and class");
            header = true;
            continue;
        }
        if (cells.size() < 2)
            refuse("phones.badRow", name, line->number, "a label, a tab and a class are expected here");
        const auto phoneClass = classNamed(cells[1]);
        if (!phoneClass)
            refuse("phones.badClass", name, line->number,
                   "“" + std::string(cells[1]) + "” is not a class; use AA … HH, sil or -");
        const auto label = unescaped(cells[0]);
        if (const auto [at, isNew] = map.m_classes.emplace(label, *phoneClass);
            !isNew && at->second != *phoneClass)
            refuse("phones.twice", name, line->number, "“" + label + "” already has another class above");
    }
    if (!header)
        throw Error("phones.noHeader", name + " is empty.", {{"file", name}});
    map.index();
    return map;
}

PhoneMap PhoneMap::read(const std::filesystem::path& file) {
    const auto bytes = bytesOf(file, "phones.missing");
    try {
        return parse(bytes, displayName(file));
    } catch (const Error& error) {
        if (error.code() != "alignment.badText")
            throw;
        throw Error("phones.badText", error.what(), error.values());
    }
}

std::string PhoneMap::text() const {
    std::vector<std::pair<int, std::string>> rows;
    for (const auto& [label, phoneClass] : m_classes)
        rows.emplace_back(phoneClass == kLeftOut ? kSilenceClass + 1 : phoneClass, label);
    std::sort(rows.begin(), rows.end());
    std::string text = "label\tclass\n";
    for (const auto& [phoneClass, label] : rows)
        text += escaped(label) + "\t" +
                (phoneClass > kSilenceClass ? "-" : std::string(phoneClassName(phoneClass))) + "\n";
    return text;
}

void PhoneMap::write(const std::filesystem::path& file) const {
    writeAtomically(file, text(), "phones.unwritable");
}

} // namespace headroom

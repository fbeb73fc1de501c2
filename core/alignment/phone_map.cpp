// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/phone_map.h"

#include "core/alignment/phone_tables.h"
#include "core/alignment/phones.h"
#include "core/errors/error.h"
#include "core/errors/listed.h"

#include <algorithm>

namespace headroom {

namespace {

std::string folded(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return result;
}

std::vector<std::string_view> characters(std::string_view text) {
    std::vector<std::string_view> result;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at + 1;
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
            ++end;
        result.push_back(text.substr(at, end - at));
        at = end;
    }
    return result;
}

template <class Predicate>
std::string without(std::string_view label, Predicate isMark) {
    std::string result;
    for (const auto character : characters(label))
        if (!isMark(character))
            result += character;
    return result;
}

bool isStressOrTie(std::string_view character) {
    return character == "ˈ" || character == "ˌ" || character == "\u0361" || character == "\u035C";
}

/// Lengths, secondary articulations and everything that combines (U+0300–U+036F).
bool isModifier(std::string_view character) {
    constexpr std::string_view kModifiers[] = {"ː", "ˑ", "ʰ", "ʲ", "ʷ", "ˠ", "ˤ", "ˡ", "ⁿ"};
    const auto first = static_cast<unsigned char>(character.front());
    const bool combines =
        character.size() == 2 &&
        (first == 0xCC || (first == 0xCD && static_cast<unsigned char>(character[1]) <= 0xAF));
    return combines ||
           std::find(std::begin(kModifiers), std::end(kModifiers), character) != std::end(kModifiers);
}

/// As it stands, then with one kind of writing after the other taken off.
std::vector<std::string> spellings(std::string_view label) {
    std::vector<std::string> result{std::string(label)};
    const auto add = [&](std::string text) {
        if (!text.empty() && text != result.back())
            result.push_back(std::move(text));
    };
    if (label.size() > 2 && label[label.size() - 2] == '_' &&
        std::string_view("BIES").find(label.back()) != std::string_view::npos)
        add(std::string(label.substr(0, label.size() - 2)));
    add(std::string(withoutStress(result.back())));
    add(without(result.back(), isStressOrTie));
    add(without(result.back(), isModifier));
    return result;
}

/// One letter put in, taken out or exchanged.
bool differInOne(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
    if (a.size() > b.size())
        return differInOne(b, a);
    if (b.size() - a.size() > 1)
        return false;
    std::size_t at = 0;
    while (at < a.size() && a[at] == b[at])
        ++at;
    if (at == b.size())
        return false; // the same
    const std::size_t skipped = a.size() == b.size() ? at + 1 : at;
    return std::equal(a.begin() + static_cast<std::ptrdiff_t>(skipped), a.end(),
                      b.begin() + static_cast<std::ptrdiff_t>(at) + 1, b.end());
}

} // namespace

PhoneMap::PhoneMap() : PhoneMap(named("arpabet")) {}

const std::vector<std::string>& PhoneMap::names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> result;
        for (const auto& table : kPhoneTables)
            result.emplace_back(table.name);
        return result;
    }();
    return names;
}

PhoneMap PhoneMap::named(std::string_view name) {
    static const auto maps = [] {
        std::map<std::string, PhoneMap, std::less<>> result;
        for (const auto& table : kPhoneTables) {
            auto map = parse(table.text, std::string(table.name) + ".tsv");
            map.m_title = table.title;
            result.emplace(table.name, std::move(map));
        }
        return result;
    }();
    const auto found = maps.find(name);
    if (found == maps.end()) {
        throw Error("phones.name",
                    "Unknown phone map “" + std::string(name) + "”; known are " + listed(names()) + ".",
                    {{"name", name}});
    }
    return found->second;
}

PhoneMap PhoneMap::fitting(const LabelCounts& labels) {
    PhoneMap best;
    std::int64_t most = -1;
    for (const auto& name : names()) {
        const auto map = named(name);
        std::int64_t known = 0;
        for (const auto& [label, count] : labels)
            if (!isSilence(label) && map.knows(label))
                known += count;
        if (known > most) {
            most = known;
            best = map;
        }
    }
    return best;
}

const int* PhoneMap::find(std::string_view label) const {
    for (const auto& spelling : spellings(label)) {
        if (const auto found = m_classes.find(spelling); found != m_classes.end())
            return &found->second;
        if (m_folded.empty())
            continue;
        if (const auto found = m_folded.find(folded(spelling)); found != m_folded.end())
            return &found->second;
    }
    static const int silence = kSilenceClass;
    return isSilence(label) ? &silence : nullptr;
}

std::optional<int> PhoneMap::classOf(std::string_view label) const {
    const int* found = find(label);
    return found != nullptr && *found != kLeftOut ? std::optional(*found) : std::nullopt;
}

bool PhoneMap::knows(std::string_view label) const {
    return find(label) != nullptr;
}

std::vector<std::string> PhoneMap::nearest(std::string_view label) const {
    const auto plain = spellings(label).back();
    const auto wanted = folded(plain);
    const auto letters = characters(wanted);
    std::vector<std::string> result;
    if (letters.size() < 2)
        return result; // a single letter is one away from every other
    for (const auto& [known, phoneClass] : m_classes)
        if (const auto other = folded(known); phoneClass != kLeftOut && phoneClass != kSilenceClass &&
                                              differInOne(letters, characters(other))) {
            result.push_back(known);
            if (result.size() == 3)
                break;
        }
    return result;
}

void PhoneMap::set(const std::string& label, std::optional<int> phoneClass) {
    m_classes[label] = phoneClass.value_or(kLeftOut);
    index();
}

void PhoneMap::forget(const std::string& label) {
    m_classes.erase(label);
    index();
}

void PhoneMap::index() {
    m_folded.clear();
    for (const auto& [label, phoneClass] : m_classes)
        if (!m_folded.emplace(folded(label), phoneClass).second &&
            m_folded.find(folded(label))->second != phoneClass) {
            m_folded.clear(); // cases tell phones apart
            return;
        }
}

std::string_view phoneClassName(int phoneClass) {
    if (phoneClass >= 0 && phoneClass < static_cast<int>(kPhoneClasses.size()))
        return kPhoneClasses[static_cast<std::size_t>(phoneClass)];
    return "sil";
}

} // namespace headroom

// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/fairseq_settings.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"

#include <charconv>

namespace headroom::models {
namespace {

constexpr std::size_t kMostNumbers = 8;

std::string inWords(const PickleValue& value) {
    if (const auto text = value.text())
        return "“" + validText(text->substr(0, 40)) + "”";
    if (const auto number = value.integer())
        return std::to_string(*number);
    if (const auto number = value.real())
        return std::to_string(*number);
    if (const auto truth = value.boolean())
        return *truth ? "True" : "False";
    return value.is(PickleKind::None) ? "None" : "something else";
}

} // namespace

void FairseqSettings::refuse(const std::string& code, const std::string& key, const std::string& what) const {
    throw Error(code, place(key) + what + ".", {{"file", m_name}, {"key", key}});
}

bool FairseqSettings::has(const std::string& key) const {
    const auto found = memberOf(m_settings, key);
    return found && !found->is(PickleKind::None);
}

PickleValue FairseqSettings::value(const std::string& key) const {
    const auto found = memberOf(m_settings, key);
    if (!found)
        refuse("model.badConfig", key, " is missing");
    return *found;
}

std::int64_t FairseqSettings::integer(const std::string& key, std::int64_t smallest,
                                      std::int64_t largest) const {
    const auto number = value(key).integer();
    if (!number || *number < smallest || *number > largest)
        refuse("model.badConfig", key,
               " is " + inWords(value(key)) + ", not a whole number from " + std::to_string(smallest) +
                   " to " + std::to_string(largest));
    return *number;
}

double FairseqSettings::share(const std::string& key) const {
    const auto number = value(key).real();
    if (!number || !(*number >= 0 && *number < 1))
        refuse("model.badConfig", key, " is " + inWords(value(key)) + ", not from 0 to below 1");
    return *number;
}

bool FairseqSettings::boolean(const std::string& key) const {
    const auto truth = value(key).boolean();
    if (!truth)
        refuse("model.badConfig", key, " is " + inWords(value(key)) + ", not True or False");
    return *truth;
}

bool FairseqSettings::boolean(const std::string& key, bool otherwise) const {
    return has(key) ? boolean(key) : otherwise;
}

std::string FairseqSettings::text(const std::string& key) const {
    const auto text = value(key).text();
    if (!text)
        refuse("model.badConfig", key, " is " + inWords(value(key)) + ", not a text");
    return *text;
}

std::string FairseqSettings::text(const std::string& key, const std::string& otherwise) const {
    return has(key) ? text(key) : otherwise;
}

std::vector<int> FairseqSettings::integers(const std::string& key, int smallest, int largest) const {
    const std::string list = text(key);
    std::vector<int> numbers;
    const char* at = list.data();
    const char* const end = at + list.size();
    bool good = true;
    while (good) {
        int number = 0;
        const auto [next, problem] = std::from_chars(at, end, number);
        good = problem == std::errc() && number >= smallest && number <= largest &&
               numbers.size() < kMostNumbers && (next == end || *next == ',');
        numbers.push_back(number);
        if (!good || next == end)
            break;
        at = next + 1;
    }
    if (!good)
        refuse("model.badConfig", key,
               " is " + inWords(value(key)) + ", not numbers from " + std::to_string(smallest) + " to " +
                   std::to_string(largest) + " with commas between them");
    return numbers;
}

} // namespace headroom::models

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/document_reader.h"

#include "core/architecture/nearest.h"
#include "core/architecture/shortest.h"
#include "core/errors/count_text.h"
#include "core/errors/listed.h"

#include <algorithm>

namespace headroom {

using nlohmann::json;

namespace {

constexpr int kDeepest = 16;

std::string inQuotes(std::string_view text) {
    return "“" + std::string(text) + "”";
}

/// "encoder, layer 2, heads" of "encoder.layers[2].heads", whose brackets a reader could take for counting from 0.
std::string inWords(std::string_view place) {
    std::string text;
    for (std::size_t at = 0; at < place.size();) {
        const auto open = place.find('[', at), close = place.find(']', at);
        if (open == std::string_view::npos || close == std::string_view::npos)
            return text + std::string(place.substr(at));
        auto list = place.substr(at, open - at);
        const bool isLayers = list.ends_with("layers"), ofLayers = isLayers || list.ends_with("selfAttention");
        if (isLayers)
            list.remove_suffix(std::string_view("layers").size());
        while (!list.empty() && list.back() == '.')
            list.remove_suffix(1);
        text += std::string(list) + (list.empty() ? "" : ", ") + (ofLayers ? "layer " : "number ") +
                std::string(place.substr(open + 1, close - open - 1));
        at = close + 1;
        if (at < place.size() && place[at] == '.') {
            text += ", ";
            ++at;
        }
    }
    return text;
}

/// "line 3, column 7" of a byte offset.
std::string lineAndColumn(std::string_view text, std::size_t offset) {
    const auto before = text.substr(0, std::min(offset, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const auto column = before.size() - (before.rfind('\n') + 1) + 1; // npos + 1 is 0
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

/// Watches a parse: which keys were seen in each open object, and where we are.
class Watch {
public:
    explicit Watch(const std::string& name) : m_name(name) {}

    bool operator()(int depth, json::parse_event_t event, const json& parsed) {
        using Event = json::parse_event_t;
        switch (event) {
        case Event::object_start:
        case Event::array_start:
            nextItem();
            if (depth >= kDeepest)
                throw Error("architecture.badJson",
                            m_name + " is nested deeper than an architecture: more than " +
                                std::to_string(kDeepest) + " levels.",
                            {{"file", m_name}});
            m_open.push_back({event == Event::array_start, 0, {}, {}});
            break;
        case Event::object_end:
        case Event::array_end:
            m_open.pop_back();
            break;
        case Event::value:
            nextItem();
            break;
        case Event::key: {
            auto& object = m_open.back();
            object.key = parsed.get<std::string>();
            if (!object.keys.insert(object.key).second)
                throw Error("architecture.duplicateKey",
                            m_name + ", " + inWords(place()) + ": duplicate key.",
                            {{"file", m_name}, {"place", place()}});
            break;
        }
        }
        return true;
    }

private:
    struct Open {
        bool isArray;
        int item;
        std::string key;
        std::set<std::string> keys;
    };

    void nextItem() {
        if (!m_open.empty() && m_open.back().isArray)
            ++m_open.back().item;
    }

    std::string place() const {
        std::string text;
        for (const auto& one : m_open)
            text += one.isArray ? "[" + std::to_string(one.item) + "]" : (text.empty() ? "" : ".") + one.key;
        return text;
    }

    const std::string& m_name;
    std::vector<Open> m_open;
};

} // namespace

json parseStrictJson(std::string_view text, const std::string& name) {
    // The parser's own recursion-free reading still builds what it is told to; our limits come first.
    constexpr std::size_t kLargest = 16u << 20;
    if (text.size() > kLargest)
        throw Error("architecture.badJson", name + " is too large for an architecture: more than 16 MB.",
                    {{"file", name}});
    try {
        Watch watch(name);
        return json::parse(text.begin(), text.end(), [&](int depth, json::parse_event_t event, json& parsed) {
            return watch(depth, event, parsed);
        });
    } catch (const json::parse_error& error) {
        const auto where = lineAndColumn(text, error.byte > 0 ? error.byte - 1 : 0);
        throw Error("architecture.badJson", name + " is not JSON at " + where + ".",
                    {{"file", name}, {"byte", error.byte}});
    } catch (const json::exception&) { // a number beyond every range
        throw Error("architecture.badJson", name + " is not JSON: a number in it is invalid.",
                    {{"file", name}});
    }
}

ObjectReader::ObjectReader(const json& value, std::string place, std::string file,
                           std::span<const std::string_view> keys, std::string codes)
    : m_value(value)
    , m_place(std::move(place))
    , m_file(std::move(file))
    , m_codes(std::move(codes)) {
    if (!value.is_object())
        refuse(m_codes + ".type", "", "this must be an object, { … }");
    for (const auto& [key, ignored] : value.items()) {
        if (std::find(keys.begin(), keys.end(), key) != keys.end())
            continue;
        const auto nearest = nearestWord(key, keys);
        if (nearest.empty())
            refuse(m_codes + ".unknownKey", key, "unknown key");
        refuse(m_codes + ".unknownKey", key, "unknown key; nearest is " + inQuotes(nearest),
               {nearest});
    }
}

const json& ObjectReader::at(const char* key) const {
    if (!m_value.contains(key))
        refuse(m_codes + ".missingKey", key, "this key is missing");
    return m_value[key];
}

std::string ObjectReader::text(const char* key) const {
    const auto& value = at(key);
    if (!value.is_string())
        refuse(m_codes + ".type", key, "this must be a string in quotes");
    return value.get<std::string>();
}

std::string ObjectReader::word(const char* key, std::span<const std::string_view> words) const {
    const auto value = text(key);
    if (std::find(words.begin(), words.end(), value) != words.end())
        return value;
    const auto nearest = nearestWord(value, words);
    if (!nearest.empty())
        refuse(m_codes + ".value", key,
               "there is no " + inQuotes(value) + "; nearest is " + inQuotes(nearest), {nearest});
    refuse(m_codes + ".value", key, "there is no " + inQuotes(value) + "; there are " + listedInQuotes(words));
}

std::int64_t ObjectReader::wholeIn(const json& value, const std::string& key, std::int64_t least,
                                   std::int64_t most) const {
    if (!value.is_number())
        refuse(m_codes + ".type", key, "this must be a whole number");
    const auto range =
        "this must be a whole number between " + grouped(least) + " and " + grouped(most);
    if (value.is_number_float())
        refuse(m_codes + ".type", key, range);
    const bool tooLarge =
        value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(most);
    if (tooLarge || value.get<std::int64_t>() < least)
        refuse(m_codes + ".value", key, range, {tooLarge ? most : least});
    return value.get<std::int64_t>();
}

std::int64_t ObjectReader::whole(const char* key, std::int64_t least, std::int64_t most) const {
    return wholeIn(at(key), key, least, most);
}

std::vector<int> ObjectReader::wholes(const char* key, int least, int most, std::size_t mostItems) const {
    const auto& list = at(key);
    if (!list.is_array() || list.empty() || list.size() > mostItems)
        refuse(m_codes + ".type", key,
               "this must be a list of 1 to " + grouped(static_cast<std::int64_t>(mostItems)) + " numbers");
    std::vector<int> result;
    for (const auto& item : list)
        result.push_back(static_cast<int>(
            wholeIn(item, std::string(key) + "[" + std::to_string(result.size() + 1) + "]", least, most)));
    return result;
}

double ObjectReader::real(const char* key, double least, double below) const {
    const auto& value = at(key);
    if (!value.is_number())
        refuse(m_codes + ".type", key, "this must be a number");
    const double number = value.get<double>();
    if (!(number >= least && number < below))
        refuse(m_codes + ".value", key,
               "this must be at least " + shortest(least) + " and less than " + shortest(below));
    return number == 0 ? 0 : number; // −0 would be written back as it is
}

bool ObjectReader::truth(const char* key) const {
    const auto& value = at(key);
    if (!value.is_boolean())
        refuse(m_codes + ".type", key, "this must be true or false");
    return value.get<bool>();
}

void ObjectReader::refuse(const std::string& code, const std::string& key, const std::string& reason,
                          json suggestions) const {
    const auto place = key.empty() ? m_place : placeOf(key);
    throw Error(code, m_file + (place.empty() ? "" : ", " + inWords(place)) + ": " + reason + ".",
                {{"file", m_file}, {"place", place}, {"suggestions", std::move(suggestions)}});
}

} // namespace headroom

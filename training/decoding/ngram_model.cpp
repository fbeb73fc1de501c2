// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/decoding/ngram_model.h"

#include "core/corpus/kinds/text_lines.h"
#include "core/errors/display_name.h"
#include "core/errors/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>

namespace headroom::training {

namespace {

constexpr float kUnknownWord = -100; ///< log10, as in KenLM
constexpr int kHighestOrder = 20;

/// NaN for what is no number.
float arpaNumber(const std::string& text) {
    float value = 0;
    const char* end = text.data() + text.size();
    const auto found = std::from_chars(text.data() + (text.starts_with('+') ? 1 : 0), end, value);
    return found.ec == std::errc() && found.ptr == end ? value : std::numeric_limits<float>::quiet_NaN();
}

} // namespace

std::size_t NgramModel::IdsHash::operator()(const std::vector<int>& ids) const {
    std::uint64_t hash = ids.size();
    for (const int id : ids)
        hash = (hash ^ static_cast<std::uint64_t>(id)) * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::size_t>(hash ^ (hash >> 29));
}

NgramModel NgramModel::read(const std::filesystem::path& file) {
    LineReader lines(file);
    NgramModel model;
    std::vector<std::size_t> announced;
    std::string line;
    const auto refuse = [&](const std::string& what) {
        const std::string name = displayName(file);
        throw Error("ngram.badArpa", name + ", line " + std::to_string(lines.number()) + ": " + what + ".",
                    {{"file", name}, {"line", lines.number()}});
    };
    const auto next = [&] { // skips empty lines
        while (lines.next(line))
            if (!trimmedText(line).empty())
                return true;
        return false;
    };
    bool begun = false;
    while (!begun && next())
        begun = trimmedText(line) == "\\data\\";
    if (!begun)
        refuse("there is no \\data\\, with which an ARPA file begins");
    bool more = next();
    for (; more && line.starts_with("ngram"); more = next()) {
        const std::string expected = "ngram " + std::to_string(announced.size() + 1) + "=";
        std::size_t count = 0;
        const std::vector<std::string> fields = wordsOfLine(line); // "ngram 1=20", "ngram 1 = 20"
        std::string compact = fields.front() + " ";
        for (std::size_t i = 1; i < fields.size(); ++i)
            compact += fields[i];
        const char* end = compact.data() + compact.size();
        const bool isCount = compact.starts_with(expected) &&
                             std::from_chars(compact.data() + expected.size(), end, count).ptr == end;
        if (!isCount || announced.size() == kHighestOrder)
            refuse("“" + expected + "…” was expected");
        announced.push_back(count);
    }
    if (announced.empty())
        refuse("no “ngram 1=…” says how many there are");
    model.m_order = static_cast<int>(announced.size());
    for (int length = 1; length <= model.m_order; ++length) {
        const std::string heading = "\\" + std::to_string(length) + "-grams:";
        if (!more || trimmedText(line) != heading)
            refuse("“" + heading + "” was expected");
        auto& grams = model.m_grams.emplace_back();
        grams.reserve(announced[static_cast<std::size_t>(length) - 1]);
        for (more = next(); more && !line.starts_with("\\"); more = next()) {
            const std::vector<std::string> fields = wordsOfLine(line);
            const auto words = static_cast<std::size_t>(length);
            const float logProbability = arpaNumber(fields[0]);
            const bool hasBackoff = fields.size() == words + 2;
            const float backoff = hasBackoff ? arpaNumber(fields.back()) : 0;
            if ((fields.size() != words + 1 && !hasBackoff) || std::isnan(logProbability) || std::isnan(backoff))
                refuse("an n-gram has a probability, " + std::to_string(length) + (length == 1 ? " word" : " words") +
                       " and perhaps a back-off weight");
            if (logProbability > 0)
                refuse("the logarithm of a probability is above 0");
            std::vector<int> ids;
            for (std::size_t i = 1; i <= words; ++i) {
                if (length == 1)
                    model.m_words.emplace(fields[i], static_cast<int>(model.m_words.size()));
                const auto known = model.m_words.find(fields[i]);
                if (known == model.m_words.end())
                    refuse("“" + fields[i] + "” is not among the 1-grams");
                ids.push_back(known->second);
            }
            if (!grams.emplace(std::move(ids), Entry{logProbability, backoff}).second)
                refuse("this n-gram occurs twice");
        }
        const std::size_t wanted = announced[static_cast<std::size_t>(length) - 1];
        if (grams.size() != wanted)
            refuse("there are " + std::to_string(grams.size()) + " " + std::to_string(length) + "-grams, and " +
                   std::to_string(wanted) + " were announced");
    }
    if (!more || trimmedText(line) != "\\end\\")
        refuse("there is no \\end\\: the file is cut short");
    const auto place = [&](const char* word) {
        const auto found = model.m_words.find(word);
        if (found == model.m_words.end())
            refuse(std::string("the 1-grams lack ") + word);
        return found->second;
    };
    model.m_start = place("<s>");
    model.m_end = place("</s>");
    const char* const unknown = model.m_words.contains("<UNK>") ? "<UNK>" : "<unk>";
    const auto [found, isMissing] = model.m_words.emplace(unknown, static_cast<int>(model.m_words.size()));
    model.m_unknown = found->second;
    if (isMissing)
        model.m_grams.front().emplace(std::vector<int>{model.m_unknown}, Entry{kUnknownWord, 0});
    return model;
}

int NgramModel::word(const std::string& text) const {
    const auto found = m_words.find(text);
    return found == m_words.end() ? m_unknown : found->second;
}

double NgramModel::logProbability(std::span<const int> history, int word) const {
    const auto most = static_cast<std::size_t>(m_order - 1);
    if (history.size() > most)
        history = history.last(most);
    double sum = 0; // log10
    for (;; history = history.subspan(1)) {
        std::vector<int> ids(history.begin(), history.end());
        if (!history.empty() && !m_grams[history.size() - 1].contains(ids))
            continue; // no back-off weight: 0
        ids.push_back(word);
        const auto& grams = m_grams[ids.size() - 1];
        if (const auto found = grams.find(ids); found != grams.end())
            return (sum + static_cast<double>(found->second.logProbability)) * std::numbers::ln10;
        ids.pop_back();
        sum += static_cast<double>(m_grams[history.size() - 1].at(ids).backoff); // every word is a 1-gram
    }
}

} // namespace headroom::training

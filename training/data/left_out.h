// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/count_text.h"
#include "core/errors/error.h"
#include "core/runs/recipe.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace headroom::training {

/// Why texts are left out of a split: how many for each reason, and the first. A value.
class LeftOut {
public:
    /// `unit`: "utterance" or "sentence".
    explicit LeftOut(std::string unit = "utterance") : m_unit(std::move(unit)) {}
    void add(const std::string& why, const std::string& id) {
        auto& entry = m_reasons[why];
        if (entry.first++ == 0)
            entry.second = id;
    }
    /// Adds an utterance whose length is outside of the limits, and returns whether it is. `unit`: "frames" or "tokens".
    bool addIfOutside(const LengthLimits& limits, std::int64_t length, const std::string& unit, const std::string& id) {
        if (limits.contains(length))
            return false;
        add((length < limits.least ? "shorter than " + grouped(limits.least) : "longer than " + grouped(limits.most)) + " " + unit, id);
        return true;
    }
    /// Returns one sentence per reason.
    std::vector<std::string> sentences(const std::string& split) const {
        std::vector<std::string> result;
        for (const auto& [why, entry] : m_reasons)
            result.push_back(counted(entry.first, m_unit) + " of “" + split + "” left out: " + why + " (" +
                             (entry.first == 1 ? "" : "the first is ") + entry.second + ").");
        return result;
    }

private:
    std::string m_unit;
    std::map<std::string, std::pair<std::int64_t, std::string>> m_reasons;
};

/// Texts with characters that the tokenizer does not know: how many, and the first. A value.
class UnknownText {
public:
    explicit UnknownText(int unknownId, std::string unit = "utterance")
        : m_unknown(unknownId)
        , m_unit(std::move(unit)) {}
    bool isIn(const std::vector<int>& ids) const {
        return std::find(ids.begin(), ids.end(), m_unknown) != ids.end();
    }
    void add(const std::string& id, const std::string& text) {
        if (m_count++ == 0)
            m_first = id + ", “" + text + "”";
    }
    /// Throws Error "data.unknownPieces" if the recipe refuses such text; adds a sentence to `notes`
    /// otherwise.
    void judge(const Recipe::Data& recipe, const std::string& split, std::vector<std::string>& notes) const {
        if (m_count == 0)
            return;
        const std::string what = counted(m_count, m_unit) + " of “" +
                                 split + "” hold" + (m_count == 1 ? "s" : "") +
                                 " characters unknown to the tokenizer; the first is " + m_first;
        if (recipe.unknownPieces == "refuse")
            throw Error("data.unknownPieces",
                        what + ". Set data.unknownPieces to \"keep\" to learn them as <unk>.",
                        {{"utterances", m_count}});
        notes.push_back(what + ".");
    }

private:
    int m_unknown;
    std::string m_unit, m_first;
    std::int64_t m_count = 0;
};

} // namespace headroom::training

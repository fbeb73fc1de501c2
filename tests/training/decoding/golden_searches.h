// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/decoding/beam_search.h"

#include <nlohmann/json.hpp>

#include <QString>

#include <cmath>
#include <vector>

// Searches of Hugging Face transformers, as parity/decoding stores them.
namespace headroom::testing {

/// Below this distance between two choices, float32 decides by chance.
inline constexpr double kClearMargin = 2e-4;

inline training::BeamSettings settingsOf(const nlohmann::json& json) {
    training::BeamSettings settings;
    settings.beams = json.at("num_beams");
    settings.lengthPenalty = json.value("length_penalty", 1.0);
    if (const auto found = json.find("early_stopping"); found != json.end())
        settings.earlyStopping = found->is_string()   ? training::EarlyStopping::Never
                                 : found->get<bool>() ? training::EarlyStopping::Full
                                                      : training::EarlyStopping::Heuristic;
    settings.maxNewTokens = json.at("max_new_tokens");
    settings.minNewTokens =
        std::max<std::int64_t>(json.value("min_new_tokens", 0), json.value("min_length", 1) - 1);
    settings.noRepeatNgram = json.value("no_repeat_ngram_size", 0);
    if (const auto found = json.find("forced_eos_token_id"); found != json.end() && !found->is_null())
        settings.forcedEnd = found->get<int>();
    return settings;
}

/// What differs between a search and its golden run; empty where it is the same.
inline QString difference(const std::vector<training::BeamHypothesis>& found, const nlohmann::json& run,
                          const char* sum) {
    const auto &expected = run.at("hypotheses"), &settings = run.at("settings");
    if (found.size() != expected.size())
        return QString("%1 hypotheses instead of %2").arg(found.size()).arg(expected.size());
    const bool isClear = run.value("smallest_margin_of_a_decision", 1.0) > kClearMargin;
    for (std::size_t i = 0; i < found.size(); ++i) {
        auto ids = expected[i].at("ids").get<std::vector<int>>();
        ids.erase(ids.begin()); // the start token
        if (ids != found[i].ids) {
            if (isClear)
                return QString("other ids at rank %1").arg(i);
            continue;
        }
        const double score = expected[i].value("score", nlohmann::json()).is_number()
                                 ? expected[i].at("score").get<double>()
                                 : found[i].score;
        // A negative length penalty multiplies the sum, and what float32 rounds of it.
        const double factor =
            std::pow(static_cast<double>(ids.size()), std::max(0.0, -settings.value("length_penalty", 1.0)));
        if (std::abs(found[i].score - score) > 1e-4 * factor)
            return QString("score %1 instead of %2").arg(found[i].score).arg(score);
        if (const auto it = expected[i].find(sum); it != expected[i].end() &&
                                                   !settings.contains("forced_eos_token_id") &&
                                                   std::abs(found[i].sum - it->get<double>()) > 3e-4)
            return QString("sum %1 instead of %2").arg(found[i].sum).arg(it->get<double>());
    }
    return {};
}

} // namespace headroom::testing

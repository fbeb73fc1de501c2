// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/requests.h"

#include "core/errors/count_text.h"
#include "core/runs/run_control.h"
#include "core/runs/score_decimals.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <thread>

namespace headroom::training {

double obeyRequests(Journal& journal, std::int64_t update, bool ranks, const std::function<void()>& evaluate,
                    const std::function<bool()>& stops) {
    const std::filesystem::path& folder = journal.paths().folder;
    RunControl request = controlOf(folder);
    if (request == RunControl::None)
        return 0;
    if (ranks) { // each process would have to do it after the same update
        if (takeRequest(folder, request))
            journal.log("A run of several processes can be stopped and resumed, but not paused or evaluated.");
        return 0;
    }
    const auto start = std::chrono::steady_clock::now();
    if (request == RunControl::Evaluate && takeRequest(folder, request))
        evaluate();
    if (request == RunControl::Pause) {
        RunInfo untilNow = journal.info();
        untilNow.ended = utcNow();
        const double worked = workedSeconds(untilNow);
        journal.event("paused", update); // steps are written every few updates
        journal.log("Paused after update " + grouped(update) + ".");
        for (; request == RunControl::Pause && !stops(); request = controlOf(folder))
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        // A pause is no work: what follows counts as another part of the run, as after a resume.
        if (std::isfinite(worked))
            journal.info().earlierSeconds = std::llround(worked);
        journal.info().started = utcNow();
        journal.save();
        journal.event("continued", update);
        journal.log("The pause is over.");
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

nlohmann::ordered_json scoresOf(const Validation& result) {
    if (result.perplexity)
        return {{"loss", result.loss}, {"nll", result.nll}, {"perplexity", *result.perplexity}};
    nlohmann::ordered_json values{{"loss", result.loss},
                                  {"nll", result.nll},
                                  {"wer", nullptr},
                                  {"bleu", result.bleu},
                                  {"utterances", result.hypotheses.size()},
                                  {"validated", result.utterances}};
    if (result.wer)
        values["wer"] = *result.wer;
    for (const auto& [name, score] : {std::pair{"cer", result.cer}, {"chrf", result.chrf}, {"ter", result.ter}, {"ctc", result.ctc}})
        if (score)
            values[name] = *score;
    return values;
}

std::string sentenceOf(const Validation& result) {
    char text[120];
    if (result.perplexity)
        std::snprintf(text, sizeof text, "loss %.*f bits, perplexity %.*f", kLossDecimals, result.loss, kScoreDecimals, *result.perplexity);
    else
        std::snprintf(text, sizeof text, "loss %.*f bits, WER %.*f %%, BLEU %.*f", kLossDecimals, result.loss, kScoreDecimals,
                      result.wer.value_or(0), kScoreDecimals, result.bleu);
    std::string sentence = text;
    for (const auto& [name, score] : {std::pair{"CER %.2f %%", result.cer}, {"chrF2 %.2f", result.chrf}, {"TER %.2f", result.ter},
                                      {"CTC loss %.3f bits", result.ctc}})
        if (score) {
            std::snprintf(text, sizeof text, name, *score);
            sentence += std::string(", ") + text;
        }
    const auto decoded = static_cast<std::int64_t>(result.hypotheses.size());
    if (!result.perplexity && decoded < result.utterances) // else they would be taken for scores of the split
        sentence += " (" + grouped(decoded) + " of " + grouped(result.utterances) + " utterances decoded)";
    return sentence;
}

Standing standingOf(const Validation& result, double score, const nlohmann::json& best) {
    if (!std::isfinite(score))
        return Standing::NotBetter;
    if (best.is_null() || score < best["score"].get<double>())
        return Standing::Better;
    const auto loss = best.find("loss");
    const bool lower = loss != best.end() && loss->is_number() && result.loss < loss->get<double>();
    return score == best["score"].get<double>() && lower ? Standing::AsGood : Standing::NotBetter;
}

double criterionOf(const Validation& result, const std::string& best) {
    if (best == "nll")
        return result.nll;
    if (best == "bleu")
        return -result.bleu;
    if (best == "chrf")
        return result.chrf ? -*result.chrf : result.loss;
    const std::optional<double> score = best == "wer"   ? result.wer
                                        : best == "cer" ? result.cer
                                        : best == "ter" ? result.ter
                                        : best == "ctc" ? result.ctc
                                                        : std::nullopt;
    return score.value_or(result.loss);
}

void record(Journal& journal, std::int64_t update, const Validation& result, const std::vector<Example>& examples,
            std::int64_t samples) {
    journal.event("validation", update, scoresOf(result));
    auto shown = nlohmann::ordered_json::array();
    for (const Hypothesis& one : result.hypotheses) {
        if (static_cast<std::int64_t>(shown.size()) == samples)
            break;
        const Example& example = examples[static_cast<std::size_t>(one.example)];
        shown.push_back({{"id", example.id}, {"reference", example.text}, {"hypothesis", one.text}});
    }
    if (!shown.empty())
        journal.samples(update, shown);
}

} // namespace headroom::training

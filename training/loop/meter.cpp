// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/meter.h"

#include "training/loop/memory.h"

#include <algorithm>
#include <cstdio>
#include <numbers>
#include <numeric>

namespace headroom::training {

namespace {

double since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string durationText(double seconds) {
    char text[40];
    if (seconds < 100)
        std::snprintf(text, sizeof text, "%.0f s left", seconds);
    else if (seconds < 5400)
        std::snprintf(text, sizeof text, "%.0f min left", seconds / 60);
    else
        std::snprintf(text, sizeof text, "%.1f h left", seconds / 3600);
    return text;
}

} // namespace

void Meter::begin(std::int64_t update, const nlohmann::json& counted) {
    m_begun = Clock::now();
    m_firstUpdate = update;
    startInterval();
    if (counted.is_null())
        return;
    m_loss = counted.at("loss").get<double>();
    m_nll = counted.at("nll").get<double>();
    m_ctc = counted.at("ctc").get<double>();
    m_hasCtc = m_ctc != 0;
    m_tokens = counted.at("tokens").get<std::int64_t>();
    m_fuzzyGammas = counted.at("fuzzyGammas").get<std::vector<double>>();
}

nlohmann::json Meter::counted() const {
    if (m_tokens == 0)
        return nullptr;
    return {{"loss", m_loss}, {"nll", m_nll}, {"ctc", m_ctc}, {"tokens", m_tokens}, {"fuzzyGammas", m_fuzzyGammas}};
}

void Meter::paused(double seconds) {
    m_paused += seconds;
    m_begun += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

void Meter::startInterval() {
    m_intervalStart = Clock::now();
    m_paused = m_waited = m_loss = m_nll = m_ctc = 0;
    m_tokens = m_frames = 0;
    m_fuzzyGammas.clear();
}

void Meter::add(const UpdateOutcome& outcome) {
    m_loss += outcome.loss.crossEntropy.lossSum;
    m_nll += outcome.loss.crossEntropy.nllSum;
    m_ctc += outcome.loss.ctc;
    m_hasCtc = m_hasCtc || outcome.loss.ctc != 0;
    m_tokens += outcome.loss.crossEntropy.tokens;
    m_frames += outcome.frames;
    m_waited += outcome.waited;
    m_fuzzyGammas.insert(m_fuzzyGammas.end(), outcome.loss.fuzzyGammas.begin(),
                         outcome.loss.fuzzyGammas.end());
    m_gradientNorm = outcome.gradientNorm;
    m_learningRate = outcome.learningRate;
    m_readAt = Clock::now();
    m_pausedAtRead = m_paused;
}

void Meter::updated(std::int64_t update, std::int64_t maxUpdates) {
    const auto done = static_cast<double>(std::max<std::int64_t>(update - m_firstUpdate, 1));
    // Validations to come cost what those so far did, update for update.
    m_secondsLeft = since(m_begun) / done * static_cast<double>(maxUpdates - update);
    if (m_frames > 0) {
        // On a device, numbers are read now and then: until then they are those of the last time.
        const double counted = std::chrono::duration<double>(m_readAt - m_intervalStart).count() - m_pausedAtRead;
        m_framesPerSecond = static_cast<double>(m_frames) / std::max(counted, 1e-6);
        char text[80];
        std::snprintf(text, sizeof text, "loss %.2f bits, %.0f frames/s, ",
                      m_loss / (static_cast<double>(m_tokens) * std::numbers::ln2), m_framesPerSecond);
        m_measured = text;
    }
    m_text = m_measured + durationText(m_secondsLeft);
}

nlohmann::ordered_json Meter::takeStep(std::int64_t epoch) {
    const double perToken =
        1 / (static_cast<double>(std::max<std::int64_t>(m_tokens, 1)) * std::numbers::ln2);
    const double seconds = std::max(since(m_intervalStart) - m_paused, 1e-6);
    nlohmann::ordered_json values{{"epoch", epoch}, {"loss", m_loss * perToken}, {"nll", m_nll * perToken}};
    if (m_hasCtc)
        values["ctc"] = m_ctc * perToken;
    values["learningRate"] = m_learningRate;
    values["gradientNorm"] = m_gradientNorm;
    if (!m_fuzzyGammas.empty()) {
        const auto [least, most] = std::minmax_element(m_fuzzyGammas.begin(), m_fuzzyGammas.end());
        values["fuzzyGamma"] = std::accumulate(m_fuzzyGammas.begin(), m_fuzzyGammas.end(), 0.0) /
                               static_cast<double>(m_fuzzyGammas.size());
        values["fuzzyGammaLeast"] = *least;
        values["fuzzyGammaMost"] = *most;
    }
    values["framesPerSecond"] = m_framesPerSecond;
    values["waiting"] = m_waited / seconds;
    values["secondsLeft"] = m_secondsLeft;
    values["memoryMegabytes"] = static_cast<double>(peakUsedBytes()) / 1e6;
    startInterval();
    return values;
}

} // namespace headroom::training

// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/latency_rounds.h"

#include "models/layers/device.h"
#include "training/devices/devices.h"
#include "training/studies/measurement_cache.h"
#include "training/studies/study_text.h"

#include <algorithm>
#include <utility>

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds kSeldom{2};
constexpr const char* kSittings = "sittings";

fs::path placeOf(const fs::path& study) {
    return study / "rounds";
}

/// [round, length, front end · total · attention of each layer · each layer], in seconds.
Tensor packed(const LatencyTimes& times) {
    const std::size_t rounds = times.front().size(), layers = times.front().front().layers.size();
    std::vector<double> numbers;
    for (std::size_t round = 0; round < rounds; ++round)
        for (const auto& at : times) {
            const models::EncoderTimes& one = at[round];
            numbers.insert(numbers.end(), {one.frontEnd, one.total});
            numbers.insert(numbers.end(), one.attention.begin(), one.attention.end());
            numbers.insert(numbers.end(), one.layers.begin(), one.layers.end());
        }
    return numbersOf({static_cast<std::int64_t>(rounds), static_cast<std::int64_t>(times.size()), static_cast<std::int64_t>(2 + 2 * layers)}, numbers);
}

LatencyTimes unpacked(const Tensor& tensor) {
    const auto rounds = static_cast<std::size_t>(tensor.shape.at(0)), lengths = static_cast<std::size_t>(tensor.shape.at(1));
    const std::int64_t layers = (tensor.shape.at(2) - 2) / 2;
    const std::vector<double> numbers = toDoubles(tensor.view());
    LatencyTimes times(lengths);
    auto at = numbers.begin();
    for (std::size_t round = 0; round < rounds; ++round)
        for (std::size_t length = 0; length < lengths; ++length) {
            models::EncoderTimes& one = times[length].emplace_back();
            one.frontEnd = *at++;
            one.total = *at++;
            one.attention.assign(at, at + layers);
            one.layers.assign(at + layers, at + 2 * layers);
            at += 2 * layers;
        }
    return times;
}

} // namespace

LatencyRounds::LatencyRounds(const fs::path& study, const Study& document, const nlohmann::json& settings)
    : m_folder(study.empty() ? study : placeOf(study))
    , m_machine(processorName() + ", " + models::usedDeviceId())
    , m_plan("rounds/1 " + settings.dump() + " " + std::to_string(document.seed)) {
    for (const StudyModel& model : document.models)
        m_models += model.weightsHash + " " + model.architecture + "\n";
}

std::vector<LatencyTimes> LatencyRounds::find(std::string& note) {
    std::error_code ignored;
    if (m_folder.empty() || !fs::exists(m_folder, ignored))
        return {};
    const auto kept = MeasurementCache(m_folder, HEADROOM_VERSION).find({m_models, m_machine, {}, {}, m_plan}, note);
    if (!kept) {
        if (note.empty())
            note = "The times of the first sitting are of another machine or another version of Headroom. All are measured again.";
        return {};
    }
    std::vector<LatencyTimes> times;
    for (std::size_t model = 1; kept->contains(std::to_string(model)); ++model)
        times.push_back(unpacked(kept->at(std::to_string(model))));
    m_sittings = 1 + static_cast<int>(toDoubles(kept->at(kSittings).view()).front());
    return times;
}

void LatencyRounds::keep(const std::vector<LatencyTimes>& times, bool now) {
    const auto time = std::chrono::steady_clock::now();
    if (m_folder.empty() || times.empty() || times.front().empty() || times.front().front().empty() || (!now && time - m_kept < kSeldom))
        return;
    m_kept = time;
    Measurement measured;
    for (std::size_t model = 0; model < times.size(); ++model)
        measured.insert_or_assign(std::to_string(model + 1), packed(times[model]));
    measured.insert_or_assign(kSittings, numbersOf({1}, {static_cast<double>(m_sittings)}));
    MeasurementCache(m_folder, HEADROOM_VERSION).store({m_models, m_machine, {}, {}, m_plan}, measured);
}

void LatencyRounds::remove(const fs::path& study) {
    std::error_code ignored;
    fs::remove_all(placeOf(study), ignored);
}

} // namespace headroom::training

// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/profiles.h"

#include "core/analysis/diagonality.h"
#include "core/statistics/moments.h"
#include "core/statistics/undefined.h"
#include "training/studies/study_text.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace headroom::training {

namespace {

Tensor bytesOf(const std::string& text) {
    const std::vector<std::uint8_t> bytes(text.begin(), text.end());
    return Tensor::of<std::uint8_t>({static_cast<std::int64_t>(bytes.size())}, bytes);
}

std::string textOf(const Tensor& tensor) {
    return {reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size()};
}

/// The mean of the heads that look at tokens; nothing where there is none.
Matrix<float> meanMap(const models::LayerAnalysis& layer) {
    Matrix<float> mean;
    int heads = 0;
    for (const Matrix<float>& head : layer.attention) {
        if (head.rows() != head.columns() || head.rows() == 0)
            continue;
        if (heads++ == 0) {
            mean = head;
            continue;
        }
        for (std::size_t i = 0; i < mean.values().size(); ++i)
            mean.values()[i] += head.values()[i];
    }
    for (float& value : mean.values())
        value /= static_cast<float>(std::max(heads, 1));
    return mean;
}

/// What the layers of one utterance gave, row by row.
class Rows {
public:
    explicit Rows(int layers) : m_profiles(static_cast<std::size_t>(layers)) {}

    void add(int layer, DiagonalProfile profile, const std::vector<DistancePair>& strongest) {
        for (const FarPair& pair : farPairs(strongest))
            for (const double value :
                 {static_cast<double>(layer), static_cast<double>(pair.distance),
                  static_cast<double>(pair.query), static_cast<double>(pair.key), pair.value})
                m_far.push_back(value);
        m_profiles[static_cast<std::size_t>(layer - 1)] = std::move(profile);
    }
    void without(int layer, const std::string& reason) {
        m_arrays.insert_or_assign("reason." + std::to_string(layer), bytesOf(reason));
    }
    Measurement take(std::int64_t tokens) && {
        const std::int64_t width = 2 * tokens - 1;
        std::vector<double> sums;
        sums.reserve(m_profiles.size() * static_cast<std::size_t>(width));
        for (const DiagonalProfile& profile : m_profiles) {
            if (profile.empty())
                sums.insert(sums.end(), static_cast<std::size_t>(width), kUndefined);
            else
                sums.insert(sums.end(), profile.sums().begin(), profile.sums().end());
        }
        m_arrays.insert_or_assign("profile",
                                  numbersOf({static_cast<std::int64_t>(m_profiles.size()), width}, sums));
        m_arrays.insert_or_assign("far", numbersOf({static_cast<std::int64_t>(m_far.size() / 5), 5}, m_far));
        return std::move(m_arrays);
    }

private:
    std::vector<DiagonalProfile> m_profiles;
    std::vector<double> m_far;
    Measurement m_arrays;
};

[[noreturn]] void refuseProfile(const std::string& what) {
    throw Error("study.badMeasurement", "A cached measurement does not contain " + what +
                                            "; delete the measurement cache and run the study again.");
}

} // namespace

ProfileSource profileSource(const std::string& setting, const Study& study) {
    if (setting != "auto")
        return setting == "attention" ? ProfileSource::Attention : ProfileSource::Contributions;
    const bool maps = std::any_of(study.models.begin(), study.models.end(),
                                  [](const StudyModel& model) { return model.maps; });
    return maps ? ProfileSource::Attention : ProfileSource::Contributions;
}

const char* toText(ProfileSource source) {
    return source == ProfileSource::Attention ? "attention" : "contributions";
}

std::vector<FarPair> farPairs(MatrixView<const float> map) {
    return farPairs(strongestByDistance(map));
}

std::vector<FarPair> farPairs(const std::vector<DistancePair>& strongest) {
    std::vector<FarPair> pairs; // from the furthest inwards whenever a new one is stronger
    double held = 0;
    for (std::size_t distance = strongest.size(); distance-- > 0;) {
        const DistancePair& pair = strongest[distance];
        if (pair.value <= held)
            continue;
        held = pair.value; // |i − j| ≥ this distance: nothing stronger is as far
        pairs.push_back({static_cast<std::int64_t>(distance), pair.query, pair.key, pair.value});
    }
    std::reverse(pairs.begin(), pairs.end());
    return pairs;
}

const FarPair* strongestOutside(const std::vector<FarPair>& pairs, std::int64_t window) {
    const auto found = std::find_if(pairs.begin(), pairs.end(),
                                    [&](const FarPair& pair) { return pair.distance > window / 2; });
    return found == pairs.end() ? nullptr : &*found;
}

Measurement measureProfiles(LayerSource& source, const StudyInput& input, ProfileSource which,
                            const models::CancelFlag& cancel) {
    const bool attention = which == ProfileSource::Attention;
    models::AnalysisOptions options;
    options.checkedRows = 0;
    options.headProfiles = false;
    options.explain = !attention;
    options.relevanceNorm = 0;
    options.errors = options.keepOutput = false;
    options.keepContributions = false;
    options.strongestPairs = !attention;
    options.keepAttention = attention;
    Rows rows(source.model().layers);
    const auto result = source.analyse(
        input, options,
        [&](models::LayerAnalysis&& layer) {
            if (!attention) {
                if (layer.contributionProfile.empty())
                    rows.without(layer.layer, layer.reason.empty() ? "It has no contributions." : layer.reason);
                else
                    rows.add(layer.layer, std::move(layer.contributionProfile), layer.strongest);
                return;
            }
            const Matrix<float> map = meanMap(layer);
            if (map.empty())
                rows.without(layer.layer, "No head of it has a map of tokens by tokens.");
            else
                rows.add(layer.layer, DiagonalProfile(map.view()), strongestByDistance(map.view()));
        },
        &cancel);
    return std::move(rows).take(result.tokens);
}

UtteranceProfiles readProfiles(const Measurement& measurement, int layers) {
    UtteranceProfiles result;
    if (measurement.empty())
        return result;
    const auto profile = measurement.find("profile"), far = measurement.find("far");
    if (profile == measurement.end() || profile->second.shape.size() != 2 ||
        profile->second.shape[0] != layers || profile->second.shape[1] % 2 == 0 || far == measurement.end() ||
        far->second.shape.size() != 2 || far->second.shape[1] != 5)
        refuseProfile("profiles of " + std::to_string(layers) + " layers");
    const auto width = static_cast<std::size_t>(profile->second.shape[1]);
    const auto sums = toDoubles(profile->second.view());
    for (std::size_t layer = 0; layer < static_cast<std::size_t>(layers); ++layer) {
        const auto begin = sums.begin() + static_cast<std::ptrdiff_t>(layer * width);
        std::vector<double> row(begin, begin + static_cast<std::ptrdiff_t>(width));
        const bool none = std::isnan(row.front());
        result.layers.push_back(none ? DiagonalProfile() : DiagonalProfile(std::move(row)));
        const auto reason = measurement.find("reason." + std::to_string(layer + 1));
        result.reasons.push_back(reason == measurement.end() ? std::string() : textOf(reason->second));
    }
    result.far.resize(static_cast<std::size_t>(layers));
    const auto pairs = toDoubles(far->second.view());
    for (std::size_t i = 0; i + 4 < pairs.size(); i += 5) {
        const auto layer = static_cast<std::int64_t>(pairs[i]);
        if (layer < 1 || layer > layers)
            refuseProfile("pairs of its layers");
        result.far[static_cast<std::size_t>(layer - 1)].push_back(
            {static_cast<std::int64_t>(pairs[i + 1]), static_cast<std::int64_t>(pairs[i + 2]),
             static_cast<std::int64_t>(pairs[i + 3]), pairs[i + 4]});
    }
    return result;
}

std::vector<std::string> reasonNotes(const StudyModel& model,
                                     const std::vector<UtteranceProfiles>& utterances,
                                     const std::string& instead) {
    std::map<std::string, std::string> layersOf;
    for (const UtteranceProfiles& utterance : utterances) {
        if (utterance.reasons.empty())
            continue;
        for (std::size_t layer = 0; layer < utterance.reasons.size(); ++layer)
            if (!utterance.reasons[layer].empty()) {
                std::string& names = layersOf[utterance.reasons[layer]];
                names += (names.empty() ? "" : ", ") + std::to_string(layer + 1);
            }
        break; // layers do not depend on the utterance
    }
    std::vector<std::string> notes;
    for (const auto& [reason, names] : layersOf)
        notes.push_back(model.name + ", layer " + names + ": " + reason + " " + instead);
    return notes;
}

DiagonalityCurves diagonalityCurves(const std::vector<UtteranceProfiles>& utterances, int layers) {
    DiagonalityCurves curves;
    std::int64_t longest = 0;
    for (const UtteranceProfiles& utterance : utterances)
        for (const DiagonalProfile& profile : utterance.layers)
            longest = std::max(longest, profile.size());
    for (std::int64_t window = 1; window <= std::max<std::int64_t>(2 * longest - 1, 1); window += 2)
        curves.windows.push_back(window);
    const auto extent = curves.windows.size();
    for (std::size_t layer = 0; layer < static_cast<std::size_t>(layers); ++layer) {
        std::vector<Moments> moments(extent);
        for (const UtteranceProfiles& utterance : utterances) {
            if (utterance.layers.empty() || utterance.layers[layer].empty())
                continue;
            const std::vector<double> shares = cumulativeDiagonality(utterance.layers[layer]);
            for (std::size_t k = 0; k < extent; ++k) // w = 2k + 1; D(w) = 1 beyond the utterance
                moments[k].add(2 * k < shares.size() ? shares[2 * k] : 1.0);
        }
        curves.mean.emplace_back();
        curves.deviation.emplace_back();
        for (const Moments& share : moments) {
            curves.mean.back().push_back(share.mean());
            curves.deviation.back().push_back(share.deviation());
        }
    }
    return curves;
}

void storeCurves(const DiagonalityCurves& curves, const std::string& model, StudyArrays& arrays) {
    const auto extent = static_cast<std::int64_t>(curves.windows.size());
    const auto flat = [&](const std::vector<std::vector<double>>& rows) {
        std::vector<double> values;
        for (const auto& row : rows)
            values.insert(values.end(), row.begin(), row.end());
        return numbersOf({static_cast<std::int64_t>(rows.size()), extent}, values);
    };
    arrays.insert_or_assign(model + "window_grid", Tensor::of<std::int64_t>({extent}, curves.windows));
    arrays.insert_or_assign(model + "diagonality", flat(curves.mean));
    arrays.insert_or_assign(model + "diagonality_std", flat(curves.deviation));
}

} // namespace headroom::training

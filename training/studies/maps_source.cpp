// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/audio_file.h"
#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/errors/whole_path.h"
#include "core/studies/foreign_maps.h"
#include "core/tensors/sha256.h"
#include "training/studies/sources.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;

using MapFiles = std::map<std::string, fs::path>;

/// The maps of an utterance, by its id or its recording's stem. Throws Error "maps.missing".
fs::path mapsOf(const StudyUtterance& utterance, const MapFiles& files, const std::string& folder) {
    for (const std::string& stem : {utterance.id, fs::path(utterance.audio).stem().string()})
        if (const auto found = files.find(stem); found != files.end())
            return found->second;
    throw Error("maps.missing",
                displayName(utterance.audio) + " has no maps in " + folder + ": no .npz there has its name.");
}

class MapsSource final : public LayerSource {
public:
    MapsSource(StudyModel document, MapFiles files)
        : m_document(std::move(document))
        , m_files(std::move(files)) {}

    const StudyModel& model() const override { return m_document; }
    std::unique_ptr<LayerSource> share() const override {
        return std::make_unique<MapsSource>(m_document, m_files);
    }
    std::string frontEnd() const override {
        nlohmann::json clock{{"offset", m_document.clockOffset}, {"step", m_document.clockStep}};
        if (m_document.clockBands != 1)
            clock["bands"] = m_document.clockBands;
        return clock.dump();
    }
    std::string measurementIdentity(const StudyUtterance& utterance) const override {
        return sha256OfFile(fileOf(utterance));
    }
    bool needsFeatures() const override { return false; }
    double seconds(const StudyUtterance& utterance) const override {
        if (fs::path(utterance.audio).extension() != ".npz")
            return loadRecording(utterance.audio).duration().value();
        const ForeignMaps maps(fileOf(utterance));
        const TokenClock clock = maps.clock();
        return (clock.centre(Tokens(maps.tokens() - 1)) + clock.step() / 2).value();
    }
    TokenClock clock() const override { return m_document.clock(); }
    std::string warning(const StudyUtterance& utterance, Seconds duration) const override {
        const fs::path file = fileOf(utterance);
        const ForeignMaps maps(file);
        return lateTokens(displayName(file), maps.clock(), maps.tokens(), duration).sentence;
    }
    std::int64_t tokens(const StudyInput& input) override {
        return ForeignMaps(fileOf(*input.document)).tokens();
    }

    models::EncoderAnalysis analyse(const StudyInput& input, const models::AnalysisOptions& options,
                                    const std::function<void(models::LayerAnalysis&&)>& onLayer,
                                    const models::CancelFlag* cancel) override {
        const fs::path file = fileOf(*input.document);
        const ForeignMaps maps(file);
        requireSame(maps, file);
        for (int number = 1; number <= m_document.layers; ++number) {
            if (cancel && cancel->load(std::memory_order_relaxed))
                throw models::Cancelled();
            if (!options.layers.empty() &&
                std::find(options.layers.begin(), options.layers.end(), number) == options.layers.end())
                continue;
            onLayer(layerOf(maps, number, options));
        }
        models::EncoderAnalysis result;
        result.tokens = maps.tokens();
        return result;
    }

private:
    fs::path fileOf(const StudyUtterance& utterance) const {
        return mapsOf(utterance, m_files, m_document.folder);
    }

    void requireSame(const ForeignMaps& maps, const fs::path& file) const {
        const TokenClock clock = maps.clock();
        if (maps.layers() != m_document.layers)
            throw Error("maps.layers", displayName(file) + " has " + counted(maps.layers(), "layer") +
                                           ", and the first file of the study has " +
                                           std::to_string(m_document.layers) + ".");
        // No token of the recording half a step away from where the first file's clock has it.
        const double atFirst = clock.offset().value() - m_document.clockOffset;
        const double atLast = atFirst + (clock.step().value() - m_document.clockStep) *
                                            static_cast<double>((maps.tokens() - 1) / clock.bands());
        if (clock.bands() != m_document.clockBands || std::max(std::abs(atFirst), std::abs(atLast)) > m_document.clockStep / 2)
            throw Error("maps.time", displayName(file) +
                                         " has its tokens at different times than the first file of "
                                         "the study, so they belong to another model.");
    }

    static models::LayerAnalysis layerOf(const ForeignMaps& maps, int number,
                                         const models::AnalysisOptions& options) {
        ForeignLayer found = maps.layer(number);
        models::LayerAnalysis layer;
        layer.layer = number;
        layer.queries = maps.tokens();
        if (found.contributions.empty())
            layer.reason = "The file has no contributions.";
        else if (options.explain) {
            layer.contributionProfile = DiagonalProfile(found.contributions.view());
            if (options.strongestPairs)
                layer.strongest = strongestByDistance(found.contributions.view());
            if (options.keepContributions)
                layer.contributions = std::move(found.contributions);
        }
        for (const Matrix<float>& head : found.attention)
            layer.attentionProfiles.push_back(head.rows() == head.columns() ? DiagonalProfile(head.view())
                                                                            : DiagonalProfile());
        if (options.keepAttention)
            layer.attention = std::move(found.attention);
        if (options.explain)
            layer.headRelevance = std::move(found.headRelevance);
        layer.rebuildError = layer.gramError = std::numeric_limits<float>::quiet_NaN();
        layer.rowSumError = static_cast<float>(found.rowError);
        return layer;
    }

    const StudyModel m_document;
    const MapFiles m_files;
};

/// What the maps of one file say of the model that they are of.
StudyModel mapsModel(const ForeignMaps& maps) {
    StudyModel document;
    document.maps = true;
    document.layers = maps.layers();
    for (int number = 1; number <= document.layers; ++number)
        document.heads = std::max(document.heads, static_cast<int>(maps.layer(number).attention.size()));
    document.architecture = counted(document.layers, "layer") + " × " + counted(document.heads, "head") +
                            ", imported maps";
    document.clockOffset = maps.clock().offset().value();
    document.clockStep = maps.clock().step().value();
    document.clockBands = maps.clock().bands();
    return document;
}

/// By the first maps of the study that can be read. What is wrong with others is said when their turn comes.
StudyModel firstModel(const MapFiles& files, const std::string& folder,
                      std::span<const StudyUtterance> utterances) {
    if (utterances.empty())
        return mapsModel(ForeignMaps(files.begin()->second));
    std::optional<Error> first;
    for (const StudyUtterance& utterance : utterances)
        try {
            return mapsModel(ForeignMaps(mapsOf(utterance, files, folder)));
        } catch (const Error& error) {
            if (!first)
                first = error;
        }
    throw *first;
}

} // namespace

std::unique_ptr<LayerSource> openMapsSource(const fs::path& folder,
                                            std::span<const StudyUtterance> utterances) {
    auto files = foreignMapFiles(folder);
    std::error_code ignored;
    const fs::path whole = fs::absolute(folder, ignored).lexically_normal();
    StudyModel document = firstModel(files, whole.string(), utterances);
    document.name = displayName(wholePath(folder, ignored));
    document.folder = whole.string();
    return std::make_unique<MapsSource>(std::move(document), std::move(files));
}

} // namespace headroom::training

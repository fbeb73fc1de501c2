// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/sources.h"

#include "core/errors/display_name.h"
#include "core/tensors/sha256.h"
#include "models/networks/made_model.h"
#include "training/analysis/find_words.h"
#include "training/loop/initial_weights.h"

#include <algorithm>
#include <optional>

namespace headroom::training {

namespace {

using models::SpeechModel;

StudyModel documentOf(const models::ModelInfo& info) {
    StudyModel model;
    model.name = info.name;
    std::error_code ignored;
    model.folder = std::filesystem::absolute(info.folder, ignored).lexically_normal().string();
    model.weightsHash = info.weightsHash;
    const auto& encoder = info.architecture.encoder;
    model.layers = static_cast<int>(encoder.layers.size());
    int fewest = 0;
    for (const auto& layer : encoder.layers) {
        model.heads = std::max(model.heads, layer.headCount());
        fewest = fewest == 0 ? layer.headCount() : std::min(fewest, layer.headCount());
    }
    model.architecture = std::to_string(model.layers) + (model.layers == 1 ? " layer × " : " layers × ") +
                         (fewest == model.heads ? "" : std::to_string(fewest) + " to ") +
                         std::to_string(model.heads) + (model.heads == 1 ? " head" : " heads") + ", width " +
                         std::to_string(encoder.width);
    model.clockOffset = info.clock.offset().value();
    model.clockStep = info.clock.step().value();
    model.clockBands = info.clock.bands();
    return model;
}

class ModelSource final : public LayerSource {
public:
    ModelSource(StudyModel document, std::unique_ptr<SpeechModel> model)
        : m_document(std::move(document))
        , m_model(std::move(model)) {}

    const StudyModel& model() const override { return m_document; }
    std::unique_ptr<LayerSource> share() const override {
        return std::make_unique<ModelSource>(m_document, m_model->share());
    }
    SpeechModel* speechModel() override { return m_model.get(); }
    TokenClock clock() const override { return m_model->info().clock; }
    std::string warning(const StudyUtterance& utterance, Seconds) const override {
        const models::ModelInfo& info = m_model->info();
        if (utterance.text.empty() || info.sourceTokenizer.empty())
            return {};
        if (!m_tokenizer)
            m_tokenizer.emplace(info.sourceTokenizer);
        return unknownCharactersSentence(*m_tokenizer, utterance.text, m_document.name);
    }
    std::string frontEnd() const override {
        const auto& frontEnd = m_model->info().architecture.frontEnd;
        // A waveform is told apart by its kind alone: whether it is normalised moves no token.
        const bool mel = frontEnd.reads == InputKind::KaldiLogMel;
        std::string other = wordOf(frontEnd.reads);
        if (frontEnd.reads == InputKind::EspnetLogMel)
            other += " " + std::to_string(frontEnd.frames.window) + "/" + std::to_string(frontEnd.frames.hop);
        return nlohmann::json{{"features", frontEnd.features},
                              {"kind", mel ? frontEnd.cmvn ? "log-mel, global CMVN" : "log-mel, utterance CMVN" : other},
                              {"kernels", frontEnd.kernels},
                              {"strides", frontEnd.strides}}
            .dump();
    }
    std::string measurementIdentity(const StudyUtterance&) const override {
        // The same weights say other things in other heads: a window is no parameter.
        return m_document.weightsHash + " " + canonicalText(m_model->info().architecture);
    }
    std::int64_t tokens(const StudyInput& input) override {
        return m_model->info().architecture.frontEnd.ownTokens(static_cast<std::int64_t>(input.features.rows()));
    }
    models::EncoderAnalysis analyse(const StudyInput& input, const models::AnalysisOptions& options,
                                    const std::function<void(models::LayerAnalysis&&)>& onLayer,
                                    const models::CancelFlag* cancel) override {
        return m_model->analyse(input.features.view(), options, onLayer, cancel);
    }

private:
    const StudyModel m_document;
    const std::unique_ptr<SpeechModel> m_model;
    mutable std::optional<Tokenizer> m_tokenizer; ///< of a text's source, read for the first one
};

std::string hashOf(const LayerSource& source) {
    const std::string text = source.frontEnd();
    return sha256OfBytes(std::as_bytes(std::span(text.data(), text.size()))).substr(0, 8);
}

} // namespace

std::unique_ptr<LayerSource> openModelSource(const std::filesystem::path& folder, const std::filesystem::path& draft,
                                             std::vector<std::string>* notes, const std::string& name) {
    auto model = SpeechModel::open(folder, draft);
    if (notes)
        notes->insert(notes->end(), model->info().report.assumed.begin(), model->info().report.assumed.end());
    StudyModel document = documentOf(model->info());
    if (!name.empty())
        document.name = validText(name);
    return std::make_unique<ModelSource>(std::move(document), std::move(model));
}

bool isArchitectureDocument(const std::filesystem::path& path) {
    std::error_code ignored;
    return path.extension() == ".json" && std::filesystem::is_regular_file(path, ignored);
}

std::unique_ptr<LayerSource> openDrawnSource(const std::filesystem::path& document, std::uint64_t seed) {
    const Architecture architecture = readArchitecture(document);
    auto model = models::madeSpeechModel(validText(document.stem().string()), architecture,
                                         initialWeights(architecture, false, seed));
    StudyModel row = documentOf(model->info());
    std::error_code ignored;
    row.folder = std::filesystem::absolute(document, ignored).lexically_normal().string();
    return std::make_unique<ModelSource>(std::move(row), std::move(model));
}

void requireOneFrontEnd(std::span<const std::unique_ptr<LayerSource>> sources, const std::string& instead) {
    for (const auto& source : sources) {
        const LayerSource& first = *sources.front();
        if (source->frontEnd() == first.frontEnd())
            continue;
        throw Error("study.frontEnds",
                    first.model().name + " and " + source->model().name +
                        " compute their tokens differently (front ends " + hashOf(first) + " and " +
                        hashOf(*source) +
                        "), so their results cannot be compared token by token. " + instead,
                    {{"first", nlohmann::json::parse(first.frontEnd())},
                     {"second", nlohmann::json::parse(source->frontEnd())}});
    }
}

} // namespace headroom::training

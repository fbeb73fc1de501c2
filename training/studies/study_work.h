// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/text_grid.h"
#include "core/studies/places.h"
#include "core/studies/study.h"
#include "models/networks/speech_model.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace headroom::training {

/// One utterance, loaded.
struct StudyInput {
    int utterance = 0; ///< index into Study::utterances
    const StudyUtterance* document = nullptr;
    Matrix<float> features;             ///< after CMVN, [frames, 80]
    std::optional<Alignment> alignment; ///< where there is one
};

/// What a study sees of a model: its layers explained, one utterance at a time. A speech model, or maps from
/// elsewhere, which know nothing of weights. One thread at a time per object.
class LayerSource {
public:
    virtual ~LayerSource() = default;
    virtual const StudyModel& model() const = 0;
    /// The same once more, for another thread; what is large is not copied.
    virtual std::unique_ptr<LayerSource> share() const = 0;
    /// What the tokens are made of, as text: equal for models whose tokens may be compared.
    virtual std::string frontEnd() const = 0;
    /// Hash of what the numbers of this utterance come from besides the recording: the weights, or the file
    /// of maps. Throws Error where that is not there.
    virtual std::string measurementIdentity(const StudyUtterance& utterance) const = 0;
    /// Whether it needs features; else seconds() says how long an utterance is.
    virtual bool hears() const { return true; }
    virtual double seconds(const StudyUtterance& utterance) const { return utterance.seconds; }
    /// N of an utterance. Throws Error where that is not known.
    virtual std::int64_t tokens(const StudyInput& input) = 0;
    /// Null for maps from elsewhere.
    virtual models::SpeechModel* speechModel() { return nullptr; }
    virtual TokenClock clock() const = 0;
    /// As SpeechModel::analyse. Maps from elsewhere have attention, and contributions where the file has.
    virtual models::EncoderAnalysis analyse(const StudyInput& input, const models::AnalysisOptions& options,
                                            const std::function<void(models::LayerAnalysis&&)>& onLayer,
                                            const models::CancelFlag* cancel) = 0;
};

/// What one utterance gives through one model, as named arrays: what the cache holds. Kilobytes.
using Measurement = StudyArrays;

/// The measurements of one model, one per utterance of the sample; empty for one that failed.
struct ModelMeasurements {
    StudyModel model;
    std::vector<Measurement> utterances;
};

struct StudyResults {
    StudyArrays arrays, places;
    std::vector<StudyTable> tables;
    std::vector<std::string> notes;
};

/// One kind of study: what it measures on an utterance, and what follows from all of them.
class StudyWork {
public:
    virtual ~StudyWork() = default;
    /// Every setting with its value, defaults written out.
    virtual nlohmann::json settings() const = 0;
    /// Names the measurement and those settings that change it ("profiles/1 silence=keep"): part of the
    /// cache's key, so kinds that measure the same share it.
    virtual std::string measurementKey() const = 0;
    virtual bool needsAlignment() const { return false; }
    /// The alignment is read where there is one; then it is part of the cache's key.
    virtual bool usesAlignment() const { return needsAlignment(); }
    virtual bool needsWeights() const { return false; }
    /// The contributions of one utterance are kept beside the results (example.npz), for figures of a map.
    virtual bool wantsExample() const { return false; }
    /// Utterances are measured at all; false for latency.
    virtual bool measures() const { return true; }
    /// Whether a model may be its architecture alone, with weights drawn from the seed.
    virtual bool takesDrawnWeights() const { return false; }
    /// Whether models with different front ends may stand in one study: only where no number of one is put
    /// beside a number of the other token by token.
    virtual bool mixesFrontEnds() const { return false; }
    /// The sample as it was drawn, before anything is measured; settings that depend on it are decided here
    /// ("silence": "auto" becomes "remove" or "keep"). Called once; not for a study that goes on.
    virtual void prepare(const Study& study) { static_cast<void>(study); }
    /// Called on several threads at once, each with a source of its own. Throws Error for an utterance that
    /// cannot be measured (it is left out, with that sentence) and models::Cancelled.
    virtual Measurement measure(LayerSource& source, const StudyInput& input,
                                const models::CancelFlag& cancel) const = 0;
    /// `study`: document with models and utterances, tables still empty. `progress`: long summaries (the
    /// probe's training) say how far they are. `sources`: one per model, for kinds that need it again.
    using Progress = std::function<void(std::int64_t done, std::int64_t total, const std::string& stage)>;
    virtual StudyResults summarise(const Study& study, std::vector<ModelMeasurements>&& measured,
                                   std::span<const std::unique_ptr<LayerSource>> sources,
                                   const Progress& progress, const models::CancelFlag& cancel) const = 0;
};

/// The work of a kind with settings as given (unknown keys and values out of range throw Error
/// "study.setting", naming key and what is possible). One function per kind, in its own file.
std::unique_ptr<StudyWork> windowsStudy(const nlohmann::json& settings);
std::unique_ptr<StudyWork> diagonalityStudy(const nlohmann::json& settings);
std::unique_ptr<StudyWork> headsStudy(const nlohmann::json& settings);
std::unique_ptr<StudyWork> phonesStudy(const nlohmann::json& settings);
std::unique_ptr<StudyWork> probeStudy(const nlohmann::json& settings);
std::unique_ptr<StudyWork> latencyStudy(const nlohmann::json& settings);
std::unique_ptr<StudyWork> studyWork(StudyKind kind, const nlohmann::json& settings);

} // namespace headroom::training

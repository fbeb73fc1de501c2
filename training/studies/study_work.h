// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/text_grid.h"
#include "core/studies/places.h"
#include "core/studies/study.h"
#include "models/networks/speech_model.h"
#include "training/studies/eta.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace headroom::training {

/// One utterance, loaded.
struct StudyInput {
    int utterance = 0; ///< index into Study::utterances
    const StudyUtterance* document = nullptr;
    Matrix<float> features;             ///< what the model reads, [frames, features]
    std::optional<Alignment> alignment; ///< if there is one
};

/// A model as seen by a study: analyses one utterance at a time. A speech model, or imported maps without
/// weights. One thread at a time per object.
class LayerSource {
public:
    virtual ~LayerSource() = default;
    virtual const StudyModel& model() const = 0;
    /// Returns the same source for another thread; large data is shared.
    virtual std::unique_ptr<LayerSource> share() const = 0;
    /// Returns how tokens are computed, as text: equal for models whose tokens can be compared.
    virtual std::string frontEnd() const = 0;
    /// Returns the hash of what the numbers of this utterance depend on besides the recording: the weights,
    /// or the file of maps. Throws Error if that is missing.
    virtual std::string measurementIdentity(const StudyUtterance& utterance) const = 0;
    /// Whether it needs features; otherwise seconds() returns the length of an utterance.
    virtual bool needsFeatures() const { return true; }
    virtual double seconds(const StudyUtterance& utterance) const { return utterance.seconds; }
    /// Returns N of an utterance. Throws Error if unknown.
    virtual std::int64_t tokens(const StudyInput& input) = 0;
    /// Null for imported maps.
    virtual models::SpeechModel* speechModel() { return nullptr; }
    virtual TokenClock clock() const = 0;
    /// What is doubtful in an utterance of that many seconds, one sentence; it is measured all the same. Empty: nothing.
    virtual std::string warning(const StudyUtterance&, Seconds /*duration*/) const { return {}; }
    /// As SpeechModel::analyse. Imported maps have attention, and contributions if the file has them.
    virtual models::EncoderAnalysis analyse(const StudyInput& input, const models::AnalysisOptions& options,
                                            const std::function<void(models::LayerAnalysis&&)>& onLayer,
                                            const models::CancelFlag* cancel) = 0;
};

/// The measurement of one utterance by one model, as named arrays, in the form of the cache. Kilobytes.
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

/// One kind of study: what it measures on an utterance, and how it summarises all of them.
class StudyWork {
public:
    virtual ~StudyWork() = default;
    /// Every setting with its value, including defaults.
    virtual nlohmann::json settings() const = 0;
    /// Identifies the measurement and the settings that change it ("profiles/1 silence=keep"). Part of the
    /// cache key, so kinds that measure the same share it.
    virtual std::string measurementKey() const = 0;
    virtual bool needsAlignment() const { return false; }
    /// Whether it reads the phones of the alignment that it needs; false: its words alone.
    virtual bool needsPhones() const { return needsAlignment(); }
    /// Whether an existing alignment is read and part of the cache key.
    virtual bool usesAlignment() const { return needsAlignment(); }
    virtual bool needsWeights() const { return false; }
    /// Whether the contributions of one utterance are stored beside the results (example.npz), for figures.
    virtual bool wantsExample() const { return false; }
    /// Whether utterances are measured at all; false for latency.
    virtual bool measures() const { return true; }
    /// Whether a model may be an architecture alone, with random weights from the seed.
    virtual bool takesDrawnWeights() const { return false; }
    /// Whether a study may mix front ends: only if no numbers are compared token by token.
    virtual bool mixesFrontEnds() const { return false; }
    /// What to do where it may not.
    virtual std::string insteadOfMixing() const { return "Study them separately."; }
    /// Called once with the sample before anything is measured, to decide settings that depend on it
    /// ("silence": "auto" becomes "remove" or "keep"). Not called on resume.
    virtual void prepare(const Study& study) { static_cast<void>(study); }
    /// Why an utterance of this length, whose seconds are known, is left out: one sentence with its name. Empty: it counts.
    virtual std::string whyTooShort(const StudyUtterance& utterance) const {
        static_cast<void>(utterance);
        return {};
    }
    /// Called on several threads at once, each with its own source. Throws Error for an utterance that cannot
    /// be measured (it is left out with that message) and models::Cancelled.
    virtual Measurement measure(LayerSource& source, const StudyInput& input,
                                const models::CancelFlag& cancel) const = 0;
    /// The study's folder, for what a kind keeps there while it summarises, to continue after a stop. Called before summarise().
    virtual void keepIn(const std::filesystem::path& study) { static_cast<void>(study); }
    /// `study`: the document with models and utterances, without tables. `progress`: reports long summaries
    /// (training of the probe), and whether the rest of it goes on like this. `sources`: one per model, for kinds that need them again.
    using Progress = std::function<void(std::int64_t done, std::int64_t total, const std::string& stage, StepsLeft left)>;
    virtual StudyResults summarise(const Study& study, std::vector<ModelMeasurements>&& measured,
                                   std::span<const std::unique_ptr<LayerSource>> sources,
                                   const Progress& progress, const models::CancelFlag& cancel) const = 0;
};

/// Returns the work of a kind with the given settings. Unknown keys and values out of range throw Error
/// "study.setting" with the key and the valid values. One function per kind, in its own file.
std::unique_ptr<StudyWork> windowsStudy(const nlohmann::json& settings);
std::unique_ptr<StudyWork> diagonalityStudy(const nlohmann::json& settings);
std::unique_ptr<StudyWork> headsStudy(const nlohmann::json& settings);
std::unique_ptr<StudyWork> phonesStudy(const nlohmann::json& settings);
std::unique_ptr<StudyWork> probeStudy(const nlohmann::json& settings);
std::unique_ptr<StudyWork> latencyStudy(const nlohmann::json& settings);
std::unique_ptr<StudyWork> mixingStudy(const nlohmann::json& settings);
std::unique_ptr<StudyWork> similarityStudy(const nlohmann::json& settings);
std::unique_ptr<StudyWork> studyWork(StudyKind kind, const nlohmann::json& settings);

} // namespace headroom::training

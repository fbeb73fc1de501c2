// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"
#include "app/documents/session.h"
#include "app/jobs/analysis_cache.h"
#include "app/jobs/model_watch.h"
#include "app/jobs/worker_process.h"

#include <QObject>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace headroom::app {

/// Computes what the window shows: opens the session's models in the worker and analyses the current utterance with the current model
/// first, then with the other ticked ones. The worker has one request at a time; a more urgent one replaces it. Layers arrive one by one.
///
/// Results are kept by utterance and model up to a bound, so that going back to one takes no time. When the worker has been restarted, its
/// models are opened again and unfinished requests are repeated; earlier layers stay, marked as stale. Sentences for the user go to
/// Session::messages() and into the result. Window's thread; pyramids are built on the global thread pool.
class AnalysisService : public QObject {
    Q_OBJECT

public:
    /// Both borrowed. Starts the worker when the first model is there.
    AnalysisService(Session* session, WorkerProcess* worker, QObject* parent = nullptr);
    ~AnalysisService() override;

    /// The result of a pair; null if it was never requested. Valid until the next signal.
    const AnalysisResult* result(UtteranceId utterance, ModelId model) const;
    /// Of the current utterance and model.
    const AnalysisResult* current() const;
    bool areOfOneRecording(ModelId maps) const; ///< imported maps of a single file, which can be assigned (Session::assignMaps)
    /// The current map as the session's source and layer choose it; null where it is not here. Asks for
    /// attention itself only through requireAttention().
    const MaxPyramid* currentMap() const;

    // Layers from 1.
    /// Fetches the attention of one layer (analyse with layers [l]); layerReady() when it is there. Called
    /// for the current layer by the service itself when the session's source needs it.
    void requireAttention(UtteranceId utterance, ModelId model, int layer);
    /// Fetches what a source shows of one layer, attention or a measure of mixing, as requireAttention() does.
    /// Contributions come with the analysis; from a place as thumbnails, in whose stead the whole map is fetched here.
    void requireMap(UtteranceId utterance, ModelId model, int layer, const MapSource& source);
    /// Fetches the words of a text in the sound; resultChanged() when they are there, or cannot be had (WordsState).
    /// The pair must have been analysed. Asks again where the transcript has changed.
    void requireWords(UtteranceId utterance, ModelId model, TextChoice choice);
    /// Fetches measures of mixing of a block of a decoder layer, at first with its checks, for words that were delivered;
    /// resultChanged() when they are there. What is there, on its way, or was cancelled is not asked for; `again`: what was
    /// cancelled is.
    void requireWordMixing(UtteranceId utterance, ModelId model, TextChoice choice, WordsBlock block, int layer,
                           const std::vector<std::string>& measures, bool again = false);
    /// Gives up the measures of words that run or wait.
    void cancelWordMixing();
    /// A pair that is looked at beside the current one: another recording is analysed too, right after the
    /// current one, as long as it is named here. None: no longer.
    void alsoAnalyse(AnalysisKey beside);
    /// Analyses the pair again even though there is a result (a button after Failed or Cancelled). Models whose files have changed
    /// are opened anew.
    void analyseAgain();
    /// The same of a pair that another utterance may have followed: it is shown again.
    void analyseAgainAt(AnalysisKey key);
    /// Stops the running request and drops the waiting ones; their results become Cancelled and keep the layers that were ready.
    void cancel();
    /// Starts the worker again, and repeats what failed with it.
    void restartWorker();

    /// Something is being opened or analysed: a picture of the window would not be final.
    bool isBusy() const;
    /// What is being done now, for the bar: “Reading layer 6 of 12”; empty when idle. `done` of `total`, 0 of
    /// 0: unknown.
    struct Progress {
        QString text;
        int done = 0, total = 0;
        UtteranceId utterance = UtteranceId::None;
        ModelId model = ModelId::None;
    };
    Progress progress() const { return m_progress; }

    /// The utterances over which windows are suggested for a model: the first kMostForWindows open ones, in the
    /// list's order, that are not silent and long enough (core/studies/least_length.h), but not longer than the model reads. They do not
    /// depend on what was looked at. Those that have not been read are read for the current model, then for the one beside it, when
    /// nothing more urgent waits; cancel() stops that until analyseAgain(). `silent`: counts those that silence alone leaves out.
    std::vector<UtteranceId> utterancesForWindows(ModelId model, int* silent = nullptr) const;
    static constexpr std::size_t kMostForWindows = 30; ///< more are a study's
    /// The diagonal profiles of the layers of a pair that was read whole; null: not yet. Kept when the maps are
    /// dropped from memory. Borrowed until the next signal.
    const std::vector<DiagonalProfile>* profiles(UtteranceId utterance, ModelId model) const;

    void setMemoryBound(std::size_t bytes); ///< of the kept results; 1 GB at the start

Q_SIGNALS:
    /// State, sentence, text or layers of a pair changed. The pair may be any open one, not only the current.
    void resultChanged(headroom::app::UtteranceId utterance, headroom::app::ModelId model);
    void layerReady(headroom::app::UtteranceId utterance, headroom::app::ModelId model, int layer);
    void progressChanged();
    void busyChanged();

private:
    /// What can be asked of the worker, in falling order of urgency.
    struct Request {
        enum class Kind { Analyse, Contributions, Attention, Mixing, Words, WordMixing, Transcribe };
        Kind kind = Kind::Analyse;
        AnalysisKey key;
        int layer = 0;             ///< Contributions, Attention, Mixing; WordMixing: of the decoder
        MixingChoice measure = {}; ///< Mixing
        TextChoice text = TextChoice::Heard; ///< Words, WordMixing
        std::vector<std::string> measures = {}; ///< WordMixing
        WordsBlock block = WordsBlock::Cross;   ///< WordMixing
        bool checks = false;                    ///< WordMixing
        bool operator==(const Request&) const = default;
    };
    struct LayerWish;
    struct Running;
    using RunningPointer = std::shared_ptr<Running>;

    // Models and the worker's life: analysis_models.cpp.
    void connectWorker();
    void openModels();
    void openModel(const OpenModel& model);
    bool isWorkerOpening() const; ///< a model, which may have been closed meanwhile
    void modelAnswered(ModelId id, const WorkerReply& reply);
    void forgetModel(ModelId id);
    // Models that are maps from elsewhere, without a worker: analysis_maps.cpp.
    void openMaps(const OpenModel& model);
    void offerMaps(ModelId id);
    void readMapsAgain(ModelId id); ///< they belong to another recording now
    static QString causeOfMaps(ModelId id);
    std::optional<std::filesystem::path> mapsOf(AnalysisKey key) const;
    void workerFailed(const QString& sentence);
    void sayWorkerRuns();

    // What to do next: analysis_service.cpp.
    void schedule();
    void startNext();
    std::optional<Request> mostUrgent() const;
    bool canAnalyse(AnalysisKey key) const;
    void trim(AnalysisKey landed);
    void wantCurrentMap();
    bool refuseTooLong(AnalysisKey key);
    std::vector<AnalysisKey> enabledKeys() const;
    AnalysisResult& resultOf(AnalysisKey key);
    void utteranceEdited(UtteranceId id);

    // Maps of one layer: analysis_layers.cpp.
    void requireLayer(const LayerWish& wish);
    LayerResult* layerOf(AnalysisKey key, int layer); ///< null: not known
    void askLayer(const Request& asked, protocol::Analyse& analyse);
    void finishLayer(const Running& running, bool again);
    void cancelLayers();
    // Measures of mixing, one of one layer at a time: analysis_mixing.cpp.
    void requireMixing(AnalysisKey key, int layer, const MixingChoice& measure);
    void dropMixingOfOtherAlignments(const OpenUtterance& utterance);
    void mixingArrived(const RunningPointer& running, const nlohmann::json& values, NamedTensors arrays);
    void finishMixing(const Running& running, bool again);
    void dropMixing(const std::function<bool(AnalysisKey)>& of);
    // Words in the sound: analysis_words.cpp.
    std::optional<QString> wantedText(AnalysisKey key, TextChoice choice) const;
    void wordsArrived(const RunningPointer& running);
    void finishWords(const Running& running, bool again);
    void dropWords(const std::function<bool(AnalysisKey)>& of);
    DecoderLayerState* decoderLayer(const Request& asked); ///< null: no longer there
    void wordMixingArrived(const RunningPointer& running);
    void finishWordMixing(const Running& running, bool again);
    void dropWordMixing(const std::function<bool(AnalysisKey)>& of, bool stopped);
    // Utterances for suggested windows: analysis_windows.cpp.
    bool hasLengthForWindows(const OpenUtterance& one, const OpenModel& model) const;
    void keepProfiles(const AnalysisResult& result);
    void forgetProfiles(UtteranceId utterance);
    std::vector<AnalysisKey> keysForWindows() const;
    std::optional<AnalysisKey> nextForWindows() const;
    void dropBackgroundMaps(AnalysisKey key);

    // Doing it: analysis_run.cpp.
    void begin(const Request& asked);
    void beginMaps(const Request& asked);
    void abandon(AnalysisResult::State becomes);
    std::optional<Architecture::Layer> kindsOf(ModelId id, int layer) const;
    void layerArrived(const RunningPointer& running, const nlohmann::json& values, NamedTensors arrays);
    void layerBuilt(const RunningPointer& running, LayerResult layer, const QString& mistake);
    void finish(const RunningPointer& running);
    void finishAnalysis(Running& running);
    void tellProgress(const Running& running);

    // Analyses that failed: analysis_failures.cpp.
    static QString causeOfAnalysis(AnalysisKey key);
    /// `isNamed`: the sentence names the utterance; else Messages puts its name before.
    void fail(AnalysisResult& result, const QString& code, const QString& sentence, bool isNamed = false);
    std::vector<AnalysisKey> sameFailures(AnalysisKey key) const;
    void forgetFailure(AnalysisKey key);
    void setProgress(Progress progress);
    void tellBusy();

    Session* m_session;
    WorkerProcess* m_worker;
    AnalysisCache m_cache;
    std::map<ModelId, nlohmann::json> m_handles;                            ///< model → the worker's handle
    std::map<ModelId, std::map<std::string, std::filesystem::path>> m_maps; ///< by stem of the recording
    ModelWatch m_watch;
    std::set<ModelId> m_opening;
    std::set<ModelId> m_outdated; ///< of these: closed, moved or changed since, so that what comes is not wanted
    std::set<ModelId> m_failedWithWorker; ///< opened again when the worker is started again
    struct LayerWish { ///< Contributions or Attention
        AnalysisKey key;
        int layer = 0;
        Request::Kind kind = Request::Kind::Attention;
        bool operator<(const LayerWish& other) const {
            return std::tie(kind, key, layer) < std::tie(other.kind, other.key, other.layer);
        }
    };
    std::set<LayerWish> m_layersWanted, m_layersRefused;
    struct MixingWish {
        AnalysisKey key;
        int layer = 0;
        std::string name; ///< of the choice
        bool operator<(const MixingWish& other) const {
            return std::tie(key, layer, name) < std::tie(other.key, other.layer, other.name);
        }
    };
    std::set<MixingWish> m_mixingWanted, m_mixingRefused;
    std::set<std::pair<AnalysisKey, TextChoice>> m_wordsWanted;
    std::vector<Request> m_wordMixingWanted; ///< in the order in which they were asked for
    /// See profiles(); and what they are of, as in AnalysisResult.
    struct Profiles {
        std::optional<Part> part;
        QString source;
        std::shared_ptr<const Recording> recording;
        std::vector<DiagonalProfile> layers;
    };
    std::map<AnalysisKey, Profiles> m_profiles;
    std::set<AnalysisKey> m_notInBackground;                        ///< cancelled by the user
    AnalysisKey m_beside;                    ///< see alsoAnalyse()
    std::set<AnalysisKey> m_transcribed;     ///< asked for and answered, one way or the other
    std::map<AnalysisKey, int> m_crashes;    ///< how often the worker died of a pair
    std::map<ModelId, int> m_openingCrashes; ///< and of a model
    RunningPointer m_running;
    Progress m_progress;
    QString m_stopped; ///< what the worker stopped at, while it is restarting
    bool m_scheduled = false;
    bool m_wasBusy = false;
};

} // namespace headroom::app

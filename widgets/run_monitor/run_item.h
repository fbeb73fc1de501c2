// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/model_weights.h"
#include "core/runs/run_folder.h"
#include "core/runs/task_kind.h"
#include "core/statistics/undefined.h"

#include <QString>
#include <QStringList>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace headroom {
struct Recipe;
}

namespace headroom::widgets {

/// The newest evaluation of a run's model on one split.
struct EvaluatedScore {
    QString split;      ///< "test"; of which corpus and in which task, where they are not the run's own
    std::string task;   ///< in which it was evaluated
    QString decoding;   ///< how its texts were searched, in words; empty: it writes none
    QString checkpoint; ///< of which weights: "model" (what the run exported), "best", "last"
    int order = 0;      ///< lower ones stand first: test before the split of validation, and that before the split of training
    /// Per cent, 0 … 100, and of a language model; NaN: not a score of this kind.
    double wer = kUndefined, bleu = kUndefined, perplexity = kUndefined;
    double mappedWer = kUndefined; ///< the same after mapping rules; NaN: without them

    /// Of its task: BLEU of translations, word errors of recognition, perplexity of a language model.
    double score() const { return isTranslation(task) ? bleu : isLanguageModel(task) ? perplexity : wer; }
};

/// One run for the monitor: run.json, the names of its documents, and its last events. A value. NaN is
/// unknown.
struct RunItem {
    std::filesystem::path folder;
    RunInfo info; ///< of a run at a place with the paths of this machine, where they are known
    QString name;   ///< of the architecture; the folder's if it has none. Once told apart, as it is shown
    QString designed; ///< once told apart: of the architecture
    QString start;  ///< once told apart: from what it started, "random weights", "from demo, update 30 of seed 1"
    QString called; ///< the name under which it was started, which stays; empty: none was kept
    QString given;  ///< the name that the user gave this run; empty: none
    QString recipe; ///< name of the recipe
    std::shared_ptr<const Recipe> values; ///< its values, without the seed; null: it cannot be read
    QString task;   ///< "asr"
    QString data;   ///< name of the corpus' folder
    QString devSplit; ///< of the corpus, of which the best scores are
    QString trainSplit;
    std::int64_t decoded = 0; ///< how many utterances of it the recipe lets decode for WER and BLEU, from the first; 0: all
    QString lossMeasure; ///< what a loss on one dev set depends on: pieces, label smoothing …; losses of another one are other quantities
    QString group;  ///< runs of the same experiment differ only in their seed
    std::vector<std::uint64_t> waitingSeeds; ///< of this experiment, which wait in the queue; every run of it has them
    int repeat = 1; ///< which run of its experiment with this seed it is, the oldest first
    QString heads; ///< layersAndHeads() of the architecture: "8 × 4 heads"; empty: not known
    double parameters = kUndefined;
    double macShare = kUndefined; ///< encoder MACs relative to full attention everywhere, at usualFrames()
    double loss = kUndefined, framesPerSecond = kUndefined; ///< of the last step event
    double secondsLeft = kUndefined;
    std::int64_t update = 0; ///< of the last event; 0: none yet
    bool hasModel = false;   ///< model/ can be opened
    ModelWeights weights;    ///< of model/; empty: unknown
    QString place;           ///< where it is computed; empty: this machine
    bool lost = false;       ///< no contact with that place now
    bool waited = false;     ///< no process watches it any more; when one last did, the run was waiting at the place (`contact`: for what)
    bool hasScript = false;  ///< a script of a cluster, job.sh, can be shown
    bool waits = false;      ///< watched from here, and waits there to begin or to go on
    QString contact;         ///< of a run elsewhere: how the contact stands, as a sentence; may be empty
    bool isPaused = false;   ///< running, and asked to wait
    bool isQueued = false;   ///< a job in the queue will resume it
    std::vector<EvaluatedScore> evaluated; ///< one per split, in the order in which they are shown

    bool goesOn() const { return info.state == RunState::Running || waits; } ///< nobody has to resume it
    double bestLoss() const { return best("loss"); }
    double bestWer() const { return best("wer"); } ///< per cent
    double bestBleu() const { return best("bleu"); }
    double bestPerplexity() const { return best("perplexity"); } ///< of a language model
    bool translates() const { return isTranslation(task.toStdString()); }
    bool isOfLanguage() const { return isLanguageModel(task.toStdString()); }           ///< a language model
    bool recognises() const { return !translates() && !isOfLanguage(); }                ///< its score is WER
    bool readsText() const { return headroom::readsText(task.toStdString()); } ///< its frames are tokens
    std::int64_t bestUpdate() const { ///< of the validation whose scores are the best ones; 0: none
        const double found = best("update");
        return std::isfinite(found) ? static_cast<std::int64_t>(found) : 0;
    }
    /// How many were decoded at the best validation; as the recipe says where that was not recorded.
    std::int64_t decodedUtterances() const {
        const double found = best("decoded");
        return std::isfinite(found) ? static_cast<std::int64_t>(found) : decoded;
    }
    /// How many the validation split has that the run can use; 0: not recorded.
    std::int64_t validatedUtterances() const {
        const double found = best("validated");
        return std::isfinite(found) ? static_cast<std::int64_t>(found) : 0;
    }
    const EvaluatedScore* evaluatedOn(const QString& split) const; ///< null: it was not
    double best(const char* key) const {
        const auto found = info.best.is_object() ? info.best.find(key) : info.best.end();
        return info.best.is_object() && found != info.best.end() && found->is_number() ? found->get<double>()
                                                                                       : kUndefined;
    }
    double progress() const {
        return info.maxUpdates > 0 ? static_cast<double>(update) / static_cast<double>(info.maxUpdates) : 0;
    }
};

/// The seeds of one experiment.
struct RunGroup {
    QString key, name, recipe, data;
    std::vector<RunItem> runs; ///< by seed
    /// One run per seed: the newest finished one, else the newest. Curves, scores and the result are of these.
    std::vector<const RunItem*> runsOfSeeds() const;
    /// Of these the runs that scores are of: once one has finished, only finished ones.
    std::vector<const RunItem*> scoredRuns() const;
    /// Of these the one whose model stands for all: with the best loss of validation. Null without runs.
    const RunItem* resultRun() const;
    bool repeatsSeeds() const { return runsOfSeeds().size() < runs.size(); }
    int finished() const;
    std::vector<std::uint64_t> waitingSeeds() const; ///< of jobs in the queue that no run belongs to yet
    int seeds() const;         ///< different ones, with those in the queue
    int finishedSeeds() const; ///< of which a run has finished
    bool isRunning() const;
    bool onlyWaits() const; ///< a run waits elsewhere to go on, and none runs
    std::string firstCreated() const; ///< UTC, of runsOfSeeds(); empty without runs
    QStringList evaluatedSplits() const; ///< of scoredRuns(), in the order in which they are shown
};

/// Whether a row of the table shows the same of both. How far a run is stands only in its tool tip, which is asked for anew each
/// time.
bool looksTheSame(const RunItem& a, const RunItem& b);
bool looksTheSame(const RunGroup& a, const RunGroup& b);

/// Returns one run per seed, the newest accepted by `counts`: a repeated seed is not a new sample.
std::vector<const RunItem*> newestOfSeeds(const RunGroup& group, bool (*counts)(const RunItem&));

/// Groups runs by `group`, in the order of their first runs.
std::vector<RunGroup> groupRuns(const std::vector<RunItem>& runs);

} // namespace headroom::widgets

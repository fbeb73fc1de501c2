// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/evaluations.h"
#include "core/runs/run_folder.h"
#include "core/statistics/undefined.h"

#include <QFontMetrics>
#include <QString>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace headroom::widgets {

/// Whether a task is one of translation, from speech ("st_de") or from text ("translate", "translate_es"), which is scored by BLEU.
inline bool isTranslation(std::string_view task) {
    return task.starts_with("st") || task.starts_with("translate");
}

/// Whether a task is that of a language model ("lm_en"), which has a loss but no score.
inline bool isLanguageModel(std::string_view task) {
    return task.starts_with("lm");
}

/// Whether a task reads text, whose "frames" are tokens: translation of text, and language models.
inline bool readsText(std::string_view task) {
    return task.starts_with("translate") || isLanguageModel(task);
}

/// One run for the monitor: run.json, the names of its documents, and its last events. A value. NaN is
/// unknown.
struct RunItem {
    std::filesystem::path folder;
    RunInfo info; ///< of a run at a place with the paths of this machine, where they are known
    QString name;   ///< of the architecture; the folder's if it has none. Once told apart, as it is shown
    QString designed; ///< once told apart: of the architecture
    QString called; ///< the name under which it was started, which stays; empty: none was kept
    QString given;  ///< the name that the user gave this run; empty: none
    QString recipe; ///< name of the recipe
    QString task;   ///< "asr"
    QString data;   ///< name of the corpus' folder
    QString group;  ///< runs of the same experiment differ only in their seed
    std::vector<std::uint64_t> waitingSeeds; ///< of this experiment, which wait in the queue
    int repeat = 1; ///< which run of its experiment with this seed it is, the oldest first
    double parameters = kUndefined;
    double macShare = kUndefined; ///< encoder MACs relative to full attention everywhere, at 30 s
    double loss = kUndefined, framesPerSecond = kUndefined; ///< of the last step event
    double secondsLeft = kUndefined;
    std::int64_t update = 0; ///< of the last event; 0: none yet
    bool hasModel = false;   ///< model/ can be opened
    QString place;           ///< where it is computed; empty: this machine
    bool lost = false;       ///< no contact with that place now
    bool waited = false;     ///< no process watches it any more; when one last did, the run was waiting at the place (`contact`: for what)
    bool hasScript = false;  ///< a script of a cluster, job.sh, can be shown
    bool waits = false;      ///< watched from here, and waits there to begin or to go on
    QString contact;         ///< of a run elsewhere: how the contact stands, as a sentence; may be empty
    bool isPaused = false;   ///< running, and asked to wait
    bool isQueued = false;   ///< a job in the queue will resume it
    /// The newest evaluation of its model: per cent, 0 … 100, and of a language model; NaN: not evaluated, or not a score of this kind.
    double testWer = kUndefined, testBleu = kUndefined, testPerplexity = kUndefined;
    double testMappedWer = kUndefined; ///< the same after mapping rules; NaN: without them
    QString testSplit; ///< of which split; empty: not evaluated
    QString testDecoding;   ///< how its texts were searched, in words; empty: it writes none
    QString testCheckpoint; ///< of which weights: "model" (what the run exported), "best", "last"

    bool goesOn() const { return info.state == RunState::Running || waits; } ///< nobody has to resume it
    double bestLoss() const { return best("loss"); }
    double bestWer() const { return best("wer"); } ///< per cent
    double bestBleu() const { return best("bleu"); }
    double bestPerplexity() const { return best("perplexity"); } ///< of a language model
    bool translates() const { return isTranslation(task.toStdString()); }
    bool isOfLanguage() const { return isLanguageModel(task.toStdString()); }           ///< a language model
    bool recognises() const { return !translates() && !isOfLanguage(); }                ///< its score is WER
    bool readsText() const { return headroom::widgets::readsText(task.toStdString()); } ///< its frames are tokens
    std::int64_t bestUpdate() const { ///< of the validation whose scores are the best ones; 0: none
        const double found = best("update");
        return std::isfinite(found) ? static_cast<std::int64_t>(found) : 0;
    }
    /// Of the task: BLEU of translations, word errors of recognition, perplexity of a language model.
    double testScore() const { return translates() ? testBleu : isOfLanguage() ? testPerplexity : testWer; }
    double mappedScore() const { return testMappedWer; } ///< beside testScore()
    double best(const char* key) const {
        const auto found = info.best.is_object() ? info.best.find(key) : info.best.end();
        return info.best.is_object() && found != info.best.end() && found->is_number() ? found->get<double>()
                                                                                       : kUndefined;
    }
    double progress() const {
        return info.maxUpdates > 0 ? static_cast<double>(update) / static_cast<double>(info.maxUpdates) : 0;
    }
};

/// How a job of another place stands.
struct Elsewhere {
    QString place; ///< where it is, or will be, computed; empty: this machine
    /// How far it is: computed, or not looked at yet; its data is copied there; it waits there; no contact with the place.
    enum class There { No, Copying, Waiting, Lost } there = There::No;
    QString contact;        ///< what it waits for, as a sentence; may be empty
    bool hasScript = false; ///< as of RunItem
    bool held = false;      ///< the script waits for the user, who sends it
    /// Of what is copied, while it is: 0 … 1; NaN: unknown.
    double copied = kUndefined, bytesPerSecond = kUndefined, secondsLeft = kUndefined;
};

/// A waiting job in RUNS/queue.
struct WaitingItem : Elsewhere {
    std::filesystem::path file; ///< RUNS/queue/NAME.json
    std::filesystem::path run;
    QString name;
    std::int64_t maxUpdates = 0; ///< 0: unknown
    bool resume = false;
    bool evaluates = false; ///< an evaluation; `run` is its folder
    EvaluationRequest evaluation; ///< if it evaluates
    QString device; ///< of this machine, as it was asked for ("cuda:1"); empty: the CPU
    QString error; ///< in failed/: why it was not started
    std::string ended; ///< in failed/: when, UTC; else empty
};

/// An evaluation for the queue.
struct EvaluationItem {
    EvaluationInfo info;
    QString title; ///< "Evaluate local-17 on test, beam 5"
    Elsewhere elsewhere{};
};

/// The seeds of one experiment.
struct RunGroup {
    QString key, name, recipe, data;
    std::vector<RunItem> runs; ///< by seed
    int finished() const;
    int seeds() const;         ///< different ones, with those in the queue
    int finishedSeeds() const; ///< of which a run has finished
    bool isRunning() const;
    bool onlyWaits() const; ///< a run waits elsewhere to go on, and none runs
    std::string firstCreated() const; ///< UTC; empty without runs
    QString testSplit() const;        ///< of the newest run that was evaluated; empty: none was
};

/// Whether a row of the table shows the same of both. How far a run is stands only in its tool tip, which is asked for anew each
/// time.
bool looksTheSame(const RunItem& a, const RunItem& b);
bool looksTheSame(const RunGroup& a, const RunGroup& b);

/// Returns one run per seed, the newest accepted by `counts`: a repeated seed is not a new sample.
std::vector<const RunItem*> newestOfSeeds(const RunGroup& group, bool (*counts)(const RunItem&));

/// Groups runs by `group`, in the order of their first runs.
std::vector<RunGroup> groupRuns(const std::vector<RunItem>& runs);

/// "local 5–21, seed 2"; "local 5–21, seed 2, run 3" where an experiment has several with this seed.
QString runTitle(const RunItem& run);
/// A title with the seed in it, as it fits into `width` pixels: what is before the seed is cut first, so that seeds stay apart.
QString fittedTitle(const QString& title, const QFontMetrics& metrics, int width);
/// "WER after the rules (sclite): 122.73 %": the second score of an evaluation with mapping rules; empty for NaN.
QString mappedWerText(double percent);
/// Returns the name of a state: "Running", "Finished" …
QString stateWord(RunState state);
/// "Running" where one runs or is paused, else the state that most needs somebody's eyes.
RunState stateOf(const RunGroup& group);
QString stateWord(const RunGroup& group); ///< of the run that the state is of
QString stateWord(const RunItem& run); ///< one that is paused, or waits elsewhere, does not run

/// Why an interrupted run ended is not known, but what is left of it is: "… stopped unexpectedly after update 50, before its first
/// checkpoint. …" `subject`: "The run", or its title.
QString interruptedText(const RunItem& run, const QString& subject);

/// "41 min", "1 h 50 min", "12 s"; "–" for NaN.
QString durationText(double seconds);
/// "1.92 M frames/s", "31 k frames/s"; "–" for NaN.
QString speedText(double framesPerSecond, bool areTokens = false);
/// "109 MB/s"; "–" for NaN.
QString byteSpeedText(double bytesPerSecond);

} // namespace headroom::widgets

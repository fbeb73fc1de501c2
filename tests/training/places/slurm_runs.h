// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/strict_json.h"
#include "tests/training/places/local_slurm.h"
#include "tests/training/places/mirrored_runs.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"

namespace headroom::testing {

/// What a test of runs on a LocalSlurm has: the cluster, a small corpus, a tiny training, and the folders of its runs.
class SlurmRuns {
protected:
    /// A limit for what happens in a second or two on a machine that has nothing else to do.
    static constexpr int kPatience = 180000;
    /// More updates than any machine does during a test.
    static constexpr std::int64_t kNeverDone = 1'000'000;

    /// Starts the cluster. Returns why it cannot be; empty: it runs.
    QString startCluster() {
        m_slurm = std::make_unique<LocalSlurm>();
        return m_slurm->skipReason();
    }
    /// The places that headroom-worker finds, and what trains there.
    void prepare(const std::vector<Place>& places) {
        const auto file = m_slurm->folder() / "places.json";
        qputenv("HEADROOM_PLACES", QByteArray::fromStdString(file.string()));
        qputenv("HEADROOM_SQUEUE_SECONDS", "0.2");
        writePlaces(file, places);
        m_corpus = std::make_unique<ToneCorpus>(m_slurm->folder() / "corpus", 10, 2);
        m_tiny = std::make_unique<TinyTraining>(m_slurm->folder() / "here", m_corpus->folder());
    }
    void start(QProcess& watcher, const std::string& run, const char* place, std::int64_t updates) {
        m_tiny->recipe.length.maxUpdates = updates;
        watcher.start(kWorker, m_tiny->arguments(run, {"--place", place}));
    }
    std::filesystem::path here(const std::string& run) const { return m_slurm->folder() / "here" / run; }
    std::filesystem::path there(const std::string& run) const { return m_slurm->folder() / "there" / "runs" / run; }
    QString jobOf(const std::string& run) const {
        return QString::fromStdString(
            readStrictObject(there(run) / "slurm.json", "test")["job"].get<std::string>());
    }
    /// What the jobs of a run wrote there.
    std::string saidByJobsOf(const std::string& run) const {
        std::string said;
        for (const auto& entry : std::filesystem::directory_iterator(there(run)))
            if (entry.path().filename().string().rfind("slurm-", 0) == 0)
                said += wholeText(entry.path());
        return said;
    }

    std::unique_ptr<LocalSlurm> m_slurm;
    std::unique_ptr<ToneCorpus> m_corpus;
    std::unique_ptr<TinyTraining> m_tiny;
};

} // namespace headroom::testing

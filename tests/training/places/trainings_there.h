// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/run_place.h"
#include "core/runs/jobs.h"
#include "tests/training/places/loopback_ssh.h"
#include "tests/training/places/mirrored_runs.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"

#include <QTest>

#include <memory>

namespace headroom::testing {

/// Small trainings at the place "loop", with the real worker on both ends of a real ssh server of this machine. What the tests of
/// such runs derive from.
class TrainingsThere {
protected:
    /// A limit for what happens in a second or two on a machine that has nothing else to do.
    static constexpr int kPatience = 120000;

    /// `folderThere`: of the place, below the server's own. Returns why it cannot be, or an empty text.
    QString setUp(const char* folderThere) {
        m_ssh = std::make_unique<LoopbackSsh>();
        if (const QString reason = m_ssh->skipReason(LoopbackSsh::Needs::Rsync); !reason.isEmpty())
            return reason;
        m_folderThere = folderThere;
        m_corpus = std::make_unique<ToneCorpus>(m_ssh->folder() / "corpus", 10, 2);
        // The same path names another folder in another process: there, as on another machine, it is not the corpus.
        QDir::setCurrent(m_ssh->file("."));
        m_tiny = std::make_unique<TinyTraining>(runs(), "/proc/self/cwd/corpus");
        writePlaces(m_ssh->file("places.json").toStdString(), {m_ssh->place(folderThere)});
        return {};
    }

    std::filesystem::path runs() const { return m_ssh->folder() / "here"; }
    std::filesystem::path there(const std::string& run) const { return m_ssh->folder() / m_folderThere / "runs" / run; }
    QStringList train(const std::string& run, std::int64_t updates) {
        m_tiny->recipe.length.maxUpdates = updates;
        return m_tiny->arguments(run, {"--place", "loop"});
    }
    std::int64_t stepsHere(const std::string& run) const { return stepsIn(runs() / run); }
    void compareFolders(const std::string& run, bool finished) const {
        QCOMPARE(QString::fromStdString(firstDifference(runs() / run, there(run), finished)), QString());
    }
    RunPlace::Contact contact(const std::string& run) const { return contactOf(runs() / run); }
    /// Whether no process works on runs there any more, now or after a while.
    bool nothingIsLeftThere() const {
        return QTest::qWaitFor([&] { return !queueIsRunning(there("x").parent_path()); }, kPatience);
    }

    /// For the end of each slot. One that failed may have left the server stopped and its runs going on: the next begins as if it had not.
    bool isReadyForTheNext() {
        if (!m_ssh->runs() && !m_ssh->start())
            return false;
        std::error_code ignored;
        if (QTest::currentTestFailed())
            for (const auto& run : std::filesystem::directory_iterator(there("x").parent_path(), ignored))
                if (std::filesystem::exists(RunPaths{run.path()}.run(), ignored))
                    askToStop(run.path());
        return nothingIsLeftThere();
    }

    std::unique_ptr<LoopbackSsh> m_ssh;
    std::unique_ptr<ToneCorpus> m_corpus;
    std::unique_ptr<TinyTraining> m_tiny;

private:
    std::string m_folderThere;
};

} // namespace headroom::testing

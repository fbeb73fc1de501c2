// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/run_place.h"
#include "tests/training/places/left_behind.h"
#include "tests/training/places/loopback_ssh.h"
#include "tests/training/places/mirrored_runs.h"
#include "tests/training/worker/tone_corpus.h"

#include <QTest>

#include <memory>

namespace headroom::testing {

/// Evaluations and studies of a small corpus at the place "loop", with the real worker on both ends of a real ssh server of this
/// machine. What the tests of such work derive from.
class WorkThere {
protected:
    /// A limit for what happens in a second or two on a machine that has nothing else to do.
    static constexpr int kPatience = 120000;
    static constexpr const char* kData = "/proc/self/cwd/corpus";

    /// `folderThere`: of the place, below the server's own. Returns why it cannot be, or an empty text.
    QString setUp(const char* folderThere) {
        m_ssh = std::make_unique<LoopbackSsh>();
        if (const QString reason = m_ssh->skipReason(LoopbackSsh::Needs::Rsync); !reason.isEmpty())
            return reason;
        m_folderThere = folderThere;
        m_corpus = std::make_unique<ToneCorpus>(m_ssh->folder() / "corpus", 3, 600);
        // There, this path names another folder, as on another machine: the corpus has to be copied.
        QDir::setCurrent(m_ssh->file("."));
        writePlaces(m_ssh->file("places.json").toStdString(), {m_ssh->place(folderThere)});
        return {};
    }
    /// For the end of each slot.
    void noProcessIsLeftThere() {
        QVERIFY(m_ssh->runs() || m_ssh->start()); // a slot that failed may have stopped it
        QStringList left;
        QVERIFY2(QTest::qWaitFor([&] { return (left = processesOf(QString(m_folderThere))).isEmpty(); }, kPatience), qPrintable(left.join(u'\n')));
    }

    std::filesystem::path folder(const std::string& name) const { return m_ssh->folder() / "here" / name; }
    QString out(const std::string& name) const { return QString::fromStdString(folder(name).string()); }

    std::unique_ptr<LoopbackSsh> m_ssh;
    std::unique_ptr<ToneCorpus> m_corpus;

private:
    const char* m_folderThere = nullptr;
};

} // namespace headroom::testing

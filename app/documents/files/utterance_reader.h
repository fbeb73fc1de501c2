// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/open_utterance.h"

#include <QObject>
#include <QThreadPool>

#include <functional>
#include <map>

namespace headroom::app {

/// Reads recordings, alignments and spectrograms on a thread pool of its own, and says what came of it on the
/// thread that owns it. Order between files is not kept. Destroying it drops what has not begun and waits for
/// what has.
class UtteranceReader : public QObject {
    Q_OBJECT

public:
    explicit UtteranceReader(QObject* parent = nullptr);
    ~UtteranceReader() override;

    struct Request {
        UtteranceId id = UtteranceId::None;
        std::filesystem::path file;
        std::filesystem::path alignmentFile;                 ///< empty: look beside it (alignmentBeside)
        std::string expectedSha256, expectedAlignmentSha256; ///< of the session; empty: unknown
        std::string name{}; ///< its id in a corpus, as which a list may have it; else it stands there as its file
        bool hasAlignment = false; ///< one is in use, which stays if it cannot be read
    };
    /// recordingRead() or recordingFailed(), then logMelReady() where there is at least one frame. Only of the latest request for it.
    void read(const Request& request);
    /// A recording that is still being read does not come any more.
    void drop(UtteranceId id) { ++m_readings[id]; }
    /// Only the alignment of a recording that was read: alignmentRead().
    void readAlignment(const OpenUtterance& utterance, const std::filesystem::path& file, int step);
    /// Alignments of it that are still being read do not come any more.
    void dropAlignments(UtteranceId id) { ++m_turns[id]; }
    void computeLogMel(UtteranceId id, std::shared_ptr<const Recording> recording);
    void computeLinear(UtteranceId id, std::shared_ptr<const Recording> recording);
    void hashModel(ModelId id, const std::filesystem::path& folder);
    int pending() const { return m_pending; }

    struct AlignmentOutcome {
        std::shared_ptr<const Alignment> alignment; ///< null: none, or not readable
        std::filesystem::path file;                 ///< empty: none found
        std::string sha256;
        QStringList warnings;
        int step = 0; ///< of the undo stack, in common with others of one request; 0: none
    };
    struct Outcome {
        std::shared_ptr<const Recording> recording;
        std::string sha256;
        FileStamp stamp; ///< FileStamp(): the file changed while it was being read
        QStringList warnings;
        AlignmentOutcome alignment;
    };

Q_SIGNALS:
    void recordingRead(headroom::app::UtteranceId id, const headroom::app::UtteranceReader::Outcome& outcome);
    void recordingFailed(headroom::app::UtteranceId id, const QString& sentence);
    void alignmentRead(headroom::app::UtteranceId id,
                       const headroom::app::UtteranceReader::AlignmentOutcome& outcome);
    void logMelReady(headroom::app::UtteranceId id, std::shared_ptr<const Matrix<float>> logMel);
    /// Null: it could not be computed, and failed() says why.
    void linearReady(headroom::app::UtteranceId id, std::shared_ptr<const Matrix<float>> linear,
                     std::shared_ptr<const Recording> recording);
    void modelHashed(headroom::app::ModelId id, const std::map<std::string, std::string>& sha256);
    /// What was asked for of a recording or a model does not come. `cause`: whose it is (causeOf()).
    void failed(const QString& cause, const QString& sentence);
    void pendingChanged();

private:
    /// Runs `work` on the pool, and here what it returns, or `failed` if it throws. `what`: what memory may not be enough for.
    void run(const QString& what, std::function<std::function<void()>()> work,
             std::function<void(const QString& sentence)> failed);

    QThreadPool m_pool;
    int m_pending = 0;
    std::map<UtteranceId, int> m_readings; ///< how often read() and drop() were called
    std::map<UtteranceId, int> m_turns; ///< how often dropAlignments() was called
};

} // namespace headroom::app

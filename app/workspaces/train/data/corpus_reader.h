// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/corpus_summary.h"

#include <QDateTime>
#include <QObject>
#include <QTimer>

#include <filesystem>
#include <memory>

namespace headroom::app {

/// A corpus that was read, and what was found. Immutable, so that any thread may hold it.
struct ReadCorpus {
    std::filesystem::path folder; ///< as it was asked for
    std::shared_ptr<const Corpus> corpus;
    CorpusSummary summary;
    double seconds = 0; ///< that reading took
    QDateTime at;
};

/// Returns the sentence for a folder that has to be imported first: a corpus as others keep it, or recordings of which none has a text.
/// Empty: it is neither. Blocks.
QString importFirstText(const std::filesystem::path& folder);

/// Opens and summarises one corpus at a time on another thread; the newest request wins. Window's thread.
class CorpusReader : public QObject {
    Q_OBJECT

public:
    explicit CorpusReader(QObject* parent = nullptr);
    ~CorpusReader() override; ///< cancels and waits

    /// `task`: shown if the corpus has it, else its first one.
    void read(const std::filesystem::path& folder, const std::string& task);
    /// Another task of a corpus that is open.
    void summarise(const ReadCorpus& read, const std::string& task);
    void cancel(); ///< says nothing more
    bool isReading() const { return m_job != nullptr; }

Q_SIGNALS:
    /// `total` 0: the tables are being read.
    void progressed(qint64 done, qint64 total);
    void finished(const std::shared_ptr<const headroom::app::ReadCorpus>& read);
    /// `canBeImported`: it is a corpus as others keep it, which ImportDialog reads.
    void failed(const std::filesystem::path& folder, const QString& sentence, bool canBeImported);

private:
    struct Job;
    void start(const std::shared_ptr<Job>& job);
    std::shared_ptr<Job> m_job; ///< null: nothing is read
    QTimer m_look;
};

} // namespace headroom::app

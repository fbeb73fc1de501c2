// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/data/corpus_reader.h"

#include "app/documents/items/paths.h"
#include "core/corpus/kinds/corpus_kinds.h"
#include "core/corpus/kinds/text_lines.h"
#include "widgets/look/translate.h"

#include <QElapsedTimer>
#include <QFutureWatcher>
#include <QtConcurrent>

#include <algorithm>
#include <atomic>

namespace headroom::app {

namespace {
constexpr int kProgressMilliseconds = 100;

/// Empty: it is not recognised as one that others keep.
QString otherKind(const std::filesystem::path& folder) {
    try {
        const std::string_view kind = recogniseCorpusKind(folder).name;
        return kind == "headroom" || kind == "folder"
                   ? QString()
                   : tr("%1 is a corpus of another kind, %2. Import it first; importing only reads it.")
                         .arg(toQString(folder.filename()), QString::fromUtf8(kind));
    } catch (const std::exception&) {
        return {};
    }
}
} // namespace

QString importFirstText(const std::filesystem::path& folder) {
    try {
        const Corpus corpus = Corpus::open(folder);
        const auto isSilent = [](const CorpusTable& table) {
            return std::ranges::all_of(table.utterances, [](const auto& one) { return trimmedText(one.text).empty(); });
        };
        if (corpus.kind() != Corpus::Kind::Recordings || !std::ranges::all_of(corpus.tables(), isSilent))
            return {};
        const QString other = otherKind(folder);
        return !other.isEmpty() ? other
                                : tr("No texts were found beside the recordings of %1. If the folder is a "
                                     "corpus of another kind, choose Runs ▸ Import a corpus… first.")
                                      .arg(toQString(folder.filename()));
    } catch (const Error& failure) { // one that is damaged is no other one
        return failure.code() == "corpus.notACorpus" ? otherKind(folder) : QString();
    } catch (const std::exception&) {
        return {};
    }
}

/// What window and thread share. The fields that are not atomic are written before the thread starts, or by
/// it.
struct CorpusReader::Job {
    std::filesystem::path folder;
    std::string task;
    std::shared_ptr<const Corpus> corpus; ///< null: to be opened
    std::atomic<bool> isCancelled = false;
    std::atomic<qint64> done = 0, total = 0;
    std::shared_ptr<const ReadCorpus> result; ///< null: cancelled or failed
    QString mistake;
    bool canBeImported = false;

    /// A corpus as others keep it is no mistake of the user.
    void explain(const Error& failure) {
        mistake = QString::fromUtf8(failure.what());
        if (failure.code() != "corpus.notACorpus")
            return;
        if (const QString sentence = importFirstText(folder); !sentence.isEmpty()) {
            mistake = sentence;
            canBeImported = true;
        }
    }

    void run() {
        QElapsedTimer clock;
        clock.start();
        try {
            if (!corpus)
                corpus = std::make_shared<const Corpus>(Corpus::open(folder));
            const auto& tasks = corpus->document().tasks;
            if (!corpus->document().task(task) && !tasks.empty())
                task = tasks.front().name;
            auto summary = summariseCorpus(*corpus, task, [&](std::int64_t now, std::int64_t all) {
                done = now;
                total = all;
                return !isCancelled;
            });
            if (summary)
                result = std::make_shared<const ReadCorpus>(
                    ReadCorpus{folder, corpus, std::move(*summary),
                               static_cast<double>(clock.elapsed()) / 1000, QDateTime::currentDateTime()});
        } catch (const Error& failure) {
            explain(failure);
        } catch (const std::exception& failure) {
            mistake = QString::fromUtf8(failure.what());
        }
    }
};

CorpusReader::CorpusReader(QObject* parent) : QObject(parent) {
    m_look.setInterval(kProgressMilliseconds);
    connect(&m_look, &QTimer::timeout, this, [this] { Q_EMIT progressed(m_job->done, m_job->total); });
}

CorpusReader::~CorpusReader() {
    cancel();
    for (auto* watcher : findChildren<QFutureWatcher<void>*>())
        watcher->waitForFinished();
}

void CorpusReader::read(const std::filesystem::path& folder, const std::string& task) {
    auto job = std::make_shared<Job>();
    job->folder = folder;
    job->task = task;
    start(job);
}

void CorpusReader::summarise(const ReadCorpus& read, const std::string& task) {
    auto job = std::make_shared<Job>();
    job->folder = read.folder;
    job->corpus = read.corpus;
    job->task = task;
    start(job);
}

void CorpusReader::cancel() {
    m_look.stop();
    if (m_job)
        m_job->isCancelled = true;
    m_job.reset();
}

void CorpusReader::start(const std::shared_ptr<Job>& job) {
    cancel();
    m_job = job;
    m_look.start();
    auto* watcher = new QFutureWatcher<void>(this);
    connect(watcher, &QFutureWatcher<void>::finished, this, [this, watcher, job] {
        watcher->deleteLater();
        if (job != m_job)
            return; // something else is wanted by now
        m_look.stop();
        m_job.reset();
        if (job->result)
            Q_EMIT finished(job->result);
        else
            Q_EMIT failed(job->folder, job->mistake, job->canBeImported);
    });
    watcher->setFuture(QtConcurrent::run([job] { job->run(); }));
}

} // namespace headroom::app

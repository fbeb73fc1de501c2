// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/study_store.h"

#include "app/documents/items/paths.h"
#include "app/jobs/worker_command.h"
#include "app/jobs/worker_location.h"
#include "app/studies/study_evidence.h"
#include "core/audio/audio_name.h"
#include "core/places/run_place.h"
#include "core/runs/file_lock.h"

#include <QFile>
#include <QPointer>
#include <QProcess>
#include <QStandardPaths>
#include <QtConcurrent>

#include <algorithm>
#include <utility>

namespace headroom::app {

namespace fs = std::filesystem;

fs::path StudyStore::defaultFolder(const QString& chosen) {
    if (const QString set = qEnvironmentVariable("HEADROOM_STUDIES"); !set.isEmpty())
        return normalised(toPath(set));
    if (!chosen.isEmpty())
        return normalised(toPath(chosen));
    return toPath(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)) / "headroom" /
           "studies";
}

bool StudyStore::isStudy(const fs::path& path) {
    std::error_code ignored;
    return path.filename() == "study.json" ? fs::is_regular_file(path, ignored)
                                           : fs::is_regular_file(StudyPaths{path}.study(), ignored);
}

StudyStore::StudyStore(fs::path studies, StudyEvidence* evidence, QObject* parent)
    : QObject(parent)
    , m_folder(normalised(studies))
    , m_evidence(evidence)
    , m_looks([this] { lookNow(); }) {
    connect(&m_look, &QFutureWatcherBase::finished, this, [this] { take(m_look.result()); });
    lookNow();
}

StudyStore::~StudyStore() {
    m_look.disconnect(this);
    m_look.waitForFinished();
}

void StudyStore::lookNow() {
    if (m_isLooking) {
        m_again = true;
        return;
    }
    m_isLooking = true;
    m_again = false;
    m_looks.watch(m_folder);
    m_look.setFuture(
        QtConcurrent::run([folder = m_folder, others = m_others, started = m_started, before = m_snapshot] {
            return lookAtStudies(folder, others, started, before);
        }));
}

void StudyStore::take(std::shared_ptr<const StudySnapshot> snapshot) {
    const bool first = !m_snapshot;
    m_isLooking = false;
    m_snapshot = std::move(snapshot);
    std::erase_if(m_started, [&](const StartedStudy& one) {
        // Once it was seen at work, its own document says how it ends.
        const auto read = m_snapshot->read.find(one.folder);
        std::error_code ignored;
        return !fs::is_directory(one.folder, ignored) ||
               (read != m_snapshot->read.end() && !read->second.item.canResume());
    });
    std::vector<StudyItem> now = m_snapshot->items, over;
    for (const StudyItem& item : now)
        if (const StudyItem* before = find(item.folder); before && before->runs() && !item.runs())
            over.push_back(item);
    if (first || now != m_items) {
        m_items = std::move(now);
        Q_EMIT changed();
    }
    for (const StudyItem& item : over)
        Q_EMIT ended(item);
    if (m_again)
        lookNow();
}

const StudyItem* StudyStore::find(const fs::path& folder) const {
    const auto found = std::find_if(m_items.begin(), m_items.end(),
                                    [&](const StudyItem& item) { return item.folder == folder; });
    return found == m_items.end() ? nullptr : &*found;
}

bool StudyStore::mayRead(const fs::path& recording) const {
    return !isReady() || std::ranges::any_of(m_items, [&](const StudyItem& item) {
        try {
            return std::ranges::any_of(readStudy(item.folder).utterances, [&](const StudyUtterance& one) { return audioName(fs::path(one.audio)).file == recording; });
        } catch (const Error&) { // it has no places that could be opened
            return false;
        }
    });
}

void StudyStore::open(const fs::path& given) {
    fs::path folder = normalised(given);
    if (folder.filename() == "study.json")
        folder = folder.parent_path();
    read(folder, this, [this, folder](const OpenStudyPtr& study, const QString& sentence) {
        if (!study)
            return Q_EMIT openFailed(folder, sentence);
        m_evidence->add(study);
        Q_EMIT opened(study);
    });
}

void StudyStore::read(const fs::path& folder, const QObject* context,
                      std::function<void(const OpenStudyPtr& study, const QString& sentence)> done) {
    if (folder.parent_path() != m_folder &&
        std::find(m_others.begin(), m_others.end(), folder) == m_others.end()) {
        m_others.push_back(folder);
        lookNow();
    }
    ++m_opening;
    auto* watcher = new QFutureWatcher<Opened>(this);
    connect(watcher, &QFutureWatcherBase::finished, this,
            [this, watcher, context = QPointer<const QObject>(context), done = std::move(done)] {
                --m_opening;
                const Opened read = watcher->result();
                watcher->deleteLater();
                if (context)
                    done(read.study, read.sentence);
            });
    watcher->setFuture(QtConcurrent::run([folder] {
        try {
            return Opened{openStudy(folder), {}};
        } catch (const std::exception& mistake) {
            return Opened{nullptr, QString::fromUtf8(mistake.what())};
        }
    }));
}

QString StudyStore::start(const StudyRequest& request) {
    std::error_code failure;
    fs::create_directories(request.folder, failure);
    if (failure)
        return tr("The folder %1 could not be created: %2.")
            .arg(toQString(request.folder), QString::fromStdString(failure.message()));
    if (const QString sentence = guarded([&] { writePhoneMap(request); }); !sentence.isEmpty())
        return sentence;
    return startProcess(request.folder, request.kind, request.modelNames, optionsOf(request));
}

QString StudyStore::resume(const fs::path& folder) {
    const StudyItem* item = find(folder);
    if (!item || item->runs())
        return {};
    StudyOptions options;
    options.resume = true;
    options.resumed = folder;
    return startProcess(folder, item->kind, item->models, options);
}

QString StudyStore::startProcess(const fs::path& folder, StudyKind kind, const QStringList& models,
                                 const StudyOptions& options) {
    const WorkerLocation worker = findWorker();
    if (worker.program.isEmpty())
        return worker.sentence;
    QFile::remove(toQString(studyLog(folder))); // of an earlier life
    QProcess process;
    process.setProgram(worker.program);
    process.setArguments(processArguments(arguments(options)));
    process.setWorkingDirectory(toQString(folder));
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setStandardErrorFile(toQString(studyLog(folder)), QIODevice::Append);
    qint64 id = 0;
    const std::int64_t before = studyChanged(folder);
    if (!process.startDetached(&id)) // in a session of its own
        return tr("%1 could not be started: %2.").arg(worker.program, process.errorString());
    m_started.push_back({folder, kind, models, id, before});
    lookNow();
    return {};
}

QString StudyStore::guarded(const std::function<void()>& work) {
    try {
        work();
    } catch (const std::exception& mistake) {
        return QString::fromUtf8(mistake.what());
    }
    lookNow();
    return {};
}

QString StudyStore::stop(const fs::path& folder) {
    return guarded([&] { stopStudy(folder); });
}

QString StudyStore::tryNow(const fs::path& folder) {
    return guarded([&] { askToReconnect(folder); });
}

QString StudyStore::rename(const fs::path& folder, const QString& given) {
    const QString name = given.trimmed(), before = toQString(folder.filename());
    if (name == before)
        return {};
    // The folder has the same name.
    if (name.isEmpty())
        return tr("A study needs a name.");
    if (name.contains(u'/'))
        return tr("A study cannot be called “%1”: its folder has the same name, which cannot contain a “/”.").arg(name);
    if (name.startsWith(u'.'))
        return tr("A study cannot be called “%1”: its folder has the same name, and would be hidden with a “.” at the start.").arg(name);
    if (FileLock::isLocked(StudyPaths{folder}.lock()))
        return tr("The study “%1” is still running. Cancel it first.").arg(before);
    const fs::path renamed = folder.parent_path() / toPath(name);
    std::error_code problem;
    if (fs::exists(renamed, problem))
        return tr("A study named “%1” already exists.").arg(name);
    fs::rename(folder, renamed, problem);
    if (problem)
        return tr("The study “%1” could not be renamed: %2.").arg(before, QString::fromStdString(problem.message()));
    std::replace(m_others.begin(), m_others.end(), folder, renamed);
    const bool wasOpen = isOpen(folder);
    m_evidence->close(folder);
    if (wasOpen)
        open(renamed);
    lookNow();
    return {};
}

QString StudyStore::moveToWastebasket(const fs::path& folder, RemovedStudy* removed) {
    if (FileLock::isLocked(StudyPaths{folder}.lock()))
        return tr("The study “%1” is still running. Cancel it first.").arg(toQString(folder.filename()));
    RemovedStudy unused;
    RemovedStudy& gone = removed ? *removed : unused;
    if (const QString sentence = app::moveToWastebasket(folder, gone.where); !sentence.isEmpty())
        return sentence;
    gone.wasOpen = isOpen(folder);
    std::erase(m_others, folder);
    m_evidence->close(folder);
    lookNow();
    return {};
}

QString StudyStore::bringBack(const RemovedStudy& removed) {
    const fs::path& folder = removed.where.folder;
    if (const QString sentence = app::bringBack(removed.where); !sentence.isEmpty())
        return sentence;
    if (folder.parent_path() != m_folder)
        m_others.push_back(folder);
    if (removed.wasOpen)
        open(folder);
    lookNow();
    return {};
}

bool StudyStore::isOpen(const fs::path& folder) const {
    return std::ranges::any_of(m_evidence->open(), [&](const OpenStudyPtr& study) { return study->folder == folder; });
}

} // namespace headroom::app

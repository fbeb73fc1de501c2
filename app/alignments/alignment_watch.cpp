// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alignments/alignment_watch.h"

#include "app/documents/paths.h"

#include <QFileInfo>
#include <QGuiApplication>
#include <QMetaObject>
#include <QSet>

#include <utility>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

constexpr int kSettles = 200;      ///< ms: an editor removes a file before it puts another in its place
constexpr int kMostWatched = 1000; ///< files and folders; the system has only so many watches. The others are looked at when the program becomes active

QString causeOf(const fs::path& file) {
    return QStringLiteral("alignment file ") + toQString(file);
}

/// A file that is replaced is not watched any more: its folder is watched too.
QStringList watchedFor(const fs::path& file) {
    return {toQString(file), toQString(file.parent_path())};
}

} // namespace

AlignmentWatch::AlignmentWatch(Session* session, QObject* parent) : QObject(parent), m_session(session) {
    m_pool.setMaxThreadCount(1);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSettles);
    connect(&m_soon, &QTimer::timeout, this, &AlignmentWatch::begin);
    connect(&m_files, &QFileSystemWatcher::fileChanged, this, &AlignmentWatch::look);
    connect(&m_files, &QFileSystemWatcher::directoryChanged, this, &AlignmentWatch::look);
    connect(session, &Session::utteranceChanged, this, &AlignmentWatch::follow);
    // Some file systems report no changes.
    if (auto* program = qobject_cast<QGuiApplication*>(QCoreApplication::instance()))
        connect(program, &QGuiApplication::applicationStateChanged, this, [this](Qt::ApplicationState state) {
            if (state == Qt::ApplicationActive && !m_seen.empty())
                look();
        });
}

AlignmentWatch::~AlignmentWatch() {
    m_pool.clear();
    m_pool.waitForDone();
}

void AlignmentWatch::follow(UtteranceId id) {
    const OpenUtterance* utterance = m_session->utterances()->find(id);
    if (!utterance || utterance->state != OpenState::Ready || utterance->alignmentFile.empty())
        return;
    const fs::path& file = utterance->alignmentFile;
    const bool isNew = m_seen.try_emplace(file, Seen{.sha256 = utterance->alignmentSha256}).second;
    if (isNew && m_files.files().size() + m_files.directories().size() < kMostWatched) // this one alone: hundreds may be opened at once
        m_files.addPaths(watchedFor(file));
    if (const auto awaited = m_awaited.find(file); awaited != m_awaited.end() && utterance->alignment && awaited->second == utterance->alignmentSha256) {
        m_awaited.erase(awaited);
        m_session->messages()->post(Severity::Info, tr("%1 was changed by another program and was read again.").arg(toQString(file.filename())), {}, {},
                                    {causeOf(file)});
    }
}

void AlignmentWatch::watch() {
    QSet<QString> wanted;
    for (const auto& [file, seen] : m_seen) {
        if (wanted.size() >= kMostWatched)
            break;
        for (const QString& path : watchedFor(file))
            if (QFileInfo::exists(path))
                wanted << path;
    }
    const QStringList paths = m_files.files() + m_files.directories();
    const QSet<QString> watched(paths.begin(), paths.end());
    if (const auto over = watched - wanted; !over.isEmpty())
        m_files.removePaths(over.values());
    if (const auto missing = wanted - watched; !missing.isEmpty())
        m_files.addPaths(missing.values());
}

AlignmentWatch::Files AlignmentWatch::lookAt(Files files) {
    for (auto& [file, seen] : files) {
        std::error_code mistake;
        const auto time = fs::last_write_time(file, mistake);
        const auto size = mistake ? 0 : fs::file_size(file, mistake);
        seen.isThere = !mistake;
        if (mistake || (time == seen.time && size == seen.size))
            continue;
        seen.time = time;
        seen.size = size;
        try {
            seen.sha256 = hashOfFile(file);
        } catch (const std::exception&) {
            seen.sha256.clear();
        }
    }
    return files;
}

void AlignmentWatch::begin() {
    if (m_looking || m_session->isReading()) // what is being read may be what was written
        return look();
    std::set<fs::path> open;
    for (int row = 0; row < m_session->utterances()->count(); ++row)
        open.insert(m_session->utterances()->at(row).alignmentFile);
    std::erase_if(m_seen, [&](const auto& one) { return !open.contains(one.first); });
    std::erase_if(m_awaited, [&](const auto& one) { return !open.contains(one.first); });
    m_looking = true;
    m_pool.start([this, files = m_seen] {
        QMetaObject::invokeMethod(this, [this, now = lookAt(files)] { take(now); }, Qt::QueuedConnection);
    });
}

void AlignmentWatch::take(const Files& all) {
    m_looking = false;
    for (const auto& [file, now] : all) {
        const auto known = m_seen.find(file);
        if (known == m_seen.end())
            continue;
        const Seen before = std::exchange(known->second, now);
        const QString name = toQString(file.filename());
        if (before.isThere && !now.isThere)
            m_session->messages()->post(Severity::Warning,
                                        tr("%1 was moved or deleted. The alignment that was read from it is still shown, but studies need the file.").arg(name), {}, {},
                                        {causeOf(file)});
        else if (!before.isThere && now.isThere)
            m_session->messages()->settle(causeOf(file));
        if (now.isThere && now.sha256 != before.sha256)
            readAgain(file, now);
    }
    watch();
}

/// An alignment that this program wrote is open already.
void AlignmentWatch::readAgain(const fs::path& file, const Seen& now) {
    const bool failed = m_awaited.contains(file); // this version may be open, with a warning about the one in between
    std::vector<UtteranceId> stale;
    for (int row = 0; row < m_session->utterances()->count(); ++row)
        if (const OpenUtterance& open = m_session->utterances()->at(row);
            open.state == OpenState::Ready && open.alignmentFile == file && (failed || !open.alignment || open.alignmentSha256 != now.sha256))
            stale.push_back(open.id);
    if (stale.empty())
        return;
    m_awaited[file] = now.sha256;
    for (const UtteranceId id : stale)
        m_session->openAlignment(file, id);
}

} // namespace headroom::app

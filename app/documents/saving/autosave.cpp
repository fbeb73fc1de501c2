// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/saving/autosave.h"

#include "app/documents/files/program_lock.h"
#include "app/documents/items/paths.h"
#include "app/documents/session.h"

#include <QDateTime>
#include <QFileInfo>
#include <QStandardPaths>

#include <chrono>
#include <utility>

namespace headroom::app {

using namespace std::chrono_literals;

namespace {

const QString kAutosaveCause = QStringLiteral("autosave");

bool holdsSession(const std::filesystem::path& folder) {
    std::error_code ignored;
    return std::filesystem::exists(folder / kSessionFileName, ignored);
}

std::filesystem::path moveToOwnName(const std::filesystem::path& kept, const QString& name) {
    const QDateTime changed = QFileInfo(toQString(kept / kSessionFileName)).lastModified();
    const QString named = name + changed.toString(QStringLiteral(" yyyy-MM-dd HH.mm"));
    std::error_code problem;
    auto free = kept.parent_path() / toPath(named + QLatin1String(kSessionSuffix));
    for (int number = 2; std::filesystem::exists(free, problem); ++number)
        free = kept.parent_path() /
               toPath(named + QStringLiteral(" (%1)").arg(number) + QLatin1String(kSessionSuffix));
    std::filesystem::rename(kept, free, problem);
    if (problem)
        throw Error("session.unwritable", kept.string() + " could not be renamed: " + problem.message() + ".",
                    {{"file", kept.string()}});
    return free;
}

} // namespace

Autosave::Autosave(Session* session, std::filesystem::path folder, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_first(std::move(folder)) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(2s);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::flush);
    connect(session, &Session::changed, this, &Autosave::schedule);
    connect(session->undoStack(), &QUndoStack::indexChanged, this, &Autosave::schedule);
}

Autosave::~Autosave() = default;

void Autosave::disable() {
    m_isEnabled = false;
    m_timer.stop();
}

std::filesystem::path Autosave::folder() {
    if (!m_folder.empty())
        return m_folder;
    std::error_code ignored; // a folder that cannot be made is said when the session is written
    std::filesystem::create_directories(m_first.parent_path(), ignored);
    for (int number = 1; number <= kMostPrograms && !m_lock; ++number) {
        m_folder = numbered(m_first, number);
        m_lock = lockOf(m_folder);
    }
    return m_folder;
}

void Autosave::schedule() {
    if (!m_session->isModified()) { // saved, undone, or another one is open
        m_recovery.remove(m_recovery.file().parent_path() != m_session->folder());
        takeBackComplaint();
    }
    if (!m_isEnabled || !m_session->isModified())
        m_timer.stop();
    else if (!m_timer.isActive()) // edits that never pause are kept, too
        m_timer.start();
}

void Autosave::flush() {
    m_timer.stop();
    if (m_isEnabled && m_session->isModified())
        write();
}

void Autosave::keepView(const std::filesystem::path& original) {
    if (!m_isEnabled || !m_session->folder().empty() || m_session->isModified())
        return;
    if (exists())
        return write();
    if (original.empty())
        return;
    try {
        beforeWriting();
        writeView(folder(), m_session->document(), hashOfFile(original / kSessionFileName));
    } catch (const Error&) { // only a view is lost, which is worth no message
    }
}

void Autosave::write() {
    try {
        beforeWriting();
        if (m_session->folder().empty()) {
            m_session->writeCopy(folder());
            Q_EMIT written();
        } else {
            m_recovery.write(m_session, savedHash());
        }
        takeBackComplaint();
    } catch (const Error& failure) {
        if (!m_complained) // once: a full disk must not fill the list of messages
            m_session->messages()->post(Severity::Warning,
                                        tr("The session could not be autosaved: %1 Save it manually.")
                                            .arg(QString::fromUtf8(failure.what())),
                                        {}, {}, {kAutosaveCause});
        m_complained = true;
    }
}

void Autosave::takeBackComplaint() {
    if (std::exchange(m_complained, false))
        m_session->messages()->settle(kAutosaveCause);
}

std::vector<std::filesystem::path> Autosave::leftChanges() const {
    const std::filesystem::path folder = m_session->folder();
    return m_isEnabled && !folder.empty() ? Recovery::leftIn(folder) : std::vector<std::filesystem::path>();
}

void Autosave::discardChanges() {
    m_timer.stop();
    m_recovery.remove(true);
}

bool Autosave::exists() {
    return m_isEnabled && holdsSession(folder());
}

void Autosave::discard() {
    m_timer.stop();
    if (!m_isEnabled)
        return;
    std::error_code ignored;
    std::filesystem::remove_all(folder(), ignored);
}

std::filesystem::path Autosave::setAside(const QString& name) {
    return moveToOwnName(folder(), name);
}

std::vector<std::filesystem::path> Autosave::setOthersAside(const QString& name) {
    std::vector<std::filesystem::path> moved;
    for (int number = 1; m_isEnabled && number <= kMostPrograms; ++number) {
        const auto other = numbered(m_first, number);
        if (other == folder() || !holdsSession(other))
            continue;
        if (const auto lock = lockOf(other)) // its program has ended
            moved.push_back(moveToOwnName(other, name));
    }
    return moved;
}

std::filesystem::path Autosave::defaultFolder() {
    const QString data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    return toPath(data) / "unsaved.headroom";
}

} // namespace headroom::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/autosave.h"

#include "app/documents/paths.h"
#include "app/documents/session.h"

#include <QStandardPaths>

#include <chrono>

namespace headroom::app {

using namespace std::chrono_literals;

namespace {

const QString kAutosaveCause = QStringLiteral("autosave");

} // namespace

Autosave::Autosave(Session* session, std::filesystem::path folder, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_folder(std::move(folder)) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(2s);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::flush);
    connect(session, &Session::changed, this, &Autosave::schedule);
    connect(session->undoStack(), &QUndoStack::indexChanged, this, &Autosave::schedule);
}

void Autosave::schedule() {
    if (m_session->folder().empty() && m_session->isModified())
        m_timer.start();
    else
        m_timer.stop();
}

void Autosave::flush() {
    m_timer.stop();
    if (!m_session->folder().empty() || !m_session->isModified())
        return;
    try {
        m_session->writeCopy(m_folder);
        m_complained = false;
        m_session->messages()->settle(kAutosaveCause);
    } catch (const Error& failure) {
        if (!m_complained) // once: a full disk must not fill the list of messages
            m_session->messages()->post(Severity::Warning,
                                        tr("The session could not be autosaved: %1 Save it manually.")
                                            .arg(QString::fromUtf8(failure.what())),
                                        {}, {}, {kAutosaveCause});
        m_complained = true;
    }
}

bool Autosave::exists() const {
    std::error_code ignored;
    return std::filesystem::exists(m_folder / kSessionFileName, ignored);
}

void Autosave::discard() {
    m_timer.stop();
    std::error_code ignored;
    std::filesystem::remove_all(m_folder, ignored);
}

std::filesystem::path Autosave::defaultFolder() {
    const QString data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    return toPath(data) / "unsaved.headroom";
}

} // namespace headroom::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/aligning/undone_alignments.h"

#include "app/documents/saving/unused_recordings.h"

namespace headroom::app {

UndoneAlignments::UndoneAlignments(Session* session, QObject* parent) : QObject(parent), m_session(session) {
    connect(session, &Session::modifiedChanged, this, [this](bool modified) {
        if (!modified)
            takeBackUnused();
    });
    connect(session, &Session::viewStateRestored, this, [this] { m_waiting.clear(); }); // another session: its changes were not saved
}

void UndoneAlignments::undone(const std::shared_ptr<WrittenAlignment>& written) {
    m_folder = m_session->folder();
    if (!m_folder.empty() && sessionMayRead(m_folder, written->file()))
        m_waiting.push_back(written);
    else
        say(written->takeBack());
}

void UndoneAlignments::redone(const std::shared_ptr<WrittenAlignment>& written) {
    std::erase(m_waiting, written);
    say(written->bringBack());
}

void UndoneAlignments::forget(const std::filesystem::path& file) {
    std::erase_if(m_waiting, [&](const auto& one) { return one->file() == file; });
}

void UndoneAlignments::takeBackUnused() {
    std::erase_if(m_waiting, [this](const auto& one) {
        if (sessionMayRead(m_folder, one->file()))
            return false;
        say(one->takeBack());
        return true;
    });
}

void UndoneAlignments::say(const QString& sentence) {
    if (!sentence.isEmpty())
        m_session->messages()->post(Severity::Warning, sentence);
}

} // namespace headroom::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/aligning/undone_alignments.h"

#include "app/documents/saving/saved_files.h"

#include <map>

namespace headroom::app {

UndoneAlignments::UndoneAlignments(Session* session, QObject* parent) : QObject(parent), m_session(session) {
    connect(session, &Session::modifiedChanged, this, [this](bool modified) {
        if (!modified)
            takeBackUnused();
    });
    connect(session, &Session::viewStateRestored, this, [this] { m_waiting.clear(); }); // another session: its changes were not saved
}

void UndoneAlignments::written(const std::filesystem::path& file, UtteranceId id) {
    std::erase_if(m_waiting, [&](const Waiting& one) { return one.written->file() == file; }); // overwritten
    readAgain(file, id);
}

void UndoneAlignments::undone(const std::shared_ptr<WrittenAlignment>& written) {
    if (isUsed(*written, SavedFiles::ofSession(m_session->folder())))
        m_waiting.push_back({written, m_session->folder()});
    else
        takeBack(*written);
}

void UndoneAlignments::redone(const std::shared_ptr<WrittenAlignment>& written, UtteranceId id) {
    std::erase_if(m_waiting, [&](const Waiting& one) { return one.written == written; });
    say(written->bringBack());
    readAgain(written->file(), id);
}

/// Where it replaced another file, only what was saved with this content counts: that file comes back in its place.
bool UndoneAlignments::isUsed(const WrittenAlignment& written, const SavedFiles& saved) const {
    if (written.replacedAnother())
        return saved.mayHave(written.file(), written.sha256());
    const UtteranceList& all = *m_session->utterances();
    for (int row = 0; row < all.count(); ++row)
        if (all.at(row).alignmentFile == written.file())
            return true;
    return saved.mayHave(written.file());
}

void UndoneAlignments::takeBackUnused() {
    std::map<std::filesystem::path, SavedFiles> saved; // session.json may be long
    std::erase_if(m_waiting, [&](const Waiting& one) {
        const auto known = saved.find(one.folder);
        if (isUsed(*one.written, known != saved.end() ? known->second : saved.emplace(one.folder, SavedFiles::ofSession(one.folder)).first->second))
            return false;
        takeBack(*one.written);
        return true;
    });
}

void UndoneAlignments::takeBack(WrittenAlignment& written) {
    say(written.takeBack());
    if (written.replacedAnother())
        readAgain(written.file());
}

void UndoneAlignments::readAgain(const std::filesystem::path& file, UtteranceId except) {
    const UtteranceList& all = *m_session->utterances();
    const std::string now = hashOfFile(file);
    for (int row = 0; row < all.count(); ++row)
        if (const OpenUtterance& one = all.at(row); one.id != except && one.alignmentFile == file && one.alignmentSha256 != now)
            m_session->openAlignment(file, one.id);
}

void UndoneAlignments::say(const QString& sentence) {
    if (!sentence.isEmpty())
        m_session->messages()->post(Severity::Warning, sentence);
}

} // namespace headroom::app

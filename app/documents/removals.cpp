// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/removals.h"

#include "app/documents/messages.h"
#include "app/documents/session.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace headroom::app {

namespace {

/// A text as the lists call it: by its words.
QString calledText(const OpenUtterance& text) {
    constexpr qsizetype kMostShown = 60;
    const QString words = text.text.simplified();
    if (words.isEmpty())
        return text.name;
    return QStringLiteral("“%1”").arg(words.size() > kMostShown ? words.left(kMostShown) + QStringLiteral("…") : words);
}

/// What became of the files. A recording that was never saved has none.
QString removedText(const std::vector<OpenUtterance>& removed) {
    const auto unsaved = std::count_if(removed.begin(), removed.end(),
                                       [](const OpenUtterance& one) { return one.file.empty() && !one.isText; });
    if (removed.size() == 1) {
        const QString& name = removed.front().name;
        if (removed.front().isText)
            return Session::tr("%1 was removed from the session.").arg(calledText(removed.front()));
        return unsaved ? Session::tr("%1 was removed from the session. It was never saved: only Undo brings it back.").arg(name)
                       : Session::tr("%1 was removed from the session. Its file was not touched.").arg(name);
    }
    const QString said = Session::tr("%1 utterances were removed from the session.").arg(removed.size());
    if (unsaved == 0)
        return said + Session::tr(" Their files were not touched.");
    if (unsaved == static_cast<std::ptrdiff_t>(removed.size()))
        return said + Session::tr(" They were never saved: only Undo brings them back.");
    return said + (unsaved == 1 ? Session::tr(" 1 of them was never saved: only Undo brings that one back.")
                                : Session::tr(" %1 of them were never saved: only Undo brings those back.").arg(unsaved));
}

/// Says it with an offer to undo it, which goes with the message once it is taken.
void offerUndo(Session* session, const QString& sentence, std::function<void()> undo) {
    static int s_removals = 0;
    const QString cause = QStringLiteral("removal %1").arg(++s_removals);
    session->messages()->post(
        Severity::Info, sentence, Session::tr("Undo"),
        [session, cause, undo = std::move(undo)] {
            session->messages()->settle(cause);
            undo();
        },
        {cause});
}

} // namespace

void removeUtterances(Session* session, const QList<UtteranceId>& ids) {
    std::vector<OpenUtterance> removed;
    for (const UtteranceId id : ids)
        if (const OpenUtterance* utterance = session->utterances()->find(id)) {
            removed.push_back(*utterance);
            session->closeUtterance(id);
        }
    if (removed.empty())
        return;
    const QString sentence = removedText(removed);
    offerUndo(session, sentence, [session, removed = std::move(removed)] {
        for (const OpenUtterance& one : removed) {
            if (one.isText)
                session->addText(one.text, one.target, one.name);
            else if (one.file.empty() && one.recording)
                session->addRecording(*one.recording, one.name);
            else if (const UtteranceId again = session->openUtterance(one.file); !one.alignmentFile.empty())
                session->openAlignment(one.alignmentFile, again);
        }
    });
}

void removeModel(Session* session, ModelId id) {
    const OpenModel* model = session->models()->find(id);
    if (!model)
        return;
    const QString name = model->name;
    const auto closed = session->closedModel(id);
    session->closeModel(id);
    offerUndo(session, Session::tr("%1 was closed. Its files were not touched.").arg(name),
              [session, closed] { session->reopenModel(*closed); });
}

} // namespace headroom::app

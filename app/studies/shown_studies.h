// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studies/open_study.h"

#include <QObject>

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace headroom::app {

class Session;
class StudyEvidence;
class StudyStore;

/// Which studies are open in the session and which one each tab shows, as the session's view keeps it. The studies on the disk
/// are those of the user. To open another one is a change of the session, as it is for a model; to choose what a tab shows is not.
/// Window's thread.
class ShownStudies : public QObject {
    Q_OBJECT

public:
    /// Everything borrowed.
    struct Parts {
        Session* session;
        StudyStore* store;
        StudyEvidence* evidence;
    };
    explicit ShownStudies(const Parts& parts, QObject* parent = nullptr);

    /// {"open": [FOLDER, newest opened first], "shown": {KIND: FOLDER}, "models"?: {FOLDER: NUMBER of the model that was chosen, from 1}};
    /// null where no study is open. One that could not be opened stays in it, so that saving loses nothing.
    nlohmann::json view() const;
    /// Closes what is open and opens these instead. The tabs stay where they are; a study that is gone, or cannot be read, is named
    /// in Messages, and the rest opens. A value that does not fit is none.
    void restore(const nlohmann::json& view);

private:
    struct Reading;
    void followOpen();
    void followShown();
    void take(const Reading& read);
    void sayMissing(const std::filesystem::path& folder, const QString& sentence);
    void forget(const std::filesystem::path& folder);

    Parts m_parts;
    std::vector<std::filesystem::path> m_missing; ///< named by the session and not open: being read, gone or unreadable
    std::map<StudyKind, std::filesystem::path> m_wanted; ///< what a tab shows once it can be opened
    std::set<std::filesystem::path> m_named; ///< all that the session names, as last seen
    int m_restored = 0; ///< what an earlier session asked for comes too late
};

} // namespace headroom::app

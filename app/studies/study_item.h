// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/study.h"

#include <QString>
#include <QStringList>

#include <filesystem>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace headroom::app {

/// One study folder as the list shows it. A value.
struct StudyItem {
    enum class State {
        Starting,    ///< its process was started and has not written study.json yet
        Running,     ///< a process holds the lock
        Stopping,    ///< asked to stop and still writing
        Stopped,     ///< goes on where it was
        Interrupted, ///< killed, or the machine went down; goes on where it was
        Failed,      ///< `sentence` says why; can be tried again
        Finished,    ///< opens
        Unreadable,  ///< `sentence` says why: damaged, or of a newer version
    };
    std::filesystem::path folder;
    State state = State::Unreadable;
    StudyKind kind = StudyKind::Windows;
    QString sentence;       ///< Failed, Unreadable: why; Finished: what could not be measured; empty: all was
    QStringList notMeasured; ///< Finished, Failed: notMeasured()
    QStringList models;     ///< their names
    int utterances = 0;     ///< of the sample; 0 where none is drawn yet
    int measured = 0;       ///< of these, the ones without an error
    QString created, ended; ///< UTC, "2026-11-21T10:31:05Z"
    StudyProgress progress; ///< while it runs
    std::vector<std::pair<QString, QString>> settings; ///< title and value in the words of captions; none: nothing is known of them
    QString data, split;    ///< name of the corpus and of its split; empty: recordings
    QString place, contact; ///< at another place: its name, and how the contact stands; empty: this machine
    bool lost = false;      ///< no contact with that place now; it is tried again
    QString apart;          ///< what tells it from studies of the same name: ", 400 utterances"; see tellApart()

    QString name() const; ///< studyName(), with what tells it from the others of the list
    bool runs() const {
        return state == State::Starting || state == State::Running || state == State::Stopping;
    }
    /// Not where it failed before it wrote anything down, which leaves nothing to go on with, nor where its sample, which
    /// stays as it was drawn, is too small for its kind.
    bool canResume() const;
    bool operator==(const StudyItem& other) const;
};

/// What one look at the disk found; handed to the next look, which reads again only what changed.
struct StudySnapshot {
    std::filesystem::path studies;
    std::vector<StudyItem> items; ///< newest first
    struct Read {
        std::int64_t changed = 0; ///< time of study.json's last change, ns
        StudyItem item;
        RunState written = RunState::Running; ///< as it stands in study.json
    };
    std::map<std::filesystem::path, Read> read;
};

/// A study whose process was started by this window and has not written study.json yet.
struct StartedStudy {
    std::filesystem::path folder;
    StudyKind kind = StudyKind::Windows;
    QStringList models;
    qint64 process = 0;
    std::int64_t changed = 0; ///< of study.json before it was started (studyChanged)
};

/// What a study says of itself; nothing of whether it runs.
StudyItem itemOf(const Study& study, const std::filesystem::path& folder);
/// The utterances that were left out and why, "bobby.wav has no alignment.", in the order of the sample.
QStringList notMeasured(const Study& study);
/// These for a tooltip: "Not measured:" and the first lines, with how many more there are. Empty: all were measured.
QString notMeasuredText(const QStringList& lines);

/// When study.json was last written, ns; 0: there is none.
std::int64_t studyChanged(const std::filesystem::path& folder);

/// The folders in `studies` that hold a study.json, and `others` wherever they are. Reads only; blocks; any
/// thread.
std::shared_ptr<const StudySnapshot> lookAtStudies(const std::filesystem::path& studies,
                                                   const std::vector<std::filesystem::path>& others,
                                                   const std::vector<StartedStudy>& started,
                                                   std::shared_ptr<const StudySnapshot> before);

/// The file into which the process of a study says what went wrong before there was a study.json.
std::filesystem::path studyLog(const std::filesystem::path& folder);

} // namespace headroom::app

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/phone_map.h"
#include "core/commands/worker_commands.h"
#include "core/studies/study.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace headroom::app {

/// A study that can be run: what the study form gives when it is complete. A value.
struct StudyRequest {
    StudyKind kind = StudyKind::Windows;
    std::vector<std::filesystem::path> models;
    QStringList modelNames;                 ///< as the session calls them, and the list until study.json is there
    std::filesystem::path data;                    ///< a corpus or folder; empty: `recordings`
    /// An utterance that is open.
    struct Recording {
        std::filesystem::path file;
        std::filesystem::path alignment{}; ///< that the session shows; empty: none
        std::string id{};                  ///< of the session; empty: the stem
    };
    std::vector<Recording> recordings; ///< all of them
    std::vector<std::string> texts;         ///< the texts that are open, all of them, for models that read text
    QString split;                          ///< empty: the corpus' own choice
    std::int64_t utterances = 400; ///< of `data`, how many at most
    std::uint64_t seed = 1;
    nlohmann::json settings = nlohmann::json::object(); ///< those that differ from the defaults
    std::string phoneMap; ///< the text of the session's phone map, which `settings` names as a file; empty: none
    bool figures = false;
    std::string device; ///< of this machine, as --device takes it; empty: its CPU, or a place
    std::string place; ///< of core/places, by name; empty: this machine
    std::filesystem::path folder; ///< of the study
};

/// The options of `headroom-worker study` that do what the form asks for.
StudyOptions optionsOf(const StudyRequest& request);
/// The line that does the same in a shell.
QString commandLine(const StudyRequest& request);
/// The file that holds a phone map of a session for studies: "…/phone-maps/ARPABET-edited_75accf5eafb1.tsv". Its name
/// says what is in it, so that a copied command line means the same map for good.
std::filesystem::path phoneMapFile(const std::filesystem::path& studies, const PhoneMap& map);
/// Writes that file where a request names one. Throws Error "phones.unwritable".
void writePhoneMap(const StudyRequest& request);
/// "2026-11-21T10-31_windows_st-small": a folder's name that sorts by time.
QString studyFolderName(const QString& when, StudyKind kind, const QString& what);

} // namespace headroom::app

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/ids.h"
#include "app/parts/forms/form_panel.h"
#include "app/studies/study_data.h"
#include "app/studies/study_request.h"

#include <optional>
#include <set>

namespace headroom::app {

/// What stands in the study form, and what was found out about it. A value: no widgets, and everything that is read
/// from files is in it already.
struct StudyValues {
    /// A model that is ticked in Models.
    struct Model {
        QString name;
        std::filesystem::path folder;
        OpenState state = OpenState::Ready;
        QString frontEnd; ///< in words; empty: not known, or maps
        bool readsText = false;
        std::int64_t longestTokens = 0; ///< that it accepts; 0: not known
        bool maps = false;              ///< imported maps, which are measured without others
        Seconds longest{0};             ///< recording that it accepts; 0: not known, or maps
    };
    /// A recording that is open.
    struct Recording : StudyRequest::Recording {
        bool aligned = false; ///< it has an alignment that can be read
        bool isPart = false; ///< only a selection of it is analysed
        Seconds length{0};    ///< 0: not known
    };
    StudyKind kind = StudyKind::Windows;
    std::vector<Model> models;
    std::vector<Recording> recordings;
    std::vector<std::string> texts; ///< that are open
    std::filesystem::path data;     ///< a corpus or folder; empty: `recordings`
    std::optional<StudyData> facts; ///< what was read last, perhaps of another folder
    int split = 0;                  ///< index into the splits of `facts`
    std::int64_t utterances = 400;
    std::uint64_t seed = 1;
    nlohmann::json settings = nlohmann::json::object();
    std::optional<PhoneMap> phoneMap; ///< the session's own: that of open recordings, and of a corpus where it is chosen
    bool figures = false;
    std::string place, device; ///< as of StudyRequest
    QString name; ///< empty: one is suggested, from `when`, kind and models
    QString when;
    std::filesystem::path studies; ///< the folder of studies
    std::set<QString> taken;       ///< names that are there already
};

/// Fields: kind, models, data, split, count, figures, name, and the keys of the settings. `sentence`: why it cannot be run, else what will happen.
struct StudyReport : FormReport {
    StudyRequest request;       ///< as far as it is known, for the command line
    QString reason;             ///< why it cannot be run; empty: it can
    QString name;               ///< of the study's folder
    bool hasData = true;        ///< the kind measures recordings or texts
    bool takesTexts = false;    ///< the models read text
    bool hasSplits = false;     ///< the data has several
    bool hasCount = false;      ///< utterances are sampled from the data
};
StudyReport validate(const StudyValues& values);

} // namespace headroom::app

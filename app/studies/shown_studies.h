// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace headroom::app {

class AppSettings;
class Messages;
class StudyEvidence;
class StudyStore;

/// Remembers in the settings which studies the tabs show, and shows them again at the next start. A study belongs to no session, so
/// no session keeps them. Window's thread.
class ShownStudies : public QObject {
    Q_OBJECT

public:
    /// Everything borrowed.
    struct Parts {
        StudyStore* store;
        StudyEvidence* evidence;
        AppSettings* settings;
        Messages* messages;
    };
    explicit ShownStudies(const Parts& parts, QObject* parent = nullptr);

    /// Reads what was shown last. The tabs stay where they are; a study that is gone is named in Messages.
    void restore();

private:
    void remember();

    Parts m_parts;
};

} // namespace headroom::app

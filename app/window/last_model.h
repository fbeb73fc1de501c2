// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/ids.h"

#include <QObject>

namespace headroom::app {

class AppSettings;
class Session;

/// Which model was current last, in every session: it is opened for sound that comes in while no model is open. Window's thread.
class LastModel : public QObject {
    Q_OBJECT

public:
    /// Both borrowed.
    LastModel(Session* session, AppSettings* settings, QObject* parent = nullptr);

    /// Where no model is open, the one that was current last is opened, else the demo's; Messages say which.
    void takeAlong();
    /// The same as soon as a recording can be read.
    void takeAlongWithRecording(bool wanted) { m_isWanted = wanted; }

private:
    void remember();

    Session* m_session;
    AppSettings* m_settings;
    bool m_isWanted = false;
    ModelId m_taken = ModelId::None; ///< said once it is read, and has its name
};

} // namespace headroom::app

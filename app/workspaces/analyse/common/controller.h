// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/ids.h"

#include <QObject>

#include <nlohmann/json_fwd.hpp>

namespace headroom::app {

/// What the workspace asks of every part of Analyse, and what every part may ask of it. Window's thread.
class Controller : public QObject {
    Q_OBJECT

public:
    /// Writes its keys of the session's view, and reads them back. `view` is an object. A key that is missing, or
    /// whose value does not fit, gives what a new session begins with.
    virtual void saveView(nlohmann::json& view) const;
    virtual void restoreView(const nlohmann::json& view);
    /// Something is read, computed or prepared that would change the picture.
    virtual bool isPending() const { return false; }

Q_SIGNALS:
    /// Something failed and is said in Messages: a button that does nothing must not look as if it were broken.
    void messagesRequested();
    void showInFolderRequested(const QString& path);
    void alignRequested(headroom::app::UtteranceId id);

protected:
    using QObject::QObject;
};

} // namespace headroom::app

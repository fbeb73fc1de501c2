// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/settings/app_settings.h"

#include <QString>

#include <functional>

class QWidget;

namespace headroom::app {

/// What a form or a dialogue asks for when it has to open a file or a folder.
struct PathAsked {
    AppSettings::FolderOf purpose;
    QString title;
    QString filter{}; ///< "Mapping rules (*.glm)"; empty: a folder
    QString now{};    ///< what the field says; where that is there, the question begins with it
};
/// Returns the path; empty: given up.
using PathQuestion = std::function<QString(const PathAsked& asked)>;

/// Asks with FileDialogs, beginning where the last question of this purpose ended. `settings` null: nothing is remembered.
PathQuestion pathQuestion(AppSettings* settings, QWidget* parent);

} // namespace headroom::app

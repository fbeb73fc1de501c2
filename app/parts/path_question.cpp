// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/path_question.h"

#include "app/parts/file_dialogs.h"
#include "app/parts/last_folder.h"

#include <QFileInfo>

namespace headroom::app {

PathQuestion pathQuestion(AppSettings* settings, QWidget* parent) {
    return [settings, parent](const PathAsked& asked) {
        const auto ask = [&](const QString& last) {
            const QString from = !asked.now.isEmpty() && QFileInfo::exists(asked.now) ? asked.now : last;
            return asked.filter.isEmpty() ? FileDialogs().openFolder(parent, asked.title, from)
                                          : FileDialogs().openFile(parent, asked.title, from, asked.filter);
        };
        return settings ? askBeside(*settings, asked.purpose, ask) : ask({});
    };
}

} // namespace headroom::app

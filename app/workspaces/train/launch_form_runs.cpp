// SPDX-License-Identifier: GPL-3.0-or-later
// The runs folder of the form.
#include "app/documents/items/paths.h"
#include "app/runs/launch.h"
#include "app/runs/run_store.h"
#include "app/settings/app_settings.h"
#include "app/workspaces/train/launch_form_private.h"

#include <utility>

namespace headroom::app {

void LaunchForm::connectRunsFolder() {
    m->folder->setText(toQString(m_parts.store->folder()));
    m->folder->setPlaceholderText(tr("the default folder"));
    connect(m->folder, &QLineEdit::editingFinished, this, &LaunchForm::takeRunsFolder);
    connect(m->openRuns, &QAction::triggered, this, [this] {
        if (const QString folder = askPath({AppSettings::FolderOf::Runs, tr("Choose the folder for runs")}); !folder.isEmpty()) {
            m->folder->setText(folder);
            takeRunsFolder();
        }
    });
    connect(m->folderBack, &QToolButton::clicked, this, [this] {
        m->folder->clear();
        takeRunsFolder();
    });
}

/// An emptied field stands for the default folder.
void LaunchForm::takeRunsFolder() {
    const std::filesystem::path typed = m->folder->path();
    revalidateSoon();
    if (!notFullText(typed).isEmpty())
        return; // refused as it was typed
    const std::filesystem::path folder = normalised(typed.empty() ? RunStore::defaultFolder() : typed);
    if (folder != m_parts.store->folder()) {
        m_parts.store->setFolder(folder);
        m_parts.settings->setRunsFolder(typed.empty() ? QString() : toQString(folder));
    }
    m->folder->setText(toQString(folder));
}

/// Of a folder that is missing and can be made it is asked once: asking makes it and removes it again.
void LaunchForm::lookAtRunsFolder() {
    const std::filesystem::path runs = m_parts.store->folder();
    const QString relative = notFullText(m->folder->path());
    m->folderBack->setVisible(!relative.isEmpty() || runs != normalised(RunStore::defaultFolder()));
    std::error_code ignored;
    if (runs != m_runs || !m_runsMistake.isEmpty() || std::filesystem::exists(runs, ignored)) {
        m_runs = runs;
        if (const QString before = std::exchange(m_runsMistake, whyNotARunsFolder(runs)); before != m_runsMistake)
            Q_EMIT runsFolderChecked();
    }
    m_folderMistake = relative.isEmpty() ? m_runsMistake : relative; // the folder of before is kept meanwhile
}

} // namespace headroom::app

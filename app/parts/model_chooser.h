// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model_folders/hub_cache.h"

#include <QDialog>

#include <optional>

class QListView;
class QPushButton;

namespace headroom::app {

/// Offers the speech models of the user's Hugging Face cache, and any other folder. Models that cannot be opened are
/// listed with the reason; the button to open them is disabled. Each model says how much memory it will take; one that
/// takes more than is free says so, and can be opened all the same (the worker decides). Window's thread.
class ModelChooser : public QDialog {
    Q_OBJECT

public:
    /// `cache`: where the models were found, for the reader. `free`: bytes of memory that are free now, if known.
    ModelChooser(const std::vector<CachedModel>& models, const std::filesystem::path& cache,
                 std::optional<double> free = std::nullopt, QWidget* parent = nullptr);

    /// The folder of the selected model; empty: none that can be opened is selected.
    QString folder() const;
    bool wantsAnotherFolder() const { return m_wantsAnother; } ///< “Choose a folder…” ended the dialogue

    QListView* list() const { return m_list; }
    QPushButton* openButton() const { return m_open; }
    QPushButton* folderButton() const { return m_another; }

private:
    QListView* m_list;
    QPushButton *m_open, *m_another;
    bool m_wantsAnother = false;
};

} // namespace headroom::app

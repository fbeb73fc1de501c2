// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/ids.h"
#include "app/parts/list_panel.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

class QAction;
class QMenu;
class QModelIndex;

namespace headroom::app {

class ModelList;

/// The open models: check box (analysed with the others), the colour that its curves have, name and size. A
/// model that could not be opened keeps its row with the reason. A model of many languages (MMS) offers them,
/// in the menu of its row and by a button. Window's thread.
class ModelPanel : public ListPanel {
    Q_OBJECT

public:
    ModelPanel(ModelList* models, QAction* openModel, QAction* openDemoModel, QWidget* parent = nullptr);
    void setCurrent(ModelId id);

Q_SIGNALS:
    void chosen(headroom::app::ModelId id);
    void removeRequested(headroom::app::ModelId id);
    void showInFolderRequested(const QString& folder);
    void locateRequested(headroom::app::ModelId id); ///< its folder is missing
    void languageChosen(
        const std::filesystem::path& model); ///< its folder, or a file that stands for the model in this language

private:
    ModelId idAt(const QModelIndex& index) const;
    void addMenu();
    /// The languages of the folder that a row's model is from. Looked up once for each.
    const std::vector<std::string>& languagesOf(const QModelIndex& index) const;
    void fillLanguages(const QModelIndex& index);
    void updateMenu();

    ModelList* m_models;
    QMenu* m_languages = nullptr;
    QAction *m_show = nullptr, *m_close = nullptr, *m_locate = nullptr; ///< in the menu of a row
    mutable std::map<std::filesystem::path, std::vector<std::string>> m_found;
};

} // namespace headroom::app

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/ids.h"
#include "app/parts/list_panel.h"

namespace headroom::app {

class ModelList;

/// The open models: check box (analysed with the others), the colour that its curves have, name and size. A
/// model that could not be opened keeps its row with the reason. Window's thread.
class ModelPanel : public ListPanel {
    Q_OBJECT

public:
    ModelPanel(ModelList* models, QAction* openModel, QAction* openDemoModel, QWidget* parent = nullptr);
    void setCurrent(ModelId id);

Q_SIGNALS:
    void chosen(headroom::app::ModelId id);
    void removeRequested(headroom::app::ModelId id);
    void showInFolderRequested(const QString& folder);

private:
    ModelId idAt(const QModelIndex& index) const;
    void addMenu();
    ModelList* m_models;
};

} // namespace headroom::app

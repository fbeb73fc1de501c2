// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/drafts/drafts.h"
#include "app/workspaces/design/presets.h"

#include <QTimer>
#include <QWidget>

class QAction;
class QLineEdit;
class QModelIndex;
class QStandardItem;
class QStandardItemModel;
class QLabel;
class QTreeView;

namespace headroom::app {

/// Left: architectures one can start from (by paper), and those that are edited: drafts of the opened models
/// and one's own documents. Each with its fingerprint: columns are layers, cells are heads. A click on one
/// that is edited shows it; Enter or a double click on a preset starts a document from it. Window's thread.
class PresetsPanel : public QWidget {
    Q_OBJECT

public:
    PresetsPanel(Drafts* drafts, std::vector<Preset> presets, QWidget* parent = nullptr);

    const std::vector<Preset>& presets() const { return m_presets; }
    const Preset* selectedPreset() const; ///< null where something else is selected
    QTreeView* view() const { return m_view; }
    void refresh();

Q_SIGNALS:
    void presetActivated(int preset); ///< index into presets()
    void presetSelected();            ///< selectedPreset() changed
    void draftChosen(headroom::app::DraftKey key);
    void closeRequested(headroom::app::DraftKey key);
    void headsRequested(int preset); ///< its heads for the layers of what is edited

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QStandardItem* addSection(const QString& title, const QString& second);
    void filter(const QString& text);
    void showMenu(const QPoint& position);
    /// For the row; disabled with the reason where it cannot be closed.
    QAction* makeClose(const QModelIndex& index, QObject* parent);
    void sayWhyNotRenamed(const QModelIndex& index);
    Drafts* m_drafts;
    std::vector<Preset> m_presets;
    QLineEdit* m_filter;
    QLabel* m_nothing; ///< shown where the filter leaves nothing
    QTreeView* m_view;
    QStandardItemModel* m_items;
    QTimer m_soon;
    DraftKey m_shown; ///< what was current when the list was filled
    bool m_refreshing = false;
};

} // namespace headroom::app

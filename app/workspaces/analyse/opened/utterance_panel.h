// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/ids.h"
#include "app/parts/list_panel.h"

#include <functional>

class QLineEdit;

namespace headroom::app {

class UtteranceList;

/// The open recordings: a filter, one row each with its duration; a file that could not be read keeps its
/// row, with the sentence and two buttons below it. Window's thread.
class UtterancePanel : public ListPanel {
    Q_OBJECT

public:
    UtterancePanel(UtteranceList* utterances, QAction* openAudio, QWidget* parent = nullptr);

    void setCurrent(UtteranceId id);
    /// Why an utterance that could be read was not analysed with the current model; empty: it was, or was not asked for.
    using FailureOf = std::function<QString(UtteranceId)>;
    void setFailureOf(FailureOf failureOf);
    void showFailures(); ///< they may be others now; cheap where they are not
    /// "52", "5, 2 failed", with a filter "3 of 52": for the dock's header. Brief is what matters most of it, else empty.
    QString countText() const;
    QString briefCountText() const;
    bool countsFailed() const; ///< whether briefCountText() is the number of those that failed
    QLineEdit* filterField() const { return m_filter; }
    QAction* alignAction() const { return m_align; } ///< of the current utterance

Q_SIGNALS:
    void chosen(headroom::app::UtteranceId id);
    void removeRequested(const QList<headroom::app::UtteranceId>& ids); ///< never empty
    void showInFolderRequested(const QString& file);
    void locateRequested(headroom::app::UtteranceId id); ///< its file is missing
    void alignRequested(headroom::app::UtteranceId id);     ///< words and phones are to be found in it
    void alignmentRemovalRequested(headroom::app::UtteranceId id);
    void alignmentRequested(headroom::app::UtteranceId id); ///< what was found in its alignment
    void countChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    int failedCount() const;
    void endFilterThatHides(int row); ///< of the utterances; −1: none
    UtteranceId idAt(const QModelIndex& proxyIndex) const;
    void addMenu();
    void updateMenu();
    FailureOf m_failureOf;
    UtteranceList* m_utterances;
    class NameFilter;
    NameFilter* m_filtered;
    UtteranceId m_current = UtteranceId::None;
    bool m_filtering = false;
    QLineEdit* m_filter;
    QAction *m_show = nullptr, *m_remove = nullptr, *m_align = nullptr, *m_removeAlignment = nullptr, *m_findings = nullptr,
        *m_locate = nullptr; ///< in the menu of a row
};

} // namespace headroom::app

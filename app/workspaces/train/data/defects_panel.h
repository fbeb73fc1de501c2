// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/sound/clip_player.h"
#include "app/workspaces/train/data/corpus_reader.h"

#include <QWidget>

class QStackedWidget;

namespace headroom::widgets {
class StudyTableView;
}

namespace headroom::app {

class PanelHeader;

/// The defects of a corpus by kind, and beside them the utterances of the chosen kind with text, problem and
/// a button that plays each (also Space). Window's thread.
class DefectsPanel : public QWidget {
    Q_OBJECT

public:
    explicit DefectsPanel(QWidget* parent = nullptr);

    void setCorpus(std::shared_ptr<const ReadCorpus> read);
    void chooseDefect(int row);
    /// Plays the utterance of this row of the list, or stops it.
    void toggle(int row);
    widgets::StudyTableView* defects() const { return m_defects; }
    widgets::StudyTableView* utterances() const { return m_utterances; }
    ClipPlayer* player() { return &m_player; }

Q_SIGNALS:
    void failed(const QString& sentence);

private:
    void showUtterances(int defect);
    const DefectiveUtterance* at(int row) const;
    std::filesystem::path audioOf(int row) const; ///< empty: it is in no table

    std::shared_ptr<const ReadCorpus> m_read;
    int m_defect = -1;
    PanelHeader *m_defectsHeader, *m_utterancesHeader;
    widgets::StudyTableView *m_defects, *m_utterances;
    QStackedWidget* m_pages = nullptr; ///< the utterances; that there are none
    ClipPlayer m_player;
};

} // namespace headroom::app

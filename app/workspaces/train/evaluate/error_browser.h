// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/sound/clip_player.h"
#include "app/workspaces/train/evaluate/evaluation_errors.h"

#include <QDialog>

class QLabel;
class QPushButton;
class QScrollArea;
class QTabWidget;

namespace headroom::widgets {
class StudyTableView;
}

namespace headroom::app {

class Banner;

/// The errors of an evaluation: at the left what was confused with what, by frequency, at the right the utterances, most
/// errors first, each playable. A confusion shows its utterances only. Below, both texts of the chosen utterance, word
/// over word, and its n-best list, if the evaluation kept one. Is read on another thread. Window's thread.
class ErrorBrowser : public QDialog {
    Q_OBJECT

public:
    explicit ErrorBrowser(const std::filesystem::path& evaluation, QWidget* parent = nullptr);
    ~ErrorBrowser() override;

    bool isPending() const { return m_pending; }
    const EvaluationErrors& errors() const { return m_errors; }
    widgets::StudyTableView* confusions() const { return m_confusions; }
    QTabWidget* groups() const { return m_groups; } ///< confusions, speakers, lengths
    widgets::StudyTableView* speakers() const { return m_speakers; }
    widgets::StudyTableView* lengths() const { return m_lengths; }
    widgets::StudyTableView* utterances() const { return m_utterances; }
    QPushButton* openButton() const { return m_open; }
    QString comparison() const;   ///< both texts as they are shown, with marks
    QLabel* hypotheses() const { return m_hypotheses; } ///< the n-best list of the chosen utterance
    /// Shows the utterances of a row of the tab in front. −1: all utterances.
    void chooseGroup(int row);
    ClipPlayer* player() { return &m_player; }

Q_SIGNALS:
    /// The model of the evaluation with this recording, or with this sentence.
    void openRequested(const std::filesystem::path& model, const headroom::app::CorpusUtterance& utterance);

private:
    void take(EvaluationErrors errors);
    const std::vector<int>* chosen() const; ///< the utterances of the chosen group; null: all
    void showUtterances();
    void showComparison();
    bool isOfCheckpoint() const; ///< not of the exported model
    QString openText() const;
    QString whyNotOpened(const EvaluatedUtterance& one) const; ///< in Analyse; empty: it can be
    void showHypotheses(const EvaluatedUtterance* one);
    void followLink(const QString& link); ///< of the n-best list
    void toggle(int row);
    const EvaluatedUtterance* at(int row) const; ///< of the table; null: no such row

    EvaluationErrors m_errors;
    bool m_pending = true;
    int m_group = -1; ///< row of the tab in front
    std::vector<int> m_shown;
    QLabel* m_summary;
    Banner* m_problem; ///< why nothing is played
    QLabel *m_comparison, *m_hypotheses;
    QScrollArea* m_list; ///< around the hypotheses
    QTabWidget* m_groups;
    widgets::StudyTableView *m_confusions, *m_speakers, *m_lengths, *m_utterances;
    QPushButton *m_all, *m_open;
    ClipPlayer m_player;
};

} // namespace headroom::app

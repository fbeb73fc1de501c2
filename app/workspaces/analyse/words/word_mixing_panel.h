// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/spoken_words.h"
#include "app/workspaces/analyse/words/word_measures.h"
#include "widgets/look/colour_map.h"

#include <QWidget>

#include <optional>
#include <string>

class QLabel;
class QPushButton;
class QStackedLayout;

namespace headroom::widgets {
class MeasureTiles;
class StudyTableView;
} // namespace headroom::widgets

namespace headroom::app {

/// The tab *Mixing* while the words are shown: the cross-attention of one decoder layer by six measures, as small maps, and how
/// they compare: words found, share inside the current word, agreement with value zeroing, time. Window's thread.
class WordMixingPanel : public QWidget {
    Q_OBJECT

public:
    explicit WordMixingPanel(QWidget* parent = nullptr);

    struct Content {
        std::shared_ptr<const SpokenWords> words; ///< null: nothing to show, and `sentence` says why
        QString sentence;
        const DecoderLayerState* state = nullptr; ///< null: nothing of this layer was asked for
        int layer = 0;                            ///< from 1
        WordReferences references;
        int word = -1;      ///< the current one
        std::string chosen; ///< the measure that the large map shows; empty: attention
        bool isText = false; ///< what is translated is a text: its words have no times
        bool aligned = false; ///< the utterance has an alignment, in which perhaps none of these words is
    };
    void show(const Content& content);
    void setColours(widgets::ColourMap::Name name, double gamma);

    widgets::MeasureTiles* tiles() const { return m_tiles; }
    widgets::StudyTableView* table() const { return m_table; }
    QPushButton* cancelButton() const { return m_cancel; }
    QString note() const;

Q_SIGNALS:
    void measureChosen(const std::string& name); ///< to be shown; computed first if it is not here
    void cancelled();
    void shown(); ///< the tab came to the front, so what it shows is wanted

protected:
    void showEvent(QShowEvent* event) override;

private:
    void choose(int place);

    QStackedLayout* m_pages;
    QLabel* m_empty;
    widgets::MeasureTiles* m_tiles;
    widgets::StudyTableView* m_table;
    int m_shownRow = -1; ///< of the table: that of the measure that the large map shows
    QPushButton* m_cancel;
    QLabel* m_note;
};

} // namespace headroom::app

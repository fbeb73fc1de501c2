// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/spoken_words.h"
#include "widgets/look/colour_map.h"

#include <QWidget>

#include <memory>

class QLabel;

namespace headroom::widgets {
class HeadMaps;
}

namespace headroom::app {

/// The cross-attention (or self-attention) of every decoder layer and head as small maps, and which of them tell the words'
/// times. Window's thread.
class CrossHeadsPanel : public QWidget {
    Q_OBJECT

public:
    explicit CrossHeadsPanel(QWidget* parent = nullptr);

    /// `words` null or without a decoder: no maps. `layer` and `head` from 1; head 0: none is shown alone.
    /// `isText`: the words are a translation, which has no times.
    /// `whyNever`: why heads will not come; empty: they may.
    void show(const std::shared_ptr<const SpokenWords>& words, int layer, int head, WordsBlock block, bool isText, const QString& whyNever = {});
    void setColours(widgets::ColourMap::Name name, double gamma);
    widgets::HeadMaps* maps() const { return m_maps; }
    QString detail() const; ///< for the header: "12 layers × 12 heads"
    QString note() const;

Q_SIGNALS:
    void headChosen(int layer, int head); ///< head 0: the mean of the layer's heads

private:
    std::shared_ptr<const SpokenWords> m_words;
    WordsBlock m_block = WordsBlock::Cross;
    bool m_isText = false;
    QString m_whyNever;
    widgets::HeadMaps* m_maps;
    QLabel* m_note;
};

} // namespace headroom::app

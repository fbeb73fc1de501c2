// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/spoken_words.h"

#include <QTextBrowser>

#include <optional>
#include <vector>

namespace headroom::app {

/// The best texts of a search, one a row: rank, score, and the words with their differences from the best
/// text. A click on a word, or Enter after Tab, asks to hear it and to follow its text. The text that is followed is marked. Copied as plain text, each is a line
/// of its own words. Hidden while there are none. Window's thread.
class NBestList : public QTextBrowser {
    Q_OBJECT

public:
    explicit NBestList(QWidget* parent = nullptr);

    void setHypotheses(std::vector<SpokenWords::Hypothesis> hypotheses);
    const std::vector<SpokenWords::Hypothesis>& hypotheses() const { return m_hypotheses; }
    void setFollowed(std::size_t hypothesis);
    QSize sizeHint() const override; ///< high enough for all rows, up to eight lines

Q_SIGNALS:
    /// `span`: none in a text that is not spoken, or without an aligned time.
    void wordActivated(std::size_t hypothesis, const std::optional<headroom::app::SpokenWords::Span>& span);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    QMimeData* createMimeDataFromSelection() const override;

private:
    QString selectedText() const;
    void lay();
    void markFollowed();
    QString rowOf(std::size_t place) const;
    void follow(const QUrl& link);
    std::vector<SpokenWords::Hypothesis> m_hypotheses;
    std::size_t m_followed = 0;
};

} // namespace headroom::app

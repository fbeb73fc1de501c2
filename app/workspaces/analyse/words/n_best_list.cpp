// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/words/n_best_list.h"

#include "app/parts/word_marks.h"
#include "core/text/word_alignment.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"

#include <QEvent>
#include <QMimeData>
#include <QTextBlock>
#include <QTextDocumentFragment>
#include <QTextTable>
#include <QUrl>

#include <algorithm>
#include <cmath>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

namespace {

std::vector<std::string> labelsOf(const SpokenWords::Hypothesis& hypothesis) {
    std::vector<std::string> labels;
    for (const auto& word : hypothesis.words)
        labels.push_back(word.label.toStdString());
    return labels;
}

/// What of a cell lies between two positions, without the words of the best text that are missing in its own.
QString ownText(const QTextTableCell& cell, int start, int end) {
    QString text;
    for (auto frame = cell.begin(); !frame.atEnd(); ++frame)
        for (auto part = frame.currentBlock().begin(); !part.atEnd(); ++part) {
            const QTextFragment fragment = part.fragment();
            const int from = std::max(start - fragment.position(), 0), to = std::min(end - fragment.position(), fragment.length());
            if (!fragment.charFormat().fontStrikeOut() && from < to)
                text += fragment.text().mid(from, to - from);
        }
    return text.simplified(); // without the blanks around them
}

} // namespace

NBestList::NBestList(QWidget* parent) : QTextBrowser(parent) {
    setObjectName(QStringLiteral("nBest"));
    setAccessibleName(tr("N-best list"));
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::LinksAccessibleByKeyboard);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    widgets::withTextSize(this, [this] {
        setFont(Sizes::caption());
        document()->setDocumentMargin(Sizes::unit() / 2);
    });
    connect(this, &QTextBrowser::anchorClicked, this, &NBestList::follow);
    hide();
}

void NBestList::setHypotheses(std::vector<SpokenWords::Hypothesis> hypotheses) {
    m_hypotheses = std::move(hypotheses);
    const bool isHeard = std::ranges::any_of(m_hypotheses, [](const SpokenWords::Hypothesis& one) {
        return std::ranges::any_of(one.words, [](const auto& word) { return word.time.has_value(); });
    });
    const QString what = tr("The best texts of the search with their scores. Underlined words are not in the best text; struck out ones "
                            "are missing.");
    setToolTip(what + QLatin1Char(' ') +
               (isHeard ? tr("Click a word to hear it and to follow its text.")
                        : tr("Click a text to show its pieces and its log-probability in the Read-out.")));
    lay();
    setVisible(!m_hypotheses.empty());
}

/// A row of the table; each word is a link "HYPOTHESIS/WORD".
QString NBestList::rowOf(std::size_t place) const {
    const SpokenWords::Hypothesis& one = m_hypotheses[place];
    QStringList text;
    std::size_t next = 0;
    for (const AlignedWords& step : alignWords(labelsOf(m_hypotheses.front()), labelsOf(one))) {
        if (step.reference && !step.isHit())
            text << missingWordMark(QString::fromStdString(*step.reference).toHtmlEscaped());
        if (!step.hypothesis)
            continue;
        const auto& word = one.words[next];
        QString label = word.label.toHtmlEscaped();
        if (!step.isHit())
            label = addedWordMark(label);
        text << QStringLiteral("<a style=\"color:%1;text-decoration:none\" href=\"%2/%3\">%4</a>")
                    .arg(Theme::current().text.name())
                    .arg(place)
                    .arg(next)
                    .arg(label);
        ++next;
    }
    return QStringLiteral("<tr><td align=\"right\">%1</td><td align=\"right\" "
                          "style=\"color:%2\">%3</td><td>%4</td></tr>")
        .arg(place + 1)
        .arg(Theme::current().text2.name(), widgets::numberText(one.score, 3), text.join(QLatin1Char(' ')));
}

void NBestList::lay() {
    QString rows;
    QStringList spoken;
    for (std::size_t place = 0; place < m_hypotheses.size(); ++place) {
        rows += rowOf(place);
        QStringList words;
        for (const auto& word : m_hypotheses[place].words)
            words << word.label;
        spoken << tr("%1, score %2: %3")
                      .arg(QString::number(place + 1), widgets::numberText(m_hypotheses[place].score, 3),
                           words.join(QLatin1Char(' ')));
    }
    setHtml(QStringLiteral("<table cellspacing=\"0\" cellpadding=\"2\">%1</table>").arg(rows));
    setAccessibleDescription(spoken.join(QStringLiteral(". ")));
    markFollowed();
    updateGeometry();
}

void NBestList::setFollowed(std::size_t hypothesis) {
    if (hypothesis == m_followed)
        return;
    m_followed = hypothesis;
    markFollowed();
}

/// Over the document, which stays as it is: a link that was reached with Tab keeps the focus.
void NBestList::markFollowed() {
    const auto tables = document()->rootFrame()->childFrames();
    const auto* table = tables.isEmpty() ? nullptr : qobject_cast<const QTextTable*>(tables.first());
    QList<ExtraSelection> marks;
    for (int column = 0; table && static_cast<int>(m_followed) < table->rows() && column < table->columns(); ++column) {
        const QTextTableCell cell = table->cellAt(static_cast<int>(m_followed), column);
        ExtraSelection mark;
        mark.cursor = cell.firstCursorPosition();
        mark.cursor.setPosition(cell.lastPosition(), QTextCursor::KeepAnchor);
        mark.format.setBackground(Theme::current().selectedRow);
        marks << mark;
    }
    setExtraSelections(marks);
}

QSize NBestList::sizeHint() const {
    constexpr int kMostLines = 8;
    const int height = static_cast<int>(std::ceil(document()->size().height()));
    const int border = qRound(Sizes::unit() / 2); // of the style
    return {QTextBrowser::sizeHint().width(), std::min(height, kMostLines * Sizes::tableRow()) + border};
}

/// A line for each text, with tabs between number, score and words.
QString NBestList::selectedText() const {
    const QTextCursor cursor = textCursor();
    const auto tables = document()->rootFrame()->childFrames();
    const auto* table = tables.isEmpty() ? nullptr : qobject_cast<const QTextTable*>(tables.first());
    if (!table)
        return {};
    int firstRow = -1, rows = 0, firstColumn = -1, columns = 0; // of a selection from one cell to another, which has both whole
    cursor.selectedTableCells(&firstRow, &rows, &firstColumn, &columns);
    const bool isWhole = firstRow >= 0;
    QStringList lines;
    for (int row = 0; row < table->rows(); ++row) {
        QStringList cells;
        for (int column = 0; column < table->columns(); ++column) {
            const QTextTableCell cell = table->cellAt(row, column);
            const int start = cell.firstPosition(), end = cell.lastPosition();
            if (isWhole && row >= firstRow && row < firstRow + rows && column >= firstColumn && column < firstColumn + columns)
                cells << ownText(cell, start, end);
            else if (!isWhole && cursor.selectionStart() <= end && cursor.selectionEnd() >= start)
                cells << ownText(cell, cursor.selectionStart(), cursor.selectionEnd());
        }
        if (!cells.isEmpty())
            lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

QMimeData* NBestList::createMimeDataFromSelection() const {
    auto* copied = new QMimeData;
    copied->setText(selectedText());
    copied->setHtml(textCursor().selection().toHtml()); // has the marks
    return copied;
}

void NBestList::resizeEvent(QResizeEvent* event) {
    QTextBrowser::resizeEvent(event);
    updateGeometry(); // lines wrap
}

void NBestList::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        lay();
}

void NBestList::follow(const QUrl& link) {
    const QStringList parts = link.toString().split(QLatin1Char('/'));
    const auto hypothesis = parts.value(0).toULongLong(), word = parts.value(1).toULongLong();
    if (hypothesis < m_hypotheses.size() && word < m_hypotheses[hypothesis].words.size())
        Q_EMIT wordActivated(hypothesis, m_hypotheses[hypothesis].words[word].time);
}

} // namespace headroom::app

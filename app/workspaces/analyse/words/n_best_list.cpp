// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/words/n_best_list.h"

#include "app/parts/word_marks.h"
#include "core/text/word_alignment.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"

#include <QEvent>
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

} // namespace

NBestList::NBestList(QWidget* parent) : QTextBrowser(parent) {
    setObjectName(QStringLiteral("nBest"));
    setAccessibleName(tr("N-best list"));
    setToolTip(tr("The best texts of the search with their scores. Underlined words are not in the best "
                  "text; struck out ones "
                  "are missing. Click a word to hear it."));
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
    lay();
    setVisible(!m_hypotheses.empty());
}

/// A row of the table; a word with a time is a link "HYPOTHESIS/WORD".
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
        if (word.time)
            label = QStringLiteral("<a style=\"color:%1;text-decoration:none\" href=\"%2/%3\">%4</a>")
                        .arg(Theme::current().text.name())
                        .arg(place)
                        .arg(next)
                        .arg(label);
        text << label;
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
    updateGeometry();
}

QSize NBestList::sizeHint() const {
    constexpr int kMostLines = 8;
    const int height = static_cast<int>(std::ceil(document()->size().height()));
    const int border = qRound(Sizes::unit() / 2); // of the style
    return {QTextBrowser::sizeHint().width(), std::min(height, kMostLines * Sizes::tableRow()) + border};
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
        if (const auto& time = m_hypotheses[hypothesis].words[word].time)
            Q_EMIT wordActivated(*time);
}

} // namespace headroom::app

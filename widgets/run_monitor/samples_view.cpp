// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/samples_view.h"

#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"

#include <QEvent>
#include <QScrollBar>

#include <algorithm>

namespace headroom::widgets {

namespace {
constexpr qsizetype kMostWords = 400; // an alignment is quadratic; nobody reads longer examples

/// Words as WER compares them: in lower case and without punctuation. A word of punctuation alone stays.
QStringList comparedWords(const QStringList& words) {
    QStringList compared;
    for (const QString& word : words) {
        QString bare;
        for (const QChar letter : word)
            if (!letter.isPunct() || letter == u'\'')
                bare += letter;
        compared << (bare.isEmpty() ? word : bare).toLower();
    }
    return compared;
}
}

std::vector<bool> wordsThatMatch(const QStringList& reference, const QStringList& hypothesis) {
    const auto n = static_cast<std::size_t>(std::min(reference.size(), kMostWords));
    const auto m = static_cast<std::size_t>(std::min(hypothesis.size(), kMostWords));
    std::vector<bool> same(static_cast<std::size_t>(hypothesis.size()), false);
    std::vector<int> cost((n + 1) * (m + 1));
    const auto at = [&](std::size_t i, std::size_t j) -> int& { return cost[i * (m + 1) + j]; };
    const auto equal = [&](std::size_t i, std::size_t j) {
        return reference[static_cast<qsizetype>(i)] == hypothesis[static_cast<qsizetype>(j)];
    };
    for (std::size_t i = 0; i <= n; ++i)
        for (std::size_t j = 0; j <= m; ++j)
            at(i, j) = i == 0   ? static_cast<int>(j)
                       : j == 0 ? static_cast<int>(i)
                                : std::min({at(i - 1, j) + 1, at(i, j - 1) + 1,
                                            at(i - 1, j - 1) + (equal(i - 1, j - 1) ? 0 : 1)});
    for (std::size_t i = n, j = m; i > 0 && j > 0;) {
        if (equal(i - 1, j - 1) && at(i, j) == at(i - 1, j - 1)) {
            same[--j] = true;
            --i;
        } else if (at(i, j) == at(i - 1, j - 1) + 1) {
            --i, --j;
        } else if (at(i, j) == at(i, j - 1) + 1) {
            --j;
        } else {
            --i;
        }
    }
    return same;
}

SamplesView::SamplesView(QWidget* parent) : QTextBrowser(parent) {
    setFrameShape(QFrame::NoFrame);
    setStyleSheet(QStringLiteral("QTextBrowser { border: none; padding: 4px 8px; }"));
    setOpenLinks(false);
    setAccessibleName(tr("Decoded examples"));
    setToolTip(tr("Underlined: words that are not in the reference, compared in lower case and without punctuation."));
    withTextSize(this, [this] { show(); });
}

void SamplesView::setSamples(const QString& head, std::vector<DecodedSample> samples) {
    m_head = head;
    m_samples = std::move(samples);
    const int place = verticalScrollBar()->value();
    show();
    verticalScrollBar()->setValue(place);
}

void SamplesView::setEmptySentence(const QString& sentence) {
    m_emptySentence = sentence;
    if (m_samples.empty())
        show();
}

void SamplesView::show() {
    const Theme& theme = Theme::current();
    document()->setDefaultFont(Sizes::caption());
    if (m_samples.empty()) {
        const QString why = m_emptySentence.isEmpty() ? tr("Examples appear after the first validation.") : m_emptySentence;
        setHtml(QStringLiteral("<p style='color:%1'>%2</p>").arg(theme.text2.name(), why.toHtmlEscaped()));
        return;
    }
    QString html =
        QStringLiteral("<p style='color:%1'>%2</p>").arg(theme.text2.name(), m_head.toHtmlEscaped());
    for (const DecodedSample& sample : m_samples) {
        const QStringList reference = sample.reference.split(u' ', Qt::SkipEmptyParts);
        const QStringList hypothesis = sample.hypothesis.split(u' ', Qt::SkipEmptyParts);
        const auto same = wordsThatMatch(comparedWords(reference), comparedWords(hypothesis));
        QString words;
        for (qsizetype i = 0; i < hypothesis.size(); ++i) {
            const QString word = hypothesis[i].toHtmlEscaped();
            words += same[static_cast<std::size_t>(i)]
                         ? word + u' '
                         : QStringLiteral("<span style='color:%1;text-decoration:underline'>%2</span> ")
                               .arg(theme.warning.name(), word);
        }
        html +=
            QStringLiteral("<p style='margin-top:6px;margin-bottom:6px'><span style='color:%1'>%2</span><br>"
                           "<span style='color:%1'>ref&nbsp;</span> %3<br><span "
                           "style='color:%1'>hyp&nbsp;</span> %4</p>")
                .arg(theme.text3.name(), sample.id.toHtmlEscaped(), sample.reference.toHtmlEscaped(),
                     words.isEmpty() ? QStringLiteral("–") : words);
    }
    setHtml(html);
}

void SamplesView::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        show();
}

} // namespace headroom::widgets

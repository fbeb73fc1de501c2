// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/words/word_mixing_panel.h"

#include "app/documents/items/map_names.h"
#include "app/parts/least_height_area.h"
#include "app/parts/number_text.h"
#include "app/parts/tab_parts.h"
#include "app/workspaces/analyse/words/word_read_out.h"
#include "core/studies/table.h"
#include "widgets/look/sizes.h"
#include "widgets/study_table/study_table_view.h"
#include "widgets/text_map/measure_tiles.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headroom::app {

namespace {

constexpr int kLeastRows = 3;

StudyCell cellOf(double value) {
    return std::isfinite(value) ? StudyCell(value) : StudyCell();
}

/// What the map of a measure says; NaN where it is not known.
struct MeasureNumbers {
    double found = NAN, inside = NAN, agreement = NAN, milliseconds = NAN;
};

MeasureNumbers numbersOf(const WordMixingPanel::Content& content, const MeasuredWords& measured,
                         const MeasuredWords* zeroing) {
    MeasureNumbers numbers;
    numbers.milliseconds = measured.milliseconds;
    if (!measured.map)
        return numbers;
    numbers.found = shareOfWordsFound(*content.words, content.references, *measured.map);
    if (content.word >= 0)
        numbers.inside = attentionOfWord(*content.words, content.word, *measured.map).inside;
    if (zeroing && zeroing->map && zeroing != &measured)
        numbers.agreement = rankCorrelationOf(*measured.map, *zeroing->map);
    return numbers;
}

/// Why none of the words of an aligned utterance is counted.
QString whyNoneIsCounted(const SpokenWords& words) {
    const QStringList without = wordsWithoutToken(words);
    const bool areAll = without.size() == static_cast<qsizetype>(words.words.size());
    if (without.isEmpty())
        return WordMixingPanel::tr("None of these words is in the alignment, so none is counted.");
    if (without.size() > 1)
        return areAll ? WordMixingPanel::tr("None of these words has a token, so none is counted.")
                      : WordMixingPanel::tr("%1 words have no token, and none of the others is in the alignment, so none is counted.")
                            .arg(without.size());
    return (areAll ? WordMixingPanel::tr("The word “%1” has no token, so it is not counted.")
                   : WordMixingPanel::tr("The word “%1” has no token, and none of the others is in the alignment, so none is counted."))
        .arg(without.front());
}

} // namespace

WordMixingPanel::WordMixingPanel(QWidget* parent)
    : QWidget(parent)
    , m_pages(new QStackedLayout)
    , m_empty(emptyPage(this))
    , m_tiles(new widgets::MeasureTiles(this))
    , m_table(new widgets::StudyTableView(this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
    , m_note(new QLabel(this)) {
    setObjectName(QStringLiteral("wordMixingTab"));
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    m_table->setAccessibleName(tr("Measures of mixing of the cross-attention"));
    m_table->setToolTip(
        tr("Words: share of the words with a reference whose centre lies within 100 ms of it. Inside: share of the current "
           "word's rows inside its time. ρ: rank correlation with value zeroing, mean over the pieces. Time: on this worker; "
           "of the rollout, in all layers."));
    m_note->setWordWrap(true);
    m_note->setProperty("secondary", true);
    m_cancel->setProperty("small", true);
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    const int edge = qRound(2 * widgets::Sizes::unit());
    layout->setContentsMargins(0, 0, 0, edge);
    layout->setSpacing(0); // the tiles end with a gap of their own
    layout->addWidget(m_tiles);
    layout->addWidget(m_table, 1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(edge, edge, edge, 0);
    foot->addWidget(m_note, 1);
    foot->addWidget(m_cancel);
    layout->addLayout(foot);
    m_pages->addWidget(m_empty);
    m_table->setLeastRows(kLeastRows);
    m_pages->addWidget(new LeastHeightArea(content, this));
    setLayout(m_pages);
    connect(m_tiles, &widgets::MeasureTiles::tileChosen, this, &WordMixingPanel::choose);
    // Not rowChosen, which comes with every arrow key and would start slow measures.
    for (auto signal : {&widgets::StudyTableView::cellClicked, &widgets::StudyTableView::cellActivated})
        connect(m_table, signal, this, [this](int row, int) { choose(row); });
    connect(m_cancel, &QPushButton::clicked, this, &WordMixingPanel::cancelled);
    show({});
}

void WordMixingPanel::choose(int place) {
    if (place >= 0 && place < static_cast<int>(wordMeasures().size()))
        Q_EMIT measureChosen(nameOf(wordMeasures()[static_cast<std::size_t>(place)]));
}

void WordMixingPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    Q_EMIT shown();
}

void WordMixingPanel::setColours(widgets::ColourMap::Name name, double gamma) {
    m_tiles->setColours(name, gamma);
}

QString WordMixingPanel::note() const {
    return m_note->text();
}

void WordMixingPanel::show(const Content& content) {
    const bool has = content.words && content.words->layers() > 0;
    m_empty->setText(has                 ? QString()
                     : content.words     ? tr("This model has no decoder, so there is no cross-attention to measure.")
                     : !content.sentence.isEmpty() ? content.sentence
                                                   : tr("Open a model and an utterance."));
    m_pages->setCurrentIndex(has ? 1 : 0);
    if (!has) {
        m_tiles->setTiles({});
        return;
    }
    const MeasuredWords none;
    const auto known = [&](const std::string& name) {
        const auto found = content.state ? content.state->measures.find(name) : std::map<std::string, MeasuredWords>::const_iterator();
        return content.state && found != content.state->measures.end() ? &found->second : nullptr;
    };
    const MeasuredWords* zeroing = known(nameOf(MixingMeasure{Mixing::ValueZeroing, false}));
    std::vector<widgets::MeasureTile> tiles;
    StudyTable table;
    table.name = "mixing";
    table.title = tr("Mixing in decoder layer %1").arg(content.layer).toStdString();
    table.caption = m_table->toolTip().toStdString();
    table.columns = {{"measure", tr("Measure").toStdString(), "", 0, true},
                     {"symbol", "", "", 0, true},
                     {"words", tr("Words").toStdString(), "%", 0, false},
                     {"inside", tr("Inside").toStdString(), "", 3, false},
                     {"rho", tr("ρ with Z").toStdString(), "", 2, false},
                     {"time", tr("Time").toStdString(), "ms", 1, false}};
    int chosen = content.chosen.empty() ? 0 : -1, place = 0;
    for (const MixingMeasure& measure : wordMeasures()) {
        const std::string name = nameOf(measure);
        const MeasuredWords* found = known(name);
        const MeasureNumbers numbers = numbersOf(content, found ? *found : none, zeroing);
        const bool asked = content.state && content.state->asked.contains(name);
        widgets::MeasureTile tile;
        tile.title = wordMeasureTitle(measure);
        tile.toolTip = wordMeasureToolTip(measure);
        tile.map = found ? found->map : nullptr;
        tile.note = std::isfinite(numbers.found) ? tr("%1\u202f%").arg(decimals(numbers.found * 100, 0)) : kUnknown;
        tile.sentence = found ? found->reason : asked ? tr("Computing…") : tr("Click to compute it.");
        tiles.push_back(std::move(tile));
        table.rows.push_back({wordMeasureTitle(measure).toStdString(), mapSymbol(MapSource::of(measure)).toStdString(),
                              cellOf(numbers.found * 100), cellOf(numbers.inside), cellOf(numbers.agreement),
                              cellOf(numbers.milliseconds)});
        if (name == content.chosen)
            chosen = place;
        ++place;
    }
    m_tiles->setTiles(std::move(tiles));
    m_tiles->setCurrent(chosen);
    const SpokenWords::Word* word =
        content.word >= 0 ? &content.words->words[static_cast<std::size_t>(content.word)] : nullptr;
    m_tiles->setMarkedRows(word && word->first < word->end ? std::optional(std::pair(word->first, word->end)) : std::nullopt);
    const QSignalBlocker quiet(m_table);
    const int reached = m_table->currentRow(); // perhaps with the arrow keys
    m_table->setTable(std::move(table));
    m_table->setCurrentRow(chosen == m_shownRow ? reached : chosen);
    m_shownRow = chosen;
    m_cancel->setVisible(content.state && !content.state->asked.empty());
    std::ptrdiff_t references = 0; // of words that have rows
    for (std::size_t one = 0; one < content.references.size(); ++one)
        references += content.references[one].has_value() && content.words->words.at(one).first < content.words->words.at(one).end;
    const QString reference =
        references > 0 ? tr("Words: share whose centre is within 100 ms of the reference (%1).")
                             .arg(references == 1 ? tr("1 word") : tr("%1 words").arg(references))
                       : content.isText ? tr("No words are counted: those of a translation have no times.")
                       : content.aligned
                           ? whyNoneIsCounted(*content.words)
                           : tr("Add an alignment to see how many words each measure finds.");
    const int heads = content.words->heads();
    m_note->setText(tr("Cross-attention of decoder layer %1, %2. %3 ρ: rank correlation with value zeroing.")
                        .arg(content.layer)
                        .arg(heads == 1 ? tr("its only head") : tr("all %1 heads together").arg(heads), reference));
}

} // namespace headroom::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text_map/text_map_view.h"

#include "widgets/look/number_text.h"
#include "widgets/text_map/small_map.h"

#include "widgets/look/sizes.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {

constexpr Seconds kRounding{0.0005}; ///< a cursor that was played to an end lies on a sample

} // namespace

TextMapView::TextMapView(QWidget* parent)
    : TimeLane(parent)
    , m_valueName(tr("attention"))
    , m_symbol(QStringLiteral("A"))
    , m_tag(new MapTagWidget(this)) {
    updateDescription();
}

void TextMapView::setAxis(TimeAxis* newAxis) {
    TimeLane::setAxis(newAxis);
    if (newAxis)
        connect(newAxis, &TimeAxis::selectionChanged, this, &TextMapView::cursorMoved);
    cursorMoved();
}

void TextMapView::setWordAxis(TimeAxis* sound) {
    for (const QMetaObject::Connection& one : m_fromWordAxis)
        disconnect(one);
    m_fromWordAxis.clear();
    m_wordAxis = sound;
    if (sound)
        m_fromWordAxis = {connect(sound, &TimeAxis::cursorChanged, this, &TextMapView::cursorMoved),
                          connect(sound, &TimeAxis::selectionChanged, this, &TextMapView::cursorMoved)};
    cursorMoved();
    update();
}

void TextMapView::setText(std::vector<TextRow> rows, std::vector<TextWord> words) {
    const bool same = std::ranges::equal(words, m_words, [](const TextWord& a, const TextWord& b) {
        return a.label == b.label && a.first == b.first && a.end == b.end;
    });
    m_rows = std::move(rows);
    m_words = std::move(words);
    if (!same)
        m_chosen = -1;
    m_marked = currentWord();
    m_top = std::clamp(m_top, 0.0, largestTop());
    m_sampledFor = {};
    m_tag->hide();
    updateDescription();
    update();
}

void TextMapView::setMap(std::shared_ptr<const MaxPyramid> map, const TokenClock& clock) {
    m_map = map && !map->empty() ? std::move(map) : nullptr;
    m_clock = clock;
    m_range = m_map ? percentileRange(m_map->level(0)) : ValueRange();
    m_largest = m_map ? static_cast<double>(m_map->maximum(0, 0, m_map->rows(), m_map->columns())) : 0;
    m_sampledFor = {};
    m_tag->hide();
    updateDescription();
    update();
}

void TextMapView::setValueName(const QString& name, const QString& symbol) {
    m_valueName = name;
    m_symbol = symbol;
    update();
}

void TextMapView::setTitle(const QString& title) {
    m_title = title;
    updateDescription();
}

void TextMapView::setEmptySentence(const QString& sentence) {
    m_emptySentence = sentence;
    updateDescription();
    update();
}

void TextMapView::setColourMap(ColourMap::Name name) {
    m_colourMap = name;
    m_sampledFor = {};
    update();
}

void TextMapView::setGamma(double gamma) {
    m_gamma = std::clamp(gamma, 0.2, 1.0);
    m_sampledFor = {};
    update();
}

int TextMapView::currentWord() const {
    if (std::ranges::none_of(m_words, [](const TextWord& word) { return word.time.has_value(); }))
        return m_chosen;
    const TimeAxis* sound = wordAxis();
    const auto cursor = sound ? sound->cursor() : std::nullopt;
    if (!cursor)
        return -1;
    // A word that is selected stays the current one when it has been played to its end.
    if (const auto selection = sound->selection();
        selection && *cursor >= selection->start && *cursor <= selection->end + kRounding) {
        const auto isSelected = [&](const TextWord& word) { // the axis cuts a selection at the end of the sound
            return word.time && word.time->start == selection->start &&
                   std::min(word.time->end, sound->extent()) == selection->end;
        };
        if (m_chosen >= 0 && isSelected(m_words[static_cast<std::size_t>(m_chosen)])) // two words may have one time
            return m_chosen;
        if (const auto word = std::ranges::find_if(m_words, isSelected); word != m_words.end())
            return static_cast<int>(word - m_words.begin());
    }
    for (std::size_t word = 0; word < m_words.size(); ++word)
        if (const auto& time = m_words[word].time; time && *cursor >= time->start && *cursor < time->end)
            return static_cast<int>(word);
    return -1;
}

double TextMapView::rowHeight() const {
    if (m_rows.empty())
        return 1;
    const double least = QFontMetricsF(Sizes::small()).height();
    return std::max(plotRect().height() / static_cast<double>(m_rows.size()), least);
}

double TextMapView::largestTop() const {
    return std::max(rowHeight() * static_cast<double>(m_rows.size()) - plotRect().height(), 0.0);
}

QRectF TextMapView::rowRect(int row) const {
    const QRectF plot = plotRect();
    return {plot.left(), plot.top() - top() + row * rowHeight(), plot.width(), rowHeight()};
}

double TextMapView::top() const {
    return std::min(m_top, largestTop());
}

int TextMapView::figureHeight() const {
    const bool showsAll = hasMap() && m_rows.size() <= std::size_t(kMostFigureRows);
    return height() + (showsAll ? static_cast<int>(std::ceil(largestTop())) : 0);
}

std::pair<int, int> TextMapView::figureRows() const {
    const int count = static_cast<int>(m_rows.size());
    if (count <= kMostFigureRows)
        return {0, count};
    const int first = static_cast<int>(std::ceil(top() / rowHeight()));
    return {first, std::min(count, static_cast<int>((top() + plotRect().height()) / rowHeight()))};
}

std::optional<int> TextMapView::rowAt(double y) const {
    const QRectF plot = plotRect();
    if (m_rows.empty() || y < plot.top() || y >= plot.bottom())
        return std::nullopt;
    const int row = static_cast<int>(std::floor((y - plot.top() + m_top) / rowHeight()));
    return row >= 0 && row < static_cast<int>(m_rows.size()) ? std::optional(row) : std::nullopt;
}

void TextMapView::revealWord(int word) {
    if (word < 0)
        return;
    const TextWord& shown = m_words[static_cast<std::size_t>(word)];
    if (shown.first >= shown.end)
        return;
    const double top = shown.first * rowHeight(), bottom = shown.end * rowHeight();
    m_top = std::clamp(m_top, std::min(bottom - plotRect().height(), top), top);
    m_top = std::clamp(m_top, 0.0, largestTop());
}

void TextMapView::cursorMoved() {
    const int word = currentWord();
    if (word == m_marked)
        return;
    m_marked = word;
    revealWord(word);
    updateDescription();
    update();
}

void TextMapView::go(int word) {
    if (m_words.empty())
        return;
    m_chosen = std::clamp(word, 0, static_cast<int>(m_words.size()) - 1);
    Q_EMIT wordReached(m_chosen);
    cursorMoved();
}

void TextMapView::activate(int word) {
    m_chosen = word;
    Q_EMIT wordActivated(word);
    cursorMoved();
}

/// A context menu speaks of the word under the mouse.
void TextMapView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::RightButton && hasMap())
        if (const auto row = rowAt(event->position().y()))
            if (const int word = m_rows[static_cast<std::size_t>(*row)].word; word >= 0)
                go(word);
    TimeLane::mousePressEvent(event);
}

void TextMapView::mouseReleaseEvent(QMouseEvent* event) {
    const auto row =
        event->button() == Qt::LeftButton && hasMap() ? rowAt(event->position().y()) : std::nullopt;
    TimeLane::mouseReleaseEvent(event);
    if (row && rect().contains(event->position().toPoint()))
        if (const int word = m_rows[static_cast<std::size_t>(*row)].word; word >= 0)
            activate(word);
}

void TextMapView::mouseMoveEvent(QMouseEvent* event) {
    TimeLane::mouseMoveEvent(event);
    const auto row = rowAt(event->position().y());
    if (!hasMap() || !hasSound() || !row || !plotRect().contains(event->position()) ||
        static_cast<std::size_t>(*row) >= m_map->rows())
        return m_tag->hide();
    const Tokens token =
        m_clock.tokenAt(timeAt(event->position().x()), Tokens(static_cast<std::int64_t>(m_map->columns())));
    const MapTag tag = readOut(*row, token);
    m_tag->show(tag, tag.placed(event->position(), 1.5 * Sizes::unit(), plotRect()));
}

void TextMapView::leaveEvent(QEvent* event) {
    m_tag->hide();
    TimeLane::leaveEvent(event);
}

void TextMapView::wheelEvent(QWheelEvent* event) {
    const bool overLabels = event->position().x() < plotRect().left();
    if (!(overLabels || event->modifiers() & Qt::AltModifier) || largestTop() <= 0)
        return TimeLane::wheelEvent(event);
    // Alt turns the wheel sideways on some platforms.
    const QPoint delta = event->angleDelta();
    const double notches = (delta.y() != 0 ? delta.y() : delta.x()) / 120.0;
    m_top = std::clamp(m_top - 3 * notches * rowHeight(), 0.0, largestTop());
    m_tag->hide();
    event->accept();
    update();
}

void TextMapView::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(m_words.size()) - 1;
    switch (event->key()) {
    case Qt::Key_Up:
        return go(m_marked < 0 ? 0 : m_marked - 1);
    case Qt::Key_Down:
        return go(m_marked + 1);
    case Qt::Key_Home:
        return go(0);
    case Qt::Key_End:
        return go(last);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_marked >= 0)
            activate(m_marked);
        return;
    default:
        TimeLane::keyPressEvent(event);
    }
}

bool TextMapView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) { // ours while the map has the focus, not the workspace's
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Home || key == Qt::Key_End || key == Qt::Key_Up || key == Qt::Key_Down) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto row = rowAt(help->pos().y());
        if (row && help->pos().x() < plotRect().left()) {
            QToolTip::showText(help->globalPos(), rowToolTip(*row), this);
            return true;
        }
    }
    return TimeLane::event(event);
}

QString TextMapView::rowToolTip(int row) const {
    const TextRow& shown = m_rows[static_cast<std::size_t>(row)];
    if (shown.word < 0)
        return shown.label;
    const TextWord& word = m_words[static_cast<std::size_t>(shown.word)];
    return (word.time ? tr("%1, part of “%2”. Click to hear the word.") : tr("%1, part of “%2”.")).arg(shown.label, word.label);
}

void TextMapView::resizeEvent(QResizeEvent* event) {
    TimeLane::resizeEvent(event);
    m_top = std::clamp(m_top, 0.0, largestTop());
    revealWord(m_marked);
}

void TextMapView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        m_sampledFor = {};
    TimeLane::changeEvent(event);
}

QSize TextMapView::sizeHint() const {
    return {qRound(80 * Sizes::unit()), qRound(50 * Sizes::unit())};
}

QSize TextMapView::minimumSizeHint() const {
    return {qRound(30 * Sizes::unit()), qRound(12 * Sizes::unit())};
}

MapTag TextMapView::readOut(int row, Tokens token) const {
    const float value =
        m_map->level(0)(static_cast<std::size_t>(row), static_cast<std::size_t>(token.value()));
    const QString key = token.value() < m_keyLabels.size()
                            ? m_keyLabels[token.value()]
                            : timeText(m_clock.centre(token).value(), 3) + QStringLiteral("\u202fs");
    return {{{tr("%1, key %2").arg(m_rows[static_cast<std::size_t>(row)].label, key)},
             {QStringLiteral("%1 %2").arg(m_valueName, number(static_cast<double>(value), 4)), true}},
            QColor()};
}

void TextMapView::updateDescription() {
    setAccessibleName(m_title.isEmpty() ? tr("Text over time") : m_title);
    if (!hasMap())
        return setAccessibleDescription(m_emptySentence);
    QString sentence = m_words.size() == 1 ? tr("1 word.") : tr("%1 words.").arg(m_words.size());
    if (m_marked >= 0) {
        const TextWord& word = m_words[static_cast<std::size_t>(m_marked)];
        sentence += QChar(u' ') + (word.time ? tr("Word %1, %2, %3 to %4 s.")
                                                   .arg(m_marked + 1)
                                                   .arg(word.label, timeText(word.time->start.value(), 2),
                                                        timeText(word.time->end.value(), 2))
                                             : tr("Word %1, %2.").arg(m_marked + 1).arg(word.label));
    }
    setAccessibleDescription(sentence);
}

} // namespace headroom::widgets

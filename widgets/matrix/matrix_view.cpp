// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/matrix/matrix_view.h"

#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom::widgets {

namespace {

double largestOf(const MaxPyramid& map, bool hideDiagonal) {
    if (map.empty())
        return 0;
    if (!hideDiagonal)
        return map.maximum(0, 0, map.rows(), map.columns());
    float largest = 0;
    for (std::size_t row = 0; row < map.rows(); ++row)
        for (std::size_t column = 0; column < map.columns(); ++column)
            if (const float value = map.level(0)(row, column); row != column && value > largest)
                largest = value;
    return largest;
}

} // namespace

LayerMatrixView::LayerMatrixView(QWidget* parent)
    : TimeLane(parent)
    , m_names{{}, tr("contribution"), QStringLiteral("C")}
    , m_emptySentence(tr("No map yet. Open a model and an utterance."))
    , m_band(new WindowBand(this))
    , m_tag(new MapTagWidget(this)) {
    connect(m_band, &WindowBand::hoveredChanged, this, [this](bool hovered) {
        if (hovered)
            hideReadout();
    });
    connect(m_band, &WindowBand::tagMoved, this, [this] {
        if (m_readAt)
            followReadout();
    });
    connect(m_band, &WindowBand::windowEdited, this, &LayerMatrixView::updateDescription);
    updateDescription();
}

void LayerMatrixView::setAxis(TimeAxis* newAxis) {
    TimeLane::setAxis(newAxis); // also drops the connections below from the axis before
    if (newAxis) {
        // The base repaints strips along its own lines; here the cursor's line is horizontal.
        connect(newAxis, &TimeAxis::cursorChanged, this, [this] {
            followCursor();
            updateDescription();
            update();
        });
        connect(newAxis, &TimeAxis::visibleChanged, this, [this] {
            followCursor();
            layOut();
        });
        connect(newAxis, &TimeAxis::extentChanged, this, [this] {
            m_queries = axis()->visible();
            m_firstQuery.reset();
            followCursor();
            layOut();
            update();
        });
        m_queries = newAxis->visible();
    }
    layOut();
}

void LayerMatrixView::setMatrix(std::shared_ptr<const MaxPyramid> map, const TokenClock& clock) {
    changeMap(std::move(map), nullptr, clock);
}

void LayerMatrixView::setPart(std::optional<TimeSpan> part) {
    if (part == m_part)
        return;
    m_part = part;
    updateDescription();
    update();
}

void LayerMatrixView::setDifference(std::shared_ptr<const MaxPyramid> difference,
                                    std::shared_ptr<const MaxPyramid> negated, const TokenClock& clock) {
    changeMap(std::move(difference), std::move(negated), clock);
}

void LayerMatrixView::changeMap(std::shared_ptr<const MaxPyramid> map,
                                std::shared_ptr<const MaxPyramid> negated, const TokenClock& clock) {
    const bool otherColours = (negated != nullptr) != showsDifference();
    m_map = std::move(map);
    if (m_map && (m_map->empty() || m_map->rows() != m_map->columns()))
        m_map.reset();
    m_negated = m_map ? std::move(negated) : nullptr;
    m_clock = clock;
    m_sampledFor = {};
    m_stale = false;
    if (m_map) {
        m_ownRange =
            m_negated ? differenceRange(m_map->level(0).view()) : offDiagonalRange(m_map->level(0).view());
    }
    findLargest();
    if (otherColours)
        recolour();
    followCursor(); // nothing else moves: the cursor may have been set while there was no map
    layOut();
    hideReadout();
    updateDescription();
    update();
}

void LayerMatrixView::setInPlace(std::shared_ptr<const MaxPyramid> map, const TokenClock& clock, const MapNames& names, const WindowBand* window) {
    m_inPlaceNames = names;
    m_band->setInPlace(map ? window : nullptr);
    if (map == m_inPlace)
        return updateDescription();
    m_inPlace = map && !map->empty() && map->rows() == map->columns() ? std::move(map) : nullptr;
    m_inPlaceClock = clock;
    m_sampledFor = {};
    findLargest();
    layOut();
    hideReadout();
    updateDescription();
    update();
}

void LayerMatrixView::recolour() {
    m_image = QImage();
    m_table.reset();
    update();
}

void LayerMatrixView::setColourMap(ColourMap::Name name) {
    m_colourMap = name;
    recolour();
}

void LayerMatrixView::setGamma(double gamma) {
    m_gamma = std::clamp(gamma, 0.2, 1.0);
    recolour();
}

void LayerMatrixView::setRange(std::optional<ValueRange> range) {
    if (m_range == range)
        return;
    m_range = range;
    recolour();
}

void LayerMatrixView::setHideDiagonal(bool hide) {
    m_hideDiagonal = hide;
    findLargest();
    update();
}

void LayerMatrixView::findLargest() {
    if (!m_map)
        return;
    m_largest = largestOf(shown(), m_hideDiagonal);
    if (m_negated && !m_inPlace)
        m_largest = std::max(m_largest, largestOf(*m_negated, m_hideDiagonal));
}

void LayerMatrixView::setStale(bool stale) {
    m_stale = stale;
    recolour();
}

void LayerMatrixView::setWords(std::vector<Interval> words) {
    m_words = std::move(words);
    update();
}

void LayerMatrixView::setValueName(const QString& name, const QString& symbol) {
    m_names.value = name;
    m_names.symbol = symbol;
    update();
}

void LayerMatrixView::setTitle(const QString& title) {
    m_names.title = title;
    updateDescription();
}

void LayerMatrixView::setEmptySentence(const QString& sentence) {
    m_emptySentence = sentence;
    update();
}

QImage LayerMatrixView::image(double pixelRatio) const {
    const auto where = mapping();
    if (where.empty() || !m_map)
        return {};
    const QSize pixels(static_cast<int>(std::ceil(where.plot.width() * pixelRatio)),
                       static_cast<int>(std::ceil(where.plot.height() * pixelRatio)));
    const Sampled wanted{&shown(), where.keys, where.queries, pixels, m_hideDiagonal};
    if (!(wanted == m_sampledFor)) {
        const auto columns = cellsOfPixels(where.keys, pixels.width(), where.clock, where.tokens);
        const auto rows = cellsOfPixels(where.queries, pixels.height(), where.clock, where.tokens);
        m_sampled = m_negated && !m_inPlace
                        ? sampleDifference(*m_map, *m_negated, rows, columns, m_hideDiagonal)
                        : sampleMap(shown(), rows, columns, m_hideDiagonal);
        m_sampledFor = wanted;
        m_image = QImage();
    }
    if (m_image.isNull()) {
        const auto& theme = Theme::current();
        if (!m_table && m_negated)
            m_table = ColourTable::aboutMiddle(ColourMap::named(ColourMap::Name::Difference, theme.isDark),
                                               m_gamma, theme.hiddenCell.rgb());
        else if (!m_table)
            m_table.emplace(ColourMap::named(m_colourMap, theme.isDark), m_gamma, theme.hiddenCell.rgb());
        m_image = m_table->colour(m_sampled, range());
        if (m_stale) { // what is outside of the map stays the ground
            const QImage colours = std::exchange(m_image, m_image.convertToFormat(QImage::Format_Grayscale8));
            if (colours.hasAlphaChannel())
                m_image.setAlphaChannel(colours.convertToFormat(QImage::Format_Alpha8));
        }
        m_image.setDevicePixelRatio(pixelRatio);
    }
    return m_image;
}

/// " (dog)"; empty where no word is.
QString LayerMatrixView::labelOf(Seconds time) const {
    for (const Interval& word : m_words)
        if (time >= word.start && time < word.end)
            return QStringLiteral(" (%1)").arg(QString::fromStdString(word.label));
    return {};
}

MapTag LayerMatrixView::readout(Tokens query, Tokens key) const {
    const float value =
        shown().level(0)(static_cast<std::size_t>(query.value()), static_cast<std::size_t>(key.value()));
    const auto place = [this, clock = shownClock()](Tokens token) { // a token of several bands has a frequency, too
        if (axis() && axis()->countsTokens())
            return QString::number(token.value()) + labelOf(clock.centre(token));
        const QString time = timeText(clock.centre(token).value(), 3) + QStringLiteral("\u202fs");
        return clock.bands() == 1 ? time : tr("%1 band %2").arg(time).arg(clock.band(token) + 1);
    };
    return {{{tr("query %1, key %2").arg(place(query), place(key))},
             {QStringLiteral("%1 %2").arg(names().value, number(static_cast<double>(value), 4)), true}},
            QColor()};
}

void LayerMatrixView::showReadout(QPointF at, Tokens query, Tokens key) {
    const auto tag = readout(query, key);
    m_tag->show(tag, tag.placed(at, 1.5 * Sizes::unit(), mapRect(), m_band->tagRect().translated(m_band->pos())));
}

void LayerMatrixView::hideReadout() {
    m_readAt.reset();
    m_tag->hide();
}

void LayerMatrixView::updateDescription() {
    const QString title = names().title.isEmpty() ? tr("Map of a layer") : names().title;
    setAccessibleName(title);
    m_band->setAccessibleName(tr("Window of %1").arg(title));
    if (!m_map) {
        setAccessibleDescription(m_emptySentence);
        return;
    }
    if (m_negated)
        return setAccessibleDescription(
            tr("%1, A − B, from %2 to %3.").arg(title, number(range().low, 3), number(range().high, 3)));
    const WindowBand& band = m_band->drawn();
    const int window = band.window();
    const bool isMasked = window <= 0 && band.shape().kind == BandShape::Kind::Masked;
    QString sentence =
        isMasked ? tr("%1, masked, CL %2.").arg(title, number(band.lossOf(0), 3))
        : !band.kinds().isEmpty() ? tr("%1, %2.").arg(title, band.kinds())
        : window > 0
            ? tr("%1, window %2, CL %3.").arg(title).arg(window).arg(number(band.lossOf(window), 3))
            : tr("%1, full, CL 0.").arg(title);
    if (const auto token = cursorToken())
        sentence += tr(" Query token %1 of %2.").arg(token->value()).arg(shown().rows());
    setAccessibleDescription(sentence);
}

QSize LayerMatrixView::sizeHint() const {
    const int gutters = 2 * Sizes::gutter();
    return {static_cast<int>(80 * Sizes::unit()) + gutters, static_cast<int>(60 * Sizes::unit())};
}

QSize LayerMatrixView::minimumSizeHint() const {
    return {static_cast<int>(20 * Sizes::unit()) + 2 * Sizes::gutter(),
            static_cast<int>(12 * Sizes::unit())};
}

} // namespace headroom::widgets

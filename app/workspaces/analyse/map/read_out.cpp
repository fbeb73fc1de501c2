// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/map/read_out.h"

#include "app/documents/items/map_names.h"
#include "app/documents/items/spoken_words.h"
#include "app/parts/number_text.h"
#include "app/workspaces/analyse/common/model_frames.h"
#include "app/workspaces/analyse/common/part_text.h"
#include "core/alignment/label_at.h"
#include "core/alignment/phones.h"
#include "widgets/look/translate.h"
#include "widgets/matrix/map_raster.h"

#include <algorithm>
#include <cmath>

namespace headroom::app {

namespace {

/// Bands count from 1, from the lowest.
QString bandText(std::int64_t token, const TokenClock& clock, const Architecture::FrontEnd* frontEnd) {
    if (clock.bands() == 1)
        return {};
    const std::int64_t band = clock.band(Tokens(token));
    const QString number = tr("%1 of %2").arg(band + 1).arg(clock.bands());
    if (!frontEnd || frontEnd->bands() != clock.bands())
        return number;
    const auto [lowest, highest] = frontEnd->bandHertz(band);
    return tr("%1, %2 to %3 Hz").arg(number, decimals(lowest, 0), decimals(highest, 0));
}

PlaceInSound placeAt(const OpenUtterance* utterance, const AnalysisResult* result, std::optional<Seconds> time,
              const Architecture::FrontEnd* frontEnd) {
    PlaceInSound place;
    place.time = time;
    if (!time || !utterance)
        return place;
    const auto counted = countedPart(utterance, result);
    const bool isOutside = counted && (*time < counted->start || *time > counted->end);
    if (const auto frames = modelFrames(utterance, frontEnd, counted); frames && !isOutside)
        place.frame = frames->clock.frameAt(*time, frames->count).value();
    if (result && result->tokens.value() > 0) {
        // Outside an analysed part there is no token, and no row in the map.
        const TokenClock& clock = result->clock;
        const auto part = partSpan(result);
        if (!part || widgets::tokenUnder(*time, clock, result->tokens, utterance->duration(), part)) {
            place.token = clock.tokenAt(*time, result->tokens).value();
            place.band = bandText(*place.token, clock, frontEnd);
            place.piece = pieceLabel(result->sourcePieces.value(*place.token));
        }
    }
    if (utterance->alignment) {
        place.hasAlignment = true;
        // The very end belongs to what is heard last.
        const Seconds within(std::min(time->value(), std::nextafter(utterance->duration().value(), 0.0)));
        place.word = QString::fromStdString(labelAt(utterance->alignment->words, within));
        place.phone = QString::fromStdString(labelAt(utterance->alignment->phones, within));
    }
    return place;
}

/// "1272, 318": commas for thousands would not be told from the one between the two.
QString indices(const PlaceInSound& place) {
    const QString frame = place.frame ? QString::number(*place.frame) : kUnknown;
    const QString token = place.token ? QString::number(*place.token) : kUnknown;
    return place.frame || place.token ? frame + QStringLiteral(", ") + token : kUnknown;
}

QString labels(const PlaceInSound& place) {
    if (!place.time || !place.hasAlignment)
        return kUnknown;
    if (place.word.isEmpty() && (place.phone.isEmpty() || isSilence(place.phone.toStdString())))
        return tr("silence");
    return (place.word.isEmpty() ? kUnknown : place.word) + QStringLiteral(", ") +
           (place.phone.isEmpty() ? kUnknown : place.phone);
}

/// Picoseconds: more digits would show how numbers are rounded, "14.984999999999999".
QString fullSeconds(const std::optional<Seconds>& time) {
    return time ? QString::number(time->value(), 'g', 12) : QString();
}

} // namespace

ReadOut readOutAt(const OpenUtterance* utterance, const AnalysisResult* result, const MaxPyramid* map,
                  MapSource source, std::optional<Seconds> cursor, std::optional<Seconds> pointer,
                  const Architecture::FrontEnd* frontEnd) {
    ReadOut readOut;
    readOut.isText = utterance && utterance->isText;
    if (countedPart(utterance, result))
        readOut.count = result && result->imported ? ReadOut::Count::Part : ReadOut::Count::Selection;
    readOut.cursor = placeAt(utterance, result, cursor, frontEnd);
    readOut.pointer = placeAt(utterance, result, pointer, frontEnd);
    switch (source.kind) {
    case MapSource::Kind::Contributions:
        readOut.valueName = tr("Contribution");
        break;
    case MapSource::Kind::Head:
        readOut.valueName = tr("Attention, head %1").arg(source.head);
        readOut.briefName = tr("Head %1").arg(source.head);
        break;
    case MapSource::Kind::HeadMean:
        readOut.valueName = tr("Attention, mean");
        readOut.briefName = tr("Attention");
        break;
    case MapSource::Kind::Mixing:
        readOut.valueName = mapTitle(source);
        break;
    }
    const auto query = readOut.cursor.token, key = readOut.pointer.token;
    if (!result || !query || !key)
        return readOut;
    readOut.offsetTokens = *key - *query;
    const std::int64_t bands = result->clock.bands(); // tokens of one column are simultaneous
    readOut.offset = result->clock.step() * static_cast<double>(*key / bands - *query / bands);
    if (!map || map->empty() || *query >= static_cast<std::int64_t>(map->rows()) ||
        *key >= static_cast<std::int64_t>(map->columns()))
        return readOut;
    const auto row = map->level(0).row(static_cast<std::size_t>(*query));
    const float value = row[static_cast<std::size_t>(*key)];
    readOut.keys = static_cast<std::int64_t>(row.size());
    if (std::isnan(value))
        return readOut;
    readOut.value = value;
    readOut.rank = 1 + std::count_if(row.begin(), row.end(), [value](float other) { return other > value; });
    return readOut;
}

std::optional<Reach> reachAt(const ReadOut& readOut, const Architecture& architecture,
                             const ReceptiveField& field, int layer, const AnalysisResult& result,
                             Seconds duration) {
    if (!readOut.cursor.token || layer < 1 || layer > field.layers() ||
        *readOut.cursor.token >= field.tokens())
        return std::nullopt;
    const std::int64_t token = *readOut.cursor.token;
    Reach reach;
    reach.layer = layer;
    reach.seen = visibleKeys(architecture.encoder, layer, token, field.tokens());
    reach.known = field.of(layer, token);
    reach.everything = reach.known == TokenSpan{0, field.tokens() - 1};
    if (!result.source.isEmpty())
        return reach; // no part of a recording
    const auto& part = result.covered();
    reach.heard = heardPart(reach.known, architecture.frontEnd.clock(), architecture.frontEnd.input().clock(),
                            result.frames, part ? part->end - part->start : duration);
    if (part) {
        reach.heard.start = reach.heard.start + part->start;
        reach.heard.end = reach.heard.end + part->start;
    }
    return reach;
}

namespace {

/// The value at cursor and pointer, and what the architecture lets the cursor's token see.
void addValues(QList<ReadOutLine>& lines, const ReadOut& readOut) {
    const auto addValue = [&](const QString& label, const QString& briefLabel, std::optional<float> value) {
        lines << ReadOutLine{label, value ? decimals(*value, 4) : kUnknown, value ? QString::number(*value, 'g', 9) : QString(), true, {}, briefLabel};
    };
    const auto ofMap = [&](const QString& name) {
        return name.isEmpty() || readOut.mapName.isEmpty() ? name : tr("%1, %2").arg(name, readOut.mapName);
    };
    addValue(ofMap(readOut.valueName), ofMap(readOut.briefName), readOut.value);
    const QString rank = readOut.rank ? tr("%1 of %2").arg(thousands(*readOut.rank), thousands(readOut.keys)) : kUnknown;
    lines << ReadOutLine{ofMap(tr("Rank in row")), rank, rank};
    if (readOut.beside)
        addValue(readOut.beside->name, {}, readOut.beside->value);
    if (readOut.reach && readOut.cursor.token) {
        const auto spanText = [&](TokenSpan span) {
            return tr("%1 to %2")
                .arg(signedWhole(double(span.first - *readOut.cursor.token)),
                     signedWhole(double(span.last - *readOut.cursor.token)));
        };
        const Reach& reach = *readOut.reach;
        const QString seen = spanText(reach.seen);
        lines << ReadOutLine{tr("Layer %1 sees").arg(reach.layer), seen, seen, false, {}, tr("Sees")};
        const QString known =
            reach.everything ? tr("everything")
            : readOut.isText ? spanText(reach.known)
                : tr("%1 to %2").arg(secondsText(reach.heard.start), secondsText(reach.heard.end));
        if (readOut.isText) {
            lines << ReadOutLine{tr("Receptive field"),
                                 known,
                                 spanText(reach.known),
                                 false,
                                 reach.everything ? tr("all") : QString(),
                                 tr("Field")};
            return;
        }
        lines << ReadOutLine{
            tr("Receptive field"),
            known,
            spanText(reach.known) + QStringLiteral(" (") + fullSeconds(reach.heard.start) +
                QStringLiteral(" s to ") + fullSeconds(reach.heard.end) + QStringLiteral(" s)"),
            false,
            reach.everything
                ? tr("all")
                : tr("%1 to %2").arg(secondsInListBare(reach.heard.start), secondsInList(reach.heard.end)),
            tr("Field")};
    }
}

/// "The, token 3": cursor and pointer of a text.
ReadOutLine pieceLine(const QString& label, const QString& brief, const PlaceInSound& place) {
    const QString piece = place.piece.isEmpty() ? kUnknown : place.piece;
    const QString text = place.token ? tr("%1, token %2").arg(piece).arg(*place.token) : kUnknown;
    return {label,
            text,
            place.token ? text : QString(),
            true,
            place.token ? piece + QStringLiteral(", ") + QString::number(*place.token) : QString(),
            brief};
}

} // namespace

QList<ReadOutLine> linesOf(const ReadOut& readOut) {
    const auto time = [](const std::optional<Seconds>& at) { return at ? secondsText(*at) : kUnknown; };
    const auto indicesLine = [&](const PlaceInSound& place) {
        ReadOutLine line{tr("Frame, token"), indices(place), indices(place)};
        if (readOut.count != ReadOut::Count::Recording) {
            line.label = readOut.count == ReadOut::Count::Selection ? tr("Frame, token in selection") : tr("Frame, token in part");
            line.briefLabel = readOut.count == ReadOut::Count::Selection ? tr("In selection") : tr("In part");
        }
        return line;
    };
    QList<ReadOutLine> lines;
    if (readOut.isText) {
        const QString offset = readOut.offsetTokens ? signedWhole(double(*readOut.offsetTokens)) : kUnknown;
        lines << pieceLine(tr("Cursor (query)"), tr("Cursor"), readOut.cursor)
              << pieceLine(tr("Pointer (key)"), tr("Pointer"), readOut.pointer)
              << ReadOutLine{tr("Offset"),
                             !readOut.offsetTokens                  ? offset
                             : qAbs(*readOut.offsetTokens) == 1 ? tr("%1 token").arg(offset)
                                                                : tr("%1 tokens").arg(offset),
                             offset};
        addValues(lines, readOut);
        return lines;
    }
    lines << ReadOutLine{
        tr("Cursor (query)"), time(readOut.cursor.time), fullSeconds(readOut.cursor.time), true, {},
        tr("Cursor")};
    lines << indicesLine(readOut.cursor);
    const bool banded = !readOut.cursor.band.isEmpty() || !readOut.pointer.band.isEmpty();
    const auto addBand = [&](const PlaceInSound& place) {
        const QString band = place.band.isEmpty() ? kUnknown : place.band;
        if (banded)
            lines << ReadOutLine{tr("Band"), band, band, false, band.section(QLatin1Char(','), 0, 0)};
    };
    addBand(readOut.cursor);
    lines << ReadOutLine{tr("Word, phone"), labels(readOut.cursor), labels(readOut.cursor), false, {},
                         tr("Word")};
    lines << ReadOutLine{
        tr("Pointer (key)"), time(readOut.pointer.time), fullSeconds(readOut.pointer.time), true, {},
        tr("Pointer")};
    lines << indicesLine(readOut.pointer);
    addBand(readOut.pointer);
    lines << ReadOutLine{tr("Word, phone"), labels(readOut.pointer), labels(readOut.pointer), false, {},
                         tr("Word")};
    const QString offset =
        readOut.offsetTokens ? offsetText(*readOut.offsetTokens, *readOut.offset) : kUnknown;
    const QString brief = readOut.offsetTokens ? briefOffsetText(*readOut.offsetTokens, *readOut.offset) : QString();
    lines << ReadOutLine{tr("Offset"), offset, offset, false, brief};
    addValues(lines, readOut);
    return lines;
}

QString asTable(const QList<ReadOutLine>& lines) {
    QString text = tr("What") + QLatin1Char('\t') + tr("Value") + QLatin1Char('\n');
    for (const ReadOutLine& line : lines)
        text +=
            line.label + QLatin1Char('\t') + (line.full.isEmpty() ? kUnknown : line.full) + QLatin1Char('\n');
    return text;
}

} // namespace headroom::app

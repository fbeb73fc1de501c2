// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/items/map_names.h"

#include "widgets/look/translate.h"

namespace headroom::app {

namespace {

QString measureTitle(const MixingMeasure& measure) {
    const std::string_view title = factsOf(measure.kind).title;
    return QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
}

/// "Value zeroing of words"
QString ofUnits(const QString& name, const MixingChoice& choice) {
    return choice.units == MixingUnits::Words    ? tr("%1 of words").arg(name)
           : choice.units == MixingUnits::Phones ? tr("%1 of phones").arg(name)
                                                 : name;
}

/// In lower case unless it is an abbreviation.
QString measureNoun(const MixingMeasure& measure) {
    const QString title = measureTitle(measure);
    return title.size() > 1 && title.at(1).isUpper() ? title : title.at(0).toLower() + title.mid(1);
}

} // namespace

QString mapTitle(const MapSource& source) {
    switch (source.kind) {
    case MapSource::Kind::Contributions:
        return tr("Contributions");
    case MapSource::Kind::HeadMean:
        return tr("Mean of heads");
    case MapSource::Kind::Mixing:
        return source.mixing.rollout ? tr("Rollout: %1").arg(measureNoun(source.mixing))
                                     : ofUnits(measureTitle(source.mixing), source.mixing);
    case MapSource::Kind::Head:
        break;
    }
    return (source.raw ? tr("Head %1 before relaxation") : tr("Head %1")).arg(source.head);
}

QString mapNoun(const MapSource& source) {
    if (source.isMixing())
        return source.mixing.rollout ? tr("rollout of %1").arg(measureNoun(source.mixing))
                                     : ofUnits(measureNoun(source.mixing), source.mixing);
    const QString title = mapTitle(source);
    return title.at(0).toLower() + title.mid(1);
}

QString mapValueName(const MapSource& source) {
    if (source.isMixing())
        return source.mixing.rollout ? tr("rollout") : measureNoun(source.mixing);
    return source.isContributions() ? tr("contribution") : tr("attention");
}

QString mapSymbol(const MapSource& source) {
    if (!source.isMixing())
        return source.isContributions() ? QStringLiteral("C") : QStringLiteral("A");
    if (source.mixing.rollout)
        return QStringLiteral("R");
    const std::string_view symbol = factsOf(source.mixing.kind).symbol;
    return QString::fromUtf8(symbol.data(), static_cast<qsizetype>(symbol.size()));
}

QString mapFormula(const MapSource& source) {
    if (!source.isMixing())
        return {};
    const QString formula = QString::fromStdString(explained(source.mixing));
    switch (source.mixing.units) {
    case MixingUnits::Tokens:
        break;
    case MixingUnits::Words:
        return tr("%1, the values of each word of the alignment zeroed together, its share spread evenly over its tokens").arg(formula);
    case MixingUnits::Phones:
        return tr("%1, the values of each phone of the alignment zeroed together, its share spread evenly over its tokens").arg(formula);
    }
    return formula;
}

} // namespace headroom::app

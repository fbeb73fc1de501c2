// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/places/contact_text.h"

#include "widgets/look/duration_text.h"
#include "widgets/look/translate.h"

#include <algorithm>

namespace headroom::app {

namespace {

/// "14:20:05" here, of today; with the date if it was another day.
QString contactTime(const std::string& utc) {
    const QDateTime time = QDateTime::fromString(QString::fromStdString(utc), Qt::ISODate).toLocalTime();
    return time.date() == QDate::currentDate() ? time.toString(QStringLiteral("HH:mm:ss"))
                                               : time.toString(QStringLiteral("yyyy-MM-dd HH:mm"));
}

/// "Copying what the run needs to gpu-1."
QString copyingText(PlacedThing thing, const QString& place) {
    switch (thing) {
    case PlacedThing::Run:
        return tr("Copying what the run needs to %1.").arg(place);
    case PlacedThing::Study:
        return tr("Copying what the study needs to %1.").arg(place);
    case PlacedThing::Evaluation:
        break;
    }
    return tr("Copying what the evaluation needs to %1.").arg(place);
}

QString goesOnText(PlacedThing thing) {
    switch (thing) {
    case PlacedThing::Run:
        return tr("The run continues there.");
    case PlacedThing::Study:
        return tr("The study continues there.");
    case PlacedThing::Evaluation:
        break;
    }
    return tr("The evaluation continues there.");
}

/// From a time to `now`, not below 0.
double secondsBetween(const std::string& utc, const QDateTime& now) {
    const QDateTime time = QDateTime::fromString(QString::fromStdString(utc), Qt::ISODate);
    return std::max(0.0, static_cast<double>(time.secsTo(now)));
}

QString nextTry(const RunPlace& place, const QDateTime& now) {
    const QDateTime next = QDateTime::fromString(QString::fromStdString(place.nextTry), Qt::ISODate);
    return next.isValid() && now < next ? tr("next try in %1").arg(widgets::durationText(static_cast<double>(now.secsTo(next))))
                                        : tr("trying again");
}

} // namespace

QString contactText(const RunPlace& place, PlacedThing thing, const QDateTime& now) {
    const QString name = QString::fromStdString(place.place.name), said = QString::fromStdString(place.sentence);
    switch (place.contact) {
    case RunPlace::Contact::Copying:
        if (!said.isEmpty())
            return said;
        if (place.copy && !place.copy->what.empty())
            return tr("Copying %1 to %2.").arg(QString::fromStdString(place.copy->what), name);
        return copyingText(thing, name);
    case RunPlace::Contact::Lost: {
        const QString goesOn = place.begun ? goesOnText(thing) : tr("What was copied is kept.");
        return tr("No contact with %1 since %2 (%3 ago); %4. %5 %6")
            .arg(name, contactTime(place.since), widgets::durationText(secondsBetween(place.since, now)),
                 nextTry(place, now), goesOn, said)
            .trimmed();
    }
    default:
        return said;
    }
}

} // namespace headroom::app

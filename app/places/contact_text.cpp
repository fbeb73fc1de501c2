// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/places/contact_text.h"

#include "widgets/look/translate.h"

#include <QDateTime>

namespace headroom::app {

namespace {

/// "14:20:05" here, of today; with the date if it was another day.
QString contactTime(const std::string& utc) {
    const QDateTime time = QDateTime::fromString(QString::fromStdString(utc), Qt::ISODate).toLocalTime();
    return time.date() == QDate::currentDate() ? time.toString(QStringLiteral("HH:mm:ss"))
                                               : time.toString(QStringLiteral("yyyy-MM-dd HH:mm"));
}

} // namespace

QString contactText(const RunPlace& place, PlacedThing thing) {
    const QString name = QString::fromStdString(place.place.name), said = QString::fromStdString(place.sentence);
    const bool isRun = thing == PlacedThing::Run;
    switch (place.contact) {
    case RunPlace::Contact::Copying:
        if (!said.isEmpty())
            return said;
        return isRun ? tr("Copying what the run needs to %1.").arg(name)
                     : tr("Copying what the study needs to %1.").arg(name);
    case RunPlace::Contact::Lost:
        return (isRun ? tr("No contact with %1 since %2; trying again. The run goes on there. %3")
                      : tr("No contact with %1 since %2; trying again. The study goes on there. %3"))
            .arg(name, contactTime(place.since), said)
            .trimmed();
    default:
        return said;
    }
}

} // namespace headroom::app

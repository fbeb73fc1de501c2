// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/run_place.h"

#include <QDateTime>
#include <QString>

namespace headroom::app {

enum class PlacedThing { Run, Study, Evaluation };

/// How the contact with the place of a run, a study or an evaluation stands, as a sentence; empty if there is nothing to say. Times are of the
/// local clock; `now`: for the age of a lost contact. Any thread.
QString contactText(const RunPlace& place, PlacedThing thing, const QDateTime& now = QDateTime::currentDateTimeUtc());

} // namespace headroom::app

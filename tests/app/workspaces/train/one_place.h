// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/place.h"

#include <QTemporaryDir>

namespace headroom::testing {

/// While it lives, the user has one place, the host gpu-1.
class OnePlace {
public:
    OnePlace() {
        qputenv("HEADROOM_PLACES", file("places.json").toLocal8Bit());
        writePlaces(placesFile(), {place()});
    }
    ~OnePlace() { qunsetenv("HEADROOM_PLACES"); }
    OnePlace(const OnePlace&) = delete;
    OnePlace& operator=(const OnePlace&) = delete;

    static Place place() {
        Place place;
        place.name = place.host = "gpu-1";
        place.folder = "~/headroom";
        return place;
    }
    /// Another place of the user, after it.
    static void add(const Place& other) { writePlaces(placesFile(), {place(), other}); }
    /// A path in a folder that goes with it.
    QString file(const char* name) const { return m_folder.filePath(QString::fromUtf8(name)); }

private:
    QTemporaryDir m_folder;
};

} // namespace headroom::testing

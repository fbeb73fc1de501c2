// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/place.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>

namespace headroom::app {

/// The places of this user, in the file that headroom-worker reads too. What another window or the command
/// line writes into it appears here. Window's thread.
class PlaceStore : public QObject {
    Q_OBJECT

public:
    explicit PlaceStore(std::filesystem::path file = placesFile(), QObject* parent = nullptr);

    const std::vector<Place>& places() const { return m_places; }
    const Place* find(const QString& name) const; ///< null: none
    /// Why the file cannot be read, as a sentence; empty: it can. Nothing is written over such a file.
    QString problem() const { return m_problem; }

    /// Adds a place, or puts it in place of the one named `replaced`. Returns a sentence if it cannot be,
    /// else nothing. Both read the file anew first and keep the other places that it then holds.
    QString put(const Place& place, const QString& replaced = {});
    QString remove(const QString& name);
    void reload();

Q_SIGNALS:
    void changed();

private:
    void watch();
    QString write(const std::vector<Place>& places);

    std::filesystem::path m_file;
    std::vector<Place> m_places;
    QString m_problem;
    QFileSystemWatcher m_watcher;
};

} // namespace headroom::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/places/place_store.h"

#include "app/documents/items/paths.h"

#include <algorithm>

namespace headroom::app {

namespace fs = std::filesystem;

PlaceStore::PlaceStore(fs::path file, QObject* parent) : QObject(parent), m_file(fs::absolute(file)) {
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &PlaceStore::reload);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &PlaceStore::reload);
    reload();
}

/// Watches the file, and its folder, because the file may be replaced or made; without the folder, the nearest one above it, in which
/// the missing ones are made.
void PlaceStore::watch() {
    std::error_code ignored;
    const auto nearest = [&] {
        fs::path folder = m_file.parent_path();
        while (!fs::is_directory(folder, ignored) && folder.has_relative_path())
            folder = folder.parent_path();
        return toQString(folder);
    };
    // Again, if a nearer one was made meanwhile.
    for (QString folder = nearest(); !m_watcher.directories().contains(folder); folder = nearest()) {
        if (!m_watcher.directories().isEmpty())
            m_watcher.removePaths(m_watcher.directories());
        if (!m_watcher.addPath(folder))
            break;
    }
    if (m_watcher.files().isEmpty() && fs::is_regular_file(m_file, ignored))
        m_watcher.addPath(toQString(m_file));
}

void PlaceStore::reload() {
    watch(); // before it is read: what is written afterwards is noticed
    std::vector<Place> places;
    QString problem;
    try {
        places = readPlaces(m_file);
    } catch (const Error& mistake) {
        problem = QString::fromUtf8(mistake.what());
    }
    if (places == m_places && problem == m_problem)
        return;
    m_places = std::move(places);
    m_problem = problem;
    Q_EMIT changed();
}

const Place* PlaceStore::find(const QString& name) const {
    const auto found = std::find_if(m_places.begin(), m_places.end(),
                                    [&](const Place& place) { return place.name == name.toStdString(); });
    return found == m_places.end() ? nullptr : &*found;
}

QString PlaceStore::put(const Place& place, const QString& replaced) {
    reload(); // only what was read may be written over
    const QString name = QString::fromStdString(place.name);
    if (name != replaced && find(name))
        return tr("A place named “%1” already exists.").arg(name);
    std::vector<Place> places = m_places;
    const auto old = std::find_if(places.begin(), places.end(),
                                  [&](const Place& one) { return one.name == replaced.toStdString(); });
    if (old != places.end())
        *old = place;
    else
        places.push_back(place);
    try {
        checkPlace(place);
    } catch (const Error& mistake) {
        return QString::fromUtf8(mistake.what());
    }
    return write(places);
}

QString PlaceStore::remove(const QString& name) {
    reload();
    std::vector<Place> places = m_places;
    std::erase_if(places, [&](const Place& place) { return place.name == name.toStdString(); });
    return write(places);
}

QString PlaceStore::write(const std::vector<Place>& places) {
    if (!m_problem.isEmpty())
        return m_problem;
    try {
        writePlaces(m_file, places);
    } catch (const Error& mistake) {
        return QString::fromUtf8(mistake.what());
    }
    reload();
    return {};
}

} // namespace headroom::app

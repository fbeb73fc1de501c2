// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/model_watch.h"

#include "app/documents/items/paths.h"
#include "core/model_folders/model_kind.h"

#include <QFileInfo>
#include <QMetaObject>
#include <QSet>

#include <algorithm>
#include <array>
#include <utility>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

constexpr int kMostWatchedOfModels = 500; ///< files and folders; the system has only so many watches

/// What may be a part of a model: a log or a picture beside it is none.
bool isOfModel(const fs::path& file) {
    constexpr std::array kEndings{".json", ".safetensors", ".bin", ".pt", ".ckpt", ".model", ".txt", ".yaml", ".npz"};
    return !file.filename().string().starts_with('.') &&
           (std::ranges::count(kEndings, file.extension()) > 0 || standsForItself(file));
}

} // namespace

ModelWatch::ModelWatch(Session* session, QObject* parent) : FileWatch(parent), m_session(session) {
    for (auto signal : {&Session::modelAdded, &Session::modelRetried})
        connect(session, signal, this, &ModelWatch::follow);
    connect(session, &Session::modelOpenedAgain, this, &ModelWatch::look);
    connect(session, &Session::modelRemoved, this, &ModelWatch::forget);
    for (int row = 0; row < session->models()->count(); ++row)
        follow(session->models()->at(row).id);
}

ModelWatch::~ModelWatch() {
    waitForLooks();
}

ModelWatch::Version ModelWatch::versionOf(const fs::path& model) {
    Version version;
    const auto add = [&](const fs::path& file) {
        std::error_code time, size, ignored;
        if (!fs::is_regular_file(file, ignored)) // follows links, as those into a cache of models
            return;
        const auto changed = fs::last_write_time(file, time);
        if (const auto bytes = fs::file_size(file, size); !time && !size)
            version[file] = {changed, bytes};
    };
    std::error_code error;
    if (!fs::is_directory(model, error))
        add(model);
    for (fs::directory_iterator at(model, error), end; !error && at != end; at.increment(error))
        if (isOfModel(at->path()))
            add(at->path());
    return version;
}

/// Before the worker reads it: what changes from now on may be what the worker does not have. What it opens again by itself, when it was
/// restarted, may be newer, and is then opened once more.
void ModelWatch::follow(ModelId id) {
    if (const OpenModel* model = m_session->models()->find(id)) {
        m_open[id] = {model->folder, versionOf(model->folder)};
        watch();
    }
}

void ModelWatch::forget(ModelId id) {
    m_open.erase(id);
    watch();
}

/// A folder or file that is replaced is not watched any more: the folder above is watched too.
void ModelWatch::watch() {
    QSet<QString> wanted;
    const auto want = [&](const fs::path& path) {
        if (const QString name = toQString(path); wanted.size() < kMostWatchedOfModels && QFileInfo::exists(name))
            wanted << name;
    };
    for (const auto& [id, open] : m_open) {
        want(open.folder);
        want(open.folder.parent_path());
        for (const auto& [file, written] : open.version)
            want(file);
    }
    if (const QStringList watched = m_files.files() + m_files.directories(); !watched.isEmpty())
        m_files.removePaths(watched); // one that was replaced is still listed, but not heard of
    if (!wanted.isEmpty())
        m_files.addPaths(wanted.values());
}

void ModelWatch::begin() {
    if (m_looking)
        return look();
    m_looking = true;
    m_pool.start([this, models = m_open]() mutable {
        for (auto& [id, open] : models)
            open.version = versionOf(open.folder);
        QMetaObject::invokeMethod(this, [this, models = std::move(models)] { take(models); }, Qt::QueuedConnection);
    });
}

void ModelWatch::take(const OpenModels& now) {
    m_looking = false;
    bool changed = false;
    for (const auto& [id, found] : now) {
        const auto open = m_open.find(id);
        if (open == m_open.end() || open->second.folder != found.folder || found.version.empty() || open->second.version == found.version)
            continue;
        changed = true;
        m_session->setModelFolder(id, found.folder); // follow() takes the new version
    }
    watch();
    if (changed) // more may have been written before it was watched
        look();
}

} // namespace headroom::app

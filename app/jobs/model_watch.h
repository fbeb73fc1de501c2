// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/files/file_watch.h"
#include "app/documents/session.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <utility>

namespace headroom::app {

/// Has the session open a model again whose files have changed since it was opened, as those of a run that was resumed. The session
/// says which files these are. A model that is taken away stays as it was read.
/// Looks as a FileWatch does, and when a model that is open is opened again. Reads times and sizes on a thread of its own. Window's
/// thread.
class ModelWatch : public FileWatch {
    Q_OBJECT

public:
    explicit ModelWatch(Session* session, QObject* parent = nullptr);
    ~ModelWatch() override; ///< waits for the look that goes on

    bool isPending() const { return isSoon() || m_looking; }

private:
    using Version = std::map<std::filesystem::path, std::pair<std::filesystem::file_time_type, std::uintmax_t>>; ///< files → time and size
    struct Open {
        std::filesystem::path folder;
        Version version; ///< empty: there is none
    };
    using OpenModels = std::map<ModelId, Open>;
    static Version versionOf(const std::filesystem::path& model);
    void follow(ModelId id);
    void forget(ModelId id);
    void begin() override;
    bool isIdle() const override { return m_open.empty(); }
    void take(const OpenModels& now);
    void watch();

    Session* m_session;
    bool m_looking = false;
    OpenModels m_open; ///< as they were when they were opened
};

} // namespace headroom::app

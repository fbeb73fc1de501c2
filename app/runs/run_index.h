// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/runs/run_reading.h"
#include "widgets/run_monitor/run_item.h"

#include <QString>
#include <QStringList>

#include <atomic>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

namespace headroom::app {

/// The registry: an SQLite index of run folders in the user's cache. It holds nothing that the folders do
/// not; where it is missing, damaged or of another version it is made again from them. Where it cannot be
/// written the folders alone serve, slower. Belongs to the thread that made it; several windows may share the
/// file.
class RunIndex {
public:
    explicit RunIndex(const QString& file);
    ~RunIndex();
    RunIndex(const RunIndex&) = delete;
    RunIndex& operator=(const RunIndex&) = delete;

    struct Outcome {
        std::vector<widgets::RunItem> runs; ///< newest first
        QStringList problems;               ///< a sentence for each folder that cannot be read
        int readAgain = 0;                  ///< folders whose files were read
        int dropped = 0;                    ///< known ones that are gone
        bool interrupted = false;           ///< something else was wanted first; the rest is unknown
    };
    /// Compares the folders in `runs` with the index, reads what is new or has changed, writes that down. A
    /// run that says it runs is asked for its lock every time. `interrupt`: once it is set, the look ends; what was read by then
    /// counts in the next one. Null: never.
    Outcome refresh(const std::filesystem::path& runs, const std::atomic<bool>* interrupt = nullptr);

    QString problem() const { return m_problem; } ///< why the index cannot be used; empty: it can
    /// The user's cache: headroom/runs.sqlite.
    static QString defaultFile();

private:
    /// A folder as it was when it was read last.
    struct Known {
        RunStamp stamp;
        widgets::RunItem item;
        std::int64_t look = 0; ///< the last look that found it
    };
    void load(const std::filesystem::path& runs);
    void save(const std::vector<const Known*>& fresh, const std::vector<std::string>& gone);
    bool isUsable() const;
    bool open(const QString& file);
    void close();
    bool run(const QString& statement);

    QString m_connection, m_file, m_problem;
    /// What the file holds of `m_runs`: read from it once, because a thousand rows are looked at every
    /// second.
    std::unordered_map<std::string, Known> m_known;
    std::filesystem::path m_runs;
    std::int64_t m_look = 0;
    int m_readBefore = 0; ///< in looks that were interrupted
};

} // namespace headroom::app

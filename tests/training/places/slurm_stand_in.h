// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/place.h"
#include "tests/training/worker/worker_program.h"

#include <QDir>
#include <QTemporaryDir>

#include <filesystem>
#include <memory>

namespace headroom::testing {

/// Programs that answer on PATH in the place of Slurm's, and a run's folder: "runs/one run".
class SlurmStandIn {
protected:
    void standIn() {
        m_folder = std::make_unique<QTemporaryDir>();
        QDir(m_folder->path()).mkpath("bin");
        QDir(m_folder->path()).mkpath("runs/one run");
        qputenv("PATH", m_folder->filePath("bin").toUtf8() + ":" + m_path);
        program("sbatch", "printf '%s\\n' \"$@\" > \"$0.words\"; echo '48213;cluster'");
        program("squeue", "exit 0");
        program("sacct", "exit 1");
        program("scontrol", "exit 1");
    }
    void giveBack() const { qputenv("PATH", m_path); }
    static Place cluster() {
        Place place;
        place.name = "cluster";
        place.kind = Place::Kind::Slurm;
        place.folder = "/tmp/headroom";
        place.slurm = {"gpu", 4, 2, "08:00:00", "speech", {"--constraint=a100"}};
        return place;
    }
    std::filesystem::path queueList() const {
        return std::filesystem::path(m_folder->path().toStdString()) / "runs" / "queue" / "squeue.txt";
    }
    std::filesystem::path stateList() const { return queueList().parent_path() / "states.txt"; }
    void program(const QString& name, const QByteArray& lines) const {
        writeScript(m_folder->filePath("bin/" + name), lines);
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    const QByteArray m_path = qgetenv("PATH");
};

} // namespace headroom::testing

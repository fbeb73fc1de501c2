// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/training/worker/worker_program.h"

#include <QFile>
#include <QStringList>

#include <fstream>
#include <map>
#include <string>

namespace headroom::testing {

struct FarOutcome : Finished {
    std::map<std::string, long> counted; ///< what tests/far_device counted: "reads", "sent", "fetched" …
};

/// Runs the worker where tests/far_device adds a device to torch. `how`: FAR_DEVICE_…=N of far_device.cpp.
/// `log`: a file that is written. An empty `device`: without --device.
inline FarOutcome onFarDevice(const QString& log, const QStringList& arguments, const QStringList& how = {},
                              const QString& device = QStringLiteral("privateuseone:0")) {
    QFile::remove(log);
    QStringList words{"LD_PRELOAD=" HEADROOM_FAR_DEVICE, "FAR_DEVICE_LOG=" + log};
    words += how + QStringList{kWorker} + arguments;
    if (!device.isEmpty())
        words += {"--device", device};
    FarOutcome outcome{runProgram("env", words), {}};
    std::ifstream file(log.toStdString());
    std::string name;
    for (long count = 0; file >> name >> count;)
        outcome.counted[name] = count;
    return outcome;
}

} // namespace headroom::testing

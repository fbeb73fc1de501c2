// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checks/checks.h"

#include "training/worker/commands.h"

#include <algorithm>

namespace headroom::training {

void check(const std::string& device, Console& console) {
    auto list = nlohmann::json::array();
    const auto rows = models::runChecks(device, [&](const models::CheckRow& row) {
        console.line(std::string(row.passed ? "PASS  " : "FAIL  ") + row.name + ", " + row.precision + ", " +
                     device + ": " + row.detail);
        list.push_back({{"name", row.name},
                        {"precision", row.precision},
                        {"device", device},
                        {"passed", row.passed},
                        {"detail", row.detail}});
    });
    const auto failed = std::count_if(rows.begin(), rows.end(), [](const auto& row) { return !row.passed; });
    if (failed > 0)
        console.problem(std::to_string(failed) + " of " + std::to_string(rows.size()) +
                        " checks failed. Do not trust results of this machine.");
    console.document(
        {{"format", "headroom/check"}, {"version", 1}, {"device", device}, {"checks", std::move(list)}});
}

} // namespace headroom::training

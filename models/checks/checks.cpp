// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checks/checks.h"

#include "core/errors/error.h"
#include "models/checks/check_parts.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace headroom::models {

CheckRow checkRow(const std::string& name, const char* precision, double difference, double bound) {
    char detail[80];
    std::snprintf(detail, sizeof detail, "largest difference %.1e, bound %.0e", difference, bound);
    return {name, precision, difference <= bound, detail}; // a NaN compares as not passed
}

void widenDifference(double& worst, const at::Tensor& found, const at::Tensor& expected) {
    const double difference =
        found.detach().to(at::kDouble).sub(expected.detach()).abs().max().item<double>();
    const double share = difference / std::max(1.0, expected.detach().abs().max().item<double>());
    worst = std::isnan(share) || std::isnan(worst) ? NAN : std::max(worst, share);
}

std::vector<CheckRow> runChecks(const std::string& device) {
    if (device != "cpu")
        throw Error("models.noSuchDevice",
                    "Unknown device “" + device + "”; this worker supports cpu.",
                    {{"device", device}, {"devices", {"cpu"}}});
    std::vector<CheckRow> rows;
    for (std::vector<CheckRow> (*part)() : {checkContributions, checkBanded, checkKinds})
        for (CheckRow& checked : part())
            rows.push_back(std::move(checked));
    return rows;
}

} // namespace headroom::models

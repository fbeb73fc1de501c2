// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checks/checks.h"

#include "core/errors/error.h"
#include "models/checks/check_parts.h"
#include "models/kernels/device_operators.h"
#include "models/layers/device.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace headroom::models {

CheckRow checkRow(const std::string& name, const char* precision, double bound,
                  const std::function<double()>& difference) {
    try {
        const double found = difference();
        char detail[80];
        std::snprintf(detail, sizeof detail, "largest difference %.1e, bound %.0e", found, bound);
        return {name, precision, found <= bound, detail}; // a NaN compares as not passed
    } catch (const std::exception& error) {
        const std::string said = error.what();
        return {name, precision, false, "could not be computed: " + said.substr(0, said.find('\n'))};
    }
}

void widenDifference(double& worst, const at::Tensor& found, const at::Tensor& expected) {
    const double difference =
        found.detach().cpu().to(at::kDouble).sub(expected.detach()).abs().max().item<double>();
    const double share = difference / std::max(1.0, expected.detach().abs().max().item<double>());
    worst = std::isnan(share) || std::isnan(worst) ? NAN : std::max(worst, share);
}

std::vector<CheckRow> runChecks(const std::string& name, const CheckRows& done) {
    const bool gpu = name.starts_with("cuda:");
    const std::string missing = gpu ? loadDeviceKernels() : "this worker knows cpu and cuda:K";
    if (name != "cpu" && (gpu || name != usedDeviceId()) && !missing.empty())
        throw Error("models.noSuchDevice", "The device “" + name + "” cannot be checked: " + missing + ".",
                    {{"device", name}, {"devices", {"cpu"}}});
    if (gpu) // products and convolutions of float32 in float32
        for (const auto& allow : {&at::Context::setAllowTF32CuDNN, &at::Context::setAllowTF32CuBLAS})
            (at::globalContext().*allow)(false);
    const c10::Device device(name);
    std::vector<CheckRow> rows;
    const auto take = [&](const CheckRow& row) {
        rows.push_back(row);
        if (done)
            done(row);
    };
    for (void (*part)(c10::Device, const CheckRows&) : {checkContributions, checkBanded, checkCtc, checkDropout, checkKinds})
        part(device, take);
    return rows;
}

CheckRow checkTensorCores(const std::string& device) {
    CheckRow found;
    const CheckRow whole = checkRow("local attention", "bfloat16", 0, [&] { // also where its tensors cannot be made there
        checkBand(130, 10, at::kBFloat16, c10::Device(device), [&](const CheckRow& row) { found = row; });
        return 0;
    });
    return whole.passed ? found : whole;
}

} // namespace headroom::models

// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/norm_statistics.h"

#include "models/layers/batch_norm.h"
#include "training/data/batching.h"
#include "training/data/loader.h"
#include "training/data/random.h"
#include "training/loop/batch_loss.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros_like.h>

namespace headroom::training {

namespace {

/// The statistics of one BatchNorm, and the sums of what the batches had.
struct NormSums {
    at::Tensor mean, variance, seen, meanSum, varianceSum;
    std::int64_t batches = 0;

    /// The next batch counts as the first one: it replaces the statistics.
    void forget() const { seen.zero_(); }
    void add() {
        if (seen.item<double>() == 0) // too small a batch to learn from
            return;
        meanSum.add_(mean);
        varianceSum.add_(variance);
        ++batches;
    }
    void set() const {
        if (batches == 0)
            return;
        mean.copy_(meanSum.div(static_cast<double>(batches)));
        variance.copy_(varianceSum.div(static_cast<double>(batches)));
    }
};

std::vector<NormSums> normsOf(const models::Parameters& parameters) {
    std::vector<NormSums> norms;
    parameters.forEach([&](const std::string& name, const at::Tensor& seen) {
        const std::string_view suffix = models::kBatchesSeen;
        if (!name.ends_with(suffix))
            return;
        const std::string norm = name.substr(0, name.size() - suffix.size());
        const at::Tensor mean = parameters.get(norm + "running_mean");
        const at::Tensor variance = parameters.get(norm + "running_var");
        const auto sums = [&](const at::Tensor& like) { return at::zeros_like(like, at::kDouble); };
        norms.push_back({mean, variance, seen, sums(mean), sums(variance)});
    });
    return norms;
}

} // namespace

void renewStatistics(const models::Parameters& parameters, const StatisticsSource& source) {
    std::vector<NormSums> norms = normsOf(parameters);
    const Recipe& recipe = source.recipe;
    if (norms.empty() || recipe.checkpoints.statisticsBatches == 0)
        return;
    std::vector<std::vector<std::int64_t>> order;
    for (const std::int64_t batch :
         epochOrder(static_cast<std::int64_t>(source.batches.size()), source.seed, 0))
        if (static_cast<std::int64_t>(order.size()) < recipe.checkpoints.statisticsBatches)
            order.push_back(source.batches[static_cast<std::size_t>(batch)]);
    at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
    generator.set_current_seed(randomFor(source.seed, Purpose::Statistics).next());
    BatchLoader loader(source.examples, source.cache, std::move(order), recipe.data.loaderThreads,
                       source.architecture.frontEnd.features, &recipe.augmentation, source.seed, 0);
    const PrecisionScope precision(source.precision);
    while (const auto batch = loader.next()) {
        for (const NormSums& norm : norms)
            norm.forget();
        batchLoss(parameters, source.architecture, recipe.loss, *batch, true, false);
        for (NormSums& norm : norms)
            norm.add();
    }
    for (const NormSums& norm : norms)
        norm.set();
}

} // namespace headroom::training

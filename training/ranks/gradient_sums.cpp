// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/ranks/gradient_sums.h"

#include "training/ranks/ranks_implementation.h"

#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>
#include <torch/csrc/distributed/c10d/reducer.hpp>

#include <optional>

namespace headroom::training {

namespace {

/// What the reducer asks a group for beside the buckets: which parameters were used on any rank.
class UseOfParameters final : public c10d::ProcessGroup {
public:
    using Begin = std::function<c10::intrusive_ptr<c10::ivalue::Future>(const at::Tensor&)>;

    UseOfParameters(int rank, int world, Begin begin)
        : ProcessGroup(rank, world)
        , m_begin(std::move(begin)) {}

    c10::intrusive_ptr<c10d::Work> allreduce(std::vector<at::Tensor>& tensors, const c10d::AllreduceOptions&) override {
        const at::Tensor& tensor = tensors.front();
        const auto sum = m_begin(tensor);
        if (!tensor.is_cpu()) { // NCCL's sum is in place already, and then only the stream waits
            sum->waitAndThrow();
            if (const at::Tensor all = c10d::detail::parseCppCommHookResult(sum->value()); !all.is_same(tensor))
                tensor.copy_(all);
        }
        return c10d::Work::create_from_future(sum);
    }

private:
    Begin m_begin;
};

/// Sums a bucket; the reducer's own hook would divide it by the number of ranks.
class SumOfBucket final : public c10d::CommHookInterface {
public:
    explicit SumOfBucket(UseOfParameters::Begin begin)
        : m_begin(std::move(begin)) {}

    c10::intrusive_ptr<c10::ivalue::Future> runHook(c10d::GradBucket& bucket) override {
        m_device = bucket.getBuffer().device();
        return m_begin(bucket.getBuffer());
    }
    at::Tensor parseHookResult(const c10::IValue& sum) override {
        return c10d::detail::parseCppCommHookResult(sum).to(*m_device);
    }

private:
    UseOfParameters::Begin m_begin;
    std::optional<c10::Device> m_device;
};

/// Torch warns that the search below costs time if a pass uses every parameter. Nobody who trains can act on it.
class NoWarningOfSearch final : public c10::WarningHandler {
public:
    void process(const c10::Warning& warning) override {
        if (warning.msg().find("find_unused_parameters=True") == std::string::npos)
            WarningHandler::process(warning);
    }
};

} // namespace

struct GradientSums::Implementation {
    /// A parameter of the reducer that every announced pass uses, with a gradient of 0: what passNothing() passes back through.
    /// Were it unused in a pass that uses all others, the reducer would wait for the sum of what was used where.
    at::Tensor nothing;
    std::unique_ptr<c10d::Reducer> reducer;
};

GradientSums::GradientSums(Ranks& ranks, const std::vector<at::Tensor>& parameters)
    : m(new Implementation) {
    m->nothing = at::zeros({1}, parameters.front().options()).detach().set_requires_grad(true);
    std::vector<at::Tensor> all{parameters};
    all.push_back(m->nothing);
    // Buckets are filled in the order in which gradients come, which is about that of the forward pass backwards.
    std::vector<at::Tensor> backwards(parameters.rbegin(), parameters.rend());
    backwards.push_back(m->nothing);
    std::vector<std::int64_t> places;
    for (std::size_t i = parameters.size(); i-- > 0;)
        places.push_back(static_cast<std::int64_t>(i));
    places.push_back(static_cast<std::int64_t>(parameters.size()));
    const auto buckets =
        std::get<0>(c10d::compute_bucket_assignment_by_size(
            backwards, {c10d::kDefaultFirstBucketBytes, c10d::kDefaultBucketBytesCap}, {}, places));
    auto& connections = *ranks.m;
    const auto begin = [&connections](const at::Tensor& tensor) {
        return connections.beginGradients(tensor);
    };
    // Layers may be left out and encoders frozen, so the graph of every pass is searched for parameters it does not use.
    m->reducer = std::make_unique<c10d::Reducer>(
        all, buckets, c10::make_intrusive<UseOfParameters>(ranks.rank(), ranks.world(), begin),
        std::vector<bool>(all.size(), false), c10d::kDefaultBucketBytesCap, true, true,
        std::unordered_map<std::size_t, std::string>(), c10d::kDefaultFirstBucketBytes, false, false,
        std::vector<std::int64_t>());
    m->reducer->register_comm_hook(std::make_unique<SumOfBucket>(begin));
}

GradientSums::~GradientSums() = default;

at::Tensor GradientSums::expect(const at::Tensor& loss) {
    m->nothing.mutable_grad().reset();
    const at::Tensor result = loss.add(m->nothing.sum().mul(0));
    NoWarningOfSearch others;
    const c10::WarningUtils::WarningHandlerGuard guard(&others);
    m->reducer->prepare_for_backward({result});
    return result;
}

void GradientSums::passNothing() {
    expect(at::zeros({}, m->nothing.options())).backward();
}

} // namespace headroom::training

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

namespace headroom::benchmarks {

/// Two pieces of work beside each other, on a machine whose speed comes and goes.
struct PairedTimes {
    double ours = 0, alternative = 0; ///< median seconds
    double ratio = 0;                 ///< median of alternative/ours of each pair
    int pairs = 0;
};
/// Runs both once to warm up, then by turns until 0.3 s are over: 5 to 101 pairs, 3 of what takes long, or at least `pairs`.
PairedTimes pairedTimes(const std::function<void()>& ours, const std::function<void()>& alternative, int pairs = 3);

/// Mean tokens of an utterance of MuST-C en-de (Alastruey et al. 2022).
inline constexpr double kMeanTokens = 166;

/// Seconds of wall time that `work` takes, with everything that it gave usedDevice() to do.
double secondsOf(const std::function<void()>& work);
/// Seconds of processor time that this process has taken, of all its threads.
double processorSeconds();
/// The upper median. `values` is not empty.
double median(std::vector<double> values);

/// How far the bytes of all live tensors that this thread makes on usedDevice() rise above where they stand while `work`
/// runs. Exact, and the same in every run; what kernels keep on their stacks and in vectors is not in it.
double peakTensorBytes(const std::function<void()>& work);

/// How far the resident set of this process rises above where it stands while `work` runs, in bytes.
double peakResidentRise(const std::function<void()>& work);

/// at::set_num_threads while it lives.
class Threads {
public:
    explicit Threads(int count);
    ~Threads();
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

private:
    int m_before;
};

} // namespace headroom::benchmarks

// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA kernels as C++, every thread of a block a thread of the system, over awkward shapes: built twice,
// with AddressSanitizer and with ThreadSanitizer, which end the program where they find something. Every
// array has exactly the size that a kernel may touch. Results are compared only roughly; the tests of
// models/kernels compare them well.
//
// With the argument `barriers`: runs itself once for each __syncthreads() of a file of kernels, with that one left out, and expects
// the sanitizer to report it.
#include "tests/support/block_runner.h"

#include "models/kernels/banded_cuda.cu"
#include "models/kernels/banded_tiles_cuda.cu"
#include "models/kernels/contributions_cuda.cu"
#include "models/kernels/ctc_cuda.cu"
#include "models/kernels/dropout_cuda.cu"

#include "models/kernels/banded_device.h"
#include "models/kernels/contributions_device.h"
#include "models/kernels/ctc_device.h"
#include "models/kernels/dropout_device.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <random>
#include <string>

namespace {

using namespace headroom::models::device;
using std::int64_t;

std::mt19937 generator(1);
int mistakes = 0;

void expect(bool right, const char* what, int64_t tokens, int64_t other) {
    if (right)
        return;
    ++mistakes;
    std::printf("FAIL %s, N %ld, %ld\n", what, static_cast<long>(tokens), static_cast<long>(other));
}

template <class T>
struct Numbers { // not a vector, which may hold more than it says
    explicit Numbers(int64_t n) : count(n), data(new T[static_cast<std::size_t>(n)]) {
        std::normal_distribution<float> normal;
        for (int64_t i = 0; i < n; ++i)
            store(data[static_cast<std::size_t>(i)], static_cast<Sum<T>>(normal(generator)));
    }
    T* get() const { return data.get(); }
    double at(int64_t i) const { return static_cast<double>(wide(data[static_cast<std::size_t>(i)])); }
    int64_t count;
    std::unique_ptr<T[]> data;
};

double wideDouble(double x) {
    return x;
}

template <class T, class S>
void runContributions(int64_t tokens, int64_t heads, int64_t width, int64_t reach) {
    Numbers<T> attention(heads * tokens * tokens), transformed(heads * tokens * width),
        residual(tokens * width);
    for (int64_t row = 0; row < heads * tokens; ++row) { // each of its window only
        double sum = 0;
        for (int64_t j = 0; j < tokens; ++j)
            sum += std::abs(row % tokens - j) <= reach ? std::abs(attention.at(row * tokens + j)) : 0;
        for (int64_t j = 0; j < tokens; ++j)
            store(attention.get()[row * tokens + j],
                  static_cast<Sum<T>>(std::abs(row % tokens - j) <= reach
                                          ? std::abs(attention.at(row * tokens + j)) / sum
                                          : 0));
    }
    Numbers<S> gram(heads * (heads + 1) / 2 * tokens), out(tokens * tokens), norms(0);
    Numbers<double> own(tokens), inverse(tokens), profile(2 * tokens - 1),
        headProfiles(heads * (2 * tokens - 1));
    Contributions<T, S> work{heads,          tokens,     tokens,          width,
                             reach,          false,      attention.get(), transformed.get(),
                             residual.get(), gram.get(), own.get(),       inverse.get(),
                             nullptr,        nullptr,    norms.get(),     out.get(),
                             profile.get(),  headProfiles.get()};
    const Numbers<double> parts(work.partsOf()), sums(work.sumsOf());
    work.parts = parts.get();
    work.sums = sums.get();
    launchContributions(work, nullptr);
    double all = 0, heads_ = 0;
    for (int64_t i = 0; i < tokens; ++i) {
        double row = 0;
        for (int64_t j = 0; j < tokens; ++j)
            row += out.at(i * tokens + j);
        expect(std::abs(row - 1) < 1e-4, "a row of contributions", tokens, width);
    }
    for (int64_t d = 0; d < 2 * tokens - 1; ++d)
        all += wideDouble(profile.at(d));
    for (int64_t d = 0; d < headProfiles.count; ++d)
        heads_ += wideDouble(headProfiles.at(d));
    expect(std::abs(all / static_cast<double>(tokens) - 1) < 1e-4, "a profile", tokens, width);
    expect(std::abs(heads_ / static_cast<double>(heads * tokens) - 1) < 1e-2, "profiles of heads", tokens,
           width);
}

/// Two layers in one launch.
void runLayerProfiles(int64_t tokens, int64_t heads, int64_t width) {
    const int64_t layers = 2, diagonals = 2 * tokens - 1;
    LayerContributions<float, float> work{};
    Contributions<float, float>& one = work.shared;
    one.heads = heads;
    one.queries = one.keys = one.reach = tokens;
    one.width = width;
    const Numbers<float> attention(layers * heads * tokens * tokens), transformed(layers * heads * tokens * width),
        residual(layers * tokens * width), gram(layers * one.gramOf()), norms(layers * tokens * tokens);
    for (int64_t layer = 0; layer < layers; ++layer) {
        work.attention[layer] = attention.get() + layer * heads * tokens * tokens;
        work.transformed[layer] = transformed.get() + layer * heads * tokens * width;
        work.residual[layer] = residual.get() + layer * tokens * width;
    }
    const Numbers<double> own(layers * tokens), inverse(layers * tokens), out(layers * 3 * diagonals);
    one.gram = gram.get();
    one.norms = norms.get();
    one.own = own.get();
    one.inverse = inverse.get();
    one.profile = out.get();
    one.strongest = out.get() + diagonals;
    work.layers = layers;
    work.step = 3 * diagonals;
    const Numbers<double> parts(layers * one.partsOf()), sums(layers * one.sumsOf());
    one.parts = parts.get();
    one.sums = sums.get();
    launchContributions(work, nullptr);
    for (int64_t layer = 0; layer < layers; ++layer) {
        double all = 0;
        for (int64_t d = 0; d < diagonals; ++d) {
            all += out.at(layer * work.step + d);
            const double query = out.at(layer * work.step + 2 * diagonals + d), key = query + static_cast<double>(d - tokens + 1);
            expect(query >= 0 && key >= 0 && query < static_cast<double>(tokens) && key < static_cast<double>(tokens), "a pair",
                   tokens, width);
        }
        expect(std::abs(all / static_cast<double>(tokens) - 1) < 1e-4, "a profile of a layer", tokens, width);
    }
}

template <class T, class S>
void runBand(int64_t tokens, int64_t reach, int64_t width, int64_t valueWidth) {
    const int64_t batches = 2, heads = 1, slots = 2 * reach + 1, rows = batches * heads * tokens;
    const Numbers<T> q(rows * width), k(rows * width), v(rows * valueWidth), out(rows * valueWidth),
        back(rows * valueWidth), ofQueries(rows * width);
    const Numbers<S> weights(rows * slots), band(rows * slots);
    const auto lengths = std::make_unique<int64_t[]>(2);
    lengths[0] = tokens;
    lengths[1] = tokens / 2;
    const BandShape shape{batches, heads, tokens, reach, lengths.get()};
    const auto read = [&](const Numbers<T>& x, int64_t w) {
        return BandRows<const T>{x.get(), tokens * w, tokens * w, w};
    };
    const auto written = [&](const Numbers<T>& x, int64_t w) {
        return BandRows<T>{x.get(), tokens * w, tokens * w, w};
    };
    const S scale = static_cast<S>(1 / std::sqrt(static_cast<double>(width)));
    launchBandAttention<T, S>(shape, read(q, width), read(k, width), read(v, valueWidth), width, valueWidth,
                              scale, weights.get(), written(out, valueWidth), nullptr);
    for (int64_t i = 0; i < rows; ++i) {
        double sum = 0;
        for (int64_t s = 0; s < slots; ++s)
            sum += weights.at(i * slots + s);
        const bool none =
            i >= tokens && i - tokens - reach >= lengths[1]; // no key of the shorter recording is near
        expect(std::abs(sum - (none ? 0 : 1)) < 1e-2, "a row of weights", tokens, reach);
    }
    launchBandProducts<T, S>(shape, read(back, valueWidth), read(v, valueWidth), valueWidth, 0, band.get(),
                             nullptr);
    launchBandSoftmaxBackward<S>(weights.get(), band.get(), rows, slots, scale, nullptr);
    if constexpr (std::is_same_v<T, Bfloat16>)
        launchBandScoreGradients(shape, read(k, width), read(v, valueWidth), read(back, valueWidth), width, valueWidth, scale,
                                 weights.get(), band.get(), written(ofQueries, width), nullptr);
    for (const bool transposed : {false, true})
        launchBandTimesRows<T, S>(shape, band.get(), read(k, width), width, transposed,
                                  written(ofQueries, width), nullptr);
    for (int64_t i = 0; i < ofQueries.count; ++i)
        expect(std::isfinite(ofQueries.at(i)), "a gradient", tokens, reach);
    launchBandProducts<T, S>(shape, read(q, width), read(k, width), width,
                             -std::numeric_limits<S>::infinity(), band.get(), nullptr);
    launchBandSoftmax<S>(band.get(), rows, slots, scale, nullptr);
}

template <class T>
void runDropout(int64_t count) {
    const Numbers<T> x(count), y(count), again(count);
    launchDropout(x.get(), y.get(), count, 12345, 1U << 30, 4.0F / 3, nullptr);
    launchDropout(x.get(), again.get(), count, 12345, 1U << 30, 4.0F / 3, nullptr);
    for (int64_t i = 0; i < count; ++i)
        expect(y.at(i) == again.at(i), "dropout", count, i);
}

void runCtc(int64_t tokens, int64_t rows, int64_t states) {
    const Numbers<double> emissions(tokens * rows * states), skips(rows * states), paths(tokens * rows * (states + 2));
    launchCtcPaths(emissions.get(), skips.get(), tokens, rows, states, paths.get(), nullptr);
    for (int64_t i = 0; i < paths.count; ++i)
        expect(!std::isnan(paths.at(i)), "paths of CTC", tokens, states);
}

/// The kernels of one file. Several tiles of keys and two chunks of channels, so that every barrier parts two uses of the shared
/// memory.
void runEveryBarrier(const std::string& file) {
    if (file == "contributions_cuda.cu")
        runContributions<float, float>(20, 2, 3, 20);
    if (file == "banded_cuda.cu")
        runBand<float, float>(33, 17, 70, 70);
    if (file == "banded_tiles_cuda.cu")
        runBand<Bfloat16, float>(99, 35, 8, 8);
    if (file == "ctc_cuda.cu")
        runCtc(4, 1, 133);
}

/// What the program said and how it ended, with the barrier of this line left out.
struct Said {
    int status = 0;
    std::string text;
};
Said runWithout(const std::string& program, const std::string& file, int line) {
    const std::string command =
        "TSAN_OPTIONS=halt_on_error=1 '" + program + "' " + file + ' ' + std::to_string(line) + " 2>&1";
    Said said;
    if (FILE* output = ::popen(command.c_str(), "r")) {
        char part[4096];
        while (const std::size_t count = std::fread(part, 1, sizeof part, output))
            said.text.append(part, count);
        said.status = ::pclose(output);
    }
    return said;
}

void expectEveryBarrierIsMissed(const std::string& program) {
    int barriers = 0;
    for (const auto& entry : std::filesystem::directory_iterator(HEADROOM_SOURCE_DIR "/models/kernels")) {
        if (entry.path().extension() != ".cu")
            continue;
        const std::string file = entry.path().filename();
        if (const Said whole = runWithout(program, file, 0); whole.status != 0) {
            std::printf("FAIL with all barriers of %s:\n%s", file.c_str(), whole.text.c_str());
            ++mistakes;
        }
        std::ifstream source(entry.path());
        int number = 0;
        for (std::string line; std::getline(source, line);) {
            ++number;
            if (line.find("__syncthreads();") == std::string::npos)
                continue;
            ++barriers;
            const Said said = runWithout(program, file, number);
            const bool isFound = said.status != 0 && said.text.find("data race") != std::string::npos;
            std::printf("%s: without the barrier of %s, line %d, %s\n", isFound ? "PASS" : "FAIL",
                        file.c_str(), number,
                        isFound ? "a data race is reported" : "nothing is reported");
            mistakes += isFound ? 0 : 1;
        }
    }
    expect(barriers > 0, "no barrier was found", 0, 0);
}

void runShapes() {
    // Few and small: under a sanitizer a barrier of hundreds of threads on two processors takes milliseconds.
    runContributions<float, float>(17, 2, 10, 17);
    runContributions<Bfloat16, float>(66, 1, 3, 5);
    runContributions<float, float>(9, 4, 5, 9); // 4 and 8 heads have kernels of their own
    runContributions<double, double>(9, 8, 5, 3);
    runLayerProfiles(33, 2, 5);
    runBand<float, float>(17, 4, 12, 70);
    runBand<Bfloat16, float>(9, 8, 5, 4);
    runBand<Bfloat16, float>(20, 3, 16, 8); // rows that are moved eight numbers at a time
    runBand<double, double>(9, 2, 3, 5);
    runDropout<float>(500);
    runCtc(3, 2, 7);
    runCtc(2, 1, 133);
}

} // namespace

int main(int count, char** words) {
    static_assert(headroom::testing::kSanitized, "build it with a sanitizer");
    if (count > 1 && std::strcmp(words[1], "barriers") == 0) {
        expectEveryBarrierIsMissed(words[0]);
    } else if (count > 2) {
        headroom::testing::missingBarrier = std::atoi(words[2]);
        runEveryBarrier(words[1]);
    } else {
        runShapes();
    }
    if (mistakes == 0)
        std::printf("PASS\n");
    return mistakes == 0 ? 0 : 1;
}

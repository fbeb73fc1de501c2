// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/batch_norm.h"
#include "models/layers/subsampler.h"
#include "models/layers/waveform.h"
#include "models/networks/s2t_encoder.h"
#include "tests/models/networks/families.h"
#include "tests/support/runner.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>

#include <QTest>

namespace headroom::testing::front_end_test {

using namespace headroom::models;

namespace {

Parameters normOf(std::int64_t channels, bool counting) {
    Parameters parameters;
    parameters.set("n.weight", at::randn({channels}).add(1));
    parameters.set("n.bias", at::randn({channels}));
    parameters.setBuffer("n.running_mean", at::zeros({channels}));
    parameters.setBuffer("n.running_var", at::ones({channels}));
    if (counting)
        parameters.setBuffer(std::string("n.") + kBatchesSeen, at::zeros({1}));
    return parameters;
}

} // namespace

class FrontEndTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aFrameReachesTheTokensThatTheClockNames_data() {
        QTest::addColumn<QString>("family");
        for (const char* name : {"s2t", "conformer", "conformerLayerNorm", "relaxed"})
            QTest::newRow(name) << QString(name);
        QTest::newRow("even kernels") << QString();
    }
    void aFrameReachesTheTokensThatTheClockNames() {
        QFETCH(QString, family);
        Architecture architecture = smallFamily(family.isEmpty() ? "conformer" : family.toStdString());
        if (family.isEmpty()) {
            architecture.frontEnd.kernels = {4, 3, 2};
            architecture.frontEnd.strides = {2, 3, 1};
        }
        // Positive weights and inputs keep every path open through ReLU and GLU.
        const Parameters drawn = madeWeights(architecture);
        Parameters parameters = drawn;
        drawn.forEach([&](const std::string& name, const at::Tensor& tensor) {
            if (name.rfind("model.encoder.conv", 0) == 0)
                parameters.set(name, tensor.abs().to(at::kDouble));
        });
        const Scope scope = Scope(parameters) / "model" / "encoder" / "conv";
        const TokenClock clock = architecture.frontEnd.clock();
        for (const std::int64_t frames : {1, 2, 3, 50, 51, 53}) {
            const at::Tensor quiet = at::ones({1, frames, 80}, at::kDouble).mul_(0.5);
            const at::Tensor before =
                subsample(scope, architecture.frontEnd, quiet, {frames}, Padding::Safe).squeeze(0);
            QCOMPARE(before.size(0), clock.tokenCount(Frames(frames)).value());
            QCOMPARE(before.size(1), 32);
            for (std::int64_t frame = 0; frame < frames; ++frame) {
                at::Tensor loud = quiet.clone();
                loud[0][frame].add_(1);
                const at::Tensor moved =
                    subsample(scope, architecture.frontEnd, loud, {frames}, Padding::Safe)
                        .squeeze(0)
                        .sub(before)
                        .abs()
                        .amax(-1);
                for (std::int64_t token = 0; token < before.size(0); ++token) {
                    const auto range = clock.receptiveField(Tokens(token));
                    const bool inside = range.first.value() <= frame && frame <= range.last.value();
                    const bool reached = moved[token].item<double>() > 1e-9;
                    // With even kernels the last tokens read padding that stands for frames that are there.
                    const bool atTheEnd = family.isEmpty() && token + 2 >= before.size(0);
                    QVERIFY2(reached == inside || (atTheEnd && !reached),
                             ("frame " + std::to_string(frame) + " token " + std::to_string(token)).c_str());
                }
            }
        }
    }

    void statisticsAreThoseOfValidFrames() {
        const std::vector<std::int64_t> lengths{7, 3, 5};
        at::Tensor x = at::randn({3, 4, 7}).mul(2).add(1);
        at::Tensor loud = x.clone(); // whatever stands in the padding
        loud[1].narrow(1, 3, 4).fill_(1e6);
        loud[2].narrow(1, 5, 2).fill_(-1e6);
        const Parameters parameters = normOf(4, false);
        const Scope scope = Scope(parameters) / "n";
        const at::Tensor result = batchNorm(scope, loud, lengths, true);
        const at::Tensor valid =
            at::cat({x[0], x[1].narrow(1, 0, 3), x[2].narrow(1, 0, 5)}, 1).to(at::kDouble); // [4, 15]
        const at::Tensor mean = valid.mean(1), variance = valid.var(1, /*unbiased=*/false);
        const at::Tensor expected = valid.sub(mean.unsqueeze(1))
                                        .div(variance.add(1e-5).sqrt().unsqueeze(1))
                                        .mul(scope["weight"].unsqueeze(1))
                                        .add(scope["bias"].unsqueeze(1));
        const at::Tensor found =
            at::cat({result[0], result[1].narrow(1, 0, 3), result[2].narrow(1, 0, 5)}, 1);
        QVERIFY(largest(found.sub(expected)) < 1e-5);
        QCOMPARE(largest(result[1].narrow(1, 3, 4)), 0.0);
        // What is kept moves by the momentum; the variance is the unbiased one.
        QVERIFY(largest(scope["running_mean"].sub(mean.mul(kBatchNormMomentum))) < 1e-6);
        const at::Tensor variances = valid.var(1, true).mul(kBatchNormMomentum).add(1 - kBatchNormMomentum);
        QVERIFY(largest(scope["running_var"].sub(variances)) < 1e-6);
        // Four dimensions are the same numbers.
        const at::Tensor planes = loud.unsqueeze(3).expand({3, 4, 7, 2}).contiguous();
        QVERIFY(largest(batchNorm(scope, planes, lengths, true).select(3, 1).sub(result)) < 1e-5);
    }

    void theFirstBatchesCountAlikeAndThenByTheMomentum() {
        const Parameters parameters = normOf(1, true);
        const Scope scope = Scope(parameters) / "n";
        const auto see = [&](double value) {
            batchNorm(scope, at::full({1, 1, 4}, value), {}, true);
            return scope["running_mean"].item<double>();
        };
        QVERIFY(std::abs(see(4) - 4) < 1e-6); // not 0.005 × 4: the 0 from which it started says nothing
        QVERIFY(std::abs(see(8) - 6) < 1e-6);
        QVERIFY(std::abs(see(3) - 5) < 1e-5);
        for (int i = 0; i < 197; ++i)
            see(5);
        const double before = scope["running_mean"].item<double>();
        QVERIFY(std::abs(see(105) - (before + 0.005 * (105 - before))) < 1e-4); // the 201st
        // In evaluation nothing moves, and nothing is read but what was kept.
        const double kept = scope["running_mean"].item<double>();
        const at::Tensor once = batchNorm(scope, at::full({1, 1, 4}, 7.0), {}, false);
        const at::Tensor beside = batchNorm(scope, at::full({2, 1, 9}, 7.0), {9, 4}, false);
        QCOMPARE(scope["running_mean"].item<double>(), kept);
        QCOMPARE(once[0][0][0].item<double>(), beside[1][0][3].item<double>());
    }

    void samplesInPiecesAreTheWhole_data() {
        QTest::addColumn<QString>("family");
        QTest::addColumn<int>("samples");
        for (const char* name : {"wav2vec2", "wavlm"}) // GroupNorm; LayerNorm and biases
            for (const int samples : {400, 720, 21'000, 41'300}) // 1, 2, 65 and 128 tokens
                QTest::addRow("%s, %d", name, samples) << QString(name) << samples;
    }
    /// Inference computes a recording in pieces of 64 tokens, by products; ATen's convolutions are the reference.
    void samplesInPiecesAreTheWhole() {
        QFETCH(QString, family);
        QFETCH(int, samples);
        Architecture architecture = smallFamily(family.toStdString());
        architecture.frontEnd.planes.assign(7, 6);
        architecture.frontEnd.kernels = {10, 3, 3, 3, 3, 2, 2};
        architecture.frontEnd.strides = {5, 2, 2, 2, 2, 2, 2};
        const Parameters parameters = madeWeights(architecture);
        const Scope scope = Scope(parameters) / "model" / "encoder" / "conv";
        const at::Tensor sound = at::randn({1, samples, 1}).add_(0.3); // GroupNorm takes the mean away
        const at::Tensor whole = waveformConvolutions(scope, architecture.frontEnd, sound, {samples});
        const c10::InferenceMode inference;
        const at::Tensor pieces = waveformConvolutions(scope, architecture.frontEnd, sound, {samples});
        QVERIFY(pieces.sizes() == whole.sizes());
        const double apart = largest(pieces.sub(whole)) / largest(whole);
        QVERIFY2(apart <= 1e-5, qPrintable(QString::number(apart)));
    }
};

HEADROOM_TEST(FrontEndTest)

} // namespace headroom::testing::front_end_test

#include "front_end_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// CKA and PWCCA against their definitions, computed another way, and what they must not see.
#include "tests/support/runner.h"
#include "training/studies/mixing/similarity.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/diag.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/linalg_eigh.h>
#include <ATen/ops/linalg_qr.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>

#include <QtTest>

#include <algorithm>
#include <cmath>

namespace headroom::testing::similarity_test {

using namespace headroom::training;

namespace {

constexpr std::int64_t kPlaces = 120;

at::Generator generator() {
    return at::detail::createCPUGenerator(9);
}

Matrix<float> statesOf(const at::Tensor& tensor) {
    const at::Tensor rows = tensor.to(at::kFloat).contiguous();
    const auto* data = rows.const_data_ptr<float>();
    return {static_cast<std::size_t>(rows.size(0)), static_cast<std::size_t>(rows.size(1)),
            std::vector<float>(data, data + rows.numel())};
}

Representation representation(const at::Tensor& tensor) {
    return Representation(statesOf(tensor).view());
}

at::Tensor centred(const at::Tensor& x) {
    const at::Tensor exact = x.to(at::kFloat).to(at::kDouble);
    return exact.sub(exact.mean(0, true));
}

/// CKA by HSIC of the n × n Gram matrices (Kornblith et al. 2019, Eq. 2), element by element.
double ckaByGram(const at::Tensor& a, const at::Tensor& b) {
    const at::Tensor h = at::eye(kPlaces, at::kDouble).sub(1.0 / kPlaces);
    const auto gram = [&](const at::Tensor& x) {
        const at::Tensor k = at::mm(x.to(at::kFloat).to(at::kDouble), x.to(at::kFloat).to(at::kDouble).t());
        return at::mm(at::mm(h, k), h);
    };
    const at::Tensor k = gram(a), l = gram(b);
    double shared = 0, ownA = 0, ownB = 0;
    for (std::int64_t i = 0; i < kPlaces; ++i)
        for (std::int64_t j = 0; j < kPlaces; ++j) {
            const double x = k[i][j].item<double>(), y = l[i][j].item<double>();
            shared += x * y;
            ownA += x * x;
            ownB += y * y;
        }
    return shared / std::sqrt(ownA * ownB);
}

at::Tensor inverseRoot(const at::Tensor& covariance) {
    const auto [values, vectors] = at::linalg_eigh(covariance);
    return at::mm(at::mm(vectors, at::diag(values.rsqrt())), vectors.t());
}

/// PWCCA by the eigenvectors of Σ_xx^(−1/2) Σ_xy Σ_yy^(−1) Σ_yx Σ_xx^(−1/2).
double pwccaByCovariances(const at::Tensor& a, const at::Tensor& b) {
    const at::Tensor x = centred(a), y = centred(b);
    const at::Tensor rootX = inverseRoot(at::mm(x.t(), x)), rootY = inverseRoot(at::mm(y.t(), y));
    const at::Tensor whitened = at::mm(at::mm(rootX, at::mm(x.t(), y)), rootY);
    const auto [squares, vectors] = at::linalg_eigh(at::mm(whitened, whitened.t()));
    const at::Tensor directions = at::mm(at::mm(x, rootX), vectors); // [place, direction], unit columns
    double sum = 0, weights = 0;
    // Ascending: the last min(p, q) are the canonical pairs.
    for (std::int64_t i = x.size(1) - std::min(x.size(1), y.size(1)); i < directions.size(1); ++i) {
        double weight = 0;
        for (std::int64_t j = 0; j < x.size(1); ++j)
            weight += std::abs(directions.select(1, i).dot(x.select(1, j)).item<double>());
        const double rho = std::sqrt(std::clamp(squares[i].item<double>(), 0.0, 1.0));
        sum += weight * rho;
        weights += weight;
    }
    return sum / weights;
}

} // namespace

class SimilarityTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void bothEqualTheirDefinitions() {
        const at::Generator random = generator();
        const at::Tensor a = at::randn({kPlaces, 12}, random, at::kDouble).add(3);
        const at::Tensor b = at::mm(a, at::randn({12, 9}, random, at::kDouble))
                                 .add(at::randn({kPlaces, 9}, random, at::kDouble).mul(4));
        const Representation x = representation(a), y = representation(b);
        QVERIFY(std::abs(linearCka(x, y) - ckaByGram(a, b)) <= 1e-10);
        QVERIFY(std::abs(projectionWeightedCca(x, y) - pwccaByCovariances(a, b)) <= 1e-8);
        QVERIFY(std::abs(projectionWeightedCca(y, x) - pwccaByCovariances(b, a)) <= 1e-8);
        QVERIFY(std::abs(linearCka(x, y) - linearCka(y, x)) <= 1e-12);
        QVERIFY(linearCka(x, y) > 0.1 && linearCka(x, y) < 0.95); // neither is trivial here
        QVERIFY(projectionWeightedCca(x, y) > 0.1 && projectionWeightedCca(x, y) < 0.95);
    }

    void oneDimensionIsTheCorrelation() {
        const at::Generator random = generator();
        const at::Tensor a = at::randn({kPlaces, 1}, random, at::kDouble);
        const at::Tensor b = a.add(at::randn({kPlaces, 1}, random, at::kDouble));
        const at::Tensor x = centred(a), y = centred(b);
        const double r = x.mul(y).sum().item<double>() / (x.norm().item<double>() * y.norm().item<double>());
        QVERIFY(std::abs(projectionWeightedCca(representation(a), representation(b)) - std::abs(r)) <= 1e-9);
        QVERIFY(std::abs(linearCka(representation(a), representation(b)) - r * r) <= 1e-9);
    }

    void rotationAndScaleChangeNeitherAndLinearMapsNotPwcca() {
        const at::Generator random = generator();
        const at::Tensor a = at::randn({kPlaces, 10}, random, at::kDouble);
        const at::Tensor rotation = std::get<0>(at::linalg_qr(at::randn({10, 10}, random, at::kDouble)));
        const Representation x = representation(a), rotated = representation(at::mm(a, rotation).mul(7).add(1)),
                             mapped = representation(at::mm(a, at::randn({10, 10}, random, at::kDouble)));
        QVERIFY(std::abs(linearCka(x, rotated) - 1) <= 1e-6);
        QVERIFY(std::abs(projectionWeightedCca(x, rotated) - 1) <= 1e-6);
        QVERIFY(std::abs(projectionWeightedCca(x, mapped) - 1) <= 1e-6);
        QVERIFY(linearCka(x, mapped) < 0.99);
    }

    void whatIsConstantOrElsewhereIsNotCompared() {
        const at::Generator random = generator();
        const Representation x = representation(at::randn({kPlaces, 3}, random, at::kDouble)),
                             constant = representation(at::ones({kPlaces, 3}, at::kDouble)),
                             fewer = representation(at::randn({kPlaces - 1, 3}, random, at::kDouble));
        QVERIFY(std::isnan(linearCka(x, constant)) && std::isnan(projectionWeightedCca(x, constant)));
        QVERIFY_EXCEPTION_THROWN(linearCka(x, fewer), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN(projectionWeightedCca(x, fewer), std::invalid_argument);
        QCOMPARE(x.dimension(), std::int64_t(3));
    }
};

HEADROOM_TEST(SimilarityTest)

} // namespace headroom::testing::similarity_test

#include "similarity_test.moc"

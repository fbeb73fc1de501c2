// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/worker_answers.h"

#include <QTest>

using namespace headroom;
using namespace headroom::app;
using nlohmann::json;

namespace {

template <class T>
Tensor tensor(std::vector<std::int64_t> shape, std::vector<T> values) {
    return Tensor::of<T>(std::move(shape), std::span<const T>(values));
}

/// A layer of two tokens and two heads; the second head has no N × N map.
NamedTensors arrays() {
    NamedTensors made;
    made["layer.2.contributions"] = tensor<float>({2, 2}, {0.75F, 0.25F, 0.5F, 0.5F});
    made["layer.2.contribution_profile"] = tensor<double>({3}, {0.5, 1.25, 0.25});
    made["layer.2.attention_profile"] = tensor<double>({2, 3}, {0.5, 1.0, 0.5, NAN, NAN, NAN});
    made["layer.2.head_relevance"] = tensor<float>({2, 2}, {0.25F, 0.75F, 0.5F, 0.5F});
    made["layer.2.attention"] = tensor<float>({2, 2, 2}, {1, 0, 0, 1, 0, 1, 1, 0});
    return made;
}

const json kValues = {{"request", 1}, {"layer", 2}, {"D1", 0.625}, {"CCD", nullptr}, {"gramError", 1e-7}};

QString mistake(NamedTensors made, const json& values = kValues) {
    try {
        readLayer(values, std::move(made));
    } catch (const Error& error) {
        return error.code() == "worker.badAnswer" ? QString::fromUtf8(error.what()) : QString();
    }
    return {};
}

} // namespace

class TestWorkerAnswers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLayerBecomesItsNumbers();
    void everyArrayIsChecked();
    void aModelBecomesItsInfo();
    void aModelWithoutItsDocumentIsRefused();
};

void TestWorkerAnswers::aLayerBecomesItsNumbers() {
    const LayerResult layer = readLayer(kValues, arrays());
    QCOMPARE(layer.layer, 2);
    QCOMPARE(layer.contributions->level(0)(0, 1), 0.25F);
    QCOMPARE(layer.profile.at(0), 1.25);
    QCOMPARE(layer.d1, 0.625);
    QVERIFY(std::isnan(layer.ccd));
    QCOMPARE(layer.attentionProfiles.size(), std::size_t(2));
    QCOMPARE(layer.attentionProfiles[0].at(1), 0.5);
    QVERIFY(layer.attentionProfiles[1].empty());
    QCOMPARE(layer.headRelevance(0, 1), 0.75F);
    QCOMPARE(layer.map({MapSource::Kind::Head, 2})->level(0)(0, 1), 1.0F);
    QCOMPARE(layer.map({MapSource::Kind::HeadMean, 1})->level(0)(0, 0), 0.5F);
    QVERIFY(layer.map({MapSource::Kind::Head, 3}) == nullptr);
    QVERIFY(layer.profileOf({MapSource::Kind::Head, 1}).has_value());
    QVERIFY(!layer.profileOf({MapSource::Kind::HeadMean, 1}).has_value()); // one head has none
}

void TestWorkerAnswers::everyArrayIsChecked() {
    for (const char* name :
         {"contributions", "contribution_profile", "attention_profile", "head_relevance"}) {
        auto made = arrays();
        made.erase(std::string("layer.2.") + name);
        QVERIFY2(mistake(made).contains(QString::fromUtf8(name)), name);
        made = arrays();
        made["layer.2." + std::string(name)] = tensor<float>({1, 1, 1}, {0});
        QVERIFY2(!mistake(made).isEmpty(), name);
    }
    auto made = arrays();
    made["layer.2.contributions"] = tensor<float>({1, 2}, {1, 0});
    QVERIFY(mistake(made).contains(QStringLiteral("square")));
    made = arrays();
    made["layer.2.contribution_profile"] = tensor<double>({4}, {0, 0, 0, 0});
    QVERIFY(mistake(made).contains(QStringLiteral("2N")));
    made = arrays();
    made["layer.2.attention"] = tensor<float>({1, 1, 1}, {1});
    QVERIFY(mistake(made).contains(QStringLiteral("tokens")));
    QVERIFY(!mistake(arrays(), {{"layer", 99}}).isEmpty());
    QVERIFY(!mistake(arrays(), json::array()).isEmpty());
}

void TestWorkerAnswers::aModelBecomesItsInfo() {
    Architecture architecture;
    architecture.vocabulary = 10;
    architecture.encoder.layers.push_back({parseHeads("4 local 17")});
    const json result = {{"model", "m1"},
                         {"name", "small"},
                         {"architecture", json::parse(canonicalText(architecture))},
                         {"clock", {{"offset", 0.0125}, {"step", 0.04}}},
                         {"maxSourceFrames", 6000},
                         {"report", {{"missing", {"a", "b"}}}}};
    const ModelInfo info = readModelInfo(result, QStringLiteral("m"));
    QVERIFY(info.architecture == architecture);
    QCOMPARE(info.clock.centre(Tokens(2)).value(), 0.0125 + 0.08);
    QCOMPARE(info.maxSourceFrames, std::int64_t(6000));
    QCOMPARE(info.missing.size(), 2);
    QCOMPARE(modelHandle(result).get<std::string>(), std::string("m1"));
}

void TestWorkerAnswers::aModelWithoutItsDocumentIsRefused() {
    QVERIFY_EXCEPTION_THROWN(readModelInfo(json::object(), QString()), Error);
    QVERIFY_EXCEPTION_THROWN(readModelInfo({{"model", 1}, {"clock", 3}}, QString()), Error);
    QVERIFY_EXCEPTION_THROWN(readModelInfo(nullptr, QString()), Error);
}

QTEST_GUILESS_MAIN(TestWorkerAnswers)
#include "test_worker_answers.moc"

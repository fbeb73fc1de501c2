// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "tests/training/worker/conversation.h"
#include "tests/training/worker/worker_program.h"

#include <map>
#include <QElapsedTimer>
#include <QtTest>
#include <set>

namespace headroom::testing::worker_serve_test {

using namespace headroom::protocol;
using nlohmann::json;

namespace {

int codeOf(const json& answer) {
    return answer.contains("error") ? answer["error"]["code"].get<int>() : 0;
}
std::string dataCodeOf(const json& answer) {
    return answer.contains("error") ? answer["error"]["data"]["code"].get<std::string>() : std::string();
}

} // namespace

class WorkerServeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wordsComeWithTheMapsOfTheDecoder() {
        Conversation worker;
        const int model = worker.openModel();
        worker.samples(3, 1);
        const auto result = worker.call(3, "words", {{"model", model}, {"text", ""}})["result"];
        QVERIFY(!result["given"].get<bool>());
        const auto rows = result["firstRow"].get<std::int64_t>() + static_cast<std::int64_t>(result["pieces"].size());
        const int layers = result["layers"].get<int>();
        QVERIFY(layers > 0);
        for (int layer = 1; layer <= layers; ++layer)
            for (const char* block : {"self", "cross"}) {
                const auto name = "decoder.layer." + std::to_string(layer) + "." + block + ".attention";
                QVERIFY2(worker.arrays[3].contains(name), name.c_str());
                QCOMPARE(worker.arrays[3][name].shape[1], rows);
            }
        QCOMPARE(codeOf(worker.call(4, "words", {{"model", model}})), -32602); // no samples

        // The measures of a layer, at what the decoder was fed.
        worker.samples(5, 1);
        const json measures = {"alti", "rollout-value-zeroing"};
        const auto mixed = worker.call(5, "wordMixing", {{"model", model}, {"layer", 1}, {"inputs", result["inputs"]}, {"measures", measures}})["result"];
        QCOMPARE(worker.arrays[5]["cross.mixing.alti"].shape, (std::vector<std::int64_t>{rows, result["tokens"].get<std::int64_t>()}));
        QVERIFY(mixed["measures"][0]["reason"].is_null() && mixed["measures"][0]["milliseconds"].is_number());
        QVERIFY(mixed["measures"][1]["reason"].is_string());
        QVERIFY(mixed["rebuildError"].get<double>() <= 1e-4);
        // The other block with its own checks; and without them, if they are known.
        worker.samples(7, 1);
        const json self{{"model", model}, {"layer", 1}, {"inputs", result["inputs"]}, {"measures", {"contributions"}}, {"block", "self"}};
        const auto own = worker.call(7, "wordMixing", self)["result"];
        QCOMPARE(worker.arrays[7]["self.mixing.contributions"].shape, (std::vector<std::int64_t>{rows, rows}));
        QVERIFY(own["gramError"].get<double>() <= 1e-4 && own["rowSumError"].get<double>() <= 1e-4);
        QVERIFY(own["rebuildError"].get<double>() <= 1e-4);
        worker.samples(8, 1);
        json unchecked = self;
        unchecked["checks"] = false;
        const auto alone = worker.call(8, "wordMixing", unchecked)["result"];
        for (const char* error : {"rowSumError", "rebuildError", "gramError"})
            QVERIFY(alone[error].is_null());
        QCOMPARE(toFloats(worker.arrays[8]["self.mixing.contributions"].view()),
                 toFloats(worker.arrays[7]["self.mixing.contributions"].view()));
        worker.samples(6, 1);
        QCOMPARE(codeOf(worker.call(6, "wordMixing", {{"model", model}, {"layer", 99}, {"inputs", result["inputs"]}, {"measures", measures}})), -32000);
    }

    void theNBestListIsAnsweredWithTheMapsOfItsFirstText() {
        Conversation worker;
        const int model = worker.openModel();
        worker.samples(3, 1);
        const auto result = worker.call(3, "words", {{"model", model}, {"nBest", 3}})["result"];
        QVERIFY(result["hypotheses"].size() >= 1 && result["hypotheses"].size() <= 3);
        QCOMPARE(result["hypotheses"][0]["text"], result["text"]);
        QVERIFY(worker.arrays[3].contains("decoder.layer.1.cross.attention"));
        worker.samples(4, 1);
        QCOMPARE(codeOf(worker.call(4, "words", {{"model", model}, {"nBest", 3}, {"text", "so"}})), -32602);
    }

    void initializeDescribesTheWorker() {
        Conversation worker;
        const auto result = worker.initialize()["result"];
        QCOMPARE(result["protocol"].get<int>(), 1);
        for (const char* key : {"version", "build", "devices", "threads", "memoryBytes"})
            QVERIFY2(result.contains(key), key);
        QCOMPARE(result["devices"][0]["name"].get<std::string>(), std::string("cpu"));
        QVERIFY(result["threads"].get<int>() >= 1);
        QVERIFY(result["memoryBytes"].get<double>() > 1e8);
    }

    void nothingWorksBeforeInitialize() {
        Conversation worker;
        QCOMPARE(codeOf(worker.call(5, "openModel", {{"folder", "x"}})), -32001);
    }

    void anotherProtocolVersionIsRefused() {
        Conversation worker;
        QCOMPARE(codeOf(worker.call(1, "initialize", {{"protocol", 2}})), -32001);
        QCOMPARE(codeOf(worker.call(2, "initialize")), -32001);
    }

    void openModelSaysWhatItFound() {
        Conversation worker;
        worker.initialize();
        const auto result = worker.call(2, "openModel", {{"folder", kModel.toStdString()}})["result"];
        for (const char* key : {"model", "name", "architecture", "clock", "maxSourceFrames", "parameters",
                                "tensors", "storedAs", "hash", "report"})
            QVERIFY2(result.contains(key), key);
        QCOMPARE(result["parameters"].get<int>(), 2448128);
        QCOMPARE(result["maxSourceFrames"].get<int>(), 6000);
        QCOMPARE(result["clock"]["step"].get<double>(), 0.04);
        QCOMPARE(result["architecture"]["format"].get<std::string>(), std::string("headroom/architecture"));
        for (const char* key : {"loaded", "missing", "unexpected", "wrongShape", "assumed"})
            QVERIFY2(result["report"].contains(key), key);
        QCOMPARE(result["hash"].get<std::string>().size(), std::size_t(64));
    }

    void aFolderThatIsNoModelIsBadInput() {
        Conversation worker;
        worker.initialize();
        const auto answer = worker.call(2, "openModel", {{"folder", "/nowhere/at/all"}});
        QCOMPARE(codeOf(answer), -32000);
        QVERIFY(dataCodeOf(answer).starts_with("model."));
        QVERIFY(!answer["error"]["message"].get<std::string>().empty());
    }

    void analyseSendsLayersArraysAndProgress() {
        Conversation worker;
        const int model = worker.openModel();
        worker.samples(3, 1.5);
        const auto answer = worker.call(
            3, "analyse", {{"model", model}, {"tag", "a"}, {"attention", true}, {"transcribe", true}});
        const auto result = answer["result"];
        QVERIFY2(!result.is_null(), answer.dump().c_str());
        QCOMPARE(result["frames"].get<int>(), 148);
        QCOMPARE(result["tokens"].get<int>(), 37);
        QVERIFY(result["milliseconds"].get<double>() > 0);
        QVERIFY(result["text"].is_string());
        const auto& arrays = worker.arrays[3];
        QCOMPARE(arrays.size(), std::size_t(8 * 5 + 2));
        QCOMPARE(arrays.at("features").shape, (std::vector<std::int64_t>{148, 80}));
        QCOMPARE(arrays.at("encoder_output").shape, (std::vector<std::int64_t>{37, 128}));
        QCOMPARE(arrays.at("layer.8.contributions").shape, (std::vector<std::int64_t>{37, 37}));
        QVERIFY(arrays.at("layer.8.contribution_profile").dtype == DType::F64);
        QCOMPARE(arrays.at("layer.8.contribution_profile").shape, (std::vector<std::int64_t>{73}));
        QCOMPARE(arrays.at("layer.8.attention_profile").shape, (std::vector<std::int64_t>{4, 73}));
        QCOMPARE(arrays.at("layer.8.head_relevance").shape, (std::vector<std::int64_t>{37, 4}));
        QCOMPARE(arrays.at("layer.8.attention").shape, (std::vector<std::int64_t>{4, 37, 37}));
        int layers = 0;
        std::set<std::string> stages;
        for (const auto& notification : worker.notifications) {
            const auto& params = notification["params"];
            QCOMPARE(params["request"].get<int>(), 3);
            if (notification["method"] == "layer") {
                QCOMPARE(params["layer"].get<int>(), ++layers);
                for (const char* key : {"D1", "CCD", "rebuildError", "gramError", "rowSumError"})
                    QVERIFY2(params[key].is_number(), key);
                QVERIFY(params.contains("reason") && params["reason"].is_null());
            } else {
                QCOMPARE(notification["method"].get<std::string>(), std::string("progress"));
                stages.insert(params["stage"].get<std::string>());
                QVERIFY(params["done"].get<int>() <= params["total"].get<int>());
            }
        }
        QCOMPARE(layers, 8);
        QCOMPARE(stages, (std::set<std::string>{"features", "encoder", "decoder"}));
    }

    void valuesOfAWordAreZeroedTogether() {
        Conversation worker;
        const int model = worker.openModel();
        const auto zeroed = [&](int id, const nlohmann::json& units) {
            worker.samples(id, 1.5);
            nlohmann::json params{{"model", model}, {"layers", {2}}, {"explain", false}, {"mixing", {"value-zeroing"}}};
            if (!units.is_null())
                params["units"] = units;
            worker.call(id, "analyse", params);
            return worker.arrays[id].at("layer.2.mixing.value-zeroing");
        };
        const Tensor alone = zeroed(3, nullptr), together = zeroed(4, {{0.0, 0.5}, {0.5, 1.0}});
        QCOMPARE(together.shape, alone.shape);
        const auto a = toDoubles(alone.view()), t = toDoubles(together.view());
        const std::size_t tokens = 37;
        QVERIFY(a[0] != a[1]);
        for (std::size_t i = 0; i < tokens; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < tokens; ++j)
                sum += t[i * tokens + j];
            QVERIFY(std::abs(sum - 1) < 1e-5);
            QCOMPARE(t[i * tokens], t[i * tokens + 1]); // columns of one word
            if (i < 12) // centres at 0.0125 + 0.04 t: these begin before 0.5 s
                QCOMPARE(t[i * tokens + 20], t[20]); // rows of one word
        }
        worker.samples(5, 1);
        QCOMPARE(codeOf(worker.call(5, "analyse", {{"model", model}, {"units", {{0.5, 0.4}}}})), -32602);
    }

    void onlyTheLayersAskedForAreSent() {
        Conversation worker;
        const int model = worker.openModel();
        worker.samples(3, 1);
        QVERIFY(worker.call(3, "analyse", {{"model", model}, {"layers", {2, 5}}}).contains("result"));
        QVERIFY(worker.arrays[3].contains("layer.5.contributions"));
        QVERIFY(!worker.arrays[3].contains("layer.4.contributions"));
        QVERIFY(!worker.arrays[3].contains("layer.5.attention"));
    }

    /// What the window asks for over a slow line; without these fields the answer is whole.
    void contributionsCanComeAsThumbnails() {
        Conversation worker;
        const int model = worker.openModel();
        worker.samples(3, 8);
        const auto whole = worker.call(3, "analyse", {{"model", model}});
        QCOMPARE(whole["result"]["tokens"].get<int>(), 200);
        QVERIFY(worker.arrays[3].contains("features") && worker.arrays[3].contains("encoder_output"));
        worker.samples(4, 8);
        const auto small = worker.call(4, "analyse", {{"model", model}, {"small", {1, 2, 4}}, {"states", false}});
        QCOMPARE(small["result"]["tokens"], whole["result"]["tokens"]);
        const auto &all = worker.arrays[3], &few = worker.arrays[4];
        QVERIFY(!few.contains("features") && !few.contains("encoder_output"));
        QCOMPARE(few.size(), all.size() - 2);
        for (const int layer : {1, 2, 4}) {
            const std::string prefix = "layer." + std::to_string(layer) + ".";
            QVERIFY(!few.contains(prefix + "contributions"));
            QCOMPARE(few.at(prefix + "thumbnail").shape, (std::vector<std::int64_t>{100, 100}));
            const auto map = toFloats(all.at(prefix + "contributions").view()), seen = toFloats(few.at(prefix + "thumbnail").view());
            QCOMPARE(seen[0], std::max(std::max(map[0], map[1]), std::max(map[200], map[201])));
            QCOMPARE(few.at(prefix + "contribution_profile").bytes, all.at(prefix + "contribution_profile").bytes);
        }
        QVERIFY(few.at("layer.3.contributions").bytes == all.at("layer.3.contributions").bytes && !few.contains("layer.3.thumbnail"));
    }

    void parametersThatDoNotFitAreRefused() {
        Conversation worker;
        const int model = worker.openModel();
        QCOMPARE(codeOf(worker.call(3, "analyse", {{"model", model}})), -32602); // no samples
        worker.samples(4, 1);
        QCOMPARE(codeOf(worker.call(4, "analyse", {{"model", 99}})), -32602);
        worker.samples(5, 1);
        QCOMPARE(codeOf(worker.call(5, "analyse", {{"model", model}, {"layers", {9}}})), -32602);
        worker.samples(6, 1);
        QCOMPARE(codeOf(worker.call(6, "analyse", {{"model", model}, {"attention", "yes"}})), -32602);
        QCOMPARE(codeOf(worker.call(7, "fly")), -32601);
        worker.write(encodeMessage({{"id", 8}, {"method", "analyse"}})); // not JSON-RPC 2.0
        QCOMPARE(codeOf(worker.answer(8)), -32600);
        worker.write(encodeMessage({{"jsonrpc", "2.0"}, {"id", "nine"}, {"method", "analyse"}}));
        QCOMPARE(codeOf(worker.answer(nullptr)), -32600);
        QVERIFY(worker.call(10, "closeModel", {{"model", model}}).contains("result")); // it goes on
    }

    void tooShortAndTooLongAreBadInput() {
        Conversation worker;
        const int model = worker.openModel();
        worker.samples(3, 0.02);
        QCOMPARE(dataCodeOf(worker.call(3, "analyse", {{"model", model}})), std::string("features.tooShort"));
        worker.samples(4, 60.1);
        const auto answer = worker.call(4, "analyse", {{"model", model}});
        QCOMPARE(codeOf(answer), -32000);
        QCOMPARE(dataCodeOf(answer), std::string("model.tooLong"));
        QCOMPARE(answer["error"]["data"]["values"]["limit"].get<int>(), 6000);
    }

    void closedModelsAreGone() {
        Conversation worker;
        const int model = worker.openModel();
        QVERIFY(worker.call(3, "closeModel", {{"model", model}})["result"].is_object());
        QCOMPARE(codeOf(worker.call(4, "closeModel", {{"model", model}})), -32602);
    }

    void transcribeGivesTextAndIds() {
        Conversation worker;
        const int model = worker.openModel();
        worker.samples(3, 1);
        const auto result = worker.call(3, "transcribe", {{"model", model}})["result"];
        QVERIFY(result["text"].is_string());
        QVERIFY(result["ids"].is_array() && !result["ids"].empty());
    }

    void aCancelledRequestEndsWithItsError() {
        Conversation worker;
        const int model = worker.openModel();
        worker.samples(3, 55); // long enough to be caught at it
        worker.request(3, "analyse", {{"model", model}});
        worker.samples(4, 1);
        worker.request(4, "analyse", {{"model", model}});
        worker.notify("cancel", {{"request", 4}}); // still waiting
        worker.notify("cancel", {{"request", 3}}); // under way
        const auto waiting = worker.answer(4);
        QCOMPARE(codeOf(waiting), -32800);
        QCOMPARE(dataCodeOf(waiting), std::string("cancelled"));
        const auto running = worker.others.empty() ? worker.answer(3) : worker.others.front();
        QCOMPARE(running["id"].get<int>(), 3);
        QCOMPARE(codeOf(running), -32800);
        worker.samples(5, 1);
        QVERIFY(worker.call(5, "analyse", {{"model", model}}).contains("result")); // it goes on
    }

    void aNewerRequestWithTheSameTagWins() {
        Conversation worker;
        const int model = worker.openModel();
        for (int id = 3; id <= 5; ++id) {
            worker.samples(id, id < 5 ? 55 : 1);
            worker.request(id, "analyse", {{"model", model}, {"tag", "utterance 1"}});
        }
        QVERIFY(worker.answer(5).contains("result"));
        QCOMPARE(worker.others.size(), std::size_t(2));
        for (const auto& older : worker.others) {
            QCOMPARE(codeOf(older), -32800);
            QCOMPARE(dataCodeOf(older), std::string("superseded"));
        }
    }

    void otherTagsAreLeftAlone() {
        Conversation worker;
        const int model = worker.openModel();
        worker.samples(3, 1);
        worker.request(3, "analyse", {{"model", model}, {"tag", "a"}});
        worker.samples(4, 1);
        QVERIFY(worker.call(4, "analyse", {{"model", model}, {"tag", "b"}}).contains("result"));
        QVERIFY(worker.others.at(0).contains("result"));
    }

    void shutdownThenExitIsStatusZero() {
        Conversation worker;
        worker.initialize();
        const auto answer = worker.call(2, "shutdown");
        QVERIFY(answer.contains("result") && answer["result"].is_null());
        QCOMPARE(codeOf(worker.call(3, "openModel", {{"folder", "x"}})), -32600);
        worker.notify("exit");
        QCOMPARE(worker.status(), 0);
    }

    void itEndsWhenTheWindowGoesAway() {
        Conversation worker;
        const int model = worker.openModel();
        worker.samples(3, 55);
        worker.request(3, "analyse", {{"model", model}}); // even in the middle of work
        worker.closeInput();
        QCOMPARE(worker.status(), 0);
    }

    void aStreamThatIsCutIsStatusOne() {
        Conversation worker;
        worker.write("Content-Length: 100\r\n\r\n{");
        worker.closeInput();
        QCOMPARE(worker.status(), 1);
        QVERIFY(!worker.log().empty());
    }

    void malformedInputIsAnsweredThenItEnds_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("rubbish") << QByteArray("Welcome to the cluster!\n");
        QTest::newRow("not JSON") << QByteArray("Content-Length: 3\r\n\r\n{a}");
        QTest::newRow("a size beyond reason") << QByteArray("Content-Length: 99999999999999\r\n\r\n");
        QTest::newRow("an array of the wrong size")
            << QByteArray::fromStdString(
                   "Content-Type: application/vnd.headroom.array\r\nContent-Length: 8\r\n\r\n") +
                   QByteArray("\x02\x00\x00\x00{}ab", 8);
    }

    void malformedInputIsAnsweredThenItEnds() {
        QFETCH(QByteArray, bytes);
        Conversation worker;
        worker.initialize();
        worker.write(bytes.toStdString());
        const auto answer = worker.answer(nullptr);
        QCOMPARE(codeOf(answer), -32700);
        QCOMPARE(dataCodeOf(answer), std::string("protocol.malformed"));
        QCOMPARE(worker.status(), 1);
    }
};

HEADROOM_TEST(WorkerServeTest)

} // namespace headroom::testing::worker_serve_test

#include "worker_serve_test.moc"

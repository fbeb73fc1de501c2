// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/protocol/messages.h"
#include "core/protocol/rpc.h"
#include "tests/support/runner.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>

namespace headroom::testing::messages_test {

using namespace headroom::protocol;
using nlohmann::json;

namespace {

/// One message as it stands on the wire, and what reads it.
struct Message {
    const char* name;
    json wire;
    std::vector<std::string> needed; ///< the other fields may be missing
    std::vector<std::string> anyType; ///< fields whose type is not the protocol's matter
    std::function<json(const json&)> readAndWritten;
};

template <class T>
std::function<json(const json&)> through() {
    return [](const json& wire) { return T::from(wire).toJson(); };
}

json parse(const char* text) {
    return json::parse(text);
}

std::vector<Message> messages() {
    return {
        {"initialize", parse(R"({"client": "headroom 0.1.0", "protocol": 1})"), {"protocol"}, {},
         through<Initialize>()},
        {"initialize, result",
         parse(R"({"build": "Debug", "devices": [{"description": "A processor", "name": "cpu"}],
                   "memoryBytes": 8000000000, "protocol": 1, "threads": 4, "version": "0.1.0"})"),
         {"protocol"}, {}, through<InitializeResult>()},
        {"openModel", parse(R"({"folder": "/models/small"})"), {"folder"}, {}, through<OpenModel>()},
        {"openModel, result",
         parse(R"({"architecture": {"format": "headroom/architecture"}, "clock": {"offset": 0.0125, "step": 0.04},
                   "hash": "abc", "maxSourceFrames": 6000, "model": 1, "name": "small", "parameters": 2448128,
                   "report": {"assumed": ["The activation was taken to be relu."], "loaded": ["a", "b"],
                              "missing": ["c"], "unexpected": ["d"],
                              "wrongShape": [{"expected": [2, 3], "found": [3], "name": "e"}]},
                   "storedAs": "f32", "tensors": 358})"),
         {"model", "architecture", "clock"}, {"model", "architecture"}, through<OpenModelResult>()},
        {"closeModel", parse(R"({"model": 1})"), {"model"}, {"model"}, through<CloseModel>()},
        {"analyse",
         parse(R"({"attention": true, "layers": [2, 5], "model": 1, "tag": "current", "transcribe": true})"),
         {"model"}, {"model", "tag"}, through<Analyse>()},
        {"analyse, other measures",
         parse(R"({"explain": false, "layers": [2], "mixing": ["alti", "rollout-contributions"], "model": 1,
                   "units": [[0.0, 0.25], [0.25, 0.5]]})"),
         {"model"}, {"model"}, through<Analyse>()},
        {"analyse, over a slow line", parse(R"({"model": 1, "small": [1, 3], "states": false})"), {"model"}, {"model"}, through<Analyse>()},
        {"analyse, a text", parse(R"({"model": 1, "source": "It is so."})"), {"model"}, {"model"}, through<Analyse>()},
        {"analyse, as little as there may be", parse(R"({"model": 1})"), {"model"}, {"model"},
         through<Analyse>()},
        {"analyse, result", parse(R"({"frames": 148, "milliseconds": 12.5, "text": "so it says", "tokens": 37})"),
         {}, {}, through<AnalyseResult>()},
        {"analyse, result without text", parse(R"({"frames": 148, "milliseconds": 12.5, "tokens": 37})"), {}, {},
         through<AnalyseResult>()},
        {"analyse, result of a text",
         parse(R"({"frames": 3, "milliseconds": 12.5, "sourcePieces": ["It", "is", "</s>"], "tokens": 3})"), {}, {},
         through<AnalyseResult>()},
        {"transcribe", parse(R"({"model": 1})"), {"model"}, {"model"}, through<Transcribe>()},
        {"transcribe, a text", parse(R"({"model": 1, "source": "It is so."})"), {"model"}, {"model"},
         through<Transcribe>()},
        {"transcribe, result", parse(R"({"ids": [5, 9], "text": "so it says"})"), {"text"}, {},
         through<TranscribeResult>()},
        {"words", parse(R"({"model": 1, "text": "so it says"})"), {"model"}, {"model"}, through<Words>()},
        {"words, of a text", parse(R"({"explain": true, "model": 1, "source": "It is so.", "text": "so it says"})"), {"model"}, {"model"},
         through<Words>()},
        {"words, result",
         parse(R"({"alignmentHeads": [{"head": 3, "layer": 2}], "attentionReason": null,
                   "ctcReason": "The model has no CTC output.", "firstRow": 3, "given": true, "heads": 4,
                   "headsAreNamed": true, "inputs": [2, 5, 6, 7], "layers": 2,
                   "pieces": [{"ends": false, "id": 7, "logProbability": -0.5, "text": "so"},
                              {"ends": true, "id": 2, "logProbability": null, "text": "</s>"}],
                   "text": "so", "tokens": 37,
                   "words": [{"attentionEnd": 0.5, "attentionStart": 0.25, "ctcEnd": null, "ctcStart": null,
                              "end": 1, "first": 0, "label": "so"}]})"),
         {"text", "pieces", "words"}, {}, through<WordsResult>()},
        {"words, n-best", parse(R"({"model": 1, "nBest": 5, "text": ""})"), {"model"}, {"model"}, through<Words>()},
        {"words, n-best result",
         parse(R"({"alignmentHeads": [], "attentionReason": null, "ctcReason": null, "firstRow": 0, "given": false,
                   "heads": 0, "headsAreNamed": false, "inputs": [],
                   "hypotheses": [{"pieces": [{"ends": false, "id": 7, "logProbability": -0.5, "text": "so"}], "score": -0.25, "text": "so",
                                   "words": [{"end": 0.5, "label": "so", "pieces": [0, 1], "start": 0.25}]},
                                  {"pieces": [], "score": -0.5, "text": "sow",
                                   "words": [{"end": null, "label": "sow", "pieces": [0, 0], "start": null}]}],
                   "layers": 0, "pieces": [], "text": "so", "tokens": 37, "words": []})"),
         {"text", "pieces", "words"}, {}, through<WordsResult>()},
        {"wordMixing", parse(R"({"inputs": [2, 7], "layer": 1, "measures": ["alti", "rollout-attention"], "model": 1})"),
         {"inputs", "layer", "measures", "model"}, {"model"}, through<WordMixing>()},
        {"wordMixing, of self-attention", parse(R"({"block": "self", "checks": false, "inputs": [2, 7], "layer": 1, "measures": [], "model": 1})"),
         {"inputs", "layer", "measures", "model"}, {"model"}, through<WordMixing>()},
        {"wordMixing, result",
         parse(R"({"gramError": 0.25, "measures": [{"milliseconds": 2.5, "name": "alti", "reason": null},
                                                   {"milliseconds": null, "name": "value-zeroing", "reason": "It has none."}],
                   "reason": null, "rebuildError": 0.5, "rowSumError": null})"),
         {"measures"}, {}, through<WordMixingResult>()},
        {"align", parse(R"({"text": "so it says"})"), {"text"}, {}, through<Align>()},
        {"align, result",
         parse(R"({"confidence": 0.5, "origin": "headroom", "phones": [[0.0, 0.25, "S"], [0.25, 1.0, "OW"]],
                   "warnings": [{"code": "align.quiet", "sentence": "It is quiet."}],
                   "words": [[0.0, 1.0, "so"]]})"),
         {"words", "phones", "origin", "warnings"}, {}, through<AlignResult>()},
        {"layer",
         parse(R"({"CCD": 0.9, "D1": 0.625, "gramError": 1e-07, "layer": 2, "reason": null, "rebuildError": 1e-06,
                   "request": 3, "rowSumError": null})"),
         {"layer"}, {}, through<LayerReady>()},
        {"layer with measures of mixing",
         parse(R"({"CCD": null, "D1": null, "gramError": null, "layer": 2,
                   "mixing": {"alti": null, "attention": "Its keys are shortened."}, "reason": null,
                   "rebuildError": null, "request": 7, "rowSumError": null})"),
         {"layer"}, {}, through<LayerReady>()},
        {"layer without contributions",
         parse(R"({"CCD": null, "D1": null, "gramError": null, "layer": 2, "reason": "Its compression is gated.",
                   "rebuildError": null, "request": 3, "rowSumError": null})"),
         {"layer"}, {}, through<LayerReady>()},
        {"progress", parse(R"({"done": 2, "request": 3, "stage": "encoder", "total": 12})"),
         {"done", "request", "stage", "total"}, {}, through<RequestProgress>()},
        {"cancel", parse(R"({"request": 3})"), {"request"}, {}, through<Cancel>()},
    };
}

/// The sentence with which a message is refused; empty where it is not.
std::string refusal(const Message& message, const json& wire) {
    try {
        message.readAndWritten(wire);
    } catch (const Error& error) {
        return error.code() == "protocol.badField" ? error.what() : "another code: " + error.code();
    }
    return {};
}

bool has(const std::vector<std::string>& keys, const std::string& key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
}

} // namespace

class MessagesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsReadIsWrittenByteForByte() {
        for (const Message& message : messages())
            QCOMPARE(message.readAndWritten(message.wire).dump(), message.wire.dump());
    }

    void aMissingFieldIsNamed() {
        for (const Message& message : messages())
            for (const auto& [key, value] : message.wire.items()) {
                json without = message.wire;
                without.erase(key);
                const std::string sentence = refusal(message, without);
                if (has(message.needed, key))
                    QVERIFY2(sentence.find("needs the field “" + key + "”") != std::string::npos,
                             (std::string(message.name) + ", " + key + ": " + sentence).c_str());
                else
                    QVERIFY2(sentence.empty(), sentence.c_str());
            }
    }

    void aFieldOfAnotherTypeIsNamed() {
        for (const Message& message : messages())
            for (const auto& [key, value] : message.wire.items()) {
                if (has(message.anyType, key))
                    continue;
                json wrong = message.wire;
                wrong[key] = value.is_boolean() ? json("yes") : json(true);
                const std::string sentence = refusal(message, wrong);
                QVERIFY2(sentence.find("“" + key + "”") != std::string::npos &&
                             sentence.find("must be") != std::string::npos,
                         (std::string(message.name) + ", " + key + ": " + sentence).c_str());
            }
    }

    void whatIsNoObjectIsRefused() {
        for (const Message& message : messages())
            for (const json& wire : {json(), json(3), json::array(), json("x")})
                QVERIFY2(refusal(message, wire).find("must be an object") != std::string::npos, message.name);
    }

    void aClockOfBandsSaysHowMany() {
        const json clock{{"offset", 0.0875}, {"step", 0.1}, {"bands", 12}};
        const auto read = OpenModelResult::from({{"model", 1}, {"architecture", json::object()}, {"clock", clock}});
        QCOMPARE(read.clockBands, 12);
        QVERIFY(read.toJson()["clock"] == clock);
    }

    void numbersOutOfRangeAreNamed() {
        const auto named = [](const std::function<void()>& read, const char* key) {
            try {
                read();
            } catch (const Error& error) {
                return std::string(error.what()).find(key) != std::string::npos;
            }
            return false;
        };
        QVERIFY(named([] { Analyse::from({{"model", 1}, {"layers", {0}}}); }, "layers"));
        QVERIFY(named([] { Analyse::from({{"model", 1}, {"layers", {1.5}}}); }, "layers"));
        QVERIFY(named([] { Analyse::from({{"model", 1}, {"small", {0}}}); }, "small"));
        QVERIFY(named([] { Analyse::from({{"model", 1}, {"states", 1}}); }, "states"));
        QVERIFY(named([] { Analyse::from({{"model", 1}, {"layers", {std::uint64_t(1) << 40}}}); }, "layers"));
        QVERIFY(named([] { LayerReady::from({{"layer", 0}}); }, "layer"));
        QVERIFY(named([] { Cancel::from({{"request", std::uint64_t(1) << 63}}); }, "request"));
        const json clock{{"offset", 0.0}, {"step", 0.0}};
        QVERIFY(named(
            [&] { OpenModelResult::from({{"model", 1}, {"architecture", json::object()}, {"clock", clock}}); },
            "step"));
        const json none{{"offset", 0.0}, {"step", 0.1}, {"bands", 0}};
        QVERIFY(named(
            [&] { OpenModelResult::from({{"model", 1}, {"architecture", json::object()}, {"clock", none}}); }, "bands"));
        QVERIFY(named(
            [] {
                AlignResult::from({{"words", {{0.0, 1.0}}},
                                   {"phones", json::array()},
                                   {"origin", ""},
                                   {"warnings", json::array()}});
            },
            "words"));
    }

    void aWordOfPiecesThatDoNotExistIsRefused() {
        json wire = parse(R"({"text": "so", "pieces": [{"text": "so"}],
                              "words": [{"label": "so", "first": 0, "end": 1}]})");
        QCOMPARE(WordsResult::from(wire).words.front().end, std::int64_t(1));
        for (const auto& [first, end] : {std::pair(0, 2), std::pair(-1, 1), std::pair(1, 1)}) {
            wire["words"][0]["first"] = first;
            wire["words"][0]["end"] = end;
            QVERIFY_EXCEPTION_THROWN(WordsResult::from(wire), Error);
        }
    }

    void anNBestListOfNothingOrOfAGivenTextIsRefused() {
        for (const char* params : {R"({"model": 1, "nBest": 0})", R"({"model": 1, "nBest": 101})",
                                   R"({"model": 1, "nBest": 2, "text": "so"})"})
            QVERIFY_EXCEPTION_THROWN(Words::from(parse(params)), Error);
        QCOMPARE(Words::from(parse(R"({"model": 1, "nBest": 1, "text": "so"})")).nBest, 1);
    }

    void measuresOfNoLayerOrOfNoTextAreRefused() {
        for (const char* params : {R"({"model": 1, "layer": 0, "inputs": [2], "measures": []})",
                                   R"({"model": 1, "layer": 1, "inputs": [], "measures": []})",
                                   R"({"model": 1, "layer": 1, "inputs": [2], "measures": [], "block": "encoder"})"})
            QVERIFY_EXCEPTION_THROWN(WordMixing::from(parse(params)), Error);
    }

    void numbersThatAreMissingAreNotDefined() {
        const LayerReady ready = LayerReady::from({{"layer", 1}, {"D1", 0.5}, {"CCD", nullptr}});
        QCOMPARE(ready.d1, 0.5);
        QVERIFY(std::isnan(ready.ccd) && std::isnan(ready.gramError));
        QVERIFY(ready.reason.empty());
    }

    void aTagIsReadFromParametersThatAreWrongOtherwise() {
        QCOMPARE(Analyse::tagOf({{"layers", "all"}, {"tag", "a"}}), std::string("a"));
        QCOMPARE(Analyse::tagOf({{"tag", 3}}), std::string("3"));
        QCOMPARE(Analyse::tagOf(json::object()), std::string());
    }

    void theEnvelopeIsJsonRpc() {
        QCOMPARE(requestMessage(3, Cancel::kMethod, Cancel{3}.toJson()).dump(),
                 std::string(R"({"id":3,"jsonrpc":"2.0","method":"cancel","params":{"request":3}})"));
        QCOMPARE(notificationMessage("exit", json::object()).dump(),
                 std::string(R"({"jsonrpc":"2.0","method":"exit","params":{}})"));
        QCOMPARE(resultMessage(3, nullptr).dump(), std::string(R"({"id":3,"jsonrpc":"2.0","result":null})"));
        const Failure failure{-32000, "It is too long.", "model.tooLong", {{"limit", 6000}}};
        QCOMPARE(
            failureMessage(nullptr, failure).dump(),
            std::string(R"({"error":{"code":-32000,"data":{"code":"model.tooLong","values":{"limit":6000}},)"
                        R"("message":"It is too long."},"id":null,"jsonrpc":"2.0"})"));

        const Call call = readCall(requestMessage(3, "align", {{"text", "so"}}));
        QVERIFY(call.id == 3 && call.method == "align" && call.params.at("text") == "so");
        QVERIFY(!readCall(notificationMessage("exit", json::object())).id);
        QVERIFY(readCall({{"jsonrpc", "2.0"}, {"method", "exit"}}).params.is_object());
        const auto answer = readAnswer(failureMessage(7, failure));
        QVERIFY(answer && answer->id == 7 && answer->failure && answer->failure->code == -32000);
        QCOMPARE(answer->failure->dataCode, std::string("model.tooLong"));
        QVERIFY(answer->failure->values.at("limit") == 6000);
        QVERIFY(!readAnswer(resultMessage(7, 5))->failure);
        QVERIFY(!readAnswer(failureMessage(nullptr, failure)));
    }

    void aMessageThatIsNoCallIsRefused() {
        for (const json& message :
             {parse(R"({"method": "analyse", "id": 1})"), parse(R"({"jsonrpc": "2.0", "id": 1})"),
              parse(R"({"jsonrpc": "2.0", "method": "analyse", "id": "one"})"),
              parse(R"({"jsonrpc": "2.0", "method": "analyse", "id": null})"),
              parse(R"({"jsonrpc": "2.0", "method": "analyse", "params": [1]})"), json(3)})
            QVERIFY_EXCEPTION_THROWN(readCall(message), Error);
    }

    void aFailureWithoutItsDetailsIsAFailure() {
        const auto answer = readAnswer(parse(R"({"id": 1, "error": {"code": "x", "data": 3}})"));
        QVERIFY(answer && answer->failure);
        QCOMPARE(answer->failure->code, static_cast<int>(ErrorCode::Internal));
        QVERIFY(answer->failure->sentence.empty());
    }
};

HEADROOM_TEST(MessagesTest)

} // namespace headroom::testing::messages_test

#include "messages_test.moc"

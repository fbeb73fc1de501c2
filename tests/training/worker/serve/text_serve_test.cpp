// SPDX-License-Identifier: GPL-3.0-or-later
// The window's requests to a model that reads text.
#include "tests/support/goldens.h"
#include "tests/support/runner.h"
#include "tests/training/worker/conversation.h"

#include <QTest>

namespace headroom::testing::text_serve_test {

using nlohmann::json;

class TextServeTest : public QObject {
    Q_OBJECT

    /// The handle of a small Marian-like translator of letters.
    static int open(Conversation& worker) {
        worker.initialize();
        const auto folder = repositoryGoldens() / "parity/decoding/text/model";
        return worker.call(2, "openModel", {{"folder", folder.string()}})["result"]["model"].get<int>();
    }

private Q_SLOTS:
    void aTextIsAnalysedTokenByToken() {
        Conversation worker;
        const int model = open(worker);
        const json result = worker.call(3, "analyse", {{"model", model}, {"source", "abc cd e"}})["result"];
        const auto tokens = result["tokens"].get<std::int64_t>();
        QVERIFY(tokens > 3);
        QCOMPARE(static_cast<std::int64_t>(result["sourcePieces"].size()), tokens);
        QCOMPARE(result["sourcePieces"].back().get<std::string>(), std::string("</s>"));
        std::string written;
        for (const json& piece : result["sourcePieces"])
            written += piece.get<std::string>();
        QCOMPARE(written, std::string("abccde</s>"));
        QCOMPARE(worker.arrays[3].at("layer.1.contributions").shape, (std::vector<std::int64_t>{tokens, tokens}));
    }

    /// They were analysed as the unknown piece without a word.
    void charactersThatTheVocabularyCannotWriteAreTold() {
        Conversation worker;
        const int model = open(worker);
        const json known = worker.call(3, "analyse", {{"model", model}, {"source", "abc cd e"}})["result"];
        QVERIFY(!known.contains("warning"));
        const json result = worker.call(4, "analyse", {{"model", model}, {"source", "abc ß"}})["result"];
        const auto said = result["warning"].get<std::string>();
        QVERIFY2(said.find("cannot write “ß” in the text “abc ß”.") != std::string::npos, said.c_str());
    }

    void theTranslationComesWithItsMapsAndWithoutTimes() {
        Conversation worker;
        const int model = open(worker);
        const json said = worker.call(3, "transcribe", {{"model", model}, {"source", "abc cd e"}})["result"];
        const json result =
            worker.call(4, "words", {{"model", model}, {"source", "abc cd e"}, {"explain", true}})["result"];
        QCOMPARE(result["text"].get<std::string>(), said["text"].get<std::string>());
        QVERIFY(!result["words"].empty());
        for (const json& word : result["words"])
            QVERIFY(word["attentionStart"].is_null());
        QVERIFY(result["attentionReason"].get<std::string>().find("order may differ") != std::string::npos);
        const auto rows = static_cast<std::int64_t>(result["pieces"].size()) + result["firstRow"].get<std::int64_t>();
        QCOMPARE(worker.arrays[4].at("decoder.layer.1.cross.attention").shape[1], rows);
        QCOMPARE(worker.arrays[4].at("decoder.layer.1.cross.attention").shape[2], result["tokens"].get<std::int64_t>());
        QCOMPARE(worker.arrays[4].at("decoder.layer.1.self.attention").shape[2], rows);
        QCOMPARE(worker.arrays[4].at("decoder.layer.1.self.contributions").shape, (std::vector<std::int64_t>{rows, rows}));
        const Tensor& cross = worker.arrays[4].at("decoder.layer.1.cross.contributions");
        QCOMPARE(cross.shape, (std::vector<std::int64_t>{rows, result["tokens"].get<std::int64_t>() + 1}));
    }

    void aGivenTranslationIsFollowed() {
        Conversation worker;
        const int model = open(worker);
        const json result =
            worker.call(3, "words", {{"model", model}, {"source", "abc cd e"}, {"text", "ab c"}})["result"];
        QVERIFY(result["given"].get<bool>());
        QCOMPARE(result["text"].get<std::string>(), std::string("ab c"));
    }

    void withoutASourceTheFieldIsNamed() {
        Conversation worker;
        const int model = open(worker);
        worker.samples(3, 1);
        const json answer = worker.call(3, "analyse", {{"model", model}});
        QCOMPARE(answer["error"]["code"].get<int>(), -32602);
        QVERIFY(answer["error"]["message"].get<std::string>().find("source") != std::string::npos);
    }
};

HEADROOM_TEST(TextServeTest)

} // namespace headroom::testing::text_serve_test

#include "text_serve_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/framing.h"
#include "tests/support/runner.h"

#include <cstring>
#include <QtTest>

namespace headroom::testing::framing_test {

using namespace headroom::protocol;

namespace {

Tensor numbers() {
    const std::vector<float> values{1, -2, 3.5F, 0, 5, 6};
    Tensor tensor{DType::F32, {2, 3}, std::vector<std::byte>(values.size() * sizeof(float))};
    std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
    return tensor;
}

/// An array frame with any JSON header and any bytes, consistent or not.
std::string arrayFrame(const std::string& header, const std::string& bytes) {
    const auto length = static_cast<std::uint32_t>(header.size());
    const std::string body = std::string(reinterpret_cast<const char*>(&length), 4) + header + bytes;
    return "Content-Type: application/vnd.headroom.array\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n\r\n" + body;
}

std::string message(const std::string& body) {
    return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

/// The code of the error that these bytes raise, or what came out instead.
std::string refused(const std::string& bytes, std::size_t maximum = 1 << 20) {
    FrameReader reader(maximum);
    reader.push(bytes);
    try {
        return reader.next() ? "a frame" : "nothing yet";
    } catch (const Error& error) {
        return error.code();
    }
}

} // namespace

class FramingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void messagesComeBackAsTheyWere() {
        const nlohmann::json sent{
            {"jsonrpc", "2.0"}, {"id", 7}, {"method", "analyse"}, {"params", {{"text", "Grüße ×"}}}};
        FrameReader reader;
        reader.push(encodeMessage(sent));
        const auto frame = reader.next();
        QVERIFY(frame);
        QVERIFY(std::get<nlohmann::json>(*frame) == sent);
        QVERIFY(!reader.next());
        QCOMPARE(reader.pending(), std::size_t(0));
    }

    void theLengthCountsBytesNotCharacters() {
        QCOMPARE(encodeMessage({{"a", "ü"}}), std::string("Content-Length: 10\r\n\r\n{\"a\":\"ü\"}"));
    }

    void arraysComeBackBitForBit() {
        const auto sent = numbers();
        FrameReader reader;
        reader.push(encodeArray(3, "layer.1.contributions", sent.view()));
        const auto frame = std::get<ArrayFrame>(*reader.next());
        QCOMPARE(frame.request, 3);
        QCOMPARE(frame.name, std::string("layer.1.contributions"));
        QVERIFY(frame.tensor.dtype == DType::F32);
        QCOMPARE(frame.tensor.shape, (std::vector<std::int64_t>{2, 3}));
        QVERIFY(frame.tensor.bytes == sent.bytes);
    }

    void scalarsAndEmptyArraysTravel() {
        FrameReader reader;
        reader.push(encodeArray(1, "scalar", Tensor{DType::F64, {}, std::vector<std::byte>(8)}.view()));
        reader.push(encodeArray(1, "empty", Tensor{DType::F32, {0, 80}, {}}.view()));
        QCOMPARE(std::get<ArrayFrame>(*reader.next()).tensor.bytes.size(), std::size_t(8));
        QCOMPARE(std::get<ArrayFrame>(*reader.next()).tensor.shape, (std::vector<std::int64_t>{0, 80}));
    }

    void bytesMayComeOneAtATime() {
        const std::string stream = encodeMessage({{"id", 1}}) + encodeArray(1, "x", numbers().view()) +
                                   encodeMessage({{"id", 2}}) + encodeMessage({{"id", 3}});
        FrameReader reader;
        std::vector<Frame> frames;
        for (const char byte : stream) {
            reader.push({&byte, 1});
            while (auto frame = reader.next())
                frames.push_back(std::move(*frame));
        }
        QCOMPARE(frames.size(), std::size_t(4));
        QVERIFY(std::get<ArrayFrame>(frames[1]).tensor.bytes == numbers().bytes);
        QCOMPARE(std::get<nlohmann::json>(frames[3])["id"].get<int>(), 3);
        QCOMPARE(reader.pending(), std::size_t(0));
    }

    void manyFramesMayComeAtOnce() {
        std::string stream;
        for (int i = 0; i < 500; ++i)
            stream += encodeMessage({{"id", i}});
        FrameReader reader;
        reader.push(stream);
        for (int i = 0; i < 500; ++i)
            QCOMPARE(std::get<nlohmann::json>(*reader.next())["id"].get<int>(), i);
        QVERIFY(!reader.next());
    }

    void anUnfinishedFrameIsNotAnError() {
        const auto stream = encodeArray(1, "x", numbers().view());
        for (std::size_t length = 0; length < stream.size(); ++length) {
            FrameReader reader;
            reader.push(stream.substr(0, length));
            QVERIFY(!reader.next());
            QCOMPARE(reader.pending(), length);
        }
    }

    void headersAreReadInAnyCaseAndOrder() {
        FrameReader reader;
        reader.push(
            "content-type: application/vscode-jsonrpc; charset=utf-8\r\nCONTENT-LENGTH:  2 \r\n\r\n{}");
        QVERIFY(std::get<nlohmann::json>(*reader.next()).is_object());
    }

    void whatIsNotAFrameIsRefused_data() {
        QTest::addColumn<QByteArray>("bytes");
        const auto row = [](const char* name, const std::string& bytes) {
            QTest::newRow(name) << QByteArray(bytes.data(), static_cast<int>(bytes.size()));
        };
        row("rubbish", "hello");
        row("one wrong byte", "x");
        row("rubbish after a frame's end", "\n");
        row("a line without colon", "Content-Length 5\r\n\r\n12345");
        row("no length", "Content-Type: text/plain\r\n\r\n{}");
        row("a length that is no number", "Content-Length: five\r\n\r\n{}");
        row("a negative length", "Content-Length: -1\r\n\r\n{}");
        row("a length with a tail", "Content-Length: 2 2\r\n\r\n{}");
        row("a length beyond 64 bits", "Content-Length: 99999999999999999999999\r\n\r\n{}");
        row("a length over the limit", "Content-Length: 1048577\r\n\r\n");
        row("two lengths", "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}");
        row("an unknown header", "Content-Length: 2\r\nHost: x\r\n\r\n{}");
        row("an unknown content header", "Content-Language: en\r\nContent-Length: 2\r\n\r\n{}");
        row("an endless header", "Content-Type: " + std::string(kMaximumHeaderBytes, 'x'));
        row("not JSON", message("{\"id\":"));
        row("an empty message", message(""));
        row("a batch", message("[{\"id\":1}]"));
        row("a number", message("17"));
        row("not UTF-8", message("{\"a\":\"\xff\"}"));
        row("too deep", message("{\"a\":" + std::string(100000, '[') + std::string(100000, ']') + "}"));
    }

    void whatIsNotAFrameIsRefused() {
        QFETCH(QByteArray, bytes);
        QCOMPARE(refused(bytes.toStdString()), std::string("protocol.malformed"));
    }

    void bracketsInsideStringsAreNotNesting() {
        QCOMPARE(refused(message("{\"a\":\"\\\"" + std::string(1000, '[') + "\"}")), std::string("a frame"));
    }

    void arraysThatDoNotMatchTheirShapeAreRefused_data() {
        QTest::addColumn<QByteArray>("header");
        QTest::addColumn<int>("bytes");
        const auto row = [](const char* name, const char* header, int bytes) {
            QTest::newRow(name) << QByteArray(header) << bytes;
        };
        row("too few bytes", R"({"request":1,"name":"x","dtype":"f32","shape":[2,3]})", 20);
        row("too many bytes", R"({"request":1,"name":"x","dtype":"f32","shape":[2,3]})", 28);
        row("a negative extent", R"({"request":1,"name":"x","dtype":"f32","shape":[-2,3]})", 24);
        row("two negative extents", R"({"request":1,"name":"x","dtype":"f32","shape":[-2,-3]})", 24);
        row("a shape that overflows to 0",
            R"({"request":1,"name":"x","dtype":"f32","shape":[4294967296,4294967296]})", 0);
        row("an extent beyond 63 bits",
            R"({"request":1,"name":"x","dtype":"u8","shape":[18446744073709551615]})", 4);
        row("an extent that is no integer", R"({"request":1,"name":"x","dtype":"f32","shape":[1.5]})", 4);
        row("many dimensions", R"({"request":1,"name":"x","dtype":"u8","shape":[1,1,1,1,1,1,1,1,1]})", 1);
        row("a shape that is a number", R"({"request":1,"name":"x","dtype":"f32","shape":6})", 24);
        row("an unknown type", R"({"request":1,"name":"x","dtype":"f31","shape":[6]})", 24);
        row("no type", R"({"request":1,"name":"x","shape":[6]})", 24);
        row("no name", R"({"request":1,"dtype":"f32","shape":[6]})", 24);
        row("a request that is text", R"({"request":"1","name":"x","dtype":"f32","shape":[6]})", 24);
        row("not an object", R"([1])", 24);
        row("not JSON", R"({"request")", 24);
    }

    void arraysThatDoNotMatchTheirShapeAreRefused() {
        QFETCH(QByteArray, header);
        QFETCH(int, bytes);
        QCOMPARE(
            refused(arrayFrame(header.toStdString(), std::string(static_cast<std::size_t>(bytes), '\0'))),
            std::string("protocol.malformed"));
    }

    void anArrayHeaderBeyondItsFrameIsRefused() {
        for (const std::string& body : {std::string(), std::string("\1\0", 2),
                                        std::string("\xff\xff\xff\xff{}", 6), std::string("\x03\0\0\0{}", 6)})
            QCOMPARE(refused("Content-Type: application/vnd.headroom.array\r\nContent-Length: " +
                             std::to_string(body.size()) + "\r\n\r\n" + body),
                     std::string("protocol.malformed"));
    }

    void afterAnErrorTheStreamStaysUnusable() {
        FrameReader reader;
        reader.push("rubbish");
        QVERIFY_EXCEPTION_THROWN(reader.next(), Error);
        reader.push(encodeMessage({{"id", 1}}));
        QVERIFY_EXCEPTION_THROWN(reader.next(), Error);
    }

    void theErrorSaysWhatWasSeen() {
        FrameReader reader;
        reader.push("Segmentation fault");
        try {
            reader.next();
            QFAIL("no error");
        } catch (const Error& error) {
            QVERIFY(std::string(error.what()).find("\"Segmentation fault\"") != std::string::npos);
        }
    }

    void textThatIsNotUtf8IsSentReplaced() {
        FrameReader reader;
        reader.push(encodeMessage({{"file", "a\xff.wav"}}));
        QCOMPARE(std::get<nlohmann::json>(*reader.next())["file"].get<std::string>(),
                 std::string("a\uFFFD.wav"));
    }

    void encodingAnArrayWithoutItsBytesIsAMistakeOfTheCaller() {
        QVERIFY_EXCEPTION_THROWN(encodeArray(1, "x", Tensor{DType::F32, {2}, {}}.view()),
                                 std::invalid_argument);
    }
};

HEADROOM_TEST(FramingTest)

} // namespace headroom::testing::framing_test

#include "framing_test.moc"

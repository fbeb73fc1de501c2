// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "models/checkpoints/multiformer_heads.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::multiformer_heads_test {

using namespace headroom::models;

class MultiformerHeadsTest : public QObject {
    Q_OBJECT

    static std::vector<std::string> read(const std::string& text) {
        std::vector<std::string> result;
        for (const auto& layer : parseMultiformerHeads(text, "m.pt: args.arg_supremo"))
            result.push_back(toText(layer.heads));
        return result;
    }

private Q_SLOTS:
    void releasedDescriptionsAreRead() {
        const auto lc = read("12 * ((('local', 2, 64), ('compressed', 2, 5, 2, 'depthwise')),)");
        QCOMPARE(lc, std::vector<std::string>(12, "2 local 64 block + 2 conv 5/2"));
        const auto v1 =
            read("6 * ((('local', 1, 64), ('compressed', 3, 5, 2, 'depthwise')),) + 6 * ((('local', 2, 64), "
                 "('compressed', 2, 5, 2, 'depthwise')),)");
        QCOMPARE(v1.size(), std::size_t(12));
        QCOMPARE(v1[5], std::string("1 local 64 block + 3 conv 5/2"));
        QCOMPARE(v1[6], std::string("2 local 64 block + 2 conv 5/2"));
    }

    void everyFormOfTheExpressionIsRead() {
        QCOMPARE(read("((('full', 4),),)"), (std::vector<std::string>{"4 full"}));
        QCOMPARE(read(" ( ( (\"full\",4, ) , ) , ) "), (std::vector<std::string>{"4 full"}));
        QCOMPARE(read("((('full', 2,), ('local', 2, 31)), (('compressed', 4, 7, 3, 'normal'),))"),
                 (std::vector<std::string>{"2 full + 2 local 31 block", "4 conv 7/3 normal"}));
        QCOMPARE(read("2 * ((('full', 4),), (('local', 4, 9),))"),
                 (std::vector<std::string>{"4 full", "4 local 9 block", "4 full", "4 local 9 block"}));
    }

    void headsComeInTheOrderInWhichTheCodeLinesThemUp() {
        QCOMPARE(
            read(
                "((('compressed', 1, 5, 2, 'separable'), ('local', 1, 64), ('full', 1), ('local', 1, 32)),)"),
            (std::vector<std::string>{
                "1 full + 1 local 64 block + 1 local 32 block + 1 conv 5/2 separable"}));
        QCOMPARE(read("((('full', 0), ('fast', 0), ('local', 4, 64)),)"),
                 (std::vector<std::string>{"4 local 64 block"})); // groups without heads do not count
    }

    void mistakesAreRefused_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("word");
        // The shipped v2 lacks a “*”: Python takes it for a call.
        QTest::newRow("v2 as shipped") << "3 * ((('local', 1, 64),),) + 5 ((('local', 3, 64),),)"
                                       << "“*”";
        QTest::newRow("empty") << ""
                               << "“(”";
        QTest::newRow("no layers") << "0 * ((('full', 4),),)"
                                   << "no layers";
        QTest::newRow("a layer without its comma") << "12 * ((('full', 4), ('local', 2, 64)))"
                                                   << "comma";
        QTest::newRow("a group without its comma") << "12 * ((('full', 4)),)"
                                                   << "comma";
        QTest::newRow("unknown kind") << "((('com', 4, 64),),)"
                                      << "“com”";
        QTest::newRow("unknown convolution") << "((('compressed', 4, 5, 2, 'odd'),),)"
                                             << "“odd”";
        QTest::newRow("missing numbers") << "((('compressed', 4, 5),),)"
                                         << "3 numbers";
        QTest::newRow("no heads") << "((('full', 0),),)"
                                  << "no heads";
        QTest::newRow("rest") << "((('full', 4),),) and more"
                              << "the end";
        QTest::newRow("too many layers") << "100000 * ((('full', 4),),)"
                                         << "1000";
        QTest::newRow("huge number") << "99999999999999 * ((('full', 4),),)"
                                     << "“(”";
        QTest::newRow("code") << "__import__('os').system('touch X')"
                              << "“(”";
    }
    void mistakesAreRefused() {
        QFETCH(QString, text);
        QFETCH(QString, word);
        try {
            read(text.toStdString());
        } catch (const Error& error) {
            const QString sentence = error.what();
            QCOMPARE(error.code(), std::string("model.badConfig"));
            QVERIFY2(sentence.startsWith("m.pt: args.arg_supremo ") && sentence.endsWith('.'), error.what());
            QVERIFY2(sentence.contains(word), error.what());
            return;
        }
        QFAIL("read");
    }

    void performerHeadsAreRefusedByName() {
        try {
            read("((('full', 2), ('fast', 2)),)");
            QFAIL("read");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("model.unsupported"));
            QVERIFY(std::string(error.what()).find("Performer") != std::string::npos);
        }
    }
};

HEADROOM_TEST(MultiformerHeadsTest)

} // namespace headroom::testing::multiformer_heads_test

#include "multiformer_heads_test.moc"

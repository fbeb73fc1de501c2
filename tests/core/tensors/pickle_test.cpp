// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/tensors/pickle/pickle_reader.h"
#include "tests/support/pickle_writer.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::pickle_test {

using headroom::testing::PickleWriter;

namespace {

Pickle read(const std::string& bytes) {
    return readPickle(std::as_bytes(std::span(bytes)), "some/file.pt");
}

PickleValue rootOf(const Pickle& pickle) {
    return {pickle.graph, pickle.graph.root};
}

} // namespace

class PickleTest : public QObject {
    Q_OBJECT

    static void refused(const std::string& bytes, const std::string& code, const std::string& word = {}) {
        try {
            read(bytes);
        } catch (const Error& error) {
            const std::string sentence = error.what();
            QVERIFY2(error.code() == code, (error.code() + ": " + sentence).c_str());
            QVERIFY2(sentence.find("some/file.pt") == 0 && sentence.back() == '.', sentence.c_str());
            QVERIFY2(sentence.find(word) != std::string::npos, sentence.c_str());
            QVERIFY2(sentence.find('\n') == std::string::npos, sentence.c_str());
            QVERIFY(!error.values().dump().empty()); // valid UTF-8
            return;
        }
        QFAIL(("read, and should be " + code).c_str());
    }

private Q_SLOTS:
    void plainValuesAreRead() {
        PickleWriter writer;
        writer.emptyDict().mark();
        writer.text("none").none().text("yes").boolean(true).text("no").boolean(false);
        writer.text("small").integer(7).text("negative").integer(-3).text("large").integer(1'234'567'890'123);
        writer.text("real").real(0.1).text("naïve").text("Zoë");
        writer.text("huge").raw(std::string("\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 12));
        writer.text("list").emptyList().mark().integer(1).integer(2).appends();
        writer.text("tuple").integer(3).raw("\x85").setItems();
        const Pickle pickle = read(writer.finish() + "what follows");
        QCOMPARE(pickle.used, writer.finish().size());
        const PickleValue root = rootOf(pickle);
        QCOMPARE(root.size(), std::size_t(11));
        QVERIFY(root.find("none")->is(PickleKind::None));
        QVERIFY(root.find("yes")->boolean() == true);
        QVERIFY(root.find("no")->boolean() == false);
        QVERIFY(root.find("small")->integer() == 7);
        QVERIFY(root.find("negative")->integer() == -3);
        QVERIFY(root.find("large")->integer() == 1'234'567'890'123);
        QVERIFY(root.find("real")->real() == 0.1);
        QVERIFY(root.find("naïve")->text() == "Zoë");
        QVERIFY(root.find("huge")->is(PickleKind::Long));
        QVERIFY(root.find("list")->element(1).integer() == 2);
        QVERIFY(root.find("tuple")->element(0).integer() == 3);
        QVERIFY(!root.find("nothing"));
    }

    void protocolFourIsRead() {
        // pickle.dumps({"a": [1.5, {2}], "b": b"xy"}, protocol=4), without the frame's padding.
        std::string body = "}\x94(\x8c\x01"
                           "a\x94]\x94(";
        body += std::string("G?\xf8\0\0\0\0\0\0", 9) + "\x8f\x94(K\x02\x90" + "e\x8c\x01" + "b\x94" +
                "C\x02xy\x94u.";
        std::string length(8, '\0');
        length[0] = static_cast<char>(body.size());
        const Pickle pickle = read("\x80\x04\x95" + length + body);
        const PickleValue list = *rootOf(pickle).find("a");
        QVERIFY(list.element(0).real() == 1.5);
        QVERIFY(list.element(1).is(PickleKind::Set) && list.element(1).element(0).integer() == 2);
        QVERIFY(rootOf(pickle).find("b")->is(PickleKind::Bytes));
    }

    void objectsBecomeStubs() {
        PickleWriter writer;
        writer.global("argparse", "Namespace").emptyTuple().newObject();
        writer.emptyDict().mark().text("arch").text("s2t_transformer_s");
        writer.text("ddp").global("fairseq.dataclass.constants", "DDP_BACKEND_CHOICES").mark().text("c10d");
        writer.tuple().reduce().setItems().build();
        const Pickle pickle = read(writer.finish());
        const PickleValue root = rootOf(pickle);
        QCOMPARE(root.className(), std::string("argparse.Namespace"));
        QVERIFY(root.state()->find("arch")->text() == "s2t_transformer_s");
        const PickleValue choice = *root.state()->find("ddp");
        QVERIFY(choice.is(PickleKind::Object));
        QCOMPARE(choice.className(), std::string("fairseq.dataclass.constants.DDP_BACKEND_CHOICES"));
        QVERIFY(choice.arguments()->element(0).text() == "c10d");
    }

    void aStateMayPointBackToItsObject() { // omegaconf's _parent
        PickleWriter writer;
        writer.global("omegaconf.dictconfig", "DictConfig").emptyTuple().newObject().remember(0);
        writer.emptyDict().mark().text("_content").emptyDict().mark().text("child");
        writer.global("omegaconf.nodes", "AnyNode").emptyTuple().newObject();
        writer.emptyDict().mark().text("_parent").recall(0).text("_val").integer(5).setItems().build();
        writer.setItems().setItems().build();
        const Pickle pickle = read(writer.finish());
        const PickleValue child = *rootOf(pickle).state()->find("_content")->find("child");
        QVERIFY(child.state()->find("_val")->integer() == 5);
        QCOMPARE(child.state()->find("_parent")->id(), rootOf(pickle).id());
    }

    void namesThatDoSomethingAreRefused_data() {
        QTest::addColumn<QString>("module");
        QTest::addColumn<QString>("name");
        const std::pair<const char*, const char*> names[]{{"os", "system"},
                                                          {"posix", "system"},
                                                          {"builtins", "eval"},
                                                          {"builtins", "getattr"},
                                                          {"__builtin__", "exec"},
                                                          {"subprocess", "Popen"},
                                                          {"torch", "load"},
                                                          {"torch.hub", "load"},
                                                          {"fairseq.utils", "import_user_module"},
                                                          {"fairseq.utils", "Os.system"},
                                                          {"fairseqx", "Thing"},
                                                          {"collections", "OrderedDict.fromkeys"},
                                                          {"__main__", "Thing"},
                                                          {"", ""}};
        for (const auto& [module, name] : names)
            QTest::newRow((std::string(module) + "." + name).c_str()) << module << name;
    }
    void namesThatDoSomethingAreRefused() {
        QFETCH(QString, module);
        QFETCH(QString, name);
        const std::string callable = module.toStdString() + "." + name.toStdString();
        PickleWriter writer;
        writer.global(module.toStdString(), name.toStdString());
        refused(writer.finish(), "pickle.forbidden", callable); // already for its name
        writer.mark().text("touch PWNED").tuple().reduce();
        refused(writer.finish(), "pickle.forbidden", "Nothing was executed");
        PickleWriter four;
        four.text(module.toStdString()).text(name.toStdString()).raw("\x93");
        refused(four.finish(), "pickle.forbidden", callable);
    }

    void mentionedNamesAreNotCalled() {
        PickleWriter writer;
        writer.global("torch", "float32");
        QCOMPARE(rootOf(read(writer.finish())).className(), std::string("torch.float32"));
        refused(writer.emptyTuple().reduce().finish(), "pickle.forbidden", "torch.float32");
        refused(PickleWriter().text("x").emptyTuple().reduce().finish(), "pickle.badData", "calls");
        refused(PickleWriter().global("torch", "FloatStorage").emptyTuple().reduce().finish(),
                "pickle.forbidden");
    }

    void typesAreStubs() { // what omegaconf notes of List[float]
        PickleWriter writer;
        writer.global("_operator", "getitem").global("typing", "List").global("__builtin__", "long");
        const Pickle pickle = read(writer.raw("\x86").reduce().finish());
        QCOMPARE(rootOf(pickle).className(), std::string("typing.List"));
        PickleWriter other;
        other.global("_operator", "getitem").global("argparse", "Namespace").text("x").raw("\x86").reduce();
        refused(other.finish(), "pickle.badData", "not a type");
        refused(PickleWriter().global("_operator", "attrgetter").finish(), "pickle.forbidden", "attrgetter");
    }

    void onlyObjectsHaveAState() {
        PickleWriter tensor;
        tensor.rebuiltTensor([](PickleWriter& writer) { writer.storage("FloatStorage", "0", 4); }, 0, {4},
                             {1});
        QVERIFY(rootOf(read(tensor.finish())).is(PickleKind::Tensor));
        refused(tensor.emptyDict().build().finish(), "pickle.badData", "state of a tensor");
        refused(PickleWriter().global("argparse", "Namespace").emptyDict().build().finish(), "pickle.badData",
                "state of a class");
        PickleWriter twice;
        twice.global("argparse", "Namespace").emptyTuple().newObject();
        twice.emptyDict().build().emptyDict().build();
        refused(twice.finish(), "pickle.badData", "twice");
    }

    void containersThatContainThemselvesAreRefused() {
        PickleWriter list;
        list.emptyList().remember(0).recall(0).raw("a");
        refused(list.finish(), "pickle.cyclic", "itself");
        PickleWriter indirect; // a list of a tuple of that list
        indirect.emptyList().remember(0).recall(0).raw("\x85").raw("a");
        refused(indirect.finish(), "pickle.cyclic");
        PickleWriter dict;
        dict.emptyDict().remember(0).text("me").recall(0).raw("s");
        refused(dict.finish(), "pickle.cyclic");
    }

    void depthIsLimited() {
        const auto nested = [](int depth) {
            std::string body(static_cast<std::size_t>(depth), ']');
            body.append(static_cast<std::size_t>(depth) - 1, 'a');
            return PickleWriter().raw(body).finish();
        };
        QVERIFY(rootOf(read(nested(kDeepestPickle))).is(PickleKind::List));
        refused(nested(10'000), "pickle.tooDeep", "deep");
        refused(nested(900'000), "pickle.tooDeep", "deep");
        refused(PickleWriter().none().raw(std::string(10'000, '\x85')).finish(), "pickle.tooDeep");
    }

    void sharedValuesDoNotMultiply() { // 100 levels of 100 references each
        PickleWriter writer;
        writer.mark().emptyList().remember(0);
        for (std::uint8_t level = 1; level <= 100; ++level) {
            writer.mark();
            for (int i = 0; i < 100; ++i)
                writer.recall(static_cast<std::uint8_t>(level - 1));
            writer.tuple().remember(level);
        }
        const Pickle pickle = read(writer.tuple().finish());
        QVERIFY(pickle.graph.nodes.size() < 120);
        QCOMPARE(rootOf(pickle).element(100).size(), std::size_t(100));
    }

    void copiesAreCounted() {
        PickleWriter writer;
        writer.mark();
        for (int i = 0; i < 60'000; ++i)
            writer.none();
        writer.tuple().remember(0);
        for (int i = 0; i < 200; ++i)
            writer.global("builtins", "list").recall(0).raw("\x85").reduce().raw("0");
        refused(writer.finish(), "pickle.tooLarge");
        refused(PickleWriter().raw(std::string(1'100'000, ']')).finish(), "pickle.tooLarge", "values");
    }

    void everyBeginningOfAPickleIsRefused() {
        PickleWriter writer;
        writer.emptyDict().mark().text("weight");
        writer.rebuiltTensor([](PickleWriter& w) { w.storage("HalfStorage", "0", 6); }, 0, {2, 3}, {3, 1});
        const std::string whole = writer.text("real").real(2).setItems().finish();
        QCOMPARE(rootOf(read(whole)).size(), std::size_t(2));
        for (std::size_t length = 0; length < whole.size(); ++length)
            QVERIFY_EXCEPTION_THROWN(read(whole.substr(0, length)), Error);
        refused("", "pickle.badData");
        refused("\x80\x02", "pickle.truncated");
        refused(std::string("\x80\x02X\xff\xff\xff\xff", 7), "pickle.truncated");
        refused("\x80\x02\x8d\xff\xff\xff\xff\xff\xff\xff\xff", "pickle.truncated");
    }

    void nonsenseIsRefused() {
        for (const std::string bad :
             {"t", "u", "a", "s", "0", "1", "R", "b", "Q", "\x81", "e", "2", "\x93", "h\x07", "q\x01"})
            refused("\x80\x02" + bad + ".", "pickle.badData");
        for (const std::string old : {"I1\n", "S'x'\n", "P1\n", "(i\n", "o", "\x82\x01", "\x97"})
            refused("\x80\x02" + old + ".", "pickle.badData", "instruction");
        refused("\x80\x01N.", "pickle.badData", "protocol 1");
        refused("\x80\x09N.", "pickle.badData", "protocol 9");
        refused("\x80\x02NN.", "pickle.badData", "2 values");
        refused(PickleWriter().emptyDict().mark().none().setItems().finish(), "pickle.badData",
                "without a value");
        refused(PickleWriter().integer(1).none().raw("a").finish(), "pickle.badData", "elements");
        refused(PickleWriter().global(std::string(300, 'x'), "Y").finish(), "pickle.badData", "name");
    }

    void tensorsStayInsideTheirStorages_data() {
        QTest::addColumn<qint64>("count");
        QTest::addColumn<qint64>("offset");
        QTest::addColumn<QList<qint64>>("shape");
        QTest::addColumn<QList<qint64>>("strides");
        QTest::addColumn<bool>("fits");
        using L = QList<qint64>;
        constexpr qint64 kHuge = std::numeric_limits<qint64>::max();
        QTest::newRow("whole") << qint64(12) << qint64(0) << L{3, 4} << L{4, 1} << true;
        QTest::newRow("transposed") << qint64(12) << qint64(0) << L{4, 3} << L{1, 4} << true;
        QTest::newRow("last element") << qint64(12) << qint64(11) << L{} << L{} << true;
        QTest::newRow("nothing, at the end") << qint64(12) << qint64(12) << L{0, 4} << L{4, 1} << true;
        QTest::newRow("a column") << qint64(12) << qint64(3) << L{3} << L{4} << true;
        QTest::newRow("offset by one") << qint64(12) << qint64(1) << L{3, 4} << L{4, 1} << false;
        QTest::newRow("offset at the end") << qint64(12) << qint64(12) << L{} << L{} << false;
        QTest::newRow("negative offset") << qint64(12) << qint64(-1) << L{1} << L{1} << false;
        QTest::newRow("huge offset") << qint64(12) << kHuge << L{1} << L{1} << false;
        QTest::newRow("huge stride") << qint64(12) << qint64(0) << L{3, 2} << L{kHuge, 1} << false;
        QTest::newRow("overflowing strides")
            << qint64(12) << qint64(0) << L{2, 2, 2} << L{kHuge, kHuge, 2} << false;
        QTest::newRow("negative stride") << qint64(12) << qint64(11) << L{3} << L{-1} << false;
        QTest::newRow("negative extent") << qint64(12) << qint64(0) << L{-3} << L{1} << false;
        QTest::newRow("one number many times") << qint64(12) << qint64(0) << L{1'000'000} << L{0} << false;
        QTest::newRow("overflowing shape") << qint64(12) << qint64(0) << L{kHuge, kHuge} << L{0, 0} << false;
        QTest::newRow("another rank") << qint64(12) << qint64(0) << L{3, 4} << L{1} << false;
        QTest::newRow("17 dimensions") << qint64(12) << qint64(0) << L(17, 1) << L(17, 1) << false;
        QTest::newRow("negative storage") << qint64(-12) << qint64(0) << L{0} << L{1} << false;
        QTest::newRow("overflowing storage") << kHuge << qint64(0) << L{1} << L{1} << false;
    }
    void tensorsStayInsideTheirStorages() {
        QFETCH(qint64, count);
        QFETCH(qint64, offset);
        QFETCH(QList<qint64>, shape);
        QFETCH(QList<qint64>, strides);
        QFETCH(bool, fits);
        PickleWriter writer;
        writer.rebuiltTensor([&](PickleWriter& w) { w.storage("FloatStorage", "0", count); }, offset,
                             {shape.begin(), shape.end()}, {strides.begin(), strides.end()});
        if (fits)
            QVERIFY(rootOf(read(writer.finish())).is(PickleKind::Tensor));
        else
            QVERIFY_EXCEPTION_THROWN(read(writer.finish()), Error);
    }

    void aStorageHasOneTypeAndSize() {
        PickleWriter writer;
        writer.mark();
        writer.rebuiltTensor([](PickleWriter& w) { w.storage("FloatStorage", "0", 4); }, 0, {4}, {1});
        writer.rebuiltTensor([](PickleWriter& w) { w.storage("FloatStorage", "0", 4); }, 0, {2}, {2});
        const Pickle shared = read(PickleWriter(writer).tuple().finish());
        QCOMPARE(shared.graph.storages.size(), std::size_t(1));
        writer.rebuiltTensor([](PickleWriter& w) { w.storage("HalfStorage", "0", 4); }, 0, {4}, {1});
        refused(writer.tuple().finish(), "pickle.badData", "twice");
        refused(PickleWriter().text("storage").raw("\x85Q").finish(), "pickle.badData", "not a storage");
        refused(PickleWriter().storage("OddStorage", "0", 4).finish(), "pickle.forbidden",
                "torch.OddStorage");
    }
};

HEADROOM_TEST(PickleTest)

} // namespace headroom::testing::pickle_test

#include "pickle_test.moc"

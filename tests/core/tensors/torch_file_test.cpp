// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/tensors/pickle/torch_file.h"
#include "tests/support/pickle_writer.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

namespace headroom::testing::torch_file_test {

namespace {

constexpr const char* kName = "model/weights.bin";

Tensor ramp(std::vector<std::int64_t> shape) {
    std::int64_t count = 1;
    for (const auto extent : shape)
        count *= extent;
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i) + 0.5F;
    return Tensor::of<float>(std::move(shape), values);
}

/// A state dict of two tensors.
std::string smallFile(bool legacy) {
    TorchSaver saver(legacy);
    PickleWriter pickle;
    saver.stateDict(pickle, {{"a", ramp({2, 3})}, {"b", ramp({4})}});
    return saver.file(pickle);
}

TorchFile open(const std::string& bytes) {
    return {std::as_bytes(std::span(bytes)), kName};
}

} // namespace

class TorchFileTest : public QObject {
    Q_OBJECT

    /// Refused on opening, or when every tensor is asked for.
    static void refused(const std::string& bytes, const std::string& code, const std::string& word = {}) {
        try {
            TorchFile file = open(bytes);
            for (std::size_t i = 0; i < file.root().size(); ++i)
                file.tensor(file.root().value(i));
        } catch (const Error& error) {
            const std::string sentence = error.what();
            QVERIFY2(error.code() == code, (error.code() + ": " + sentence).c_str());
            QVERIFY2(sentence.find(kName) == 0 && sentence.back() == '.', sentence.c_str());
            QVERIFY2(sentence.find(word) != std::string::npos, sentence.c_str());
            QVERIFY2(sentence.find('\n') == std::string::npos, sentence.c_str());
            return;
        }
        QFAIL(("read, and should be " + code).c_str());
    }

private Q_SLOTS:
    void bothContainersHoldTheSameNumbers() {
        for (const bool legacy : {false, true}) {
            const std::string bytes = smallFile(legacy);
            TorchFile file = open(bytes);
            QCOMPARE(file.isLegacy(), legacy);
            QCOMPARE(file.root().size(), std::size_t(2));
            const TensorView a = file.tensor(*file.root().find("a"));
            QCOMPARE(a.shape, (std::vector<std::int64_t>{2, 3}));
            QCOMPARE(toFloats(a), (std::vector<float>{0.5F, 1.5F, 2.5F, 3.5F, 4.5F, 5.5F}));
            QCOMPARE(toFloats(file.tensor(*file.root().find("b"))).back(), 3.5F);
        }
    }

    void everyElementTypeIsKept() {
        TorchSaver saver;
        PickleWriter pickle;
        Tensor half{DType::F16, {2}, {std::byte{0}, std::byte{0x3c}, std::byte{0}, std::byte{0xc0}}};
        Tensor brain{DType::BF16, {1}, {std::byte{0x80}, std::byte{0x3f}}};
        saver.stateDict(pickle, {{"half", half},
                                 {"brain", brain},
                                 {"double", Tensor::of<double>({1}, std::vector<double>{0.1})},
                                 {"long", Tensor::of<std::int64_t>({1}, std::vector<std::int64_t>{-7})}});
        const std::string bytes = saver.file(pickle);
        TorchFile file = open(bytes);
        QCOMPARE(toFloats(file.tensor(*file.root().find("half"))), (std::vector<float>{1, -2}));
        QCOMPARE(toFloats(file.tensor(*file.root().find("brain"))), (std::vector<float>{1}));
        QCOMPARE(toDoubles(file.tensor(*file.root().find("double"))), (std::vector<double>{0.1}));
        QCOMPARE(toDoubles(file.tensor(*file.root().find("long"))), (std::vector<double>{-7}));
    }

    void viewsAreGathered() {
        const Tensor numbers = ramp({12});
        const std::string data(reinterpret_cast<const char*>(numbers.bytes.data()), numbers.bytes.size());
        PickleWriter pickle;
        pickle.emptyDict().mark();
        const auto view = [&](const char* name, std::int64_t offset, std::vector<std::int64_t> shape,
                              std::vector<std::int64_t> strides) {
            pickle.text(name).rebuiltTensor([](PickleWriter& w) { w.storage("FloatStorage", "0", 12); },
                                            offset, shape, strides);
        };
        view("transposed", 0, {4, 3}, {1, 4});
        view("column", 1, {3}, {4});
        view("rows", 4, {2, 4}, {4, 1});
        view("single", 5, {1, 1}, {99, 7});
        view("none", 12, {0, 3}, {3, 1});
        pickle.setItems();
        const std::string bytes = zipFile({{"x/data.pkl", pickle.finish()}, {"x/data/0", data}});
        TorchFile file = open(bytes);
        const auto values = [&](const char* name) { return toFloats(file.tensor(*file.root().find(name))); };
        QCOMPARE(values("transposed"), (std::vector<float>{0.5F, 4.5F, 8.5F, 1.5F, 5.5F, 9.5F, 2.5F, 6.5F,
                                                           10.5F, 3.5F, 7.5F, 11.5F}));
        QCOMPARE(values("column"), (std::vector<float>{1.5F, 5.5F, 9.5F}));
        QCOMPARE(values("rows").front(), 4.5F);
        QCOMPARE(values("single"), (std::vector<float>{5.5F}));
        QCOMPARE(values("none").size(), std::size_t(0));
        QVERIFY(file.tensor(*file.root().find("transposed")).bytes.data() ==
                file.tensor(*file.root().find("transposed")).bytes.data()); // gathered once
    }

    void parametersAreTensors() {
        TorchSaver saver;
        PickleWriter pickle;
        pickle.emptyDict().text("p").global("torch._utils", "_rebuild_parameter").mark();
        saver.tensor(pickle, ramp({3}));
        pickle.boolean(true)
            .global("collections", "OrderedDict")
            .emptyTuple()
            .reduce()
            .tuple()
            .reduce()
            .raw("s");
        const std::string bytes = saver.file(pickle);
        TorchFile file = open(bytes);
        QCOMPARE(toFloats(file.tensor(*file.root().find("p"))), (std::vector<float>{0.5F, 1.5F, 2.5F}));
    }

    void deflatedMembersAreRead() {
        TorchSaver saver;
        PickleWriter pickle;
        saver.stateDict(pickle, {{"a", ramp({64})}});
        const Tensor numbers = ramp({64});
        const std::string data(reinterpret_cast<const char*>(numbers.bytes.data()), numbers.bytes.size());
        const std::string bytes = zipFile({{"m/data.pkl", pickle.finish(), true}, {"m/data/0", data, true}});
        TorchFile file = open(bytes);
        QCOMPARE(toFloats(file.tensor(*file.root().find("a"))).back(), 63.5F);
    }

    void bombsAreRefusedBeforeTheyAreUnpacked() {
        const std::int64_t count = 16 << 20;
        PickleWriter pickle;
        pickle.emptyDict().text("a").rebuiltTensor(
            [&](PickleWriter& w) { w.storage("ByteStorage", "0", count); }, 0, {count}, {1});
        pickle.raw("s");
        const std::string zeros(static_cast<std::size_t>(count), '\0');
        refused(
            zipFile({{"m/data.pkl", pickle.finish()}, {"m/data/0", zeros, true}, {"m/data/1", zeros, true}}),
            "pickle.tooLarge", "unpack");
        // A claim without the bytes for it.
        std::string liar = zipFile({{"m/data.pkl", pickle.finish()}, {"m/data/0", "few", true}});
        const auto entry = liar.rfind("m/data/0") - 46;
        liar[entry + 24] = '\0';
        liar[entry + 25] = '\0';
        liar[entry + 26] = '\0';
        liar[entry + 27] = 1; // 16 MiB
        refused(liar, "pickle.badHeader", "declares more bytes");
    }

    void membersOverEachOtherAreRefused() {
        PickleWriter pickle;
        pickle.emptyDict();
        refused(zipFile({{"m/data.pkl", pickle.finish()}, {"m/data/0", "abcd"}, {"m/data/0", "abcd"}}),
                "pickle.badHeader", "two members");
        refused(zipFile({{"m/data.pkl", pickle.finish()}, {"m/data.pkl", pickle.finish()}}),
                "pickle.badHeader", "two members");
        std::string same =
            zipFile({{"m/data.pkl", pickle.finish()}, {"m/data/0", "abcd"}, {"m/data/1", "abcd"}});
        const auto first = same.find("m/data/0", same.find("m/data/1")) - 46,
                   second = same.rfind("m/data/1") - 46;
        same.replace(second + 42, 4, same.substr(first + 42, 4)); // both lie at one place
        refused(same, "pickle.badHeader", "share bytes");
    }

    void storagesMustBeWhatThePickleAnnounces() {
        const auto file = [](std::int64_t count, const std::string& data, const char* key = "0") {
            PickleWriter pickle;
            pickle.emptyDict().text("a").rebuiltTensor(
                [&](PickleWriter& w) { w.storage("FloatStorage", key, count); }, 0, {2}, {1});
            return zipFile({{"m/data.pkl", pickle.raw("s").finish()}, {"m/data/0", data}});
        };
        const std::string good = file(2, std::string(8, '\0'));
        TorchFile opened = open(good);
        QCOMPARE(opened.tensor(*opened.root().find("a")).bytes.size(), std::size_t(8));
        refused(file(2, std::string(7, '\0')), "pickle.badTensor", "7 bytes");
        refused(file(3, std::string(8, '\0')), "pickle.badTensor", "12");
        refused(file(2, std::string(8, '\0'), "../0"), "pickle.badTensor", "../0");
        std::string damaged = file(2, "12345678");
        damaged[damaged.find("12345678")] = 'X';
        refused(damaged, "pickle.badData", "checksum");
    }

    void legacyDefectsAreRefused() {
        const std::string good = smallFile(true);
        refused(good.substr(0, good.size() - 1), "pickle.truncated", "storage “1”");
        refused(good + "x", "pickle.badData", "1 bytes");
        refused(good.substr(0, good.size() - 16 - 8 - 1), "pickle.truncated");
        std::string wrongCount = good;
        wrongCount[good.size() - 16 - 8] = 5;
        refused(wrongCount, "pickle.badTensor", "5 numbers");
        std::string noMagic = good;
        noMagic[4] = 'x';
        refused(noMagic, "pickle.badHeader", "torch.save");
        std::string twice = good;
        twice.replace(twice.rfind("X\x01" + std::string(3, '\0') + "1"), 6,
                      "X\x01" + std::string(3, '\0') + "0");
        refused(twice, "pickle.badTensor", "twice");
    }

    void otherFilesAreRefused() {
        refused("", "pickle.truncated");
        refused("hello", "pickle.badHeader", "neither");
        refused("version https://git-lfs.github.com/spec/v1\n", "pickle.badHeader", "Git LFS");
        refused(PickleWriter().emptyDict().finish(), "pickle.badHeader", "torch.save");
        refused(zipFile({{"mimetype", "x"}}), "pickle.badHeader", "data.pkl");
        refused(zipFile({{"m/data.pkl", PickleWriter().none().finish()}, {"m/constants.pkl", "x"}}),
                "pickle.badHeader", "TorchScript");
        refused(zipFile({{"m/data.pkl", PickleWriter().none().finish()}, {"m/byteorder", "big"}}),
                "pickle.badHeader", "little-endian");
        refused(zipFile({{"m/data.pkl", PickleWriter().none().finish() + "x"}}), "pickle.badData", "follows");
    }

    void everyBeginningIsRefused() {
        for (const bool legacy : {false, true}) {
            const std::string whole = smallFile(legacy);
            for (std::size_t length = 0; length < whole.size(); length += 3)
                QVERIFY_EXCEPTION_THROWN(open(whole.substr(0, length)), Error);
        }
    }

    void filesOfTorchItselfAreRead_data() { addGoldenFolders(); }
    void filesOfTorchItselfAreRead() {
        const auto folder = goldens() / "parity" / "s2t-tiny";
        TorchFile current(folder / "pytorch_model.bin"), legacy(folder / "old_format.bin");
        QVERIFY(!current.isLegacy() && legacy.isLegacy());
        QCOMPARE(current.root().size(), std::size_t(126));
        QCOMPARE(legacy.root().size(), std::size_t(126));
        for (std::size_t i = 0; i < 126; ++i) {
            const auto name = current.root().key(i).text().value();
            const TensorView a = current.tensor(current.root().value(i));
            const TensorView b = legacy.tensor(*legacy.root().find(name));
            QVERIFY(a.shape == b.shape && std::ranges::equal(a.bytes, b.bytes));
        }
        TorchFile fairseq(folder / "fairseq_checkpoint.pt");
        QCOMPARE(fairseq.root().find("args")->className(), std::string("argparse.Namespace"));
        QVERIFY(fairseq.root().find("args")->state()->find("arch")->text() == "s2t_transformer_s");
        try {
            const TorchFile malicious(folder / "malicious.bin");
            QFAIL("malicious.bin was read");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("pickle.forbidden"));
            QCOMPARE(std::string(error.what()),
                     std::string("s2t-tiny/malicious.bin is not read: its pickle names "
                                 "os.system, which no checkpoint needs. Nothing was "
                                 "executed."));
        }
        QVERIFY(!std::filesystem::exists("PWNED_BY_PICKLE"));
    }
};

HEADROOM_TEST(TorchFileTest)

} // namespace headroom::testing::torch_file_test

#include "torch_file_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/mapped_file.h"
#include "core/tensors/sha256.h"
#include "core/tensors/sha256_blocks.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <unistd.h>

namespace headroom::testing::sha256_test {

class Sha256Test : public QObject {
    Q_OBJECT

    static std::vector<std::byte> noise(std::size_t count) {
        std::vector<std::byte> bytes(count);
        std::uint32_t state = 7;
        for (std::byte& byte : bytes) {
            state = state * 1664525U + 1013904223U;
            byte = static_cast<std::byte>(state >> 24);
        }
        return bytes;
    }

private Q_SLOTS:
    void publishedExamplesAreEqual() { // FIPS 180-4
        const auto of = [](std::string_view text) {
            return sha256OfBytes(std::as_bytes(std::span(text.data(), text.size())));
        };
        QCOMPARE(of(""), std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
        QCOMPARE(of("abc"), std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
        QCOMPARE(of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
                 std::string("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
        QCOMPARE(of(std::string(1'000'000, 'a')),
                 std::string("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
    }

    void theProcessorsInstructionsGiveTheSame() {
        const Sha256Blocks fast = sha256BlocksOfProcessor();
        if (!fast)
            QSKIP("This processor has no instructions for SHA-256.");
        const auto bytes = noise(64 * 50);
        std::array<std::uint32_t, 8> expected{1, 2, 3, 4, 5, 6, 7, 8}, found = expected;
        sha256BlocksPortable(expected.data(), bytes.data(), 50);
        fast(found.data(), bytes.data(), 50);
        QVERIFY(found == expected);
    }

    void piecesGiveTheSameAsTheWhole() {
        const auto bytes = noise(1000);
        for (const std::size_t cut : {1u, 63u, 64u, 65u, 127u, 128u, 129u, 700u, 999u}) {
            Sha256 sum;
            sum.add(std::span(bytes).first(cut));
            sum.add(std::span(bytes).subspan(cut));
            QCOMPARE(sum.hex(), sha256OfBytes(bytes));
        }
    }

    void forgottenPagesAreReadAgain() {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("bytes").toStdString();
        auto bytes = noise(300'000);
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        const MappedFile mapped(file, "test");
        const std::string before = sha256OfBytes(mapped.bytes());
        MappedFile::forget(mapped.bytes().subspan(5, 200'000));
        MappedFile::forget({});
        QCOMPARE(sha256OfBytes(mapped.bytes()), before);
        MappedFile::forget(bytes); // no mapping: kept
        QCOMPARE(sha256OfBytes(bytes), before);
    }
};

HEADROOM_TEST(Sha256Test)

} // namespace headroom::testing::sha256_test

#include "sha256_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensors/tar_members.h"
#include "core/errors/error.h"
#include "tests/support/runner.h"
#include "tests/support/tar_writer.h"

#include <QtTest>

namespace headroom::testing::tar_members_test {

class TarMembersTest : public QObject {
    Q_OBJECT

    static std::vector<TarMember> read(const std::string& archive) {
        return readTar(std::as_bytes(std::span(archive.data(), archive.size())), "a.tar");
    }
    static std::vector<TarMember> read(std::string&&) = delete; // the members borrow its bytes
    static std::string text(const TarMember& member) {
        return {reinterpret_cast<const char*>(member.bytes.data()), member.bytes.size()};
    }
    static void refused(const std::string& archive, const char* code, const char* words) {
        try {
            read(archive);
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string(code));
            QVERIFY2(std::string(error.what()).find(words) != std::string::npos, error.what());
            return;
        }
        QFAIL("it was read");
    }

private Q_SLOTS:
    void filesAreReadInTheirOrder() {
        const std::string longText(1300, 'x');
        const std::string archive = tarArchive({{"./a.yaml", "one"}, {"empty", ""}, {"b/c.ckpt", longText}});
        const auto members = read(archive);
        QCOMPARE(members.size(), std::size_t(3));
        QCOMPARE(members[0].name, std::string("./a.yaml"));
        QCOMPARE(text(members[0]), std::string("one"));
        QCOMPARE(text(members[1]), std::string());
        QCOMPARE(text(members[2]), longText);
    }
    void longNamesOfBothKindsAreRead() {
        const std::string name = "folder/" + std::string(150, 'n');
        const std::string record = "path=" + name + "\n", length = std::to_string(record.size() + 4);
        for (const std::string& extra :
             {tarMember("././@LongLink", name + std::string(1, '\0'), 'L'), tarMember("x", length + " " + record, 'x')}) {
            const std::string archive = extra + tarMember("short", "content") + tarMember("next", "more");
            const auto members = read(archive);
            QCOMPARE(members.size(), std::size_t(2));
            QCOMPARE(members[0].name, name);
            QCOMPARE(text(members[0]), std::string("content"));
            QCOMPARE(members[1].name, std::string("next"));
        }
    }
    void damagedArchivesAreRefused() {
        const std::string good = tarArchive({{"a", std::string(700, 'x')}});
        refused("\x1f\x8b\x08", "tar.compressed", "gzip -d");
        refused(std::string(512, 'x'), "tar.badHeader", "does not begin as one");
        refused(good.substr(0, 512 + 512 + 600), "tar.truncated", "ends inside “a”");
        refused(good.substr(0, 700), "tar.truncated", "inside a header");
        std::string damaged = good;
        damaged[512] = 'b';
        refused(damaged, "tar.badHeader", "a header in it is damaged");
        refused(tarMember("link", "", '2'), "tar.badHeader", "“link” in it is neither a file nor a folder");
        QVERIFY(readTar({}, "a.tar").empty());
    }
};

HEADROOM_TEST(TarMembersTest)

} // namespace headroom::testing::tar_members_test

#include "tar_members_test.moc"

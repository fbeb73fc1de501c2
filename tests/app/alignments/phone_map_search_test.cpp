// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alignments/phone_map_search.h"
#include "tests/support/runner.h"

#include <QTest>

#include <string>
#include <vector>

namespace headroom::testing::phone_map_search_test {

using headroom::app::PhoneMapSearch;
namespace fs = std::filesystem;

class PhoneMapSearchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// With 600 recordings open, every new alignment looked beside each of them.
    void eachFolderIsLookedIntoOnce() {
        std::vector<std::string> looked;
        PhoneMapSearch search([&](const fs::path& file) {
            looked.push_back(file.string());
            return false;
        });
        std::vector<fs::path> recordings;
        for (int i = 0; i < 600; ++i)
            recordings.push_back("/data/" + std::string(i % 2 == 0 ? "one/" : "corpus/audio/") + std::to_string(i) + ".wav");
        for (const fs::path& recording : recordings)
            QVERIFY(search.beside(recording).empty());
        QCOMPARE(looked, (std::vector<std::string>{"/data/one/phones.tsv", "/data/corpus/audio/phones.tsv", "/data/corpus/phones.tsv"}));
    }

    void theMapLiesBesideOrAboveAudio() {
        const auto found = [](const fs::path& recording, const fs::path& map) {
            return PhoneMapSearch([&](const fs::path& file) { return file == map; }).beside(recording);
        };
        for (const char* map : {"/c/audio/phones.tsv", "/c/phones.tsv"})
            QCOMPARE(found("/c/audio/a.wav", map), fs::path(map));
        QCOMPARE(found("/c/other/a.wav", "/c/phones.tsv"), fs::path());
        QCOMPARE(found("a.wav", "phones.tsv"), fs::path("phones.tsv")); // a name without a folder
        QCOMPARE(found("/a.wav", "/phones.tsv"), fs::path("/phones.tsv"));
        QCOMPARE(found("", "phones.tsv"), fs::path()); // of the microphone, not saved
    }
};

HEADROOM_TEST(PhoneMapSearchTest)

} // namespace headroom::testing::phone_map_search_test

#include "phone_map_search_test.moc"

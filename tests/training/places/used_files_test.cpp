// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/audio_file.h"
#include "core/corpus/corpus.h"
#include "tests/support/runner.h"
#include "training/places/used_files.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

namespace headroom::testing::used_files_test {

namespace fs = std::filesystem;
using Files = std::set<std::string>;

class UsedFilesTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_place;

    fs::path folder(const char* name) const { return fs::path(m_place.path().toStdString()) / name; }
    static void text(const fs::path& file, const std::string& content) {
        fs::create_directories(file.parent_path());
        std::ofstream(file) << content;
    }
    static void sound(const fs::path& file) {
        fs::create_directories(file.parent_path());
        saveWav(file, std::vector<float>(1600, 0.1F), kModelSampleRate);
    }
    static Files used(const fs::path& folder, const std::string& task, const std::set<std::string>& splits) {
        const auto files = training::usedFiles(folder, task, splits);
        return {files.begin(), files.end()};
    }
    static void document(const fs::path& folder, bool isText) {
        fs::create_directories(folder);
        CorpusDocument document;
        document.name = "x";
        document.languages = {"de", "en"};
        document.splits = {"train", "dev", "test"};
        CorpusTask task{isText ? "translate" : "asr", isText ? "de" : "en", "en"};
        task.isText = isText;
        document.tasks = {task};
        writeCorpusDocument(folder / "corpus.json", document);
    }

private Q_SLOTS:
    void aManifestNamesWhatIsUsed() {
        const fs::path here = folder("manifest");
        for (const char* name : {"a", "b", "spare"})
            sound(here / "sounds" / (std::string(name) + ".wav"));
        text(here / "grids/a.TextGrid", "x");
        text(here / "grids/spare.TextGrid", "x");
        text(here / "asr.sentencepiece.model", "x");
        text(here / "backup.zip", "x");
        text(here / "manifest.tsv", "id\taudio\ttext\talignment\n"
                                    "a\tsounds/a.wav\tone\tgrids/a.TextGrid\n"
                                    "b\tsounds/b.wav:0:800\ttwo\t\n");
        QVERIFY(used(here, "asr", {"all"}) == (Files{"manifest.tsv", "asr.sentencepiece.model", "sounds/a.wav",
                                                     "sounds/b.wav", "grids/a.TextGrid"}));
    }

    void plainRecordingsAreUsedWithTheirTexts() {
        const fs::path here = folder("plain");
        for (const char* name : {"x/a", "x/silent", "b"})
            sound(here / (std::string(name) + ".wav"));
        text(here / "x/a.txt", "one");
        text(here / "b.txt", "two");
        text(here / "asr.sentencepiece.model", "x");
        text(here / "x/video.mp4", "x");
        QVERIFY(used(here, "asr", {"all"}) ==
                (Files{"x/a.wav", "x/a.txt", "b.wav", "b.txt", "asr.sentencepiece.model"}));
        QVERIFY(used(here, "st", {"all"}).empty()); // the worker there says what is wrong
    }

    void tablesOfOtherTextsStayHere() {
        const fs::path here = folder("parallel");
        document(here, true);
        for (const char* split : {"train", "dev", "test"})
            text(here / (std::string(split) + "_translate.tsv"), "id\tsrc_text\ttgt_text\n1\ta\tb\n");
        text(here / "translate.sentencepiece.model", "x");
        QVERIFY(used(here, "translate", {"train", "dev"}) ==
                (Files{"corpus.json", "train_translate.tsv", "dev_translate.tsv", "translate.sentencepiece.model"}));
        QVERIFY(used(here, "", {"dev"}).empty()); // of every task
        QVERIFY(used(here, "translate", {"train", "dev", "test"}).empty()); // all of it
    }

    void linkedFoldersAreNotCopiedWhole() {
        const fs::path here = folder("linked"), elsewhere = folder("elsewhere");
        document(here, false);
        for (const char* name : {"train0", "dev0", "test0", "other"})
            sound(elsewhere / "deep" / (std::string(name) + ".wav"));
        fs::create_directory_symlink(elsewhere, here / "audio");
        for (const char* split : {"train", "dev", "test"})
            text(here / (std::string(split) + "_asr.tsv"), "id\taudio\tn_frames\ttgt_text\tspeaker\n1\taudio/deep/" +
                                                               std::string(split) + "0.wav\t8\ta b\t\n");
        QVERIFY(used(here, "asr", {"train", "dev"}) == (Files{"corpus.json", "train_asr.tsv", "dev_asr.tsv", "test_asr.tsv",
                                                              "audio/deep/train0.wav", "audio/deep/dev0.wav"}));
        QVERIFY(used(here, "", {"test"}) == (Files{"corpus.json", "train_asr.tsv", "dev_asr.tsv", "test_asr.tsv", "audio/deep/test0.wav"}));
    }
};

HEADROOM_TEST(UsedFilesTest)

} // namespace headroom::testing::used_files_test

#include "used_files_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus.h"
#include "core/corpus/corpus_index.h"
#include "core/corpus/tab_separated.h"
#include "tests/support/runner.h"

#include <chrono>
#include <fstream>
#include <QTemporaryDir>
#include <QtTest>

namespace headroom::testing::corpus_index_test {

namespace fs = std::filesystem;

namespace {

constexpr int kUtterances = 20'000; // the fewest that are indexed

bool same(const Corpus& a, const Corpus& b) {
    if (a.tables().size() != b.tables().size() || a.problems().size() != b.problems().size())
        return false;
    for (std::size_t t = 0; t < a.tables().size(); ++t) {
        const CorpusTable &one = a.tables()[t], &other = b.tables()[t];
        if (one.split != other.split || one.task != other.task ||
            one.utterances.size() != other.utterances.size())
            return false;
        for (std::size_t i = 0; i < one.utterances.size(); ++i) {
            const Utterance &x = one.utterances[i], &y = other.utterances[i];
            if (x.id != y.id || x.audio != y.audio || x.audio.native() != y.audio.native() ||
                x.frames != y.frames || x.text != y.text || x.sourceText != y.sourceText ||
                x.speaker != y.speaker || x.alignment != y.alignment)
                return false;
        }
    }
    for (std::size_t i = 0; i < a.problems().size(); ++i)
        if (a.problems()[i].sentence != b.problems()[i].sentence ||
            a.problems()[i].line != b.problems()[i].line ||
            a.problems()[i].leftOut != b.problems()[i].leftOut ||
            a.problems()[i].code != b.problems()[i].code || a.problems()[i].file != b.problems()[i].file)
            return false;
    return true;
}

} // namespace

class CorpusIndexTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_place;
    QByteArray m_cache;
    fs::path folder() const { return fs::path(m_place.path().toStdString()) / "corpus"; }
    fs::path index() const { return CorpusIndex::fileFor(folder()); }
    fs::path table() const { return folder() / "train_asr.tsv"; }

    /// The numbers are not random, so that every write has the same bytes but for `text`.
    void writeTable(const std::string& text) const {
        std::ofstream out(table());
        out << "id\taudio\tn_frames\ttgt_text\tspeaker\n";
        for (int i = 0; i < kUtterances; ++i)
            out << "u" << i << "\taudio/" << i % 7 << ".wav\t"
                << (i % 3 == 0 ? "" : std::to_string(100 + i % 50)) << "\t"
                << (i == 5 ? text : "word" + std::to_string(i % 11)) << "\tspeaker" << i % 13 << "\n";
        out << "broken\taudio/none.wav\t10\tx\ty\n";
    }

private Q_SLOTS:
    void initTestCase() {
        m_cache = qgetenv("XDG_CACHE_HOME");
        qputenv("XDG_CACHE_HOME", (m_place.path() + "/cache").toUtf8());
        fs::create_directories(folder() / "audio");
        fs::create_directories(folder() / "alignments");
        for (int i = 0; i < 7; ++i)
            std::ofstream(folder() / "audio" / (std::to_string(i) + ".wav")) << "x";
        std::ofstream(folder() / "alignments" / "u3.TextGrid") << "x";
        CorpusDocument document;
        document.name = "big";
        document.languages = {"en"};
        document.splits = {"train"};
        document.tasks = {{"asr", "en", "en"}};
        writeCorpusDocument(folder() / "corpus.json", document);
        writeTable("alpha");
    }
    void cleanupTestCase() {
        m_cache.isNull() ? qunsetenv("XDG_CACHE_HOME") : qputenv("XDG_CACHE_HOME", m_cache);
    }

    void theSecondTimeIsTheFirst() {
        QVERIFY(!fs::exists(index()));
        std::vector<std::int64_t> done;
        const Corpus first = Corpus::open(folder(), [&](std::int64_t bytes, std::int64_t all) {
            QVERIFY(bytes >= (done.empty() ? 0 : done.back()) && bytes <= all);
            done.push_back(bytes);
        });
        QVERIFY(done.size() > 2 && done.back() == static_cast<std::int64_t>(fs::file_size(table())));
        QVERIFY(fs::exists(index()));
        QCOMPARE(first.tables()[0].utterances.size(), std::size_t(kUtterances));
        QCOMPARE(first.tables()[0].utterances[3].alignment.filename().string(), std::string("u3.TextGrid"));
        QCOMPARE(first.problems().size(), std::size_t(1));
        done.clear();
        const Corpus second =
            Corpus::open(folder(), [&](std::int64_t bytes, std::int64_t) { done.push_back(bytes); });
        QVERIFY(done.empty()); // no table was read
        QVERIFY(same(first, second));
        // Under another name the paths follow it.
        const fs::path other = folder().parent_path() / "link";
        fs::create_directory_symlink(folder(), other);
        const Corpus third = Corpus::open(other);
        QCOMPARE(third.tables()[0].utterances[1].audio, other / "audio" / "1.wav");
    }

    void aChangedTableIsSeen() {
        const auto time = fs::last_write_time(table());
        writeTable("omega"); // as long as before
        fs::last_write_time(table(), time + std::chrono::seconds(2));
        QCOMPARE(Corpus::open(folder()).tables()[0].utterances[5].text, std::string("omega"));
        writeTable("a longer text");
        fs::last_write_time(table(), time + std::chrono::seconds(2)); // the size alone
        QCOMPARE(Corpus::open(folder()).tables()[0].utterances[5].text, std::string("a longer text"));
    }

    void aTouchedTableIsTheSame() {
        const Corpus before = Corpus::open(folder());
        fs::last_write_time(table(), fs::last_write_time(table()) + std::chrono::seconds(5));
        int read = 0;
        const Corpus after = Corpus::open(folder(), [&](std::int64_t, std::int64_t) { ++read; });
        QCOMPARE(read, 0); // its bytes are those of the index
        QVERIFY(same(before, after));
    }

    void recordingsThatComeAndGoAreSeen() {
        const fs::path gone = folder() / "audio" / "6.wav";
        fs::remove(gone);
        const Corpus without = Corpus::open(folder());
        QVERIFY(without.tables()[0].utterances.size() < kUtterances);
        std::ofstream(gone) << "x";
        std::ofstream(folder() / "alignments" / "u4.TextGrid") << "x";
        const Corpus with = Corpus::open(folder());
        QCOMPARE(with.tables()[0].utterances.size(), std::size_t(kUtterances));
        QVERIFY(!with.tables()[0].utterances[4].alignment.empty());
    }

    void aDamagedIndexIsReadAnew() {
        const Corpus good = Corpus::open(folder());
        const auto size = fs::file_size(index());
        for (const auto kept : {std::uintmax_t(0), std::uintmax_t(10), size / 2, size - 1}) {
            fs::resize_file(index(), kept); // the opening before has written it anew
            QVERIFY(same(good, Corpus::open(folder())));
        }
        std::ofstream(index()) << std::string(200'000, '\xff');
        QVERIFY(same(good, Corpus::open(folder())));
    }

    void aCacheThatCannotBeWrittenIsNoError() {
        qputenv("XDG_CACHE_HOME", (m_place.path() + "/corpus/corpus.json").toUtf8()); // a file
        QCOMPARE(Corpus::open(folder()).tables()[0].utterances.size(), std::size_t(kUtterances));
    }
};

HEADROOM_TEST(CorpusIndexTest)

} // namespace headroom::testing::corpus_index_test

#include "corpus_index_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What the study form says of utterances that are too short, before they are opened.
#include "app/parts/forms/form_row.h"
#include "app/workspaces/analyse/studies/study_settings_rows.h"
#include "app/workspaces/analyse/studies/study_values.h"
#include "core/corpus/corpus.h"
#include "core/studies/least_length.h"
#include "core/studies/study.h"
#include "tests/support/made_corpus.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

namespace headroom::testing::study_least_length_test {

using namespace headroom::app;

namespace {

const QString kShortest = QStringLiteral("shortest"), kFewestWords = QStringLiteral("fewestWords");

/// A study of windows of a corpus, or (empty) of what is open.
StudyValues windowsOf(const std::filesystem::path& data) {
    StudyValues values;
    values.models = {{QStringLiteral("small"), "/models/small", OpenState::Ready, QStringLiteral("80 mel bands")}};
    values.data = data;
    if (!data.empty())
        values.facts = readStudyData(data);
    values.studies = "/studies";
    return values;
}

} // namespace

class StudyLeastLengthTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        widgets::Theme::apply(QStringLiteral("light"));
        QVERIFY(m_folder.isValid());
        m_corpus = makeCorpus(std::filesystem::path(m_folder.path().toStdString()) / "made");
    }

    /// The tab Windows left a recording out that a study of the same recordings counted.
    void ofOpenRecordings() {
        StudyValues values = windowsOf({});
        for (const double seconds : {3.0, 0.47, 2.0})
            values.recordings.emplace_back().length = Seconds(seconds);
        values.settings[kShortest.toStdString()] = 1.0;
        QCOMPARE(validate(values).reason, QString());
        QCOMPARE(validate(values).notes.at(kShortest), QStringLiteral("1 of 3 is shorter and is left out."));
        values.recordings.emplace_back(); // its length is not known
        QCOMPARE(validate(values).notes.at(kShortest), QStringLiteral("At least 1 of 4 is shorter and is left out."));
        values.settings[kShortest.toStdString()] = 60.0;
        values.recordings.pop_back();
        QCOMPARE(validate(values).reason, QStringLiteral("All of these are shorter than 60 s. Choose a lower limit, or open longer ones."));
        QVERIFY(validate(values).mistakes.contains(kShortest));
        values.settings.clear();
        QVERIFY(!validate(values).notes.contains(kShortest));
    }

    void ofOpenTexts() {
        StudyValues values = windowsOf({});
        values.models[0].readsText = true;
        values.texts = {"one two three", "one", "one  two"};
        values.settings[kFewestWords.toStdString()] = 3;
        QCOMPARE(validate(values).notes.at(kFewestWords), QStringLiteral("2 of 3 are shorter and are left out."));
        values.settings[kFewestWords.toStdString()] = 2;
        QCOMPARE(validate(values).notes.at(kFewestWords), QStringLiteral("1 of 3 is shorter and is left out."));
    }

    /// Of a corpus nothing was said before the study had run. What is said is what the worker leaves out by the recordings.
    void ofACorpusTheFormSaysWhatTheWorkerLeavesOut() {
        StudyValues values = windowsOf(m_corpus);
        for (const double least : {0.5, 0.6, 0.9, 1.0, 2.005, 5.0}) {
            values.settings[kShortest.toStdString()] = least;
            int left = 0;
            const Corpus corpus = Corpus::open(m_corpus);
            for (const Utterance& utterance : corpus.utterances("train", "asr")) {
                StudyUtterance document; // a part of the recording as long as makeCorpus() writes it
                document.seconds = static_cast<double>(utterance.frames->value() * 160 + 240) / 16000;
                left += isTooShort(values.settings, document);
            }
            QVERIFY(left > 0 && left < 60);
            const QString note = validate(values).notes.at(kShortest), count = QStringLiteral("%1 of 60").arg(left);
            QVERIFY2(note.startsWith(count), qPrintable(note + count));
        }
    }

    /// A table has whole frames: at the limit itself only the recording tells.
    void atTheLimitTheFormSaysOnlyWhatIsSure() {
        StudyValues values = windowsOf(m_corpus);
        values.settings[kShortest.toStdString()] = 0.8; // 79 frames are 0.805 s here, and could be 0.79 s
        QCOMPARE(validate(values).notes.at(kShortest), QStringLiteral("At least 3 of 60 are shorter and are left out."));
        values.facts->counts[0].lengths.clear(); // of a folder no length is known
        QCOMPARE(validate(values).notes.at(kShortest), QStringLiteral("The study will say how many are left out."));
        values.settings[kShortest.toStdString()] = 0;
        QVERIFY(!validate(values).notes.contains(kShortest));
    }

    void ofASampleTheFormSaysWhatItIsDrawnFrom() {
        StudyValues values = windowsOf(m_corpus);
        values.settings[kShortest.toStdString()] = 1.0;
        values.utterances = 59;
        QCOMPARE(validate(values).notes.at(kShortest), QStringLiteral("5 of 60 are shorter and are left out if they are sampled."));
        values.utterances = 60;
        QCOMPARE(validate(values).notes.at(kShortest), QStringLiteral("5 of 60 are shorter and are left out."));
        values.settings[kShortest.toStdString()] = 9.0;
        QCOMPARE(validate(values).mistakes.at(kShortest), QStringLiteral("All of these are shorter than 9 s. Choose a lower limit, or other data."));
    }

    void ofParallelTextWordsAreCounted() {
        const auto folder = std::filesystem::path(m_folder.path().toStdString()) / "text";
        std::filesystem::create_directories(folder);
        std::ofstream(folder / "corpus.json") << R"({"format": "headroom/corpus", "version": 1, "name": "text", "languages": ["en", "de"],
  "splits": ["test"], "tasks": [{"name": "mt_de", "source": "en", "target": "de", "input": "text"}]})";
        std::ofstream(folder / "test_mt_de.tsv") << "id\tsrc_text\ttgt_text\na\tone two three\teins\nb\tone\teins zwei drei\n";
        StudyValues values = windowsOf(folder);
        QVERIFY2(values.facts->mistake.isEmpty(), qPrintable(values.facts->mistake));
        values.models[0].readsText = true;
        values.settings[kFewestWords.toStdString()] = 3;
        QCOMPARE(validate(values).reason, QString());
        QCOMPARE(validate(values).notes.at(kFewestWords), QStringLiteral("1 of 2 is shorter and is left out."));
    }

    void theNoteStandsBelowTheSetting() {
        StudySettingsRows rows;
        rows.setKind(StudyKind::Windows);
        rows.showNotes({{kShortest, QStringLiteral("1 of 3 is shorter and is left out.")}});
        const auto note = [&](const QString& key) { return rows.findChild<FormRow*>(key)->note(); };
        QCOMPARE(note(kShortest), QStringLiteral("1 of 3 is shorter and is left out."));
        QCOMPARE(note(QStringLiteral("threshold")), QString());
        rows.showNotes({});
        QCOMPARE(note(kShortest), QString());
    }

private:
    QTemporaryDir m_folder;
    std::filesystem::path m_corpus;
};

HEADROOM_TEST(StudyLeastLengthTest)

} // namespace headroom::testing::study_least_length_test

#include "study_least_length_test.moc"

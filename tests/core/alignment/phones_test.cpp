// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/phones.h"
#include "core/alignment/text_grid.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"

#include <fstream>
#include <map>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>
#include <QtTest>

namespace headroom::testing::phones_test {

class PhonesTest : public QObject {
    Q_OBJECT

private:
    static QString unknownPhones(const std::string& arpabet) {
        for (const auto& phone : QString::fromStdString(arpabet).split(' '))
            if (!phoneClass(phone.toStdString()))
                return phone;
        return {};
    }

private Q_SLOTS:
    void stressIsTakenOff() {
        QCOMPARE(withoutStress("AH0"), std::string_view("AH"));
        QCOMPARE(withoutStress("AH"), std::string_view("AH"));
        QCOMPARE(withoutStress("ER2"), std::string_view("ER"));
        QCOMPARE(withoutStress("1"), std::string_view("1"));
        QCOMPARE(withoutStress(""), std::string_view());
    }

    void classesMergeWhatThePaperMerges() {
        QCOMPARE(phoneClass("AA1"), std::optional(0));
        QCOMPARE(phoneClass("AO"), std::optional(0));
        QCOMPARE(phoneClass("OW1"), phoneClass("OY"));
        QCOMPARE(phoneClass("ZH"), phoneClass("SH"));
        QCOMPARE(phoneClass("hh"), std::optional(35));
        for (const auto* silence : {"", "sil", "SIL", "sp", "spn", "<eps>"})
            QCOMPARE(phoneClass(silence), std::optional(kSilenceClass));
        for (const auto* other : {"O", "XX", "AH3", "aɪ", "the"})
            QVERIFY2(!phoneClass(other), other);
    }

    void classesAreThePublishedTable_data() { headroom::testing::addGoldenFolders(); }
    void classesAreThePublishedTable() {
        std::ifstream in(headroom::testing::goldens() / "papers" / "shim-phones.tsv");
        std::string line;
        std::getline(in, line);
        int rows = 0;
        while (std::getline(in, line)) {
            const auto cells = QString::fromStdString(line).split('\t');
            QCOMPARE(std::string(kPhoneClasses.at(cells.at(2).toUInt())), cells.at(3).toStdString());
            for (const auto& phone : cells.at(4).split(' '))
                QCOMPARE(phoneClass(phone.toStdString()), std::optional(cells.at(2).toInt()));
            ++rows;
        }
        QCOMPARE(rows, 36);
    }

    void knownNamesBecomeArpabet() {
        const std::map<std::string, std::string> known{
            {"D", "DH"},      {"@2", "AH"},    {"aI", "AY"},    {"aɪ", "AY"},    {"t#", "T"},
            {"3:", "ER"},     {"_:", "sil"},   {"@L", "AH L"},  {"A@", "AA R"},  {"tS", "CH"},
            {"tʃ", "CH"},     {"N", "NG"},     {"ŋ", "NG"},     {"I#", "IH"},    {"n-", "AH N"},
            {"aI3", "AY ER"}, {"i@", "IY AH"}, {"ɑːɹ", "AA R"}, {"ɔːɹ", "AO R"}, {"ɚ", "ER"},
            {"r-", "R"}};
        for (const auto& [name, arpabet] : known)
            QCOMPARE(arpabetFromEspeak(name), arpabet);
        QCOMPARE(arpabetFromEspeak("A@", false), std::string("AA"));
        QCOMPARE(arpabetFromEspeak("aI3", false), std::string("AY AH"));
        QCOMPARE(arpabetFromEspeak("3:", false), std::string("ER"));
        for (const auto* unknown : {"", " ", "@ @2", "zzz", "ʘ"})
            QVERIFY2(arpabetFromEspeak(unknown).empty(), unknown);
    }

    /// The mnemonics of espeak-ng 1.51's tables en, en-us, en-us-nyc, en-rp, en-n, en-sc, en-wi, en-wm.
    void everyPhonemeOfTheEnglishVoicesIsKnown() {
        const QString names = "@ t# a i r- n l t2 d# z# 3 z/2 I2 w# @2 @5 U @L a# a2 aa A: E E# E2 I I# I2# "
                              "0 0# 02 O2 V A@ A# 3: i: O: O O@ "
                              "o@ u: aU oU oU# aI eI OI e@ i@ i@3 U@ aI@ aI3 aU@ IR VR o: A~ O~ e: e# a#2 @# "
                              "? r/ t N r a/ aI2 l/2 h d p k j w "
                              "m b d[ t[ dZ tS g f v D T z s Z S x l# ; m- n- N- l- @- _ _:";
        for (const auto& name : names.split(' ')) {
            const auto arpabet = arpabetFromEspeak(name.toStdString());
            QVERIFY2(!arpabet.empty(), qPrintable(name));
            QVERIFY2(unknownPhones(arpabet).isEmpty(), qPrintable(name + " → " + arpabet.c_str()));
        }
    }

    void whatEspeakSaysIsKnown() {
        const auto program = QStandardPaths::findExecutable("espeak-ng");
        if (program.isEmpty())
            QSKIP("espeak-ng is not here");
        const QString text =
            "The quick brown fox jumps over the lazy dog. Thirty buttons, little bottles; rhythm and vision, "
            "measure, poor pure cures, fire, flower, hour, nurse near the square, hair, start north. "
            "Her heavy village hears my driver with his bright shadow; loch, choir, genre, thing, yes.";
        QSet<QString> seen;
        for (const auto* voice : {"en", "en-us", "en-gb", "en-gb-scotland", "en-gb-x-rp", "en-gb-x-gbclan",
                                  "en-gb-x-gbcwmd", "en-029", "en-us-nyc"})
            for (const auto* format : {"-x", "--ipa"}) {
                QProcess process;
                process.start(program, {"-q", "-v", voice, format, "--sep=_", text});
                QVERIFY(process.waitForFinished(120000));
                auto output = QString::fromUtf8(process.readAllStandardOutput());
                output.remove(QRegularExpression("['ˈˌ,%=|]"));
                for (const auto& name : output.split(QRegularExpression("[_\\s]+"), Qt::SkipEmptyParts)) {
                    QVERIFY2(!arpabetFromEspeak(name.toStdString()).empty(),
                             qPrintable(QString(voice) + " " + format + ": “" + name + "”"));
                    seen.insert(name);
                }
            }
        QVERIFY(seen.size() > 60);
    }

    void everyAlignedPhoneHasAClass_data() { headroom::testing::addGoldenFolders(); }
    void everyAlignedPhoneHasAClass() {
        const auto data = headroom::testing::goldens();
        const bool ours = data == headroom::testing::repositoryGoldens();
        const std::vector<std::filesystem::path> folders =
            ours ? std::vector{std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources" / "demo"}
                 : std::vector{data / "librispeech-sample", data / "speech-translation"};
        int phones = 0;
        for (const auto& folder : folders)
            for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
                if (entry.path().extension() != ".TextGrid")
                    continue;
                const auto alignment = alignmentFrom(readTextGrid(entry.path()), Seconds(1e6), "grid");
                for (const auto& phone : alignment.phones) {
                    QVERIFY2(phoneClass(phone.label), (entry.path().string() + ": " + phone.label).c_str());
                    ++phones;
                }
            }
        QVERIFY(phones > (ours ? 35 : 1000));
    }
};

HEADROOM_TEST(PhonesTest)

} // namespace headroom::testing::phones_test

#include "phones_test.moc"

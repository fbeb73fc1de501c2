// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/phone_map.h"
#include "core/alignment/phones.h"
#include "core/errors/error.h"
#include "tests/support/runner.h"

#include <fstream>
#include <QTemporaryDir>
#include <QtTest>
#include <set>

namespace headroom::testing::phone_map_test {

namespace {

std::string shown(const PhoneMap& map, const std::string& label) {
    const auto phoneClass = map.classOf(label);
    return phoneClass ? std::string(phoneClassName(*phoneClass)) : map.knows(label) ? "left out" : "unknown";
}

std::string codeOf(const std::string& text) {
    try {
        PhoneMap::parse(text, "mine.tsv");
    } catch (const Error& error) {
        const std::string sentence = error.what();
        return sentence.starts_with("mine.tsv") && sentence.ends_with(".") ? error.code() : sentence;
    }
    return "accepted";
}

} // namespace

class PhoneMapTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void arpabetIsWhatThePaperMerges() {
        const PhoneMap map;
        for (const auto name : kPhoneClasses)
            if (name != "O") {
                QCOMPARE(map.classOf(name), phoneClass(name));
                QCOMPARE(map.classOf(std::string(name) + "1"), phoneClass(name));
            }
        for (const auto* label : {"AO2", "OW", "OY0", "ZH", "hh", "sil", "", "spn", "<eps>", "SIL"})
            QCOMPARE(map.classOf(label), phoneClass(label));
        for (const auto* label : {"PT", "O", "ə", "the", "AH3"})
            QCOMPARE(shown(map, label), std::string("unknown"));
        QCOMPARE(shown(map, "AH0_B"), std::string("AH")); // Kaldi's position in the word
    }

    void everyMapReachesEveryClass_data() {
        QTest::addColumn<QString>("name");
        for (const auto& name : PhoneMap::names())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void everyMapReachesEveryClass() {
        QFETCH(QString, name);
        const auto map = PhoneMap::named(name.toStdString());
        std::set<int> classes;
        const auto text = QString::fromStdString(map.text());
        for (const auto& line : text.split('\n').mid(1))
            if (const auto label = line.section('\t', 0, 0).toStdString(); map.classOf(label))
                classes.insert(*map.classOf(label));
        QCOMPARE(classes.size(), std::size_t(37));
    }

    void othersAreAsTheirPublishersSay() {
        const auto timit = PhoneMap::named("timit"), ipa = PhoneMap::named("ipa"),
                   espeak = PhoneMap::named("espeak");
        const std::vector<std::tuple<const PhoneMap*, std::string, std::string>> rows{
            {&timit, "tcl", "T"},   {&timit, "axr", "ER"}, {&timit, "h#", "sil"}, {&timit, "q", "left out"},
            {&timit, "zh", "SH"},   {&timit, "ENG", "NG"}, {&ipa, "ə", "AH"},     {&ipa, "ˈaɪ", "AY"},
            {&ipa, "t͡ʃ", "CH"},     {&ipa, "pʰ", "P"},     {&ipa, "ɡʷ", "G"},     {&ipa, "i", "IY"},
            {&ipa, "ej", "EY"},     {&ipa, "t̪", "TH"},     {&ipa, "ɲ", "N"},      {&ipa, "œ", "unknown"},
            {&espeak, "s", "S"},    {&espeak, "S", "SH"},  {&espeak, "t#", "T"},  {&espeak, "A@", "AA"},
            {&espeak, "_:", "sil"}, {&espeak, "D", "DH"},  {&espeak, "d", "D"}};
        for (const auto& [map, label, expected] : rows)
            QCOMPARE(label + " " + shown(*map, label), label + " " + expected);
    }

    void theMapThatKnowsMostFits() {
        QCOMPARE(PhoneMap::fitting({{"AH0", 5}, {"N", 3}, {"PT", 1}, {"", 90}}).title(),
                 std::string("ARPABET"));
        QCOMPARE(PhoneMap::fitting({{"ə", 5}, {"n", 3}, {"ɹ", 3}}).title(), std::string("IPA"));
        QCOMPARE(PhoneMap::fitting({{"ax", 5}, {"tcl", 3}, {"t", 3}, {"h#", 2}}).title(),
                 std::string("TIMIT"));
        QCOMPARE(PhoneMap::fitting({{"@", 5}, {"t#", 3}, {"aI", 3}}).title(), std::string("espeak-ng"));
        QCOMPARE(PhoneMap::fitting({}).title(), std::string("ARPABET"));
    }

    void theNearestAreNamed() {
        const PhoneMap map;
        QCOMPARE(map.nearest("PT"), (std::vector<std::string>{"P", "T"}));
        QCOMPARE(map.nearest("AX0").front(), std::string("AA"));
        QVERIFY(map.nearest("œ").empty()); // a single letter is near every other
        QVERIFY(map.nearest("hello").empty());
    }

    void aLabelIsGivenAClassAndTakenBack() {
        PhoneMap map;
        map.set("PT", 24);
        QCOMPARE(shown(map, "PT"), std::string("T"));
        map.set("PT", std::nullopt);
        QCOMPARE(shown(map, "PT"), std::string("left out"));
        QVERIFY(map.knows("PT"));
        map.forget("PT");
        QVERIFY(map == PhoneMap());
        map.set("AH0", kSilenceClass); // before the rule that takes the stress off
        QCOMPARE(shown(map, "AH0"), std::string("sil"));
        QCOMPARE(shown(map, "AH1"), std::string("AH"));
    }

    void aFileIsReadAsItWasWritten() {
        QTemporaryDir folder;
        const auto file = std::filesystem::path(folder.path().toStdString()) / "phones.tsv";
        auto map = PhoneMap::named("espeak");
        map.set("# odd", 3);
        map.set("r\\", 14);
        map.set("a\tb\nc", std::nullopt);
        map.set("", 5);
        map.write(file);
        const auto again = PhoneMap::read(file);
        QVERIFY(again == map);
        QCOMPARE(again.title(), std::string("phones.tsv"));
        QCOMPARE(again.text(), map.text());
        QCOMPARE(shown(again, "a\tb\nc"), std::string("left out"));
    }

    void mistakesAreNamed() {
        QCOMPARE(codeOf("label\tclass\r\nQ\tT\r\n"), std::string("accepted"));
        QCOMPARE(codeOf("# mine\nlabel\tclass\nr\\\tR\nx\tAO\n"), std::string("accepted"));
        QCOMPARE(codeOf(""), std::string("phones.noHeader"));
        QCOMPARE(codeOf("Q\tT\n"), std::string("phones.noHeader"));
        QCOMPARE(codeOf("label\tclass\nQ\n"), std::string("phones.badRow"));
        QCOMPARE(codeOf("label\tclass\nQ\tXX\n"), std::string("phones.badClass"));
        QCOMPARE(codeOf("label\tclass\nQ\t\n"), std::string("phones.badClass"));
        QCOMPARE(codeOf("label\tclass\nQ\tT\nQ\tK\n"), std::string("phones.twice"));
        QVERIFY_EXCEPTION_THROWN(PhoneMap::read("/nowhere/phones.tsv"), Error);
        QVERIFY_EXCEPTION_THROWN(PhoneMap::named("klingon"), Error);
    }
};

HEADROOM_TEST(PhoneMapTest)

} // namespace headroom::testing::phone_map_test

#include "phone_map_test.moc"

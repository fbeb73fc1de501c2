// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "training/corpus/grammar.h"
#include "training/corpus/noun_phrase.h"

#include <QTest>

#include <algorithm>
#include <set>

namespace headroom::testing::grammar_test {

using namespace headroom::training;

namespace {

const Noun& noun(const std::string& english) {
    for (const auto& list : {people(), animals(), things()})
        for (const auto& each : list)
            if (each.en == english)
                return each;
    qFatal("no such noun");
}

const Adjective& adjective(const std::string& english) {
    const auto all = adjectives();
    return *std::find_if(all.begin(), all.end(), [&](const Adjective& each) { return each.en == english; });
}

NounPhrase phrase(const char* word, Determiner determiner, bool plural, const char* quality = nullptr,
                  int number = 2) {
    NounPhrase result;
    result.noun = &noun(word);
    result.adjective = quality ? &adjective(quality) : nullptr;
    result.determiner = determiner;
    result.plural = plural;
    result.number = number;
    const auto all = things();
    result.living =
        std::none_of(all.begin(), all.end(), [&](const Noun& each) { return &each == result.noun; });
    return result;
}

std::string all(const NounPhrase& phrase) {
    return phrase.english() + " | " + phrase.german(Case::Nominative) + " | " +
           phrase.german(Case::Accusative) + " | " + phrase.german(Case::Dative) + " | " +
           phrase.spanishObject();
}

} // namespace

class GrammarTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everythingAgrees_data() {
        QTest::addColumn<QString>("forms");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* expected, const NounPhrase& phrase) {
            QTest::newRow(phrase.english().c_str())
                << QString::fromStdString(all(phrase)) << QString(expected);
        };
        using enum Determiner;
        row("the old dog | der alte Hund | den alten Hund | dem alten Hund | al perro viejo",
            phrase("dog", The, false, "old"));
        row("an old woman | eine alte Frau | eine alte Frau | einer alten Frau | a una mujer vieja",
            phrase("woman", A, false, "old"));
        row("a small child | ein kleines Kind | ein kleines Kind | einem kleinen Kind | a un niño pequeño",
            phrase("child", A, false, "small"));
        row("an apple | ein Apfel | einen Apfel | einem Apfel | una manzana", phrase("apple", A, false));
        row("these expensive hats | diese teuren Hüte | diese teuren Hüte | diesen teuren Hüten | estos "
            "sombreros caros",
            phrase("hat", This, true, "expensive"));
        row("this red car | dieses rote Auto | dieses rote Auto | diesem roten Auto | este coche rojo",
            phrase("car", This, false, "red"));
        row("my new key | mein neuer Schlüssel | meinen neuen Schlüssel | meinem neuen Schlüssel | mi llave "
            "nueva",
            phrase("key", My, false, "new"));
        row("my sisters | meine Schwestern | meine Schwestern | meinen Schwestern | a mis hermanas",
            phrase("sister", My, true));
        row("twelve blue books | zwölf blaue Bücher | zwölf blaue Bücher | zwölf blauen Büchern | doce "
            "libros azules",
            phrase("book", Number, true, "blue", 12));
        row("the young doctors | die jungen Ärzte | die jungen Ärzte | den jungen Ärzten | a los médicos "
            "jóvenes",
            phrase("doctor", The, true, "young"));
    }
    void everythingAgrees() {
        QFETCH(QString, forms);
        QFETCH(QString, expected);
        QCOMPARE(forms, expected);
    }

    void numbersInThreeLanguages() {
        const std::vector<std::tuple<int, const char*, const char*, const char*>> expected{
            {2, "two", "zwei", "dos"},
            {16, "sixteen", "sechzehn", "dieciséis"},
            {17, "seventeen", "siebzehn", "diecisiete"},
            {20, "twenty", "zwanzig", "veinte"},
            {21, "twenty one", "einundzwanzig", "veintiún"},
            {31, "thirty one", "einunddreißig", "treinta y un"},
            {40, "forty", "vierzig", "cuarenta"},
            {66, "sixty six", "sechsundsechzig", "sesenta y seis"},
            {99, "ninety nine", "neunundneunzig", "noventa y nueve"}};
        for (const auto& [number, english, german, spanish] : expected) {
            QCOMPARE(englishNumber(number), std::string(english));
            QCOMPARE(germanNumber(number), std::string(german));
            QCOMPARE(spanishNumber(number), std::string(spanish));
        }
        std::set<std::string> all;
        for (int number = 2; number < 100; ++number)
            all.insert(
                {englishNumber(number) + "/e", germanNumber(number) + "/d", spanishNumber(number) + "/s"});
        QCOMPARE(all.size(), std::size_t(3 * 98));
    }

    void verbsAgreeWithTheirSubject() {
        const auto& see = *std::find_if(verbsOfAnything().begin(), verbsOfAnything().end(),
                                        [](const Verb& verb) { return std::string(verb.en) == "see"; });
        NounPhrase pronoun;
        const auto forms = [&](Person person, bool plural) {
            pronoun.person = person;
            pronoun.plural = plural;
            return joined({pronoun.english(), englishForm(see, pronoun), pronoun.german(Case::Nominative),
                           germanForm(see, pronoun), pronoun.spanish(), spanishForm(see, pronoun)});
        };
        QCOMPARE(forms(Person::First, false), std::string("I see ich sehe veo"));
        QCOMPARE(forms(Person::First, true), std::string("we see wir sehen vemos"));
        QCOMPARE(forms(Person::Third, false), std::string("he sees er sieht él ve"));
        QCOMPARE(forms(Person::Third, true), std::string("they see sie sehen ellos ven"));
    }

    void equalNumbersGiveEqualSentences() {
        Random one({7, 1}), two({7, 1}), other({8, 1});
        int different = 0;
        for (int i = 0; i < 200; ++i) {
            const auto a = randomSentence(one), b = randomSentence(two), c = randomSentence(other);
            QVERIFY(a.english == b.english && a.german == b.german && a.spanish == b.spanish);
            different += a.english != c.english;
        }
        QVERIFY(different > 190);
    }

    void sentencesAreManyAndWellFormed() {
        Random random({1, 2, 3});
        std::set<std::string> distinct, words;
        for (int i = 0; i < 20000; ++i) {
            const auto sentence = randomSentence(random);
            distinct.insert(sentence.english);
            for (const auto* text : {&sentence.english, &sentence.german, &sentence.spanish}) {
                const auto shown = QString::fromStdString(*text);
                const auto start = shown.startsWith(QChar(0xBF)) ? shown.at(1) : shown.at(0);
                QVERIFY2(start.isUpper(), text->c_str());
                QVERIFY2(shown.endsWith('.') || shown.endsWith('?'), text->c_str());
                QVERIFY2(!shown.contains("  ") && !shown.contains(" ,") && !shown.contains(" ."),
                         text->c_str());
                QVERIFY2(!shown.contains(" el el ") && !shown.contains(" a el "), text->c_str());
            }
            QCOMPARE(sentence.english.back(), sentence.german.back());
            QCOMPARE(sentence.english.back(), sentence.spanish.back());
            QCOMPARE(sentence.spanish.starts_with("¿"), sentence.english.ends_with('?'));
            for (const char c : sentence.english)
                QVERIFY2(std::isalpha(static_cast<unsigned char>(c)) ||
                             std::string(" .,?").find(c) != std::string::npos,
                         sentence.english.c_str());
        }
        QVERIFY2(distinct.size() > 15000, qPrintable(QString::number(distinct.size())));
    }

    void aSentenceHasOneTranslation() {
        Random random({4, 5});
        std::map<std::string, std::pair<std::string, std::string>> known;
        int again = 0;
        for (int i = 0; i < 50000; ++i) {
            const auto sentence = randomSentence(random);
            const auto [at, fresh] = known.try_emplace(sentence.english, sentence.german, sentence.spanish);
            again += !fresh;
            QVERIFY2((at->second == std::pair{sentence.german, sentence.spanish}), sentence.english.c_str());
        }
        QVERIFY(again > 0);
    }
};

HEADROOM_TEST(GrammarTest)

} // namespace headroom::testing::grammar_test

#include "grammar_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

// The words of the demo corpus in three languages, with their inflected forms. Our own; not copied from any
// list.
namespace headroom::training {

enum class Gender { Masculine, Feminine, Neuter };

struct Noun {
    const char *en, *enPlural;
    Gender deGender;
    const char *de, *dePlural, *deDativePlural; ///< strong nouns only: the singular has one form
    Gender esGender;
    const char *es, *esPlural;
};
std::span<const Noun> people();
std::span<const Noun> animals();
std::span<const Noun> things();

struct Adjective {
    const char* en;
    const char *deStem, *dePredicate; ///< "teur", "teuer"
    const char *esMasculine, *esFeminine, *esMasculinePlural, *esFemininePlural;
    bool state; ///< a state: Spanish uses estar, and numbers do not apply
    bool ofLiving, ofThings;
};
std::span<const Adjective> adjectives();

/// Third person forms serve every noun; "I" and "we" have their own.
struct Verb {
    const char *en, *enThird;
    const char *deFirst, *deThird, *de; ///< ich, er, and the form of wir, sie and the infinitive
    const char *esFirst, *esThird, *esFirstPlural, *esThirdPlural, *es;
};
std::span<const Verb> verbsOfThings();   ///< transitive: buys, opens …
std::span<const Verb> verbsOfAnything(); ///< transitive: sees, finds …
std::span<const Verb> verbsAlone();      ///< intransitive
std::span<const Verb> verbsOfGiving();   ///< with somebody in the dative
std::span<const Verb> modals();          ///< "es" and "de" are not used

/// The same phrase in three languages.
struct Phrase {
    const char *en, *de, *es;
};
std::span<const Phrase> places();
std::span<const Phrase> times();
/// A scheduled event: subject and verb, and the German prefix at the end of the sentence.
struct Event {
    Phrase clause;
    const char* deEnd;
};
std::span<const Event> events();

/// Returns 2 … 99 in words, before a masculine noun ("veintiún euros").
std::string englishNumber(int number);
std::string germanNumber(int number);
std::string spanishNumber(int number);

} // namespace headroom::training

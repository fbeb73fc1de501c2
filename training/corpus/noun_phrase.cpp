// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/corpus/noun_phrase.h"

#include <array>
#include <vector>

namespace headroom::training {

namespace {

// Rows: nominative, accusative, dative. Columns: masculine, feminine, neuter, plural.
using Endings = std::array<std::array<const char*, 4>, 3>;
constexpr Endings kThe{
    {{"der", "die", "das", "die"}, {"den", "die", "das", "die"}, {"dem", "der", "dem", "den"}}};
constexpr Endings kThis{{{"dieser", "diese", "dieses", "diese"},
                         {"diesen", "diese", "dieses", "diese"},
                         {"diesem", "dieser", "diesem", "diesen"}}};
constexpr Endings kLikeA{{{"", "e", "", "e"}, {"en", "e", "", "e"}, {"em", "er", "em", "en"}}}; // ein-, mein-
constexpr Endings kWeak{{{"e", "e", "e", "en"}, {"en", "e", "e", "en"}, {"en", "en", "en", "en"}}};
constexpr Endings kMixed{{{"er", "e", "es", "en"}, {"en", "e", "es", "en"}, {"en", "en", "en", "en"}}};
constexpr std::array<const char*, 3> kAfterNumber{"e", "e", "en"}; // strong, plural

std::size_t column(const NounPhrase& phrase) {
    return phrase.plural ? 3 : static_cast<std::size_t>(phrase.noun->deGender);
}

std::string germanDeterminer(const NounPhrase& phrase, Case form) {
    const auto row = static_cast<std::size_t>(form), at = column(phrase);
    switch (phrase.determiner) {
    case Determiner::The:
        return kThe[row][at];
    case Determiner::This:
        return kThis[row][at];
    case Determiner::A:
        return std::string("ein") + kLikeA[row][at];
    case Determiner::My:
        return std::string("mein") + kLikeA[row][at];
    case Determiner::Number:
        return germanNumber(phrase.number);
    }
    return {};
}

std::string germanAdjective(const NounPhrase& phrase, Case form) {
    if (!phrase.adjective)
        return {};
    const auto row = static_cast<std::size_t>(form), at = column(phrase);
    const bool definite = phrase.determiner == Determiner::The || phrase.determiner == Determiner::This;
    const char* ending = phrase.determiner == Determiner::Number ? kAfterNumber[row]
                         : definite                              ? kWeak[row][at]
                                                                 : kMixed[row][at];
    return std::string(phrase.adjective->deStem) + ending;
}

std::string spanishDeterminer(const NounPhrase& phrase) {
    const bool feminine = phrase.noun->esGender == Gender::Feminine;
    switch (phrase.determiner) {
    case Determiner::The:
        return phrase.plural ? (feminine ? "las" : "los") : (feminine ? "la" : "el");
    case Determiner::This:
        return phrase.plural ? (feminine ? "estas" : "estos") : (feminine ? "esta" : "este");
    case Determiner::A:
        return feminine ? "una" : "un";
    case Determiner::My:
        return phrase.plural ? "mis" : "mi";
    case Determiner::Number:
        return spanishNumber(phrase.number); // 2 … 12: one form
    }
    return {};
}

bool beginsWithVowel(const std::string& word) {
    return !word.empty() && std::string("aeiou").find(word.front()) != std::string::npos;
}

} // namespace

std::string joined(std::initializer_list<std::string> words) {
    std::string text;
    for (const auto& word : words)
        if (!word.empty())
            text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string NounPhrase::english() const {
    if (!noun)
        return person == Person::First      ? (plural ? "we" : "I")
               : plural                     ? "they"
               : gender == Gender::Feminine ? "she"
                                            : "he";
    const std::string word = plural ? noun->enPlural : noun->en, quality = adjective ? adjective->en : "";
    std::string before;
    switch (determiner) {
    case Determiner::The:
        before = "the";
        break;
    case Determiner::A:
        before = beginsWithVowel(adjective ? quality : word) ? "an" : "a";
        break;
    case Determiner::This:
        before = plural ? "these" : "this";
        break;
    case Determiner::My:
        before = "my";
        break;
    case Determiner::Number:
        before = englishNumber(number);
        break;
    }
    return joined({before, quality, word});
}

std::string NounPhrase::german(Case form) const {
    if (!noun) // pronouns are subjects only
        return person == Person::First      ? (plural ? "wir" : "ich")
               : plural                     ? "sie"
               : gender == Gender::Feminine ? "sie"
                                            : "er";
    const char* word = !plural ? noun->de : form == Case::Dative ? noun->deDativePlural : noun->dePlural;
    return joined({germanDeterminer(*this, form), germanAdjective(*this, form), word});
}

std::string NounPhrase::spanish() const {
    if (!noun)
        return person == Person::First ? "" : plural ? "ellos" : gender == Gender::Feminine ? "ella" : "él";
    return joined({spanishDeterminer(*this), plural ? noun->esPlural : noun->es,
                   adjective ? spanishPredicate(*adjective, *this) : ""});
}

std::string NounPhrase::spanishTo() const {
    const auto phrase = spanish();
    return phrase.starts_with("el ") ? "al " + phrase.substr(3) : "a " + phrase;
}

std::string NounPhrase::spanishObject() const {
    // Somebody not yet known ("un perro", "siete perros") takes no "a" unless it is a person; we keep to "a".
    return living ? spanishTo() : spanish();
}

std::string spanishPredicate(const Adjective& adjective, const NounPhrase& subject) {
    const auto gender = subject.noun ? subject.noun->esGender : subject.gender;
    if (gender == Gender::Feminine)
        return subject.plural ? adjective.esFemininePlural : adjective.esFeminine;
    return subject.plural ? adjective.esMasculinePlural : adjective.esMasculine;
}

NounPhrase randomNounPhrase(Random& random, Living living, bool definite) {
    NounPhrase phrase;
    phrase.living = living == Living::Yes || (living == Living::Either && random.below(3) == 0);
    if (phrase.living)
        phrase.noun = random.below(3) == 0 ? &oneOf(random, animals()) : &oneOf(random, people());
    else
        phrase.noun = &oneOf(random, things());
    const auto choice = random.below(definite ? 8 : 12);
    phrase.plural = random.below(3) == 0;
    if (choice < 5)
        phrase.determiner = Determiner::The;
    else if (choice == 5)
        phrase.determiner = Determiner::This;
    else if (choice < 8)
        phrase.determiner = Determiner::My;
    else if (choice < 11)
        phrase.determiner = phrase.plural ? Determiner::The : Determiner::A;
    else
        phrase.determiner = Determiner::Number;
    if (phrase.determiner == Determiner::Number) {
        phrase.plural = true;
        phrase.number = 2 + static_cast<int>(random.below(11));
    }
    if (random.below(5) < 2) {
        const auto& adjective = oneOf(random, adjectives());
        if (!adjective.state && (phrase.living ? adjective.ofLiving : adjective.ofThings))
            phrase.adjective = &adjective;
    }
    return phrase;
}

NounPhrase randomSubject(Random& random) {
    if (random.below(4) != 0)
        return randomNounPhrase(random, Living::Yes);
    NounPhrase pronoun;
    pronoun.living = true;
    const auto which = random.below(5);
    pronoun.person = which < 2 ? Person::First : Person::Third;
    pronoun.plural = which == 1 || which == 4;
    pronoun.gender = which == 3 ? Gender::Feminine : Gender::Masculine;
    return pronoun;
}

std::string englishForm(const Verb& verb, const NounPhrase& subject) {
    return subject.plural || subject.person == Person::First ? verb.en : verb.enThird;
}

std::string germanForm(const Verb& verb, const NounPhrase& subject) {
    return subject.plural ? verb.de : subject.person == Person::First ? verb.deFirst : verb.deThird;
}

std::string spanishForm(const Verb& verb, const NounPhrase& subject) {
    if (subject.person == Person::First)
        return subject.plural ? verb.esFirstPlural : verb.esFirst;
    return subject.plural ? verb.esThirdPlural : verb.esThird;
}

} // namespace headroom::training

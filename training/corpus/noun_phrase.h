// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/corpus/lexicon.h"
#include "training/data/random.h"

#include <string>

namespace headroom::training {

enum class Person { First, Third };
enum class Case { Nominative, Accusative, Dative };
enum class Determiner { The, A, This, My, Number };

/// A subject or object: "the old woman", "seven red books", "we". A value.
struct NounPhrase {
    const Noun* noun = nullptr; ///< null: a pronoun
    const Adjective* adjective = nullptr;
    Determiner determiner = Determiner::The;
    int number = 2; ///< for Determiner::Number
    bool plural = false;
    bool living = false;
    Person person = Person::Third;
    Gender gender = Gender::Masculine; ///< of a pronoun in the third person singular

    std::string english() const;
    std::string german(Case form) const;
    std::string spanish() const; ///< empty for "I" and "we", which the verb expresses
    /// As a direct object; living beings take "a" ("al perro").
    std::string spanishObject() const;
    std::string spanishTo() const; ///< "a la niña", "al niño"
};

enum class Living { Yes, No, Either };
NounPhrase randomNounPhrase(Random& random, Living living, bool definite = false);
/// Also "I", "we", "he", "she", "they".
NounPhrase randomSubject(Random& random);

/// Returns the form of the verb that agrees with the subject.
std::string englishForm(const Verb& verb, const NounPhrase& subject);
std::string germanForm(const Verb& verb, const NounPhrase& subject);
std::string spanishForm(const Verb& verb, const NounPhrase& subject);
/// Returns the adjective as a predicate of the subject: "müde", "cansadas".
std::string spanishPredicate(const Adjective& adjective, const NounPhrase& subject);

template <class Range>
const auto& oneOf(Random& random, const Range& range) {
    return range[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(range.size())))];
}

/// Joins words with spaces; skips empty ones.
std::string joined(std::initializer_list<std::string> words);

} // namespace headroom::training

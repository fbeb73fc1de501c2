// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/corpus/grammar.h"

#include "training/corpus/noun_phrase.h"

#include <array>
#include <cctype>

namespace headroom::training {

namespace {

// Each shape gives the three texts without capital and full stop. Random numbers are drawn statement by
// statement, never inside an argument list, whose order the language leaves open.

struct Texts {
    std::string en, de, es;
};

constexpr Phrase kNowhere{"", "", ""};

Phrase perhaps(Random& random, std::span<const Phrase> phrases) {
    if (random.below(2) == 0)
        return kNowhere;
    return oneOf(random, phrases);
}

struct Action {
    const Verb* verb;
    NounPhrase object;
};

Action randomAction(Random& random, bool definite = false) {
    const bool ofThings = random.below(2) == 0;
    const auto& verb = ofThings ? oneOf(random, verbsOfThings()) : oneOf(random, verbsOfAnything());
    return {&verb, randomNounPhrase(random, ofThings ? Living::No : Living::Either, definite)};
}

/// "the woman buys a book at the market today"
Texts deed(Random& random) {
    const auto subject = randomSubject(random);
    const auto action = randomAction(random);
    const auto place = perhaps(random, places()), time = perhaps(random, times());
    return {joined({subject.english(), englishForm(*action.verb, subject), action.object.english(), place.en,
                    time.en}),
            joined({subject.german(Case::Nominative), germanForm(*action.verb, subject), time.de,
                    action.object.german(Case::Accusative), place.de}),
            joined({subject.spanish(), spanishForm(*action.verb, subject), action.object.spanishObject(),
                    place.es, time.es})};
}

/// "in winter the woman buys a book": German turns verb and subject round
Texts deedBehindItsTime(Random& random) {
    const auto subject = randomSubject(random);
    const auto action = randomAction(random);
    const auto& time = oneOf(random, times());
    const auto place = perhaps(random, places());
    return {joined({time.en, subject.english(), englishForm(*action.verb, subject), action.object.english(),
                    place.en}),
            joined({time.de, germanForm(*action.verb, subject), subject.german(Case::Nominative),
                    action.object.german(Case::Accusative), place.de}),
            joined({time.es, subject.spanish(), spanishForm(*action.verb, subject),
                    action.object.spanishObject(), place.es})};
}

/// "my brother sleeps in the garden every day"
Texts doing(Random& random) {
    const auto subject = randomSubject(random);
    const auto& verb = oneOf(random, verbsAlone());
    const auto& place = oneOf(random, places());
    const auto time = perhaps(random, times());
    return {joined({subject.english(), englishForm(verb, subject), place.en, time.en}),
            joined({subject.german(Case::Nominative), germanForm(verb, subject), time.de, place.de}),
            joined({subject.spanish(), spanishForm(verb, subject), place.es, time.es})};
}

const Adjective& adjectiveFor(Random& random, bool living) {
    for (;;) {
        const auto& adjective = oneOf(random, adjectives());
        if (living ? adjective.ofLiving : adjective.ofThings)
            return adjective;
    }
}

const char* spanishIs(bool state, bool plural) {
    return state ? (plural ? "están" : "está") : (plural ? "son" : "es");
}

/// "the houses are very old"
Texts quality(Random& random) {
    auto subject = randomNounPhrase(random, Living::Either, true);
    subject.adjective = nullptr;
    const auto& adjective = adjectiveFor(random, subject.living);
    const bool very = random.below(2) == 0;
    const bool notSo = random.below(4) == 0;
    return {joined({subject.english(), subject.plural ? "are" : "is", notSo ? "not" : "", very ? "very" : "",
                    adjective.en}),
            joined({subject.german(Case::Nominative), subject.plural ? "sind" : "ist", notSo ? "nicht" : "",
                    very ? "sehr" : "", adjective.dePredicate}),
            joined({subject.spanish(), notSo ? "no" : "", spanishIs(adjective.state, subject.plural),
                    very ? "muy" : "", spanishPredicate(adjective, subject)})};
}

/// "there are seven birds in the forest"
Texts presence(Random& random) {
    auto what = randomNounPhrase(random, Living::Either);
    what.plural = random.below(3) != 0;
    what.determiner = what.plural ? Determiner::Number : Determiner::A;
    what.number = 2 + static_cast<int>(random.below(11));
    const auto& place = oneOf(random, places());
    return {joined({"there", what.plural ? "are" : "is", what.english(), place.en}),
            joined({place.de, what.plural ? "sind" : "ist", what.german(Case::Nominative)}),
            joined({"hay", what.spanish(), place.es})};
}

/// "the teacher gives the children a book"
Texts gift(Random& random) {
    const auto giver = randomSubject(random);
    auto taker = randomNounPhrase(random, Living::Yes, true);
    taker.adjective = nullptr;
    const auto what = randomNounPhrase(random, Living::No);
    const auto& verb = oneOf(random, verbsOfGiving());
    return {joined({giver.english(), englishForm(verb, giver), taker.english(), what.english()}),
            joined({giver.german(Case::Nominative), germanForm(verb, giver), taker.german(Case::Dative),
                    what.german(Case::Accusative)}),
            joined({giver.spanish(), taker.plural ? "les" : "le", spanishForm(verb, giver), what.spanish(),
                    taker.spanishTo()})};
}

/// "we want to sell this car at the market": the German infinitive ends the sentence
Texts wish(Random& random) {
    const auto subject = randomSubject(random);
    const auto& modal = oneOf(random, modals());
    const auto action = randomAction(random);
    const auto place = perhaps(random, places());
    return {joined({subject.english(), englishForm(modal, subject), action.verb->en, action.object.english(),
                    place.en}),
            joined({subject.german(Case::Nominative), germanForm(modal, subject),
                    action.object.german(Case::Accusative), place.de, action.verb->de}),
            joined({subject.spanish(), spanishForm(modal, subject), action.verb->es,
                    action.object.spanishObject(), place.es})};
}

/// "the dog sleeps, but my sister works in the city"
Texts contrast(Random& random) {
    const auto one = randomNounPhrase(random, Living::Yes), other = randomSubject(random);
    const auto& first = oneOf(random, verbsAlone());
    const auto& second = oneOf(random, verbsAlone());
    const auto& place = oneOf(random, places());
    const bool both = random.below(2) == 0;
    return {
        joined({one.english(), englishForm(first, one) + (both ? "" : ","), both ? "and" : "but",
                other.english(), englishForm(second, other), place.en}),
        joined({one.german(Case::Nominative), germanForm(first, one) + (both ? "" : ","),
                both ? "und" : "aber", other.german(Case::Nominative), germanForm(second, other), place.de}),
        joined({one.spanish(), spanishForm(first, one) + (both ? "" : ","), both ? "y" : "pero",
                other.spanish(), spanishForm(second, other), place.es})};
}

/// "the girl buys an apple because the horse is hungry": the German verb goes last
Texts reason(Random& random) {
    const auto subject = randomSubject(random);
    const auto action = randomAction(random);
    auto why = randomNounPhrase(random, Living::Either, true);
    why.adjective = nullptr;
    const auto& adjective = adjectiveFor(random, why.living);
    return {joined({subject.english(), englishForm(*action.verb, subject), action.object.english(), "because",
                    why.english(), why.plural ? "are" : "is", adjective.en}),
            joined({subject.german(Case::Nominative), germanForm(*action.verb, subject),
                    action.object.german(Case::Accusative) + ",", "weil", why.german(Case::Nominative),
                    adjective.dePredicate, why.plural ? "sind" : "ist"}),
            joined({subject.spanish(), spanishForm(*action.verb, subject), action.object.spanishObject(),
                    "porque", why.spanish(), spanishIs(adjective.state, why.plural),
                    spanishPredicate(adjective, why)})};
}

/// "when the birds sing, she paints a picture"
Texts occasion(Random& random) {
    const auto when = randomNounPhrase(random, Living::Yes), subject = randomSubject(random);
    const auto& verb = oneOf(random, verbsAlone());
    const auto action = randomAction(random);
    const auto place = perhaps(random, places());
    return {
        joined({"when", when.english(), englishForm(verb, when), place.en}) + ", " +
            joined({subject.english(), englishForm(*action.verb, subject), action.object.english()}),
        joined({"wenn", when.german(Case::Nominative), place.de, germanForm(verb, when)}) + ", " +
            joined({germanForm(*action.verb, subject), subject.german(Case::Nominative),
                    action.object.german(Case::Accusative)}),
        joined({"cuando", when.spanish(), spanishForm(verb, when), place.es}) + ", " +
            joined({subject.spanish(), spanishForm(*action.verb, subject), action.object.spanishObject()})};
}

/// "this hat costs thirty five euros"
Texts price(Random& random) {
    const auto what = randomNounPhrase(random, Living::No, true);
    const int euros = 2 + static_cast<int>(random.below(98));
    return {joined({what.english(), what.plural ? "cost" : "costs", englishNumber(euros), "euros"}),
            joined({what.german(Case::Nominative), what.plural ? "kosten" : "kostet", germanNumber(euros),
                    "Euro"}),
            joined({what.spanish(), what.plural ? "cuestan" : "cuesta", spanishNumber(euros), "euros"})};
}

/// "my brother is forty two years old"
Texts age(Random& random) {
    auto who = randomNounPhrase(random, Living::Yes, true);
    who.plural = false;
    who.adjective = nullptr;
    const int years = 2 + static_cast<int>(random.below(98));
    return {joined({who.english(), "is", englishNumber(years), "years old"}),
            joined({who.german(Case::Nominative), "ist", germanNumber(years), "Jahre alt"}),
            joined({who.spanish(), "tiene", spanishNumber(years), "años"})};
}

/// "the train leaves at seven on Monday"
Texts schedule(Random& random) {
    const auto& event = oneOf(random, events());
    const int hour = 2 + static_cast<int>(random.below(11));
    const auto time = perhaps(random, times());
    return {joined({event.clause.en, "at", englishNumber(hour), time.en}),
            joined({event.clause.de, time.de, "um", germanNumber(hour), "Uhr", event.deEnd}),
            joined({event.clause.es, time.es, "a las", spanishNumber(hour)})};
}

/// "the doctor does not find the key"
Texts denial(Random& random) {
    const auto subject = randomSubject(random);
    const auto action = randomAction(random, true);
    const bool bare = subject.plural || subject.person == Person::First;
    return {
        joined({subject.english(), bare ? "do not" : "does not", action.verb->en, action.object.english()}),
        joined({subject.german(Case::Nominative), germanForm(*action.verb, subject),
                action.object.german(Case::Accusative), "nicht"}),
        joined({subject.spanish(), "no", spanishForm(*action.verb, subject), action.object.spanishObject()})};
}

/// "do the children see my dog"
Texts question(Random& random) {
    const auto subject = randomSubject(random);
    const auto action = randomAction(random);
    const auto place = perhaps(random, places());
    const bool bare = subject.plural || subject.person == Person::First;
    return {
        joined({bare ? "do" : "does", subject.english(), action.verb->en, action.object.english(), place.en}),
        joined({germanForm(*action.verb, subject), subject.german(Case::Nominative),
                action.object.german(Case::Accusative), place.de}),
        joined({spanishForm(*action.verb, subject), subject.spanish(), action.object.spanishObject(),
                place.es})};
}

/// "where are my keys"
Texts whereabouts(Random& random) {
    const auto what = randomNounPhrase(random, Living::Either, true);
    return {joined({"where", what.plural ? "are" : "is", what.english()}),
            joined({"wo", what.plural ? "sind" : "ist", what.german(Case::Nominative)}),
            joined({"dónde", what.plural ? "están" : "está", what.spanish()})};
}

struct Shape {
    Texts (*make)(Random&);
    int weight;
    bool asks;
};
constexpr std::array<Shape, 16> kShapes{{{deed, 6, false},
                                         {deedBehindItsTime, 4, false},
                                         {doing, 5, false},
                                         {quality, 3, false},
                                         {presence, 3, false},
                                         {gift, 3, false},
                                         {wish, 4, false},
                                         {contrast, 2, false},
                                         {reason, 2, false},
                                         {occasion, 2, false},
                                         {price, 2, false},
                                         {age, 2, false},
                                         {schedule, 2, false},
                                         {denial, 2, false},
                                         {question, 3, true},
                                         {whereabouts, 1, true}}};

std::string capital(std::string text) {
    constexpr std::array<std::pair<const char*, const char*>, 2> kAccented{{{"é", "É"}, {"ú", "Ú"}}};
    for (const auto& [small, large] : kAccented)
        if (text.starts_with(small))
            return large + text.substr(2);
    if (!text.empty())
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

} // namespace

Sentence randomSentence(Random& random) {
    int weights = 0;
    for (const auto& shape : kShapes)
        weights += shape.weight;
    auto chosen = static_cast<int>(random.below(weights));
    const Shape* shape = kShapes.data();
    while (chosen >= shape->weight)
        chosen -= (shape++)->weight;
    const auto texts = shape->make(random);
    if (shape->asks)
        return {capital(texts.en) + "?", capital(texts.de) + "?", "¿" + capital(texts.es) + "?"};
    return {capital(texts.en) + ".", capital(texts.de) + ".", capital(texts.es) + "."};
}

} // namespace headroom::training

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/study_settings.h"

#include "core/studies/least_length.h"
#include "core/studies/settings.h"
#include "widgets/look/translate.h"

#include <map>
#include <stdexcept>

namespace headroom::app {

namespace {

using Type = StudySetting::Type;

/// A setting as the worker's table has it: key, type, range and default. How it is shown is the caller's.
StudySetting settingOf(StudyKind kind, const char* key, const QString& label, const QString& toolTip) {
    const StudySettingField* field = findStudySetting(kind, key);
    if (!field)
        throw std::logic_error(std::string("a study has no setting ") + key);
    StudySetting setting;
    setting.key = key;
    setting.label = label;
    setting.toolTip = toolTip;
    setting.least = field->least;
    setting.most = field->most;
    switch (field->kind) {
    case StudySettingField::Kind::Number:
        setting.type = Type::Number;
        setting.unset = field->unset.get<double>();
        break;
    case StudySettingField::Kind::Whole:
        setting.type = Type::Whole;
        setting.unset = field->unset.get<double>();
        break;
    case StudySettingField::Kind::Flag:
        setting.type = Type::Flag;
        setting.unset = field->unset.get<bool>() ? 1 : 0;
        break;
    case StudySettingField::Kind::Word:
    case StudySettingField::Kind::Text:
        setting.type = Type::Words;
        for (const std::string_view word : field->words) {
            if (field->unset == word)
                setting.unset = static_cast<double>(setting.words.size());
            setting.words << QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
        }
        break;
    case StudySettingField::Kind::Wholes:
        setting.type = Type::Wholes;
        setting.unsetWholes = field->unset.get<std::vector<std::int64_t>>();
        break;
    }
    return setting;
}

StudySetting number(StudyKind kind, const char* key, const QString& label, double step, int decimals,
                    const QString& toolTip) {
    StudySetting setting = settingOf(kind, key, label, toolTip);
    setting.step = step;
    setting.decimals = decimals;
    return setting;
}

StudySetting suffixed(const QString& suffix, StudySetting setting) {
    setting.suffix = suffix;
    return setting;
}

/// `texts`: one for each word of the setting, in the table's order.
StudySetting words(StudyKind kind, const char* key, const QString& label, const QStringList& texts,
                   const QString& toolTip) {
    StudySetting setting = settingOf(kind, key, label, toolTip);
    if (setting.words.size() != texts.size())
        throw std::logic_error(std::string("other words than the form knows, for ") + key);
    setting.wordLabels = texts;
    return setting;
}

StudySetting onlyIf(StudySetting::Only only, StudySetting setting) {
    setting.only = std::move(only);
    return setting;
}

StudySetting phoneMap(StudyKind kind) {
    return words(kind, "phoneMap", tr("Phone map"),
                 {tr("the corpus's or the best match"), tr("ARPABET"), tr("TIMIT"), tr("IPA"),
                  tr("espeak-ng")},
                 tr("The phone map that assigns labels to classes."));
}

StudySetting source(StudyKind kind) {
    return words(kind, "source", tr("Source"),
                 {tr("contributions if available"), tr("contributions"), tr("attention")},
                 tr("Which maps are measured. Imported maps may contain only attention."));
}

/// Begins with the rule of the live windows, so that a study of the open utterances suggests the same.
StudySetting leastLengthSetting(StudySetting setting, bool ofTexts, double start) {
    setting.leastText = tr("any length");
    setting.ofTexts = ofTexts;
    setting.start = start;
    return setting;
}

std::vector<StudySetting> windowsSettings() {
    constexpr StudyKind kKind = StudyKind::Windows;
    const QString why = tr(" In a map of few tokens almost every diagonal has a mean above t, so Algorithm 1 returns nearly the whole map.");
    return {
        number(kKind, "threshold", tr("Threshold t"), 0.005, 3,
               tr("A diagonal counts if its mean is strictly above t. Alastruey et al. 2022, Algorithm 1.")),
        suffixed(tr(" × N"), number(kKind, "patience", tr("Patience"), 0.05, 2,
                                   tr("The search stops after this many consecutive diagonals below t, as a "
                                      "share of the N tokens: N/10 in the paper."))),
        words(kKind, "statistic", tr("Statistic"), {tr("as in the tables: 2·i"), tr("as printed: 2·i + 1")},
              tr("Which statistic is recorded per utterance. Only the first reproduces the published "
                 "windows.")),
        leastLengthSetting(suffixed(tr(" s"), number(kKind, "shortest", tr("Shortest"), 0.5, 1,
                                                     tr("Recordings shorter than this are left out, as in Windows.") + why)),
                           false, kShortestForWindows.value()),
        leastLengthSetting(settingOf(kKind, "fewestWords", tr("Fewest words"), tr("Texts of fewer words are left out, as in Windows.") + why),
                           true, double(kFewestWordsForWindows)),
        source(kKind)};
}

std::vector<StudySetting> headsSettings() {
    constexpr StudyKind kKind = StudyKind::Heads;
    return {
        number(kKind, "split", tr("CAD split"), 0.05, 2,
               tr("Heads with a smaller CAD are called phonetic, the others linguistic. Shim et al. 2022, "
                  "§4.")),
        words(kKind, "relevance", tr("Relevance"),
              {tr("pooled: median of L2 over all tokens"), tr("notebook: L1, median of medians")},
              tr("How head relevance is averaged. A median is the lower of two middle values. Sant et al. 2022, Eq. 4.")),
        words(kKind, "silence", tr("Silence"),
              {tr("removed if all phones are known"), tr("removed"), tr("kept")},
              tr("Whether silence is removed from the maps before CAD, as in Shim et al. 2022.")),
        phoneMap(kKind)};
}

std::vector<StudySetting> phonesSettings() {
    constexpr StudyKind kKind = StudyKind::Phones;
    StudySetting reference = settingOf(
        kKind, "reference", tr("Reference"),
        tr("The reference of coverage: the lower layers of another model. Shim et al. 2022, Eq. 6."));
    reference.type = Type::Reference;
    StudySetting layers = settingOf(kKind, "referenceLayers", tr("Reference layers"),
                                    tr("Number of lowest layers of the reference that coverage is measured against."));
    layers.leastText = tr("lower half");
    layers.only = {"reference", false, tr("There is no reference. Choose one first.")};
    return {words(kKind, "mode", tr("Mean"), {tr("of utterances"), tr("of all tokens, pooled")},
                  tr("How PAR is averaged over utterances.")),
            reference, layers,
            settingOf(kKind, "places", tr("Places per cell"),
                      tr("Number of places saved per cell, strongest first.")),
            phoneMap(kKind)};
}

std::vector<StudySetting> probeSettings() {
    constexpr StudyKind kKind = StudyKind::Probe;
    return {settingOf(kKind, "seeds", tr("Seeds"), tr("Number of training runs of the probe of each layer.")),
            number(kKind, "testShare", tr("Test share"), 0.05, 2,
                   tr("Share of the speakers held out for testing.")),
            settingOf(kKind, "epochs", tr("Epochs"), tr("Passes over the training tokens.")),
            phoneMap(kKind)};
}

std::vector<StudySetting> latencySettings() {
    constexpr StudyKind kKind = StudyKind::Latency;
    return {settingOf(kKind, "lengths", tr("Lengths"),
                      tr("Lengths that are timed, in tokens, separated by commas.")),
            settingOf(kKind, "repeats", tr("Repeats"), tr("Number of timed passes per length.")),
            settingOf(kKind, "warmUp", tr("Warm-up"), tr("Number of untimed passes before the timed ones.")),
            settingOf(kKind, "threads", tr("Threads"), tr("Threads per pass."))};
}

std::vector<StudySetting> mixingSettings() {
    constexpr StudyKind kKind = StudyKind::Mixing;
    return {words(kKind, "measures", tr("Measures"), {tr("all but value zeroing"), tr("all")},
                  tr("Value zeroing computes each layer again for every unit: exact, but slow with tokens as units.")),
            words(kKind, "units", tr("Units"), {tr("tokens"), tr("phones"), tr("words")},
                  tr("The unit of all measures; its values are zeroed together. Phones and words need alignments.")),
            onlyIf({"units", false, tr("Each unit is one token, so there are no values to combine.")},
                   words(kKind, "pooling", tr("Unit's value"), {tr("mean of its tokens"), tr("largest of its tokens")},
                         tr("How the row of a phone or word follows from the rows of its tokens."))),
            settingOf(kKind, "window", tr("Window of CL"), tr("Width of the window whose CL is reported, in units."))};
}

std::vector<StudySetting> similaritySettings() {
    constexpr StudyKind kKind = StudyKind::Similarity;
    return {words(kKind, "places", tr("Places"), {tr("tokens"), tr("phones"), tr("words")},
                  tr("Where states are compared. Phones and words need alignments, and also work for models with different tokens.")),
            onlyIf({"places", true, tr("Every phone or word of an utterance is compared. Only tokens are sampled.")},
                   settingOf(kKind, "perUtterance", tr("Tokens per utterance"),
                             tr("How many tokens of each utterance are compared, evenly spread.")))};
}

std::vector<StudySetting> makeSettings(StudyKind kind) {
    switch (kind) {
    case StudyKind::Windows:
        return windowsSettings();
    case StudyKind::Diagonality:
        return {source(kind)};
    case StudyKind::Heads:
        return headsSettings();
    case StudyKind::Phones:
        return phonesSettings();
    case StudyKind::Probe:
        return probeSettings();
    case StudyKind::Latency:
        return latencySettings();
    case StudyKind::Mixing:
        return mixingSettings();
    case StudyKind::Similarity:
        return similaritySettings();
    }
    return {};
}

} // namespace

const std::vector<StudySetting>& studySettings(StudyKind kind) {
    static const auto kSettings = [] {
        std::map<StudyKind, std::vector<StudySetting>> settings;
        for (const StudyKind one : kStudyKinds)
            settings[one] = makeSettings(one);
        return settings;
    }();
    return kSettings.at(kind);
}

QString kindTitle(StudyKind kind) {
    switch (kind) {
    case StudyKind::Windows:
        return tr("Windows");
    case StudyKind::Diagonality:
        return tr("Diagonality");
    case StudyKind::Heads:
        return tr("Heads");
    case StudyKind::Phones:
        return tr("Phones");
    case StudyKind::Probe:
        return tr("Probe");
    case StudyKind::Latency:
        return tr("Latency");
    case StudyKind::Mixing:
        return tr("Mixing");
    case StudyKind::Similarity:
        return tr("Similarity");
    }
    return {};
}

QString kindSentence(StudyKind kind) {
    switch (kind) {
    case StudyKind::Windows:
        return tr("Algorithm 1: how far each layer looks, and what its window loses.");
    case StudyKind::Diagonality:
        return tr("D(w) and CCD of one or several models on the same axes.");
    case StudyKind::Heads:
        return tr("CAD, relevance, entropy and distance of every head.");
    case StudyKind::Phones:
        return tr("PAR: which phones attend to which phones. Needs alignments.");
    case StudyKind::Probe:
        return tr("How well phones can be predicted from each layer. Needs alignments.");
    case StudyKind::Latency:
        return tr("Time spent on attention and on the rest, by length, on this machine.");
    case StudyKind::Mixing:
        return tr("How well the measures of mixing agree in each layer, and how diagonal each is.");
    case StudyKind::Similarity:
        return tr("CKA and PWCCA of the states of every pair of layers, in one or several models.");
    }
    return {};
}

int leastAligned(StudyKind kind) {
    return kind == StudyKind::Probe ? 2 : kind == StudyKind::Phones ? 1 : 0; // a probe is trained and tested
}

} // namespace headroom::app

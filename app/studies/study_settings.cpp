// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/study_settings.h"
#include "widgets/look/translate.h"


#include <map>

namespace headroom::app {

namespace {

using Type = StudySetting::Type;

StudySetting number(const char* key, const QString& label, double unset, double least, double most,
                    double step, int decimals, const QString& toolTip) {
    return {key, label, toolTip, Type::Number, unset, least, most, step, decimals, {}, {}};
}

StudySetting whole(const char* key, const QString& label, double unset, double least, double most,
                   const QString& toolTip) {
    return {key, label, toolTip, Type::Whole, unset, least, most, 1, 0, {}, {}};
}

StudySetting words(const char* key, const QString& label, const QStringList& values, const QStringList& texts,
                   const QString& toolTip) {
    return {key, label, toolTip, Type::Words, 0, 0, 1, 1, 0, values, texts};
}

StudySetting phoneMap() {
    return words(
        "phoneMap", tr("Phone map"),
        {QStringLiteral("auto"), QStringLiteral("arpabet"), QStringLiteral("timit"), QStringLiteral("ipa"),
         QStringLiteral("espeak")},
        {tr("the corpus' own, else the one that fits"), tr("ARPABET"), tr("TIMIT"), tr("IPA"), tr("espeak")},
        tr("What the labels of the alignments count as."));
}

StudySetting source() {
    return words("source", tr("Source"),
                 {QStringLiteral("auto"), QStringLiteral("contributions"), QStringLiteral("attention")},
                 {tr("contributions where they are known"), tr("contributions"), tr("attention")},
                 tr("Which maps are measured; those from elsewhere may hold attention alone."));
}

std::vector<StudySetting> windowsSettings() {
    return {
        number("threshold", tr("Threshold t"), 0.01, 0, 1, 0.005, 3,
               tr("A diagonal counts while its mean is strictly above t. Alastruey et al. 2022, "
                  "Algorithm 1.")),
        number("patience", tr("Patience, of N"), 0.1, 0, 1, 0.05, 2,
               tr("The search stops after this share of N diagonals that failed: N/10 in the paper.")),
        words("statistic", tr("Reading"), {QStringLiteral("table-compatible"), QStringLiteral("as-printed")},
              {tr("as in the tables: 2·i"), tr("as printed: 2·i + 1")},
              tr("Which number is recorded of an utterance: only the first gives the published windows.")),
        source()};
}

std::vector<StudySetting> headsSettings() {
    return {
        number("split", tr("CAD split"), 0.75, 0, 1, 0.05, 2,
               tr("Heads with a smaller CAD are called phonetic, the others linguistic. Shim et al. 2022, "
                  "§4.")),
        words("relevance", tr("Relevance"), {QStringLiteral("pooled"), QStringLiteral("notebook")},
              {tr("pooled: median of L2 over all tokens"), tr("notebook: L1, median of medians")},
              tr("How the relevance of heads is summed up. Sant et al. 2022, Eq. 4.")),
        words("silence", tr("Silence"),
              {QStringLiteral("auto"), QStringLiteral("remove"), QStringLiteral("keep")},
              {tr("removed where all phones are known"), tr("removed"), tr("kept")},
              tr("Whether CAD is of the maps without silence, as in Shim et al. 2022.")),
        phoneMap()};
}

std::vector<StudySetting> phonesSettings() {
    StudySetting reference;
    reference.key = "reference";
    reference.label = tr("Reference");
    reference.toolTip =
        tr("What coverage is measured against: the lower layers of another model. Shim et al. 2022, Eq. 6.");
    reference.type = Type::Reference;
    return {words("mode", tr("Mean"), {QStringLiteral("mean"), QStringLiteral("pooled")},
                  {tr("of utterances"), tr("of all tokens, pooled")},
                  tr("How PAR is summed over utterances.")),
            reference,
            whole("referenceLayers", tr("Its layers"), 0, 0, 999,
                  tr("The lowest so many layers of the reference; 0: its lower half.")),
            whole("places", tr("Places a cell"), 8, 0, 50,
                  tr("How many places are kept behind every cell, the strongest first.")),
            phoneMap()};
}

std::vector<StudySetting> probeSettings() {
    return {whole("seeds", tr("Seeds"), 3, 1, 100, tr("How often the probe of each layer is trained.")),
            number("testShare", tr("Test share"), 0.25, 0.01, 0.99, 0.05, 2,
                   tr("Share of the speakers that the probe is tested on.")),
            whole("epochs", tr("Epochs"), 15, 1, 10000, tr("Passes over the training tokens.")), phoneMap()};
}

std::vector<StudySetting> latencySettings() {
    return {whole("repeats", tr("Repeats"), 15, 3, 1000, tr("How often each length is timed.")),
            whole("warmUp", tr("Warm-up"), 2, 0, 100, tr("Passes before the first that counts.")),
            whole("threads", tr("Threads"), 1, 1, 256, tr("Of one pass."))};
}

} // namespace

const std::vector<StudySetting>& studySettings(StudyKind kind) {
    static const std::map<StudyKind, std::vector<StudySetting>> kSettings{
        {StudyKind::Windows, windowsSettings()}, {StudyKind::Diagonality, {source()}},
        {StudyKind::Heads, headsSettings()},     {StudyKind::Phones, phonesSettings()},
        {StudyKind::Probe, probeSettings()},     {StudyKind::Latency, latencySettings()}};
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
        return tr("PAR: which phones attend to which. Needs alignments.");
    case StudyKind::Probe:
        return tr("How well phones can be read from each layer. Needs alignments.");
    case StudyKind::Latency:
        return tr("Time of attention and of the rest by length, on this machine.");
    }
    return {};
}

bool needsPhones(StudyKind kind) {
    return kind == StudyKind::Phones || kind == StudyKind::Probe;
}

const std::vector<StudyKind>& studyKinds() {
    static const std::vector<StudyKind> kKinds{StudyKind::Windows, StudyKind::Diagonality,
                                               StudyKind::Heads,   StudyKind::Phones,
                                               StudyKind::Probe,   StudyKind::Latency};
    return kKinds;
}

} // namespace headroom::app

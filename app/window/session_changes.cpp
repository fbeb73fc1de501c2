// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session_changes.h"

#include "app/parts/view_values.h"
#include "app/window/recovery_offer.h"
#include "core/architecture/change_name.h"
#include "core/architecture/language_layers.h"

#include <QStringList>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace headroom::app {

namespace {

using nlohmann::json;
using Utterance = SessionDocument::UtteranceEntry;
using Model = SessionDocument::ModelEntry;

constexpr std::size_t kMostNamed = 2; ///< whose heads are edited; more are counted

/// The entries of two lists.
template <typename T> struct Pairs {
    std::vector<std::pair<const T*, const T*>> same; ///< in the order of the second
    std::vector<const T*> gone, come;

    qsizetype count(const std::function<bool(const T&, const T&)>& differ) const {
        return std::ranges::count_if(same, [&](const auto& pair) { return differ(*pair.first, *pair.second); });
    }
};

/// Two entries are the same if they agree in the first of these keys, or else in the next.
template <typename T>
Pairs<T> pairsOf(const std::vector<T>& before, const std::vector<T>& after, std::initializer_list<std::string (*)(const T&)> keys) {
    std::vector<const T*> partners(after.size());
    std::set<const T*> left;
    for (const T& one : before)
        left.insert(&one);
    for (const auto key : keys) {
        std::multimap<std::string, const T*> byKey;
        for (const T* one : left)
            byKey.emplace(key(*one), one);
        for (std::size_t i = 0; i < after.size(); ++i)
            if (const auto found = partners[i] ? byKey.end() : byKey.lower_bound(key(after[i]));
                found != byKey.end() && found->first == key(after[i])) {
                partners[i] = found->second;
                left.erase(found->second);
                byKey.erase(found);
            }
    }
    Pairs<T> pairs{{}, {left.begin(), left.end()}, {}};
    for (std::size_t i = 0; i < after.size(); ++i)
        if (partners[i])
            pairs.same.emplace_back(partners[i], &after[i]);
        else
            pairs.come.push_back(&after[i]);
    return pairs;
}

/// The items, separated by commas.
class Parts {
public:
    void add(const QString& part) { m_parts << part; }
    /// `many` has a %1 for the number. Adds nothing for 0.
    void add(qsizetype number, const QString& one, const QString& many) {
        if (number > 0)
            m_parts << (number == 1 ? one : many.arg(number));
    }
    QString text() const { return m_parts.join(QStringLiteral(", ")); }

private:
    QStringList m_parts;
};

std::string nameOf(const Utterance& one) {
    return (one.text ? "text " : "recording ") + one.name.toStdString();
}

std::string contentOf(const Utterance& one) {
    return one.text ? nameOf(one) + '\n' + one.text->toStdString() + '\n' + one.target.toStdString() : one.audio.path.string();
}

void addUtterances(Parts& parts, const SessionDocument& saved, const SessionDocument& now) {
    const auto pairs = pairsOf<Utterance>(saved.utterances, now.utterances, {contentOf, nameOf});
    const auto texts = [](const auto& list) { return std::ranges::count_if(list, [](const Utterance* one) { return one->text.has_value(); }); };
    const auto recordings = [&](const auto& list) { return std::ssize(list) - texts(list); };
    parts.add(recordings(pairs.come), RecoveryOffer::tr("1 recording added"), RecoveryOffer::tr("%1 recordings added"));
    parts.add(recordings(pairs.gone), RecoveryOffer::tr("1 recording removed"), RecoveryOffer::tr("%1 recordings removed"));
    parts.add(pairs.count([](const auto& a, const auto& b) { return a.audio.path != b.audio.path; }),
              RecoveryOffer::tr("location of 1 recording changed"), RecoveryOffer::tr("locations of %1 recordings changed"));
    parts.add(pairs.count([](const auto& a, const auto& b) {
                  return (a.alignment ? a.alignment->path : std::filesystem::path()) != (b.alignment ? b.alignment->path : std::filesystem::path());
              }),
              RecoveryOffer::tr("alignment of 1 recording changed"), RecoveryOffer::tr("alignments of %1 recordings changed"));
    parts.add(pairs.count([](const auto& a, const auto& b) { return a.part != b.part; }),
              RecoveryOffer::tr("selected part of 1 recording changed"), RecoveryOffer::tr("selected parts of %1 recordings changed"));
    parts.add(pairs.count([](const auto& a, const auto& b) { return a.texts != b.texts; }),
              RecoveryOffer::tr("transcript of 1 recording changed"), RecoveryOffer::tr("transcripts of %1 recordings changed"));
    parts.add(texts(pairs.come), RecoveryOffer::tr("1 text added"), RecoveryOffer::tr("%1 texts added"));
    parts.add(texts(pairs.gone), RecoveryOffer::tr("1 text removed"), RecoveryOffer::tr("%1 texts removed"));
    parts.add(pairs.count([](const auto& a, const auto& b) { return a.text != b.text || a.target != b.target; }),
              RecoveryOffer::tr("1 text edited"), RecoveryOffer::tr("%1 texts edited"));
    if (!std::ranges::is_sorted(pairs.same, {}, [](const auto& pair) { return pair.first; }))
        parts.add(RecoveryOffer::tr("utterances reordered"));
}

/// "heads of “demo” edited (layer 3: full → 9)", "“demo” edited (positions: relative → rotary)"; without what changed if either
/// architecture is unknown.
QString editedText(const QString& name, const std::optional<Architecture>& before, const std::optional<Architecture>& after) {
    const bool isOfHeads = !before || !after || before->encoder.positions == after->encoder.positions;
    const QString edited = (isOfHeads ? RecoveryOffer::tr("heads of “%1” edited") : RecoveryOffer::tr("“%1” edited")).arg(name);
    const std::string layers = before && after ? changeName(withLanguageLayers(*before), withLanguageLayers(*after)) : std::string();
    return layers.empty() ? edited : edited + QStringLiteral(" (%1)").arg(QString::fromStdString(layers));
}

void addEdited(Parts& parts, const QStringList& edited) {
    if (std::size_t(edited.size()) > kMostNamed)
        parts.add(RecoveryOffer::tr("heads of %1 architectures edited").arg(edited.size()));
    else
        for (const QString& one : edited)
            parts.add(one);
}

/// The drafts of Design in the view (Drafts::viewState).
std::vector<json> draftsIn(const SessionDocument& document, const char* key) {
    const json* design = valueIn(document.view, "design");
    const json* drafts = design ? valueIn(*design, "drafts") : nullptr;
    const json* list = drafts ? valueIn(*drafts, key) : nullptr;
    return list && list->is_array() ? list->get<std::vector<json>>() : std::vector<json>();
}

/// Returns what is written in a draft but cannot be read as heads.
json writtenIn(const json& draft) {
    const json* written = valueIn(draft, "written");
    return written ? *written : json::array();
}

json writtenIn(const std::vector<json>& drafts, const std::filesystem::path& folder) {
    const auto found = std::ranges::find(drafts, std::optional(folder.string()), [](const json& one) { return stringIn(one, "folder"); });
    return found == drafts.end() ? json::array() : writtenIn(*found);
}

void addModels(Parts& parts, QStringList& edited, const SessionDocument& saved, const SessionDocument& now, const OwnArchitecture& ownOf) {
    const auto pairs = pairsOf<Model>(saved.models, now.models, {[](const Model& one) { return one.folder.string(); },
                                                                 [](const Model& one) { return one.name.toStdString(); }});
    const auto savedDrafts = draftsIn(saved, "models"), nowDrafts = draftsIn(now, "models");
    for (const auto& [before, after] : pairs.same)
        if (before->draft != after->draft || writtenIn(savedDrafts, before->folder) != writtenIn(nowDrafts, after->folder)) {
            const auto heads = [&](const Model& model) { return model.draft ? model.draft : ownOf(model.folder); };
            edited << editedText(after->name, heads(*before), heads(*after));
        }
    parts.add(std::ssize(pairs.come), RecoveryOffer::tr("1 model opened"), RecoveryOffer::tr("%1 models opened"));
    parts.add(std::ssize(pairs.gone), RecoveryOffer::tr("1 model closed"), RecoveryOffer::tr("%1 models closed"));
    parts.add(pairs.count([](const auto& a, const auto& b) { return a.folder != b.folder; }),
              RecoveryOffer::tr("location of 1 model changed"), RecoveryOffer::tr("locations of %1 models changed"));
    parts.add(pairs.count([](const auto& a, const auto& b) { return a.enabled != b.enabled; }),
              RecoveryOffer::tr("1 model ticked or unticked"), RecoveryOffer::tr("%1 models ticked or unticked"));
}

/// Returns nullopt for text that is no architecture: the session opens without it, and says so.
std::optional<Architecture> architectureIn(const json& document) {
    try {
        return parseArchitecture(stringIn(document, "architecture").value_or(""), "session.json");
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// Architectures that are no model's.
void addDocuments(Parts& parts, QStringList& edited, const SessionDocument& saved, const SessionDocument& now) {
    const auto savedDocuments = draftsIn(saved, "documents"), nowDocuments = draftsIn(now, "documents");
    const auto pairs = pairsOf<json>(savedDocuments, nowDocuments, {[](const json& one) { return one.dump(); },
                                                                    [](const json& one) {
                                                                        return stringIn(one, "original").value_or("") + stringIn(one, "startedFrom").value_or("");
                                                                    }});
    for (const auto& [before, after] : pairs.same)
        if (stringIn(*before, "architecture") != stringIn(*after, "architecture") || writtenIn(*before) != writtenIn(*after)) {
            const auto heads = architectureIn(*after);
            edited << editedText(heads ? QString::fromStdString(heads->name) : QString(), architectureIn(*before), heads);
        }
    parts.add(std::ssize(pairs.come), RecoveryOffer::tr("1 architecture opened"), RecoveryOffer::tr("%1 architectures opened"));
    parts.add(std::ssize(pairs.gone), RecoveryOffer::tr("1 architecture closed"), RecoveryOffer::tr("%1 architectures closed"));
}

/// They name utterances and models by their rows, so that only their number can be compared.
std::ptrdiff_t keptCurvesIn(const SessionDocument& document) {
    const json* curves = valueIn(document.view, "keptCurves");
    return curves && curves->is_array() ? std::ssize(*curves) : 0;
}

std::set<std::string> studiesIn(const SessionDocument& document) {
    const json* studies = valueIn(document.view, "studies");
    const json* open = studies ? valueIn(*studies, "open") : nullptr;
    std::set<std::string> folders;
    for (const json& folder : open && open->is_array() ? *open : json::array())
        folders.insert(folder.dump());
    return folders;
}

void addStudies(Parts& parts, const SessionDocument& saved, const SessionDocument& now) {
    const auto before = studiesIn(saved), after = studiesIn(now);
    const auto missingIn = [](const auto& others) { return [&others](const std::string& one) { return !others.contains(one); }; };
    parts.add(std::ranges::count_if(after, missingIn(before)), RecoveryOffer::tr("1 study opened"), RecoveryOffer::tr("%1 studies opened"));
    parts.add(std::ranges::count_if(before, missingIn(after)), RecoveryOffer::tr("1 study closed"), RecoveryOffer::tr("%1 studies closed"));
}

} // namespace

QString changesText(const SessionDocument& saved, const SessionDocument& now, const OwnArchitecture& ownOf) {
    Parts parts, all;
    QStringList edited;
    addUtterances(parts, saved, now);
    addModels(parts, edited, saved, now, ownOf);
    addDocuments(parts, edited, saved, now);
    addStudies(parts, saved, now);
    const auto curves = keptCurvesIn(now) - keptCurvesIn(saved);
    parts.add(curves, RecoveryOffer::tr("1 curve kept"), RecoveryOffer::tr("%1 curves kept"));
    parts.add(-curves, RecoveryOffer::tr("1 kept curve removed"), RecoveryOffer::tr("%1 kept curves removed"));
    addEdited(all, edited); // first: it is what most sessions differ in
    if (const QString rest = parts.text(); !rest.isEmpty())
        all.add(rest);
    return all.text();
}

} // namespace headroom::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/phones/phone_reference.h"

#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "training/studies/phone_labels.h"
#include "training/studies/phones/phones_summary.h"
#include "training/studies/study_text.h"

#include <algorithm>

namespace headroom::training {

namespace {

constexpr const char* kModelWord = "model ";

/// "model 2" → 2; 0: a folder is meant.
int ownModel(const std::string& reference) {
    if (reference.rfind(kModelWord, 0) != 0)
        return 0;
    const std::string number = reference.substr(std::string(kModelWord).size());
    if (number.empty() || number.size() > 3 || number.find_first_not_of("0123456789") != std::string::npos)
        return 0;
    return std::stoi(number);
}

[[noreturn]] void refuseReference(const std::string& sentence) {
    throw Error("study.reference", sentence);
}

Study readReference(const std::string& folder) {
    Study study = readStudy(folder);
    const std::string name = displayName(folder);
    if (study.kind != StudyKind::Phones)
        refuseReference("The reference " + name + " is a study of " + toText(study.kind) +
               "; coverage needs a study of phones.");
    if (study.state != RunState::Finished)
        refuseReference("The reference " + name + " is not finished.");
    return study;
}

/// Cells of one meaning only: Eq. 6 divides one by the other.
void requireSameMeasure(const Study& other, const ReferenceChoice& choice) {
    const std::string name = displayName(choice.reference);
    const std::string mode = other.settings.value("mode", "mean");
    if (mode != choice.mode)
        refuseReference("The reference " + name + " was averaged with mode “" + validText(mode) +
               "”, this study with “" + choice.mode + "”. Measure both in the same way.");
    std::string map = other.settings.value("phoneMapFingerprint", "");
    if (map.empty())
        map = fingerprint(phoneMapOf(other.settings.value("phoneMap", "auto")));
    if (map != choice.phoneMap)
        refuseReference("The reference " + name + " used the phone map " +
               displayName(other.settings.value("phoneMap", "")) + " (" + validText(map) +
               "), this study another (" + choice.phoneMap + "). Measure both with the same one.");
}

const StudyModel& modelOf(const Study& study, const ReferenceChoice& choice) {
    const auto count = static_cast<std::int64_t>(study.models.size());
    if (choice.model < 1 || choice.model > count)
        refuseReference("The reference " + displayName(choice.reference) + " has models 1 to " +
               std::to_string(count) + ", and model " + std::to_string(choice.model) + " was requested.");
    return study.models[static_cast<std::size_t>(choice.model - 1)];
}

std::string itself(const StudyModel& model) {
    return "Coverage of " + modelText(model) +
           " cannot be measured against the model itself, which always covers itself. Choose a study of "
           "another model, or set allowSame.";
}

std::int64_t lowerLayers(const ReferenceChoice& choice, std::int64_t layers) {
    if (choice.layers > layers)
        refuseReference("The reference has " + counted(layers, "layer") + ", and the lowest " +
               std::to_string(choice.layers) + " were requested.");
    return choice.layers > 0 ? choice.layers : (layers + 1) / 2;
}

std::string textOf(const StudyModel& model, std::int64_t layers) {
    return (layers == 1 ? "layer 1" : "layers 1 to " + std::to_string(layers)) + " of " + modelText(model);
}

Matrix<double> storedMap(const std::string& folder, std::int64_t model, std::int64_t lowest) {
    const StudyArrays arrays = readStudyArrays(folder);
    const auto found = arrays.find(std::to_string(model) + ".par");
    const auto side = static_cast<std::int64_t>(kPhones);
    if (found == arrays.end() || found->second.shape.size() != 4 || found->second.shape[0] < lowest ||
        found->second.shape[2] != side || found->second.shape[3] != side)
        refuseReference("The results of the reference " + displayName(folder) +
               " have no phone maps. Measure it again.");
    const std::vector<double> values = toDoubles(found->second.view());
    PhoneAttentionMean mean;
    const auto cells = static_cast<std::ptrdiff_t>(kPhones * kPhones);
    for (std::int64_t head = 0; head < lowest * found->second.shape[1]; ++head)
        mean.add({kPhones, kPhones,
                  std::vector<double>(values.begin() + head * cells, values.begin() + (head + 1) * cells)});
    return mean.mean();
}

} // namespace

void checkReference(const ReferenceChoice& choice, std::span<const StudyModel> models) {
    if (choice.reference.empty())
        return;
    if (const int own = ownModel(choice.reference)) {
        if (own > static_cast<int>(models.size()))
            refuseReference("The reference is model " + std::to_string(own) + ", and this study has " +
                   std::to_string(models.size()) + ".");
        const StudyModel& reference = models[static_cast<std::size_t>(own - 1)];
        if (models.size() == 1 && !choice.allowSame)
            refuseReference(itself(reference));
        lowerLayers(choice, reference.layers);
        return;
    }
    const Study study = readReference(choice.reference);
    requireSameMeasure(study, choice);
    const StudyModel& reference = modelOf(study, choice);
    lowerLayers(choice, reference.layers);
    for (const StudyModel& model : models)
        if (!choice.allowSame && !model.weightsHash.empty() && model.weightsHash == reference.weightsHash)
            refuseReference(itself(model));
}

std::optional<PhoneReference> phoneReference(const ReferenceChoice& choice, const Study& study,
                                             std::span<const PhoneSummary> summaries) {
    checkReference(choice, study.models);
    if (choice.reference.empty())
        return {};
    PhoneReference result;
    if (const int own = ownModel(choice.reference)) {
        const auto at = static_cast<std::size_t>(own - 1);
        const std::int64_t lowest = lowerLayers(choice, summaries[at].layers());
        result.map = summaries[at].layersTogether(0, lowest - 1);
        result.text = textOf(study.models[at], lowest);
        result.weightsHash = study.models[at].weightsHash;
        result.model = own;
        return result;
    }
    const Study other = readReference(choice.reference);
    const StudyModel& model = modelOf(other, choice);
    const std::int64_t lowest = lowerLayers(choice, model.layers);
    result.map = storedMap(choice.reference, choice.model, lowest);
    std::string sample = sampleText(other);
    sample.pop_back(); // the full stop
    result.text = textOf(model, lowest) + ", study " + displayName(choice.reference) + " with " + sample;
    result.weightsHash = model.weightsHash;
    return result;
}

} // namespace headroom::training

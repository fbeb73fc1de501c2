// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/open_study.h"

#include "app/documents/items/paths.h"
#include "app/studies/study_item.h"
#include "app/studies/study_names.h"
#include "core/statistics/undefined.h"
#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"

#include <algorithm>

namespace headroom::app {

double OpenStudy::Numbers::at(std::initializer_list<std::int64_t> index) const {
    if (index.size() != shape.size())
        return kUndefined;
    std::int64_t offset = 0;
    std::size_t axis = 0;
    for (const std::int64_t place : index) {
        if (place < 0 || place >= shape[axis])
            return kUndefined;
        offset = offset * shape[axis++] + place;
    }
    return static_cast<std::size_t>(offset) < values.size() ? values[static_cast<std::size_t>(offset)]
                                                            : kUndefined;
}

const Tensor* OpenStudy::array(int model, const std::string& name) const {
    const auto found = arrays.find(std::to_string(model) + "." + name);
    return found == arrays.end() ? nullptr : &found->second;
}

int OpenStudy::modelWith(const std::string& weightsHash) const {
    for (std::size_t i = 0; !weightsHash.empty() && i < document.models.size(); ++i)
        if (document.models[i].weightsHash == weightsHash)
            return static_cast<int>(i) + 1;
    return 0;
}

OpenStudy::Numbers OpenStudy::numbers(int model, const std::string& name) const {
    const Tensor* tensor = array(model, name);
    if (!tensor)
        return {};
    return {tensor->shape, toDoubles(tensor->view())};
}

const StudyTable* OpenStudy::table(const std::string& name) const {
    for (const StudyTable& table : document.tables)
        if (table.name == name)
            return &table;
    return nullptr;
}

QString OpenStudy::name() const {
    QStringList models;
    for (const StudyModel& model : document.models)
        models << QString::fromStdString(model.name);
    return studyName(folder, document.kind, models);
}

int OpenStudy::measuredCount() const {
    return static_cast<int>(
        std::count_if(document.utterances.begin(), document.utterances.end(),
                      [](const StudyUtterance& utterance) { return utterance.error.empty(); }));
}

QString OpenStudy::failedText() const {
    const int all = static_cast<int>(document.utterances.size()), failed = all - measuredCount();
    return failed == 0 ? QString() : tr(" (%1 of %2 could not be measured)").arg(failed).arg(all);
}

QString OpenStudy::failures() const {
    return notMeasuredText(notMeasured(document));
}

QString OpenStudy::summary() const {
    const QString kind = QString::fromLatin1(toText(document.kind));
    if (document.utterances.empty())
        return kind;
    const int measured = measuredCount(), all = static_cast<int>(document.utterances.size());
    const QString utterances = widgets::counted(all, tr("1 utterance"), tr("%1 utterances"));
    return measured < all ? tr("%1, %2 of %3").arg(kind, QString::number(measured), utterances) // it stands in brackets
                          : tr("%1, %2").arg(kind, utterances);
}

OpenStudyPtr openStudy(const std::filesystem::path& given) {
    auto study = std::make_shared<OpenStudy>();
    study->folder = normalised(given);
    study->document = readStudy(study->folder);
    if (study->document.state != RunState::Finished)
        throw Error("study.unfinished", "The study “" + study->folder.filename().string() + "” has no results yet: it is " +
                                            toText(study->document.state) + ".");
    study->arrays = readStudyArrays(study->folder);
    return study;
}

} // namespace headroom::app

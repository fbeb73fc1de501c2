// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/experiment_checks.h"

#include "core/architecture/nearest.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

namespace headroom {

namespace {

using StepKind = ExperimentStep::Kind;

class ExperimentChecks {
public:
    ExperimentChecks(const Experiment& experiment, const std::string& file) : m_experiment(experiment), m_file(file) {}

    void check() {
        checkName(m_experiment.name, "name");
        for (const ExperimentCorpus& corpus : m_experiment.corpora) {
            checkName(corpus.name, "corpora");
            once(m_corpora, corpus.name, "corpora");
        }
        for (const ExperimentStep& step : m_experiment.steps)
            checkStep(step);
        std::set<std::string> columns;
        for (const ExperimentColumn& column : m_experiment.columns)
            once(columns, column.key, "columns");
        for (const ExperimentRow& row : m_experiment.rows)
            if (!row.name.empty())
                once(m_rows, row.name, "rows");
        for (std::size_t i = 0; i < m_experiment.rows.size(); ++i)
            checkRow(m_experiment.rows[i], "rows[" + std::to_string(i) + "]", columns);
    }

private:
    [[noreturn]] void refuse(const char* code, const std::string& place, const std::string& what) const {
        throw Error(code, m_file + ", " + place + ": " + what + ".", {{"file", m_file}, {"place", place}});
    }

    /// Names become names of folders.
    void checkName(const std::string& name, const std::string& place) const {
        const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char letter) {
            return std::isalnum(letter) != 0 || letter == '-' || letter == '_';
        });
        if (name.empty() || !plain)
            refuse("experiment.value", place,
                   "“" + name + "” is not a valid name; names have letters, digits, - and _");
    }

    void once(std::set<std::string>& names, const std::string& name, const std::string& place) const {
        if (!names.insert(name).second)
            refuse("experiment.value", place, "the name “" + name + "” occurs twice");
    }

    [[noreturn]] void refuseUnknown(const std::string& place, const std::string& what, const std::string& name,
                                    const std::set<std::string>& known) const {
        const std::vector<std::string_view> words(known.begin(), known.end());
        const auto nearest = nearestWord(name, words);
        refuse("experiment.reference", place,
               "there is no " + what + " “" + name + "”" +
                   (nearest.empty() ? "" : "; nearest is “" + std::string(nearest) + "”"));
    }

    /// A step before this one, of one of the kinds.
    void refer(const std::string& name, const std::string& place, std::initializer_list<StepKind> kinds,
               const char* what) const {
        if (!m_steps.contains(name))
            refuseUnknown(place, "step before this one with the name", name, m_steps);
        const StepKind kind = m_experiment.find(name)->kind;
        if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
            refuse("experiment.reference", place, "the step “" + name + "” is not " + what);
    }

    void checkStep(const ExperimentStep& step) {
        const std::string place = "step “" + step.name + "”";
        checkName(step.name, place);
        if (m_steps.contains(step.name))
            refuse("experiment.value", place, "the name occurs twice");
        if (!step.corpus.empty() && !m_corpora.contains(step.corpus))
            refuseUnknown(place, "corpus", step.corpus, m_corpora);
        if (!step.corpus.empty() && !step.isLanguageModel() && (step.task == "mt") != m_experiment.corpus(step.corpus)->isText)
            refuse("experiment.value", place, "the task mt needs a corpus whose “input” is “text”, and no other task may use one");
        if (step.isLanguageModel() && step.kind != StepKind::Train)
            refuse("experiment.value", place, "a language model is trained, not decoded or studied");
        if (m_steps.contains(step.languageModel) && !m_experiment.find(step.languageModel)->isLanguageModel())
            refuse("experiment.reference", place + ", languageModel",
                   "the step “" + step.languageModel + "” trains no language model");
        const auto model = [&](const std::string& name, const char* key) {
            refer(name, place + ", " + key, {StepKind::Train, StepKind::Average}, "a run or an average");
        };
        if (!step.startFrom.empty())
            model(step.startFrom, "startFrom");
        if (!step.windowsOf.empty())
            refer(step.windowsOf, place + ", windows", {StepKind::Study}, "a study");
        for (const auto& [layers, heads] : step.heads)
            layerRange(layers, place + ", heads");
        if (!step.run.empty())
            refer(step.run, place + ", run", {StepKind::Train}, "a run");
        for (const std::string& one : step.models)
            model(one, "models");
        if (!step.model.empty())
            model(step.model, "model");
        for (const std::string& one : step.tuning)
            refer(one, place + ", languageModelWeight", {StepKind::Decode}, "a decoding");
        m_steps.insert(step.name); // it refers only to those before it
    }

    void layerRange(const std::string& text, const std::string& place) const {
        if (const auto range = layersOf(text); !range || range->first < 1 || range->second < range->first)
            refuse("experiment.value", place, "“" + text + "” names no layers; write 4 or 4-12");
    }

    void checkRow(const ExperimentRow& row, const std::string& place, const std::set<std::string>& columns) const {
        if (row.labels.size() != m_experiment.labels.size())
            refuse("experiment.value", place,
                   "a row has as many labels as the table, " + std::to_string(m_experiment.labels.size()) + ", not " +
                       std::to_string(row.labels.size()));
        for (const auto& [column, cell] : row.cells) {
            const std::string where = place + ", " + column;
            if (!columns.contains(column))
                refuseUnknown(where, "column", column, columns);
            if (!cell.step.empty())
                refer(cell.step, where, {StepKind::Train, StepKind::Study, StepKind::Decode}, "a run, a study or a decoding");
            if (!cell.against.empty())
                refer(cell.against, where, {StepKind::Decode}, "a decoding");
            if (!cell.column.empty() && !columns.contains(cell.column))
                refuseUnknown(where, "column", cell.column, columns);
            if (!cell.minus.empty() && !m_rows.contains(cell.minus))
                refuseUnknown(where, "row", cell.minus, m_rows);
            for (const std::string& one : cell.meanOf)
                if (!columns.contains(one))
                    refuseUnknown(where, "column", one, columns);
            if (!cell.architecture.empty() && cell.of != "parameters" && cell.of != "heads")
                refuse("experiment.value", where, "of an architecture there are “parameters” and “heads”, not “" + cell.of + "”");
            for (const std::string* number : {&cell.printed, &cell.printedDeviation})
                if (number->size() > 200)
                    refuse("experiment.value", where, "a printed value has at most 200 letters");
        }
    }

    const Experiment& m_experiment;
    const std::string& m_file;
    std::set<std::string> m_corpora, m_steps, m_rows;
};

} // namespace

std::optional<std::pair<int, int>> layersOf(std::string_view text) {
    int first = 0, last = 0;
    const char* const end = text.data() + text.size();
    auto read = std::from_chars(text.data(), end, first);
    if (read.ec != std::errc() || (read.ptr != end && *read.ptr != '-'))
        return std::nullopt;
    last = first;
    if (read.ptr != end) {
        read = std::from_chars(read.ptr + 1, end, last);
        if (read.ec != std::errc() || read.ptr != end)
            return std::nullopt;
    }
    return std::pair(first, last);
}

void checkExperiment(const Experiment& experiment, const std::string& file) {
    ExperimentChecks(experiment, file).check();
}

} // namespace headroom

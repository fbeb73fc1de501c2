// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/score_command.h"

#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/errors/unread_file.h"
#include "core/tensors/atomic_file.h"
#include "training/scoring/sclite_report.h"
#include "training/worker/commands.h"
#include "training/worker/recordings.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

namespace headroom::training {

namespace {

std::string contentOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::error_code ignored;
    if (!in || std::filesystem::is_directory(file, ignored))
        throw Error("scoring.missing", unreadText(file), {{"file", displayName(file)}});
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
}

std::vector<std::string> linesOf(const std::filesystem::path& file) {
    std::istringstream in(contentOf(file));
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
        if (line.ends_with('\r'))
            line.pop_back();
        if (lines.empty() && line.starts_with("\xEF\xBB\xBF"))
            line.erase(0, 3);
        lines.push_back(std::move(line));
    }
    return lines;
}

bool isTrn(const std::filesystem::path& file) {
    return file.extension() == ".trn";
}

/// Reads a hypothesis beside the references, which are read again for each.
ScoredText readPair(const std::filesystem::path& reference, const std::filesystem::path& hypothesis) {
    ScoredText text;
    text.hypothesis = hypothesis.string();
    if (isTrn(reference) != isTrn(hypothesis))
        throw Error("scoring.trn", displayName(reference) + " and " + displayName(hypothesis) +
                                       " must both be .trn transcripts, or both have one sentence per line.");
    if (isTrn(reference)) {
        text.trnReferences = parseTrn(contentOf(reference), displayName(reference));
        text.trnHypotheses = parseTrn(contentOf(hypothesis), displayName(hypothesis));
        for (const ScliteUtterance& one : // in the order of the references; reports missing ids
             scliteScore(text.trnReferences, text.trnHypotheses, {true, false})) {
            for (const auto& [all, lines] : {std::pair{&text.trnReferences, &text.references},
                                             std::pair{&text.trnHypotheses, &text.hypotheses}})
                for (const TrnLine& line : *all)
                    if (line.id == one.id)
                        lines->push_back(line.text);
        }
        return text;
    }
    text.references = linesOf(reference);
    text.hypotheses = linesOf(hypothesis);
    if (text.references.size() != text.hypotheses.size())
        throw Error("scoring.lines",
                    displayName(reference) + " has " + counted(static_cast<std::int64_t>(text.references.size()), "line") +
                        " and " + displayName(hypothesis) + " " +
                        grouped(static_cast<std::int64_t>(text.hypotheses.size())) + "; they must correspond line by line.");
    return text;
}

/// The speakers of lines of text: of a table with the columns id and speaker, a row a line.
std::vector<std::string> speakersOfLines(const ScoreOptions& options, std::size_t lines) {
    const std::filesystem::path file =
        options.utterances.empty() ? options.reference.parent_path() / kScoredUtterances : options.utterances;
    std::error_code ignored;
    if (options.utterances.empty() && !std::filesystem::exists(file, ignored))
        throw Error(
            "scoring.speakers",
            "The speakers of the lines in " + displayName(options.reference) + " are unknown: there is no " +
                kScoredUtterances +
                " beside it, as evaluate writes it. Name one with --utterances, or use .trn transcripts.");
    const std::vector<std::string> rows = linesOf(file);
    const auto refuse = [&](std::size_t row, const std::string& what) {
        throw Error("scoring.speakers",
                    displayName(file) + ", line " + std::to_string(row + 1) + ": " + what);
    };
    if (rows.empty() || rows.front() != "id\tspeaker")
        refuse(0, "the columns must be id and speaker, separated by a tab.");
    if (rows.size() != lines + 1)
        throw Error("scoring.lines", displayName(file) + " has " +
                                         counted(static_cast<std::int64_t>(rows.size()) - 1, "utterance") +
                                         " and " + displayName(options.reference) + " " +
                                         counted(static_cast<std::int64_t>(lines), "line") +
                                         "; they must correspond line by line.");
    std::vector<std::string> speakers;
    for (std::size_t row = 1; row < rows.size(); ++row) {
        const auto tab = rows[row].find('\t');
        if (tab == std::string::npos || rows[row].find('\t', tab + 1) != std::string::npos)
            refuse(row, "there must be an id and a speaker, separated by one tab.");
        speakers.push_back(tab + 1 < rows[row].size() ? rows[row].substr(tab + 1) : "unknown");
    }
    return speakers;
}

void addSpeakers(ScoredText& text, const ScoreOptions& options) {
    if (std::find(options.by.begin(), options.by.end(), "speaker") == options.by.end())
        return;
    if (text.trnReferences.empty())
        text.speakers = speakersOfLines(options, text.references.size());
    for (const TrnLine& line : text.trnReferences)
        text.speakers.push_back(line.id.substr(0, line.id.find_first_of("-_")));
}

bool isOfSclite(const std::string& metric) {
    return metric.ends_with("-sclite");
}

/// The texts as the rules change them, for sclite's metrics and reports.
std::vector<ScoredText> mapped(std::vector<ScoredText> texts, const ScoreOptions& options) {
    if (options.glm.empty())
        return texts;
    const auto refuse = [&](const std::string& what) {
        throw Error("scoring.glm", displayName(options.glm) + ": " + what,
                    {{"file", displayName(options.glm)}});
    };
    if (!isTrn(options.reference))
        refuse("mapping rules need .trn transcripts, whose words may have alternatives.");
    if (options.report.empty() && std::none_of(options.metrics.begin(), options.metrics.end(), isOfSclite))
        refuse("mapping rules are for sclite's metrics and reports; add --metric wer-sclite.");
    const MappingRules rules = readMappingRules(options.glm);
    for (ScoredText& text : texts)
        for (auto* lines : {&text.trnReferences, &text.trnHypotheses})
            applyRules(rules, *lines, options.caseSensitive);
    return texts;
}

/// The names of the files, with those of their folders where two are the same: every evaluation writes hypotheses.txt.
std::vector<std::string> reportNames(const ScoreOptions& options) {
    std::map<std::string, int> stems;
    for (const auto& file : options.hypotheses)
        ++stems[file.stem().string()];
    std::vector<std::string> names;
    for (const auto& file : options.hypotheses) {
        const std::string stem = file.stem().string(),
                          folder = std::filesystem::absolute(file).parent_path().filename().string();
        names.push_back(stems[stem] > 1 ? folder + "-" + stem : stem);
        if (std::count(names.begin(), names.end(), names.back()) > 1)
            throw Error("output.exists",
                        "The reports of two hypotheses would both be called “" + validText(names.back()) +
                            "”. Rename one of the files, or score them one at a time.",
                        {{"file", displayName(file)}});
    }
    return names;
}

/// NAME.sys, NAME.raw and NAME.pra, as sclite writes them.
void writeReports(const ScoredText& text, const std::string& name, const ScoreOptions& options) {
    makeFolder(options.report);
    auto utterances = scliteUtterances(text, {options.caseSensitive, false});
    std::map<std::string, std::size_t> places; // in the order of the hypotheses, as sclite reads them
    for (const TrnLine& line : text.trnHypotheses)
        places.emplace(line.id, places.size());
    if (!places.empty())
        std::stable_sort(utterances.begin(), utterances.end(),
                         [&](const ScliteUtterance& a, const ScliteUtterance& b) {
                             return places.at(a.id) < places.at(b.id);
                         });
    const auto write = [&](const char* ending, const std::string& content) {
        writeAtomically(options.report / (name + ending), std::string_view(content), "output.unwritable");
    };
    write(".sys", scliteSummary(utterances, name));
    write(".raw", scliteSummary(utterances, name, {true, false}));
    write(".pra", scliteAlignments(utterances, name, options.caseSensitive));
}

} // namespace

MappingRules readMappingRules(const std::filesystem::path& file) {
    return MappingRules::parse(contentOf(file), displayName(file));
}

void applyRules(const MappingRules& rules, std::vector<TrnLine>& lines, bool caseSensitive) {
    for (TrnLine& line : lines)
        line.text = rules.apply(line.text, caseSensitive);
}

void score(const ScoreOptions& options, Console& console) {
    const std::vector<std::string> names =
        options.report.empty() ? std::vector<std::string>() : reportNames(options);
    std::vector<ScoredText> texts;
    for (const auto& hypothesis : options.hypotheses) {
        texts.push_back(readPair(options.reference, hypothesis));
        addSpeakers(texts.back(), options);
    }
    const std::vector<ScoredText> forSclite = mapped(texts, options);
    const auto textFor = [&](const std::string& metric, std::size_t system) -> const ScoredText& {
        return (isOfSclite(metric) ? forSclite : texts)[system];
    };
    auto systems = nlohmann::json::array();
    for (std::size_t system = 0; system < texts.size(); ++system) {
        const ScoredText& text = texts[system];
        if (texts.size() > 1) // with the folder, because every evaluation writes hypotheses.txt
            console.line(validText(text.hypothesis) + ":");
        auto scores = nlohmann::json::object();
        for (const auto& metric : options.metrics)
            scores[metric] = scoreText(textFor(metric, system), metric, options, console);
        if (!options.report.empty())
            writeReports(forSclite[system], names[system], options);
        systems.push_back({{"hypothesis", text.hypothesis}, {"scores", std::move(scores)}});
    }
    nlohmann::json document{{"format", "headroom/scores"},
                            {"version", 1},
                            {"reference", options.reference.string()},
                            {"hypothesis", systems[0]["hypothesis"]},
                            {"lines", texts.front().references.size()},
                            {"scores", systems[0]["scores"]}};
    if (!options.glm.empty())
        document["glm"] = options.glm.string();
    if (texts.size() > 1) {
        auto tests = nlohmann::json::array();
        for (std::size_t other = 1; other < texts.size(); ++other)
            for (const auto& metric : options.metrics)
                tests.push_back(
                    compareTexts(textFor(metric, 0), textFor(metric, other), metric, options, console));
        document["systems"] = std::move(systems);
        document["tests"] = std::move(tests);
    }
    console.document(document);
}

} // namespace headroom::training

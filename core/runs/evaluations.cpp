// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/evaluations.h"

#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"
#include "core/tensors/atomic_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headroom {

namespace {

namespace fs = std::filesystem;
using EvaluationState = EvaluationInfo::State;

constexpr const char* kEvaluationBadJson = "evaluation.badJson";
constexpr std::int64_t kCtcTexts = 10;
constexpr std::array kEvaluationStates{std::pair{EvaluationState::Running, "running"},
                                       std::pair{EvaluationState::Stopped, "stopped"},
                                       std::pair{EvaluationState::Failed, "failed"}};

std::string evaluationText(const nlohmann::json& document, const char* key) {
    const auto found = document.find(key);
    return found != document.end() && found->is_string() ? found->get<std::string>() : std::string();
}

double evaluationNumber(const nlohmann::json& document, const char* key) {
    const auto found = document.find(key);
    return found != document.end() && found->is_number() ? found->get<double>() : kUndefined;
}

std::int64_t evaluationCount(const nlohmann::json& document, const char* key, std::int64_t otherwise) {
    const auto found = document.find(key);
    return found != document.end() && found->is_number_integer() ? found->get<std::int64_t>() : otherwise;
}

void readRequest(const nlohmann::json& document, EvaluationRequest& request) {
    request.model = evaluationText(document, "model");
    request.data = evaluationText(document, "data");
    request.split = evaluationText(document, "split");
    request.task = evaluationText(document, "task");
    if (const std::string checkpoint = evaluationText(document, "checkpoint"); !checkpoint.empty())
        request.checkpoint = checkpoint;
    if (const std::string device = evaluationText(document, "device"); !device.empty())
        request.device = device;
}

/// How the texts of a finished evaluation were searched.
void readDecoding(const nlohmann::json& decoding, EvaluationRequest& request) {
    (evaluationText(decoding, "kind") == "ctc" ? request.ctcBeam : request.beam) = evaluationCount(decoding, "beams", 1);
    const auto read = [&](const char* key, double& value) {
        if (const double written = evaluationNumber(decoding, key); std::isfinite(written))
            value = written;
    };
    read("lengthPenalty", request.lengthPenalty);
    read("coverageWeight", request.coverageWeight);
    read("ctcWeight", request.ctcWeight);
    request.languageModel = evaluationText(decoding, "languageModel");
    if (!request.languageModel.empty())
        read("lmWeight", request.languageModelWeight);
}

} // namespace

fs::path runFolderOf(const fs::path& model) {
    return model.filename() == "model" ? model.parent_path() : model;
}

std::vector<std::string> arguments(const EvaluationRequest& request, const fs::path& out) {
    std::vector<std::string> words{"evaluate",    "--model", request.model.string(), "--data", request.data.string(),
                                   "--split",     request.split};
    if (request.checkpoint != EvaluationRequest().checkpoint)
        words.insert(words.end(), {"--checkpoint", request.checkpoint});
    if (!request.task.empty())
        words.insert(words.end(), {"--task", request.task});
    const auto add = [&](const char* option, const std::string& value) { words.insert(words.end(), {option, value}); };
    const auto keep = [&](std::int64_t otherwise) { // several texts, for whoever looks at the errors; of windows there is one
        if (request.window == 0)
            add("--n-best", std::to_string(request.nBest > 0 ? request.nBest : otherwise));
    };
    if (request.beam > 1) {
        add("--beam", std::to_string(request.beam));
        keep(request.beam);
    }
    if (request.ctcBeam > 0) {
        add("--ctc-beam", std::to_string(request.ctcBeam));
        keep(std::min(request.ctcBeam, kCtcTexts));
    }
    if (request.lengthPenalty != EvaluationRequest().lengthPenalty)
        add("--length-penalty", nlohmann::json(request.lengthPenalty).dump());
    if (request.coverageWeight != 0)
        add("--coverage-weight", nlohmann::json(request.coverageWeight).dump());
    if (request.ctcWeight != 0)
        add("--ctc-weight", nlohmann::json(request.ctcWeight).dump());
    if (!request.languageModel.empty()) {
        add("--language-model", request.languageModel.string());
        add("--lm-weight", nlohmann::json(request.languageModelWeight).dump());
    }
    if (!request.glm.empty())
        add("--glm", request.glm.string());
    if (request.window > 0)
        add("--window", nlohmann::json(request.window).dump());
    if (request.device != EvaluationRequest().device)
        words.insert(words.end(), {"--device", request.device});
    if (!request.place.empty())
        add("--place", request.place);
    words.insert(words.end(), {"--out", out.string()});
    return words;
}

nlohmann::json optionsDocument(const EvaluationRequest& request) {
    const EvaluationRequest unset;
    nlohmann::json options = nlohmann::json::object();
    const auto add = [&](const char* key, const auto& value, const auto& otherwise) {
        if (value != otherwise)
            options[key] = value;
    };
    add("lengthPenalty", request.lengthPenalty, unset.lengthPenalty);
    add("nBest", request.nBest, unset.nBest);
    add("ctcBeam", request.ctcBeam, unset.ctcBeam);
    add("coverageWeight", request.coverageWeight, unset.coverageWeight);
    add("ctcWeight", request.ctcWeight, unset.ctcWeight);
    add("languageModel", request.languageModel.string(), std::string());
    add("languageModelWeight", request.languageModelWeight, unset.languageModelWeight);
    add("glm", request.glm.string(), std::string());
    add("window", request.window, unset.window);
    return options;
}

void readOptions(const nlohmann::json& options, EvaluationRequest& request, const std::string& file) {
    const auto refuse = [&](const std::string& key, const std::string& what) {
        throw Error("job.value", file + ", " + key + ": this must be " + what + ".", {{"file", file}});
    };
    if (!options.is_object())
        refuse("options", "an object");
    const auto number = [&](const char* key, double& value, double least, double most) {
        const auto found = options.find(key);
        if (found == options.end())
            return;
        if (!found->is_number() || found->get<double>() < least || found->get<double>() > most)
            refuse(key, "a number from " + nlohmann::json(least).dump() + " to " + nlohmann::json(most).dump());
        value = found->get<double>();
    };
    const auto count = [&](const char* key, std::int64_t& value) {
        const auto found = options.find(key);
        if (found == options.end())
            return;
        if (!found->is_number_unsigned())
            refuse(key, "a whole number from 0");
        value = found->get<std::int64_t>();
    };
    const auto path = [&](const char* key, fs::path& value) {
        const auto found = options.find(key);
        if (found == options.end())
            return;
        if (!found->is_string())
            refuse(key, "a text in quotes");
        value = found->get<std::string>();
    };
    number("lengthPenalty", request.lengthPenalty, -10, 10);
    count("nBest", request.nBest);
    count("ctcBeam", request.ctcBeam);
    number("coverageWeight", request.coverageWeight, -100, 100);
    number("ctcWeight", request.ctcWeight, 0, 1);
    path("languageModel", request.languageModel);
    number("languageModelWeight", request.languageModelWeight, -100, 100);
    path("glm", request.glm);
    number("window", request.window, 0, 3600);
}

void writeProgress(const EvaluationInfo& info) {
    nlohmann::ordered_json document{{"format", "headroom/evaluation-progress"}, {"version", 1}};
    for (const auto& [state, word] : kEvaluationStates)
        if (state == info.state)
            document["state"] = word;
    document["model"] = info.request.model.string();
    document["checkpoint"] = info.request.checkpoint;
    document["data"] = info.request.data.string();
    document["split"] = info.request.split;
    document["task"] = info.request.task;
    document["beam"] = info.request.beam;
    document["device"] = info.request.device;
    if (const nlohmann::json options = optionsDocument(info.request); !options.empty())
        document["options"] = options;
    document["done"] = info.done;
    document["total"] = info.total;
    if (std::isfinite(info.seconds))
        document["seconds"] = info.seconds;
    if (!info.error.empty())
        document["error"] = info.error;
    writeAtomically(EvaluationPaths{info.folder}.progress(),
                    std::string_view(document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"),
                    "output.unwritable");
}

/// As the progress or the result has it: whether somebody still writes is not asked.
static EvaluationInfo readWrittenEvaluation(const fs::path& folder, bool finished) {
    const EvaluationPaths paths{folder};
    EvaluationInfo info;
    info.folder = folder;
    std::error_code ignored;
    const fs::path file = finished ? paths.result() : paths.progress();
    if (!fs::exists(file, ignored))
        throw Error("evaluation.missing", folder.string() + " holds no evaluation.", {{"folder", folder.string()}});
    const nlohmann::json document = readStrictObject(file, kEvaluationBadJson);
    readRequest(document, info.request);
    if (finished) {
        info.state = EvaluationState::Finished;
        info.wer = evaluationNumber(document, "wer");
        info.bleu = evaluationNumber(document, "bleu");
        if (const auto mapped = document.find("wer-sclite"); mapped != document.end() && mapped->is_object())
            info.mappedWer = evaluationNumber(*mapped, "percent");
        if (const auto checkpoints = document.find("checkpoints"); checkpoints != document.end() && checkpoints->is_object())
            for (const auto& [name, hash] : checkpoints->items())
                if (hash.is_string())
                    info.weights[name] = hash.get<std::string>();
        info.perplexity = evaluationNumber(document, "perplexity");
        info.done = info.total = evaluationCount(document, "sentences", 0);
        if (const auto rows = document.find("utterances"); rows != document.end() && rows->is_array())
            info.done = info.total = static_cast<std::int64_t>(rows->size());
        if (const auto decoding = document.find("decoding"); decoding != document.end() && decoding->is_object())
            readDecoding(*decoding, info.request);
        if (const double window = evaluationNumber(document, "window"); std::isfinite(window))
            info.request.window = window;
        if (const std::string rules = evaluationText(document, "glm"); !rules.empty())
            info.request.glm = rules;
        return info;
    }
    info.request.beam = evaluationCount(document, "beam", 1);
    if (const auto options = document.find("options"); options != document.end())
        readOptions(*options, info.request, file.string());
    info.done = evaluationCount(document, "done", 0);
    info.total = evaluationCount(document, "total", 0);
    info.seconds = evaluationNumber(document, "seconds");
    info.error = evaluationText(document, "error");
    const std::string word = evaluationText(document, "state");
    for (const auto& [state, known] : kEvaluationStates)
        if (word == known)
            info.state = state;
    return info;
}

EvaluationInfo readEvaluation(const fs::path& folder) {
    const EvaluationPaths paths{folder};
    EvaluationInfo info;
    const auto isFinished = [&] {
        std::error_code ignored;
        return !fs::exists(paths.progress(), ignored);
    };
    const auto saysRunning = [&] {
        try {
            info = readWrittenEvaluation(folder, isFinished());
        } catch (const Error&) {
            if (!isFinished())
                throw;
            info = readWrittenEvaluation(folder, true); // finished meanwhile: the result is written before the progress goes
        }
        return info.state == EvaluationState::Running;
    };
    if (FileLock::isAbandoned(paths.lock(), saysRunning))
        info.state = EvaluationState::Interrupted;
    if (info.state != EvaluationState::Running)
        info.ended = utcOfChange(isFinished() ? paths.result() : paths.progress());
    return info;
}

bool EvaluationInfo::operator==(const EvaluationInfo& other) const {
    const auto same = [](double left, double right) {
        return left == right || (std::isnan(left) && std::isnan(right));
    };
    return folder == other.folder && state == other.state && request == other.request && done == other.done &&
           total == other.total && same(seconds, other.seconds) && error == other.error && same(wer, other.wer) &&
           weights == other.weights && same(mappedWer, other.mappedWer) && same(bleu, other.bleu) && same(perplexity, other.perplexity);
}

} // namespace headroom

// SPDX-License-Identifier: GPL-3.0-or-later
// A worker without models: speaks the protocol, answers with maps whose numbers follow from the layer, and
// misbehaves as it is told. Maps: C[i, i] = 1 − a and C[i, i ± 1] = a with a = layer / 100; head 1 looks at
// itself, head 2 everywhere.
//
//   --protocol N        answers another version
//   --layers L          layers of its models (6)
//   --delay MS          between layers, and before the answer
//   --answer-delay MS   before the answer, where it is the longer of the two
//   --silent            never answers
//   --stubborn          ignores SIGTERM and a closed input
//   --crash-opening     aborts at openModel
//   --crash-reopening   aborts at every openModel but the first one that --once does not know
//   --crash-after N     aborts after layer N …
//   --rubbish-after N   prints what is no frame after layer N …
//   --once FILE         … but only where FILE is not there yet
//   --skip-layer N      leaves a layer out
//   --words TEXT        says so on standard error and ends
//   --log FILE          one line per message that came
#include "core/architecture/architecture.h"
#include "core/protocol/framing.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iostream>
#include <optional>
#include <poll.h>
#include <unistd.h>

namespace {

using headroom::Tensor;
using nlohmann::json;
namespace protocol = headroom::protocol;

struct Behaviour {
    int protocolVersion = protocol::kVersion, layers = 6, delay = 0, answerDelay = 0, crashAfter = 0,
        rubbishAfter = 0, skipLayer = 0;
    bool silent = false, stubborn = false, crashOpening = false, crashReopening = false;
    std::string once, log, words;
};

Behaviour behaviour;

void say(const std::string& bytes) {
    std::cout << bytes;
    std::cout.flush();
}

void note(const std::string& line) {
    if (!behaviour.log.empty())
        std::ofstream(behaviour.log, std::ios::app) << line << "\n";
}

/// True the first time only, where --once names a file that remembers.
bool misbehavesNow() {
    if (behaviour.once.empty())
        return true;
    if (std::ifstream(behaviour.once).good())
        return false;
    std::ofstream(behaviour.once) << "crashed\n";
    return true;
}

void answer(const json& id, const json& result) {
    say(protocol::encodeMessage({{"jsonrpc", "2.0"}, {"id", id}, {"result", result}}));
}

void refuse(const json& id, int code, const std::string& name, const std::string& sentence,
            json values = json::object()) {
    say(protocol::encodeMessage(
        {{"jsonrpc", "2.0"},
         {"id", id},
         {"error",
          {{"code", code}, {"message", sentence}, {"data", {{"code", name}, {"values", values}}}}}}));
}

template <class T>
void sendArray(std::int64_t request, const std::string& name, std::vector<std::int64_t> shape,
               const std::vector<T>& values) {
    const auto tensor = Tensor::of<T>(std::move(shape), std::span<const T>(values));
    say(protocol::encodeArray(request, name, tensor.view()));
}

struct Analysis {
    std::int64_t request = 0;
    json parameters;
    std::int64_t tokens = 0, frames = 0;
    std::deque<int> layers;
};

std::optional<Analysis> analysis;
std::int64_t samples = 0;

void sendLayer(const Analysis& job, int layer) {
    const auto n = static_cast<std::size_t>(job.tokens);
    const float a = static_cast<float>(layer) / 100;
    std::vector<float> map(n * n, 0.0F);
    std::vector<double> profile(2 * n - 1, 0.0), heads(2 * (2 * n - 1), 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        map[i * n + i] += 1 - a;
        map[i * n + (i + 1 < n ? i + 1 : (i > 0 ? i - 1 : i))] += a;
    }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            profile[j + n - 1 - i] += static_cast<double>(map[i * n + j]);
            heads[j + n - 1 - i] += i == j ? 1.0 : 0.0;
            heads[2 * n - 1 + j + n - 1 - i] += 1.0 / static_cast<double>(n);
        }
    const auto size = job.tokens;
    const std::string prefix = "layer." + std::to_string(layer) + ".";
    const json small = job.parameters.value("small", json::array()); // so few tokens are their own thumbnail
    sendArray<float>(job.request,
                     prefix + (std::find(small.begin(), small.end(), layer) == small.end() ? "contributions"
                                                                                           : "thumbnail"),
                     {size, size}, map);
    sendArray<double>(job.request, prefix + "contribution_profile", {2 * size - 1}, profile);
    sendArray<double>(job.request, prefix + "attention_profile", {2, 2 * size - 1}, heads);
    sendArray<float>(job.request, prefix + "head_relevance", {size, 2}, std::vector<float>(2 * n, 0.5F));
    if (job.parameters.value("attention", false)) {
        std::vector<float> attention(2 * n * n, 0.0F);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                attention[i * n + j] = i == j ? 1.0F : 0.0F;
                attention[n * n + i * n + j] = 1.0F / static_cast<float>(n);
            }
        sendArray<float>(job.request, prefix + "attention", {2, size, size}, attention);
    }
    json mixing = json::object();
    for (const json& name : job.parameters.value("mixing", json::array())) {
        const bool known = name != "rollout-attention"; // of which it says that there is none
        mixing[name.get<std::string>()] = known ? json() : json("Its keys are shortened.");
        if (known)
            sendArray<float>(job.request, prefix + "mixing." + name.get<std::string>(), {size, size},
                             std::vector<float>(n * n, 1.0F / static_cast<float>(n)));
    }
    say(protocol::encodeMessage({{"jsonrpc", "2.0"},
                                 {"method", "layer"},
                                 {"params",
                                  {{"request", job.request},
                                   {"layer", layer},
                                   {"mixing", mixing},
                                   {"D1", 1 - a},
                                   {"CCD", 0.9},
                                   {"rebuildError", 1e-6},
                                   {"gramError", 1e-7},
                                   {"rowSumError", 1e-7}}}}));
}

/// A layer, or after the last one the answer.
void step() {
    if (analysis->layers.empty()) {
        answer(analysis->request,
               {{"frames", analysis->frames}, {"tokens", analysis->tokens}, {"milliseconds", 12.5}});
        analysis.reset();
        return;
    }
    const int layer = analysis->layers.front();
    analysis->layers.pop_front();
    if (layer != behaviour.skipLayer)
        sendLayer(*analysis, layer);
    if (layer == behaviour.rubbishAfter && misbehavesNow())
        say("Segmentation fault is what a library prints where it should not.\r\n\r\n");
    if (layer == behaviour.crashAfter && misbehavesNow()) {
        std::cerr << "out of memory in layer " << layer + 1 << std::endl;
        std::raise(SIGKILL);
    }
}

void begin(const json& id, const json& parameters) {
    if (analysis && analysis->parameters.value("tag", "") == parameters.value("tag", ""))
        refuse(analysis->request, -32800, "superseded", "A newer request took its place.");
    Analysis next{id.get<std::int64_t>(), parameters, 0, 0, {}};
    if (samples < 400) {
        refuse(id, -32000, "features.tooShort",
               "The recording has " + std::to_string(samples) + " samples; one frame needs 400.");
        analysis.reset();
        return;
    }
    next.frames = 1 + (samples - 400) / 160;
    next.tokens = ((next.frames - 1) / 2) / 2 + 1;
    if (parameters.contains("layers"))
        for (const json& layer : parameters["layers"])
            next.layers.push_back(layer.get<int>());
    else
        for (int layer = 1; layer <= behaviour.layers; ++layer)
            next.layers.push_back(layer);
    analysis = std::move(next);
}

json model(const std::string& folder) {
    headroom::Architecture architecture;
    architecture.name = "fake";
    architecture.vocabulary = 100;
    headroom::HeadGroup full;
    full.count = 4;
    for (int layer = 0; layer < behaviour.layers; ++layer)
        architecture.encoder.layers.push_back({{full}});
    return {{"model", 1},
            {"name", folder.substr(folder.rfind('/') + 1)},
            {"architecture", json::parse(headroom::canonicalText(architecture))},
            {"clock", {{"offset", 0.0125}, {"step", 0.04}}},
            {"maxSourceFrames", 600},
            {"parameters", 1000},
            {"tensors", 10},
            {"storedAs", "f32"},
            {"hash", "abc"},
            {"report",
             {{"loaded", json::array({"a"})},
              {"missing", json::array()},
              {"unexpected", json::array()},
              {"wrongShape", json::array()},
              {"assumed", json::array()}}}};
}

void take(const json& message) {
    const std::string method = message.value("method", "");
    const json id = message.value("id", json()), parameters = message.value("params", json::object());
    note(method + " " + parameters.dump() +
         (method == "analyse" ? " samples " + std::to_string(samples) : ""));
    if (behaviour.silent)
        return;
    if (method == "initialize") {
        answer(id, {{"protocol", behaviour.protocolVersion},
                    {"version", "0.1.0"},
                    {"build", "fake"},
                    {"threads", 2},
                    {"memoryBytes", 8e9},
                    {"devices", json::array({{{"name", "cpu"}, {"description", "This machine"}}})}});
    } else if (method == "openModel") {
        if (behaviour.crashOpening || (behaviour.crashReopening && !misbehavesNow()))
            std::raise(SIGSEGV);
        const std::string folder = parameters.at("folder");
        if (folder.find("deadly") != std::string::npos)
            std::raise(SIGSEGV);
        if (folder.find("broken") != std::string::npos)
            refuse(id, -32000, "model.missing", folder + "/model.safetensors is not there.");
        else
            answer(id, model(folder));
    } else if (method == "analyse") {
        begin(id, parameters);
    } else if (method == "transcribe") {
        answer(id, {{"text", "so it says"}, {"ids", json::array({1, 2, 3})}});
    } else if (method == "cancel") {
        if (analysis && analysis->request == parameters.at("request").get<std::int64_t>()) {
            refuse(analysis->request, -32800, "cancelled", "Cancelled.");
            analysis.reset();
        }
    } else if (method == "exit") {
        std::exit(0);
    } else if (!id.is_null()) {
        answer(id, json::object());
    }
}

void readManners(int count, char** words) {
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        const auto next = [&] { return i + 1 < count ? std::string(words[++i]) : std::string(); };
        if (word == "--protocol")
            behaviour.protocolVersion = std::stoi(next());
        else if (word == "--layers")
            behaviour.layers = std::stoi(next());
        else if (word == "--delay")
            behaviour.delay = std::stoi(next());
        else if (word == "--answer-delay")
            behaviour.answerDelay = std::stoi(next());
        else if (word == "--crash-after")
            behaviour.crashAfter = std::stoi(next());
        else if (word == "--rubbish-after")
            behaviour.rubbishAfter = std::stoi(next());
        else if (word == "--skip-layer")
            behaviour.skipLayer = std::stoi(next());
        else if (word == "--once")
            behaviour.once = next();
        else if (word == "--log")
            behaviour.log = next();
        else if (word == "--words")
            behaviour.words = next();
        else if (word == "--silent")
            behaviour.silent = true;
        else if (word == "--stubborn")
            behaviour.stubborn = true;
        else if (word == "--crash-opening")
            behaviour.crashOpening = true;
        else if (word == "--crash-reopening")
            behaviour.crashReopening = true;
    }
}

} // namespace

int main(int count, char** words) {
    readManners(count, words);
    if (!behaviour.words.empty()) {
        std::cerr << behaviour.words << std::endl;
        return 3;
    }
    if (behaviour.stubborn)
        std::signal(SIGTERM, SIG_IGN);
    protocol::FrameReader reader;
    std::vector<char> buffer(1 << 16);
    bool open = true;
    while (open || behaviour.stubborn || analysis) {
        pollfd input{open ? STDIN_FILENO : -1, POLLIN, 0};
        const int wait = !analysis                  ? 1000
                         : analysis->layers.empty() ? std::max(behaviour.delay, behaviour.answerDelay)
                                                    : behaviour.delay;
        if (poll(&input, 1, wait) > 0) {
            const auto got = read(STDIN_FILENO, buffer.data(), buffer.size());
            if (got <= 0) {
                open = false;
                if (!behaviour.stubborn)
                    return 0;
                continue;
            }
            reader.push({buffer.data(), static_cast<std::size_t>(got)});
            while (auto frame = reader.next()) {
                if (auto* array = std::get_if<protocol::ArrayFrame>(&*frame))
                    samples = array->tensor.shape.at(0);
                else
                    take(std::get<json>(*frame));
            }
        } else if (analysis) {
            step();
        }
    }
    return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/foreign_maps.h"

#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/time/seconds_text.h"
#include "core/tensors/npy.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

namespace headroom {

/// What is wrong with one array of one file, in a sentence.
struct MapFileProblem {
    std::string file;
    [[noreturn]] void refuse(const char* code, const std::string& what,
                             nlohmann::json values = nlohmann::json::object()) const {
        values["file"] = file;
        throw Error(code, file + " " + what, std::move(values));
    }
};

/// When the tokens of a file stand, in seconds.
struct MapTimes {
    double first = 0, step = 0;
    std::int64_t count = 0, bands = 1;
};

namespace {

constexpr int kMostLayers = 999;
constexpr double kSlackTokens = 3; ///< that a front end may add at the end

/// "layer.3.head.2.attention" in its parts; nothing for a name of another kind.
struct ArrayName {
    std::int64_t layer = 0;
    std::optional<std::int64_t> head;
    std::string_view what; ///< "attention", "contributions", "head_relevance"
};

std::optional<std::int64_t> takeNumber(std::string_view& text, std::string_view before) {
    if (!text.starts_with(before))
        return std::nullopt;
    std::string_view rest = text.substr(before.size());
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (error != std::errc() || end == rest.data() + rest.size() || *end != '.' ||
        rest.starts_with("0") != (number == 0))
        return std::nullopt; // also "layer.01", which is not the name that is looked for
    text = rest.substr(std::size_t(end - rest.data()) + 1);
    return number;
}

std::optional<ArrayName> arrayName(std::string_view text) {
    ArrayName name;
    const auto layer = takeNumber(text, "layer.");
    if (!layer)
        return std::nullopt;
    name.layer = *layer;
    name.head = takeNumber(text, "head.");
    if (text != "attention" && (name.head || (text != "contributions" && text != "head_relevance")))
        return std::nullopt;
    name.what = text;
    return name;
}

bool isMap(const ArrayName& name) {
    return name.what != "head_relevance";
}

std::string decimal(double value, int digits) {
    char text[64];
    std::snprintf(text, sizeof(text), "%.*g", digits, value);
    return text;
}

std::string shapeText(const std::vector<std::int64_t>& shape) {
    std::string text = "[";
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        text += (axis == 0 ? "" : ", ") + std::to_string(shape[axis]);
    return text + "]";
}

/// "a, b and 7 more"; what a file holds instead.
std::string someNames(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(kMost, names.size()); ++i)
        text += (i == 0 ? "" : ", ") + validText(names[i].substr(0, 60));
    if (names.size() > kMost)
        text += " and " + grouped(std::int64_t(names.size() - kMost)) + " more";
    return names.empty() ? "nothing" : text;
}

void mustBeFloat(const Tensor& tensor, const std::string& name, const MapFileProblem& words) {
    if (tensor.dtype != DType::F16 && tensor.dtype != DType::BF16 && tensor.dtype != DType::F32 &&
        tensor.dtype != DType::F64)
        words.refuse("maps.type", "holds " + name + " as " + dtypeName(tensor.dtype) +
                                      "; maps are floating point numbers.");
}

void mustHaveShape(const Tensor& tensor, const std::string& name, bool fits, const std::string& wanted,
                   const MapFileProblem& words) {
    if (!fits)
        words.refuse("maps.shape",
                     "holds " + name + " of shape " + shapeText(tensor.shape) + ", not " + wanted + ".");
}

/// Tokens at the time of the first, which share it as patches of one column do; 1 unless every time is repeated so often.
std::size_t bandsOf(const std::vector<double>& seconds) {
    std::size_t bands = 1;
    while (bands < seconds.size() && seconds[bands] == seconds.front())
        ++bands;
    if (seconds.size() % bands != 0 || seconds.size() < 2 * bands)
        return 1;
    for (std::size_t token = 0; token < seconds.size(); ++token)
        if (seconds[token] != seconds[token / bands * bands])
            return 1;
    return bands;
}

MapTimes readTimes(const NpzReader& reader, const MapFileProblem& words) {
    const std::string name = "token_seconds";
    if (!reader.has(name))
        words.refuse("maps.time", "has no token_seconds: the centre of each token in seconds, [N].");
    const Tensor tensor = reader.read(name);
    mustBeFloat(tensor, name, words);
    mustHaveShape(tensor, name, tensor.shape.size() == 1 && tensor.shape[0] >= 2, "[N] with N of 2 or more",
                  words);
    std::vector<double> seconds = toDoubles(tensor.view());
    const auto tokens = static_cast<std::int64_t>(seconds.size());
    const std::size_t bands = bandsOf(seconds);
    for (std::size_t column = 0; column < seconds.size() / bands; ++column)
        seconds[column] = seconds[column * bands];
    seconds.resize(seconds.size() / bands);
    const auto count = static_cast<std::int64_t>(seconds.size());
    for (std::size_t token = 0; token < seconds.size(); ++token)
        if (!std::isfinite(seconds[token]) || (token > 0 && !(seconds[token] > seconds[token - 1])))
            words.refuse("maps.time", "has token_seconds that do not rise at token " +
                                          grouped(std::int64_t(token)) + ": " + decimal(seconds[token], 6) +
                                          (token > 0 ? " after " + decimal(seconds[token - 1], 6) : "") +
                                          ".");
    const double step = (seconds.back() - seconds.front()) / double(count - 1);
    for (std::size_t token = 0; token < seconds.size(); ++token)
        if (std::abs(seconds[token] - seconds.front() - step * double(token)) > step / 10)
            words.refuse("maps.time", "has token_seconds that are not evenly spaced: token " +
                                          grouped(std::int64_t(token)) + " stands at " +
                                          decimal(seconds[token], 6) + ", not at " +
                                          decimal(seconds.front() + step * double(token), 6) + ".");
    return {seconds.front(), step, tokens, static_cast<std::int64_t>(bands)};
}

/// The largest |row sum − 1|; refuses rows that are no shares. `of`: "layer 3, head 2".
double checkRows(MatrixView<const float> map, const std::string& of, const MapFileProblem& words) {
    double largest = 0;
    for (std::size_t row = 0; row < map.rows(); ++row) {
        double sum = 0;
        bool negative = false;
        for (const float value : map.row(row)) {
            sum += static_cast<double>(value);
            negative |= value < 0;
        }
        const double error = std::abs(sum - 1);
        if (negative || !(error <= kForeignRowTolerance))
            words.refuse("maps.row",
                         "holds no shares in " + of + ": row " + grouped(std::int64_t(row)) +
                             (negative             ? " has a negative number."
                              : std::isfinite(sum) ? " sums to " + decimal(sum, 6) + ", not to 1."
                                                   : " has a number that is not finite."),
                         {{"row", row}});
        largest = std::max(largest, error);
    }
    return largest;
}

/// Part `index` of a tensor's numbers, of rows · columns.
Matrix<float> matrixOf(const std::vector<float>& values, std::size_t index, std::size_t rows,
                       std::size_t columns) {
    const auto begin = values.begin() + std::ptrdiff_t(index * rows * columns);
    return {rows, columns, std::vector<float>(begin, begin + std::ptrdiff_t(rows * columns))};
}

} // namespace

struct ForeignMaps::Implementation {
    explicit Implementation(const std::filesystem::path& path) : reader(path), words{displayName(path)} {}

    NpzReader reader;
    MapFileProblem words;
    MapTimes times;
    int layers = 0;

    void readAttention(const std::string& prefix, const std::string& of, ForeignLayer& layer) const;
    void readHeads(const std::string& prefix, const std::string& of, ForeignLayer& layer) const;
    std::vector<float> square(const std::string& name) const;
};

ForeignMaps::ForeignMaps(const std::filesystem::path& file) : m(std::make_unique<Implementation>(file)) {
    bool any = false;
    for (const std::string& text : m->reader.names()) {
        const auto name = arrayName(text);
        if (!name)
            continue;
        if (name->layer < 1 || name->layer > kMostLayers)
            m->words.refuse("maps.layer",
                            "holds " + text + ": layers count from 1" +
                                (name->layer > kMostLayers ? " to " + std::to_string(kMostLayers) : "") +
                                ".");
        if (name->head && *name->head < 1)
            m->words.refuse("maps.layer", "holds " + text + ": heads count from 1.");
        if (isMap(*name))
            m->layers = std::max(m->layers, static_cast<int>(name->layer));
        any |= isMap(*name);
    }
    if (!any)
        m->words.refuse("maps.none",
                        "holds no maps: layer.1.attention [H, N, N] or layer.1.contributions [N, N] is "
                        "expected, but it has " +
                            someNames(m->reader.names()) + ".");
    m->times = readTimes(m->reader, m->words);
}

ForeignMaps::~ForeignMaps() = default;
ForeignMaps::ForeignMaps(ForeignMaps&&) noexcept = default;
ForeignMaps& ForeignMaps::operator=(ForeignMaps&&) noexcept = default;

int ForeignMaps::layers() const {
    return m->layers;
}

std::int64_t ForeignMaps::tokens() const {
    return m->times.count;
}

TokenClock ForeignMaps::clock() const {
    return TokenClock::affine(Seconds(m->times.first), Seconds(m->times.step), m->times.bands);
}

void ForeignMaps::Implementation::readAttention(const std::string& prefix, const std::string& of,
                                                ForeignLayer& layer) const {
    const std::string name = prefix + "attention";
    const Tensor tensor = reader.read(name);
    mustBeFloat(tensor, name, words);
    const std::int64_t n = times.count;
    mustHaveShape(tensor, name,
                  tensor.shape.size() == 3 && tensor.shape[0] >= 1 && tensor.shape[1] == n &&
                      tensor.shape[2] == n,
                  "[H, " + std::to_string(n) + ", " + std::to_string(n) + "]", words);
    const std::vector<float> values = toFloats(tensor.view());
    const auto side = static_cast<std::size_t>(n);
    for (std::size_t head = 0; head < static_cast<std::size_t>(tensor.shape[0]); ++head) {
        layer.attention.push_back(matrixOf(values, head, side, side));
        layer.rowError =
            std::max(layer.rowError,
                     checkRows(layer.attention.back(), of + ", head " + std::to_string(head + 1), words));
    }
}

void ForeignMaps::Implementation::readHeads(const std::string& prefix, const std::string& of,
                                            ForeignLayer& layer) const {
    std::set<std::int64_t> heads;
    for (const std::string& text : reader.names())
        if (const auto name = arrayName(text); name && name->head && text.starts_with(prefix))
            heads.insert(*name->head);
    std::int64_t expected = 0;
    for (const std::int64_t head : heads) {
        const std::string name = prefix + "head." + std::to_string(head) + ".attention";
        if (head != ++expected || !reader.has(name))
            words.refuse("maps.layer", "has no " + prefix + "head." + std::to_string(expected) +
                                           ".attention, but one of head " + std::to_string(*heads.rbegin()) +
                                           ".");
        const Tensor tensor = reader.read(name);
        mustBeFloat(tensor, name, words);
        mustHaveShape(tensor, name,
                      tensor.shape.size() == 2 && tensor.shape[0] == times.count && tensor.shape[1] >= 1,
                      "[" + std::to_string(times.count) + ", keys]", words);
        layer.attention.push_back(
            matrixOf(toFloats(tensor.view()), 0, std::size_t(tensor.shape[0]), std::size_t(tensor.shape[1])));
        layer.rowError = std::max(
            layer.rowError, checkRows(layer.attention.back(), of + ", head " + std::to_string(head), words));
    }
}

std::vector<float> ForeignMaps::Implementation::square(const std::string& name) const {
    const Tensor tensor = reader.read(name);
    mustBeFloat(tensor, name, words);
    const std::string n = std::to_string(times.count);
    mustHaveShape(tensor, name, tensor.shape == std::vector<std::int64_t>{times.count, times.count},
                  "[" + n + ", " + n + "]", words);
    return toFloats(tensor.view());
}

ForeignLayer ForeignMaps::layer(int number) const {
    if (number < 1 || number > m->layers)
        throw std::out_of_range("There is no layer " + std::to_string(number) + ".");
    const std::string prefix = "layer." + std::to_string(number) + ".",
                      of = "layer " + std::to_string(number);
    const auto side = static_cast<std::size_t>(m->times.count);
    ForeignLayer layer;
    if (m->reader.has(prefix + "attention"))
        m->readAttention(prefix, of, layer);
    else
        m->readHeads(prefix, of, layer);
    if (m->reader.has(prefix + "contributions")) {
        layer.contributions = {side, side, m->square(prefix + "contributions")};
        layer.rowError =
            std::max(layer.rowError, checkRows(layer.contributions, of + ", contributions", m->words));
    }
    if (const std::string name = prefix + "head_relevance"; m->reader.has(name)) {
        const Tensor tensor = m->reader.read(name);
        mustBeFloat(tensor, name, m->words);
        mustHaveShape(
            tensor, name,
            tensor.shape.size() == 2 && tensor.shape[0] == m->times.count && tensor.shape[1] >= 1 &&
                (layer.attention.empty() || tensor.shape[1] == std::int64_t(layer.attention.size())),
            "[" + std::to_string(m->times.count) + ", heads]", m->words);
        layer.headRelevance = {side, std::size_t(tensor.shape[1]), toFloats(tensor.view())};
        layer.rowError =
            std::max(layer.rowError, checkRows(layer.headRelevance, of + ", head relevance", m->words));
    }
    return layer;
}

LateTokens lateTokens(const std::string& file, const TokenClock& clock, std::int64_t tokens, Seconds duration) {
    LateTokens late;
    const Seconds last = clock.centre(Tokens(tokens - 1));
    if (last <= duration + clock.step() * kSlackTokens)
        return late;
    for (std::int64_t token = 0; token < tokens; ++token)
        late.count += clock.centre(Tokens(token)) > duration;
    char step[32];
    std::snprintf(step, sizeof step, "%g", std::round(clock.step().value() * 1e5) / 100);
    late.sentence = file + ": " + grouped(late.count) + " of " + grouped(tokens) + (late.count == 1 ? " tokens lies" : " tokens lie") + " after the end of the recording (" +
                    secondsText(duration) + "). The last one is at " + secondsText(last) + ". Check token_seconds, whose step is " + step +
                    " ms.";
    return late;
}

std::map<std::string, std::filesystem::path> foreignMapFiles(const std::filesystem::path& folder) {
    std::map<std::string, std::filesystem::path> files;
    std::error_code error;
    if (std::filesystem::is_regular_file(folder, error))
        return {{folder.stem().string(), folder}};
    std::filesystem::directory_iterator entry(folder, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error))
        if (entry->path().extension() == ".npz")
            files.emplace(entry->path().stem().string(), entry->path());
    if (error)
        throw Error("maps.missing", displayName(folder) + " cannot be read: " + error.message() + ".",
                    {{"file", folder.string()}});
    if (files.empty())
        throw Error("maps.missing",
                    displayName(folder) +
                        " holds no .npz file: one per recording, of the same name, is looked for.",
                    {{"file", folder.string()}});
    return files;
}

bool isForeignMaps(const std::filesystem::path& file) {
    try {
        const NpzReader reader(file);
        return std::any_of(reader.names().begin(), reader.names().end(), [](const std::string& text) {
            const auto name = arrayName(text);
            return name && isMap(*name);
        });
    } catch (const Error&) {
        return false;
    }
}

} // namespace headroom

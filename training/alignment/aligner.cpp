// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/alignment/aligner.h"

#include "core/alignment/phones.h"
#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "models/networks/speech_model.h"
#include "training/alignment/ctc_alignment.h"
#include "training/resources/resource_folder.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

/// A text as the model writes it, flat: one entry per phone.
struct Phones {
    std::vector<std::string> names;
    std::vector<int> columns;
    std::vector<std::size_t> word;
    std::vector<bool> blankBefore; ///< and one more behind the last
};

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", value);
    return *text == '-' ? "\u2212" + std::string(text + 1) : text;
}

class PhoneModelAligner final : public Aligner {
public:
    PhoneModelAligner(std::unique_ptr<models::SpeechModel> model, AlignerRecord record)
        : m_model(std::move(model))
        , m_record(std::move(record)) {
        for (const auto name : kPhoneClasses) {
            const auto found = std::find(m_record.labels.begin(), m_record.labels.end(), name);
            if (found == m_record.labels.end())
                throw Error("aligner.badRecord",
                            "The aligner's record has no label " + std::string(name) + ".");
            m_columns.push_back(column(static_cast<int>(found - m_record.labels.begin())));
        }
    }

    const AlignerRecord& record() const override { return m_record; }

    AlignedUtterance align(MatrixView<const float> features, Seconds duration,
                           const SpokenPhones& text) override {
        const auto phones = flat(text);
        const auto posteriors = m_model->ctcLogProbabilities(features); // [token, column]
        CtcTopology topology;
        topology.blank = column(m_record.silence);
        topology.blankBetweenEqual = false; // the model learnt every token's own label
        topology.blankAllowed = phones.blankBefore;
        auto path = alignCtc(scores(posteriors), phones.columns, topology);
        if (!path)
            throw Error("align.tooManyPhones",
                        "The text has " + counted(static_cast<std::int64_t>(phones.names.size()), "phone") +
                            ", but the recording of " + number(duration.value()) + " s has only " +
                            counted(static_cast<std::int64_t>(posteriors.rows()), "token") +
                                ". The text does not match the recording.",
                        {{"phones", phones.names.size()}, {"tokens", posteriors.rows()}});
        shareEqualNeighbours(*path, phones);
        AlignedUtterance result;
        result.alignment = alignmentOf(*path, phones, text, posteriors.rows(), duration);
        result.alignment.warnings = text.warnings;
        result.confidence = confidenceOf(*path, phones, posteriors);
        if (result.confidence < m_record.doubtfulBelow) {
            result.alignment.origin = kDoubtfulOrigin;
            result.alignment.warnings.push_back(
                {"align.doubtful",
                 "The text may not match the recording: the mean log-probability of its phones is " +
                     number(result.confidence) + ", below the threshold of " +
                         number(m_record.doubtfulBelow) +
                     "."});
        }
        return result;
    }

private:
    int column(int label) const { return m_record.firstLabel + label; }
    int columnOf(int phoneClass) const { return m_columns.at(static_cast<std::size_t>(phoneClass)); }

    Phones flat(const SpokenPhones& text) const {
        Phones phones;
        for (std::size_t word = 0; word < text.words.size(); ++word) {
            bool first = true;
            for (const auto& name : text.words[word].phones) {
                const auto found = phoneClass(name);
                if (!found || *found == kSilenceClass)
                    throw Error("align.unknownPhone", "\"" + name + "\", in \"" + text.words[word].word +
                                                          "\", is unknown to the aligner.");
                phones.names.push_back(name);
                phones.columns.push_back(columnOf(*found));
                phones.word.push_back(word);
                phones.blankBefore.push_back(std::exchange(first, false));
            }
        }
        phones.blankBefore.push_back(true);
        return phones;
    }

    /// log p − α · log prior.
    Matrix<float> scores(const Matrix<float>& posteriors) const {
        auto result = posteriors;
        for (std::size_t token = 0; token < result.rows(); ++token)
            for (std::size_t label = 0; label < m_record.labels.size(); ++label)
                result(token, static_cast<std::size_t>(m_record.firstLabel) + label) -=
                    static_cast<float>(m_record.priorWeight * m_record.logPriors[label]);
        return result;
    }

    /// Nothing tells where one of two equal phones beside one another ends: they share their time.
    static void shareEqualNeighbours(CtcAlignment& path, const Phones& phones) {
        auto& spans = path.labels;
        for (std::size_t first = 0, next; first < spans.size(); first = next) {
            next = first + 1;
            while (next < spans.size() && phones.columns[next] == phones.columns[first] &&
                   spans[next].first == spans[next - 1].last)
                ++next;
            const auto start = spans[first].first, tokens = spans[next - 1].last - start,
                       count = next - first;
            for (std::size_t i = 0; i < count; ++i)
                spans[first + i] = {start + tokens * i / count, start + tokens * (i + 1) / count};
        }
    }

    static double confidenceOf(const CtcAlignment& path, const Phones& phones,
                               const Matrix<float>& posteriors) {
        double sum = 0;
        for (std::size_t i = 0; i < path.labels.size(); ++i) {
            double phone = 0;
            for (auto token = path.labels[i].first; token < path.labels[i].last; ++token)
                phone += posteriors(token, static_cast<std::size_t>(phones.columns[i]));
            sum += phone / static_cast<double>(path.labels[i].last - path.labels[i].first);
        }
        return path.labels.empty() ? std::nan("") : sum / static_cast<double>(path.labels.size());
    }

    /// Where token `token` begins, on the axis of the recording.
    Seconds startOf(std::size_t token, std::size_t tokens, Seconds duration) const {
        if (token == 0)
            return Seconds(0);
        if (token >= tokens)
            return duration;
        return std::min(m_model->info().clock.cellStart(Tokens(static_cast<std::int64_t>(token))), duration);
    }

    Alignment alignmentOf(const CtcAlignment& path, const Phones& phones, const SpokenPhones& text,
                          std::size_t tokens, Seconds duration) const {
        Alignment result;
        result.origin = m_record.origin();
        Seconds wordsEnd(0), phonesEnd(0);
        const auto pauseUntil = [](std::vector<Interval>& tier, Seconds& end, Seconds start,
                                   const char* label) {
            if (start > end)
                tier.push_back({end, start, label});
            end = std::max(end, start);
        };
        for (std::size_t i = 0; i < path.labels.size(); ++i) {
            const auto start = startOf(path.labels[i].first, tokens, duration);
            const auto end = startOf(path.labels[i].last, tokens, duration);
            pauseUntil(result.phones, phonesEnd, start, "sil");
            result.phones.push_back({start, end, phones.names[i]});
            phonesEnd = end;
            if (i == 0 || phones.word[i] != phones.word[i - 1]) {
                pauseUntil(result.words, wordsEnd, start, "");
                result.words.push_back({start, end, text.words[phones.word[i]].word});
            }
            result.words.back().end = wordsEnd = end;
        }
        result.spokenEnd = phonesEnd;
        result.fileEnd = duration;
        pauseUntil(result.phones, phonesEnd, duration, "sil");
        pauseUntil(result.words, wordsEnd, duration, "");
        return result;
    }

    std::unique_ptr<models::SpeechModel> m_model;
    AlignerRecord m_record;
    std::vector<int> m_columns; ///< by phone class
};

} // namespace

std::unique_ptr<Aligner> Aligner::open(const fs::path& folder) {
    auto record = readAlignerRecord(folder / "aligner.json");
    auto model = models::SpeechModel::open(folder);
    const auto& architecture = model->info().architecture;
    const auto columns = record.firstLabel + static_cast<int>(record.labels.size());
    if (!architecture.ctc || *architecture.ctc < columns)
        throw Error("aligner.badRecord",
                    displayName(folder) +
                        " does not match its aligner.json, which needs a CTC output of " +
                        std::to_string(columns) + ".",
                    {{"file", displayName(folder)}});
    return std::make_unique<PhoneModelAligner>(std::move(model), std::move(record));
}

fs::path builtInAlignerFolder() {
    const fs::path folder = resourceFolderWith("aligner/aligner.json");
    return folder.empty() ? folder : folder / "aligner";
}

} // namespace headroom::training

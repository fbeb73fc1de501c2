// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/decoding/beam_search.h"

#include "core/errors/error.h"
#include "models/contributions/cancel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace headroom::training {
namespace {

constexpr float kImpossible = -std::numeric_limits<float>::infinity();

/// A text that can still grow. `row`: its row in the scorer.
struct Running {
    std::vector<int> ids;
    double sum = 0;
    std::int64_t row = 0;
    std::vector<double> tokenScores{};
    int state = TokenConstraint::kStart;
    std::vector<double> attended{}; ///< of each encoder token: the sum of the attention to it
    std::int64_t covered = 0;       ///< tokens that were attended enough
    double bonus = 0;               ///< of the coverage, in the rank of its continuations
};

struct Continuation {
    double rank; ///< the sum and the bonus
    std::size_t beam;
    int token;
    float score; ///< of the token alone
};

/// Whether a continuation is kept before another: by its rank, then in the order of beams and tokens.
bool isBetter(const Continuation& a, const Continuation& b) {
    if (a.rank != b.rank)
        return a.rank > b.rank;
    return a.beam != b.beam ? a.beam < b.beam : a.token < b.token;
}

/// The best `count` of all continuations offered so far.
class BestContinuations {
public:
    explicit BestContinuations(std::size_t count) : m_count(count) { m_heap.reserve(count + 1); }

    void offer(const Running& text, std::size_t beam, std::span<const float> row) {
        const double before = text.sum + text.bonus;
        for (std::size_t token = 0; token < row.size(); ++token) {
            if (token % kAtOnce == 0)
                while (token + kAtOnce <= row.size() && !anyAbove(row.data() + token, bound(before)))
                    token += kAtOnce;
            if (token == row.size())
                break;
            const Continuation next{before + static_cast<double>(row[token]), beam,
                                    static_cast<int>(token), row[token]};
            if (!(next.rank > m_least)) // also NaN and −∞; of equals the earlier stays
                continue;
            m_heap.push_back(next);
            std::push_heap(m_heap.begin(), m_heap.end(), isBetter);
            if (m_heap.size() > m_count) {
                std::pop_heap(m_heap.begin(), m_heap.end(), isBetter);
                m_heap.pop_back();
            }
            if (m_heap.size() == m_count)
                m_least = m_heap.front().rank;
        }
    }

    std::vector<Continuation> inOrder() && {
        std::sort(m_heap.begin(), m_heap.end(), isBetter);
        return std::move(m_heap);
    }

private:
    static constexpr std::size_t kAtOnce = 64;

    /// A number below every ln P that could still be kept behind `before`, rounding included.
    float bound(double before) const {
        const double least = m_least - before, margin = 1e-6 * (1 + std::abs(m_least) + std::abs(before));
        return std::isfinite(m_least) ? static_cast<float>(least - margin) : kImpossible;
    }
    /// Without a branch for each number, so that the compiler takes several at once.
    static bool anyAbove(const float* values, float bound) {
        int above = 0;
        for (std::size_t i = 0; i < kAtOnce; ++i)
            above |= values[i] > bound ? 1 : 0;
        return above != 0;
    }

    std::size_t m_count;
    double m_least = static_cast<double>(kImpossible);
    std::vector<Continuation> m_heap; ///< the worst in front
};

/// The search for the text of one recording.
class TextSearch {
public:
    TextSearch(const BeamSettings& settings, std::int64_t limit, std::int64_t row)
        : m_settings(settings)
        , m_limit(limit)
        , m_running{{{}, 0, row}} {}

    bool ended() const { return m_ended; }
    std::vector<Running>& running() { return m_running; }

    /// One step. `first`: the row of the first running text in `rows`.
    void step(const Matrix<float>& rows, std::size_t first, const Matrix<float>& attention) {
        const auto beams = static_cast<std::size_t>(m_settings.beams);
        const bool greedy = beams == 1;
        if (m_settings.coverageWeight != 0)
            for (std::size_t beam = 0; beam < m_running.size(); ++beam)
                attend(m_running[beam], attention.row(first + beam));
        BestContinuations best(greedy ? 1 : 2 * beams);
        for (std::size_t beam = 0; beam < m_running.size(); ++beam)
            best.offer(m_running[beam], beam, allowed(m_running[beam], rows.row(first + beam)));
        const std::vector<Continuation> kept = std::move(best).inOrder();

        ++m_length;
        std::vector<Running> next;
        for (std::size_t rank = 0; rank < kept.size(); ++rank) {
            const bool isEnd = kept[rank].token == m_settings.end;
            if (!isEnd && m_length < m_limit) {
                if (next.size() < beams)
                    next.push_back(extended(kept[rank], first));
            } else if (rank < beams) { // those behind are dropped for good
                Running text = extended(kept[rank], first);
                if (mayEnd(text.state))
                    enterPool(std::move(text));
            }
        }
        m_running = std::move(next);
        m_ended = m_running.empty() || (greedy ? !m_pool.empty() : isDecided());
    }

    std::vector<BeamHypothesis> result() && { return std::move(m_pool); }

private:
    Running extended(const Continuation& continuation, std::size_t first) const {
        const Running& parent = m_running[continuation.beam];
        const double score = static_cast<double>(continuation.score);
        Running text{parent.ids, parent.sum + score, static_cast<std::int64_t>(first + continuation.beam),
                     parent.tokenScores, parent.state, parent.attended, parent.covered};
        text.ids.push_back(continuation.token);
        text.tokenScores.push_back(score);
        if (m_settings.constraint && continuation.token != m_settings.end)
            text.state = m_settings.constraint->after(parent.state, continuation.token);
        return text;
    }

    /// All continuations of a text share the attention of its last token, so the coverage counts before they are compared.
    /// All continuations of a step have the same length, so their ranks are their scores times length ^ lengthPenalty.
    void attend(Running& text, std::span<const float> attention) const {
        text.attended.resize(attention.size());
        text.covered = 0;
        for (std::size_t token = 0; token < attention.size(); ++token) {
            text.attended[token] += static_cast<double>(attention[token]);
            text.covered += text.attended[token] > m_settings.coverageThreshold ? 1 : 0;
        }
        text.bonus = coverage(text.covered) * penalty(m_length + 1);
    }

    bool mayEnd(int state) const { return !m_settings.constraint || m_settings.constraint->mayEnd(state); }

    double coverage(std::int64_t tokens) const {
        return m_settings.coverageWeight * static_cast<double>(tokens);
    }
    double penalty(std::int64_t length) const {
        return std::pow(static_cast<double>(length), m_settings.lengthPenalty);
    }
    double scoreOf(double sum, std::int64_t length, std::int64_t covered) const {
        return m_settings.beams == 1 ? sum : sum / penalty(length) + coverage(covered);
    }

    /// The score that no continuation of a text can exceed, since ln P only falls and covered tokens stay covered.
    /// sum / length ^ lengthPenalty is largest at the shortest or at the longest length, by the signs of both.
    double bestScoreOf(const Running& text) const {
        const auto most = m_settings.coverageWeight > 0 ? static_cast<std::int64_t>(text.attended.size()) : text.covered;
        return std::max(scoreOf(text.sum, m_length, most), scoreOf(text.sum, m_limit, most));
    }

    void enterPool(Running text) {
        const double score = scoreOf(text.sum, m_length, text.covered);
        const auto place = std::find_if(m_pool.begin(), m_pool.end(),
                                        [&](const BeamHypothesis& one) { return one.score < score; });
        m_pool.insert(place, {std::move(text.ids), text.sum, score, std::move(text.tokenScores), text.covered});
        if (m_pool.size() > static_cast<std::size_t>(m_settings.beams))
            m_pool.pop_back();
    }

    /// Whether the pool is full, and no running text may still enter it.
    bool isDecided() const {
        if (m_pool.size() < static_cast<std::size_t>(m_settings.beams))
            return false;
        if (m_settings.earlyStopping == EarlyStopping::Full)
            return true;
        const double worst = m_pool.back().score;
        if (m_settings.earlyStopping == EarlyStopping::Never)
            return std::all_of(m_running.begin(), m_running.end(),
                               [&](const Running& text) { return bestScoreOf(text) <= worst; });
        const Running& best = m_running.front();
        return scoreOf(best.sum, m_length, best.covered) <= worst;
    }

    /// ln P of the next tokens without those that the settings forbid.
    std::span<const float> allowed(const Running& text, std::span<const float> row) {
        const bool forced = m_settings.forcedEnd && m_length + 1 == m_limit;
        const bool tooShort = m_length < m_settings.minNewTokens;
        if (!forced && !tooShort && m_settings.noRepeatNgram <= 0 && m_settings.endFactor <= 0 && !m_settings.constraint)
            return row;
        m_allowed.assign(row.begin(), row.end());
        const auto set = [&](int token, float value) {
            if (token >= 0 && static_cast<std::size_t>(token) < m_allowed.size())
                m_allowed[static_cast<std::size_t>(token)] = value;
        };
        if (m_settings.constraint)
            keepAllowed(text.state, row);
        if (m_settings.endFactor > 0 && endsTooEarly())
            set(m_settings.end, kImpossible);
        if (tooShort)
            set(m_settings.end, kImpossible);
        if (m_settings.noRepeatNgram > 0)
            for (const int token : repeating(text.ids))
                set(token, kImpossible);
        if (forced) {
            std::fill(m_allowed.begin(), m_allowed.end(), kImpossible);
            set(*m_settings.forcedEnd, 0);
        }
        return m_allowed;
    }

    /// Keeps the scores of the tokens that the constraint allows behind a text in `state`.
    void keepAllowed(int state, std::span<const float> row) {
        std::fill(m_allowed.begin(), m_allowed.end(), kImpossible);
        const auto keep = [&](int token) {
            if (token >= 0 && static_cast<std::size_t>(token) < row.size())
                m_allowed[static_cast<std::size_t>(token)] = row[static_cast<std::size_t>(token)];
        };
        for (const TokenConstraint::Step& step : m_settings.constraint->steps(state))
            if (step.token != m_settings.end)
                keep(step.token);
        if (mayEnd(state))
            keep(m_settings.end);
    }

    bool endsTooEarly() const {
        const auto end = static_cast<std::size_t>(m_settings.end);
        const auto best = static_cast<double>(*std::max_element(m_allowed.begin(), m_allowed.end()));
        return end < m_allowed.size() && static_cast<double>(m_allowed[end]) < m_settings.endFactor * best;
    }

    /// The tokens that would complete an n-gram for the second time.
    std::vector<int> repeating(const std::vector<int>& ids) const {
        std::vector<int> text{m_settings.start};
        text.insert(text.end(), ids.begin(), ids.end());
        const auto n = static_cast<std::size_t>(m_settings.noRepeatNgram);
        std::vector<int> tokens;
        for (std::size_t begin = 0; begin + n <= text.size(); ++begin)
            if (std::equal(text.end() - static_cast<std::ptrdiff_t>(n - 1), text.end(),
                           text.begin() + static_cast<std::ptrdiff_t>(begin)))
                tokens.push_back(text[begin + n - 1]);
        return tokens;
    }

    const BeamSettings& m_settings;
    std::int64_t m_limit;
    std::int64_t m_length = 0; ///< tokens of every running text
    bool m_ended = false;
    std::vector<Running> m_running;     ///< best first
    std::vector<BeamHypothesis> m_pool; ///< finished texts, best first
    std::vector<float> m_allowed;
};

void checkSettings(const BeamSettings& settings) {
    if (settings.beams < 1 || settings.maxNewTokens < 1 || !std::isfinite(settings.lengthPenalty))
        throw Error("decoding.settings",
                    "A beam search needs at least one beam, at least one token and a finite length penalty.",
                    {{"beams", settings.beams},
                     {"maxNewTokens", settings.maxNewTokens},
                     {"lengthPenalty", std::isfinite(settings.lengthPenalty)
                                           ? nlohmann::json(settings.lengthPenalty)
                                           : nlohmann::json()}});
    if (!(settings.tokensPerFrame >= 0 && std::isfinite(settings.tokensPerFrame)))
        throw Error("decoding.settings", "The tokens for each frame are a number from 0.");
    if (settings.endFactor != 0 && !(settings.endFactor >= 1 && std::isfinite(settings.endFactor)))
        throw Error("decoding.settings", "The factor of the end of the text is at least 1, or 0 for none.");
}

void keepAttention(models::TokenScorer& scorer, const BeamSettings& settings) {
    if (settings.coverageWeight == 0)
        return;
    if (!std::isfinite(settings.coverageWeight) || !(settings.coverageThreshold > 0) || settings.beams < 2)
        throw Error("decoding.settings",
                    "A coverage needs a finite weight, a threshold above 0 and a search with more than one beam.");
    if (!scorer.keepAttention())
        throw Error("decoding.settings", "A coverage needs a decoder, whose cross-attention it counts.");
}

} // namespace

std::int64_t longestText(const BeamSettings& settings, std::int64_t source) {
    return settings.maxNewTokens +
           static_cast<std::int64_t>(std::floor(settings.tokensPerFrame * static_cast<double>(source)));
}

std::vector<std::vector<BeamHypothesis>> beamSearch(models::TokenScorer& scorer, std::int64_t texts,
                                                    const BeamSettings& settings,
                                                    const std::atomic<bool>* cancel,
                                                    std::span<const std::int64_t> sources) {
    checkSettings(settings);
    keepAttention(scorer, settings);
    if (settings.tokensPerFrame > 0 && sources.size() != static_cast<std::size_t>(texts))
        throw Error("decoding.settings", "A limit of tokens for each frame needs the length of every recording.");
    std::vector<TextSearch> searches;
    for (std::int64_t text = 0; text < texts; ++text) {
        const std::int64_t source = settings.tokensPerFrame > 0 ? sources[static_cast<std::size_t>(text)] : 0;
        searches.emplace_back(settings, std::min(longestText(settings, source), scorer.maximumTokens()), text);
    }
    for (;;) {
        if (cancel && cancel->load(std::memory_order_relaxed))
            throw models::Cancelled();
        std::vector<std::int64_t> parents;
        std::vector<int> tokens;
        std::vector<std::pair<TextSearch*, std::size_t>> active;
        for (TextSearch& search : searches) {
            if (search.ended())
                continue;
            active.emplace_back(&search, parents.size());
            for (const Running& text : search.running()) {
                parents.push_back(text.row);
                tokens.push_back(text.ids.empty() ? settings.start : text.ids.back());
            }
        }
        if (active.empty())
            break;
        const Matrix<float> rows = scorer.extend(parents, tokens);
        for (const auto& [search, first] : active)
            search->step(rows, first, scorer.attention());
    }
    std::vector<std::vector<BeamHypothesis>> results;
    for (TextSearch& search : searches)
        results.push_back(std::move(search).result());
    return results;
}

} // namespace headroom::training

// SPDX-License-Identifier: GPL-3.0-or-later
// Limits that depend on the source, the factor of </s>, constraints, and the scores of tokens.
#include "core/errors/error.h"
#include "core/text/tokenizer.h"
#include "tests/support/runner.h"
#include "tests/training/decoding/drawn_posteriors.h"
#include "tests/training/decoding/table_scorer.h"
#include "training/decoding/beam_search.h"
#include "training/decoding/ctc_prefix_search.h"
#include "training/decoding/log_sum.h"
#include "training/decoding/text_decoder.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

namespace headroom::testing::decoding_options_test {

using namespace headroom::training;

namespace {

using Scored = std::map<Text, double>;

/// Every text that the rules allow and its sum, one after another. `limit`: tokens of a text.
Scored everyAllowed(const Table& table, std::int64_t recording, int vocabulary, std::int64_t limit,
                    const BeamSettings& settings, const std::function<bool(const Text&)>& isAllowed = {}) {
    Scored all;
    const std::function<void(const Text&, double)> grow = [&](const Text& text, double sum) {
        const std::vector<float> row = table(recording, text);
        const float best = *std::max_element(row.begin(), row.end());
        for (int token = 0; token < vocabulary; ++token) {
            const float score = row[static_cast<std::size_t>(token)];
            if (token == kEnd && settings.endFactor > 0 && score < settings.endFactor * best)
                continue;
            Text next = text;
            next.push_back(token);
            const Text said(next.begin() + 1, token == kEnd ? next.end() - 1 : next.end());
            if (isAllowed && !isAllowed(said))
                continue;
            if (token == kEnd || static_cast<std::int64_t>(text.size()) == limit)
                all[Text(next.begin() + 1, next.end())] = sum + score;
            else
                grow(next, sum + score);
        }
    };
    grow({settings.start}, 0);
    return all;
}

void compareWith(const Scored& expected, const std::vector<BeamHypothesis>& found) {
    QCOMPARE(found.size(), expected.size());
    for (const BeamHypothesis& one : found) {
        QVERIFY(expected.contains(one.ids));
        QVERIFY(std::abs(one.sum - expected.at(one.ids)) < 1e-5);
    }
}

BeamSettings endless() {
    BeamSettings settings;
    settings.beams = 4000; // more than there are texts
    settings.earlyStopping = EarlyStopping::Never;
    settings.lengthPenalty = 0;
    settings.maxNewTokens = 4;
    return settings;
}

/// Every label sequence without the blank 0, of at most `longest` labels.
std::vector<Text> everySequence(int labels, std::size_t longest) {
    std::vector<Text> all{{}};
    for (std::size_t first = 0, length = 0; length < longest; ++length) {
        const std::size_t end = all.size();
        for (; first < end; ++first)
            for (int label = 1; label < labels; ++label) {
                all.push_back(all[first]);
                all.back().push_back(label);
            }
    }
    return all;
}

std::vector<std::string> cut(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

} // namespace

class DecodingOptionsTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    /// A vocabulary of letters: <pad>, <unk>, </s>, the space, a, b, c.
    Tokenizer letters() const {
        const auto file = (m_folder.path() + "/vocab.json").toStdString();
        std::ofstream(file) << R"({"<pad>": 0, "<unk>": 1, "</s>": 2, "|": 3, "a": 4, "b": 5, "c": 6})";
        return Tokenizer(file);
    }
    std::string fileWith(const char* name, const std::string& text) const {
        const auto file = (m_folder.path() + "/" + name).toStdString();
        std::ofstream(file) << text;
        return file;
    }

private Q_SLOTS:
    void theLimitGrowsWithTheSource() {
        BeamSettings settings = endless();
        settings.maxNewTokens = 1;
        settings.tokensPerFrame = 0.5;
        QCOMPARE(longestText(settings, 9), std::int64_t(5)); // 1 + ⌊4.5⌋
        const Table table = drawnTable(4);
        const std::vector<std::int64_t> sources{2, 7};
        TableScorer scorer(4, 2, table);
        const auto found = beamSearch(scorer, 2, settings, nullptr, sources);
        compareWith(everyAllowed(table, 0, 4, 2, settings), found[0]);
        compareWith(everyAllowed(table, 1, 4, 4, settings), found[1]);
        TableScorer other(4, 2, table);
        QVERIFY_EXCEPTION_THROWN(beamSearch(other, 2, settings), Error); // of what length?
    }

    void lengthsAreFramesOfTenMilliseconds() {
        ModelInput input;
        QCOMPARE(sourceLength(input, 123), std::int64_t(123));
        input.kind = InputKind::Waveform;
        QCOMPARE(sourceLength(input, 16000), std::int64_t(100));
        input.kind = InputKind::Text;
        QCOMPARE(sourceLength(input, 17), std::int64_t(17));
    }

    void theEndFactorForbidsAnEndThatIsNotLikely_data() {
        QTest::addColumn<double>("factor");
        for (const double factor : {1.0, 1.5, 3.0})
            QTest::addRow("%g", factor) << factor;
    }
    void theEndFactorForbidsAnEndThatIsNotLikely() {
        QFETCH(double, factor);
        BeamSettings settings = endless();
        const Table table = drawnTable(4);
        const auto searched = [&] {
            TableScorer scorer(4, 1, table);
            return beamSearch(scorer, 1, settings).front();
        };
        const std::size_t all = searched().size();
        settings.endFactor = factor;
        const auto found = searched();
        QVERIFY(found.size() < all);
        compareWith(everyAllowed(table, 0, 4, 4, settings), found);
        settings.endFactor = 0.5;
        QVERIFY_EXCEPTION_THROWN(searched(), Error);
    }

    void onlyListedTokensAreFound() {
        BeamSettings settings = endless();
        settings.constraint = std::make_shared<OnlyTokens>(std::vector<int>{4, 1, 1});
        const Table table = drawnTable(5);
        TableScorer scorer(5, 1, table);
        compareWith(everyAllowed(table, 0, 5, 4, settings,
                                 [](const Text& said) {
                                     return std::all_of(said.begin(), said.end(), [](int id) { return id == 1 || id == 4; });
                                 }),
                    beamSearch(scorer, 1, settings).front());
    }

    void onlyTextsOfTheWordsAreFound() {
        const Tokenizer tokenizer = letters();
        const std::vector<std::string> words{"ab", "a", "cab"};
        BeamSettings settings = endless();
        settings.maxNewTokens = 6;
        settings.constraint = std::make_shared<OnlyWords>(tokenizer, words);
        // A text of the search, or the beginning of one: whole words, single spaces, then the beginning of a word.
        const auto begins = [&](const Text& said) {
            std::string text;
            for (const int id : said) {
                if (id < 3)
                    return false;
                text += " abc"[id - 3];
            }
            if (text.find("  ") != std::string::npos)
                return false;
            auto found = cut(text);
            if (found.empty() || text.ends_with(' '))
                found.push_back("");
            const std::string last = found.back();
            found.pop_back();
            return std::all_of(found.begin(), found.end(),
                               [&](const auto& word) { return std::count(words.begin(), words.end(), word) > 0; }) &&
                   std::any_of(words.begin(), words.end(), [&](const auto& word) { return word.starts_with(last); });
        };
        const Table table = drawnTable(7);
        Scored expected = everyAllowed(table, 0, 7, 6, settings, begins);
        std::erase_if(expected, [&](const auto& one) { // those that stop inside a word
            Text said = one.first;
            if (said.back() == kEnd)
                said.pop_back();
            const auto found = cut(tokenizer.decode(said));
            return !std::all_of(found.begin(), found.end(),
                                [&](const auto& word) { return std::count(words.begin(), words.end(), word) > 0; });
        });
        QVERIFY(expected.size() > 20);
        TableScorer scorer(7, 1, table);
        compareWith(expected, beamSearch(scorer, 1, settings).front());
    }

    void wordsMayBeCutIntoAnyPieces() {
        const Tokenizer tokenizer(std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources/demo/model/sentencepiece.model");
        const std::vector<std::string> words{"the", "forest", "pictures"};
        const OnlyWords only(tokenizer, words);
        std::set<std::string> allowed;
        for (const auto& word : words)
            allowed.insert(tokenizer.decode(tokenizer.encode(word)));
        std::size_t ends = 0;
        std::map<std::string, std::size_t> ways;
        const std::function<void(const Text&, int)> walk = [&](const Text& said, int state) {
            if (only.mayEnd(state) && !said.empty()) {
                ++ends;
                const auto found = cut(tokenizer.decode(said));
                for (const auto& word : found)
                    QVERIFY2(allowed.contains(word), word.c_str());
                if (found.size() == 1)
                    ++ways[found.front()];
            }
            if (said.size() == 4)
                return;
            for (const TokenConstraint::Step& step : only.steps(state)) {
                Text next = said;
                next.push_back(step.token);
                walk(next, step.state);
            }
        };
        walk({}, TokenConstraint::kStart);
        QVERIFY(ends > 100);
        QVERIFY(ways["the"] > 1); // "the" as one piece, and as its parts
        for (const auto& word : words) { // as the tokenizer itself cuts it
            int state = TokenConstraint::kStart;
            for (const int id : tokenizer.encode(word))
                state = only.after(state, id);
            QVERIFY(only.mayEnd(state));
        }
    }

    void noPieceLeadsIntoADeadEnd() {
        const Tokenizer tokenizer(std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources/demo/model/sentencepiece.model");
        const std::vector<std::string> words{"forest", "pictures"};
        const OnlyWords only(tokenizer, words);
        const std::function<void(int, int)> walk = [&](int state, int depth) {
            QVERIFY(only.mayEnd(state) || !only.steps(state).empty());
            for (const TokenConstraint::Step& step : only.steps(state))
                if (depth < 5)
                    walk(step.state, depth + 1);
        };
        walk(TokenConstraint::kStart, 0);
    }

    void filesOfWordsAreReadAndRefusedByLine() {
        const Tokenizer tokenizer = letters();
        QVERIFY(readConstraint(fileWith("words", "ab\r\na  cab\n"), false, tokenizer)->steps(0).size() == 3); // |, a, c
        QCOMPARE(readConstraint(fileWith("pieces", "a\n|\n"), true, tokenizer)->steps(0).size(), std::size_t(2));
        const auto refused = [&](const std::string& file, bool pieces, const char* what) {
            try {
                readConstraint(file, pieces, tokenizer);
                QFAIL("read");
            } catch (const Error& error) {
                QVERIFY2(std::string(error.what()).find(what) != std::string::npos, error.what());
            }
        };
        refused(fileWith("unknown", "ab\nxyz\n"), false, "unknown, line 2: ");
        refused(fileWith("no-piece", "a\nab\n"), true, "no-piece, line 2: ");
        refused(fileWith("empty", "\n"), false, "empty has no word.");
        refused(fileWith("none", "\n"), true, "none names no piece.");
        refused("/nowhere/words", false, "does not exist.");
    }

    void theScoresOfTokensAddUp() {
        const Table table = drawnTable(5);
        BeamSettings settings;
        settings.beams = 3;
        settings.maxNewTokens = 6;
        TableScorer scorer(5, 1, table);
        const auto found = beamSearch(scorer, 1, settings).front();
        QCOMPARE(found.size(), std::size_t(3));
        for (const BeamHypothesis& one : found) {
            QCOMPARE(one.tokenScores.size(), one.ids.size());
            Text said{settings.start};
            for (std::size_t i = 0; i < one.ids.size(); ++i) {
                QCOMPARE(one.tokenScores[i], static_cast<double>(table(0, said)[static_cast<std::size_t>(one.ids[i])]));
                said.push_back(one.ids[i]);
            }
            QVERIFY(std::abs(std::accumulate(one.tokenScores.begin(), one.tokenScores.end(), 0.0) - one.sum) < 1e-9);
        }
    }

    void aConstrainedPrefixSearchFindsWhatEnumerationFinds() {
        const Tokenizer tokenizer = letters();
        const std::vector<std::string> words{"ab", "cab"};
        const OnlyWords only(tokenizer, words);
        for (unsigned seed = 1; seed <= 3; ++seed) {
            const Matrix<double> logP = drawnPosteriors(6, 7, seed);
            CtcSearchSettings settings;
            settings.beam = 5000;
            settings.constraint = std::make_shared<OnlyWords>(tokenizer, words);
            std::map<Text, double> expected;
            for (const Text& labels : everySequence(7, 6)) {
                int state = TokenConstraint::kStart;
                bool follows = true;
                for (const int label : labels) {
                    const auto steps = only.steps(state);
                    const auto at = std::find_if(steps.begin(), steps.end(), [&](const auto& step) { return step.token == label; });
                    follows = follows && at != steps.end();
                    if (!follows)
                        break;
                    state = at->state;
                }
                const double sum = follows && only.mayEnd(state) ? ctcLogProbability(logP, labels) : kLogZero;
                if (sum != kLogZero)
                    expected[labels] = sum;
            }
            const auto found = ctcPrefixSearch(logP, settings);
            QCOMPARE(found.size(), expected.size());
            for (const CtcHypothesis& one : found)
                QVERIFY(std::abs(one.ctc - expected.at(one.labels)) < 1e-10);
            QVERIFY(std::is_sorted(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.score > b.score; }));
        }
    }

    void theScoresOfLabelsAreThoseOfAllTextsThatBeginSo() {
        const Matrix<double> logP = drawnPosteriors(5, 4, 11);
        const auto all = everySequence(4, 5);
        const auto prefixSum = [&](const Text& prefix) {
            double sum = kLogZero;
            for (const Text& labels : all)
                if (labels.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), labels.begin()))
                    sum = logSum(sum, ctcLogProbability(logP, labels));
            return sum;
        };
        for (const Text& labels : {Text{1}, Text{2, 2}, Text{3, 1, 1}, Text{1, 2, 3, 1}}) {
            const auto scores = ctcTokenScores(logP, labels);
            QCOMPARE(scores.size(), labels.size());
            double before = 0;
            for (std::size_t k = 0; k < labels.size(); ++k) {
                const double sum = prefixSum(Text(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(k) + 1));
                QVERIFY(std::abs(scores[k] - (sum - before)) < 1e-10);
                before = sum;
            }
        }
        QCOMPARE(ctcTokenScores(logP, Text{1, 1, 1, 1}).back(), kLogZero); // needs seven frames
    }
};

HEADROOM_TEST(DecodingOptionsTest)

} // namespace headroom::testing::decoding_options_test

#include "decoding_options_test.moc"

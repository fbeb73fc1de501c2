// SPDX-License-Identifier: GPL-3.0-or-later
// The words of a text over the sound: what the panel makes of the times that were found.
#include "app/workspaces/analyse/common/metrics_note.h"
#include "app/workspaces/analyse/words/n_best_list.h"
#include "app/workspaces/analyse/words/words_panel.h"
#include "tests/support/runner.h"
#include "widgets/look/fitted_combo.h"
#include "widgets/look/theme.h"
#include "widgets/text_map/text_map_view.h"
#include "widgets/tiers/tier_lane.h"

#include <QComboBox>
#include <QTest>

namespace headroom::testing::words_panel_test {

using namespace headroom::app;

namespace {

/// Two words of a decoder that attends to the sound and to its own text.
std::shared_ptr<SpokenWords> atNight() {
    auto words = std::make_shared<SpokenWords>();
    words->pieces = {{7, "at", -0.25, false}, {8, "night", -0.5, false}};
    words->words = {{"at", 0, 1, SpokenWords::Span{Seconds(0), Seconds(0.1)}, {}},
                    {"night", 1, 2, SpokenWords::Span{Seconds(0.1), Seconds(0.2)}, {}}};
    words->clock = TokenClock::affine(Seconds(0.05), Seconds(0.1));
    words->inputs = {2, 7};
    const auto map = std::make_shared<const MaxPyramid>(Matrix<float>(2, 2, 0.5F));
    words->cross = words->self = {{map}};
    words->means = words->selfMeans = {map};
    return words;
}

} // namespace

class WordsPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// The path went past "at night in" within one token: "night" had no box, and a click on it described "in".
    void aWordWithoutATokenHasABoxOfOneAndIsNamed() {
        widgets::TimeAxis axis;
        axis.setExtent(Seconds(0.16));
        WordsPanel panel(&axis);
        auto words = std::make_shared<SpokenWords>();
        words->pieces = {{7, "at", -0.25, false}, {8, "night", -0.5, false}, {9, "in", -0.125, false}};
        words->words = {{"at", 0, 1, SpokenWords::Span{Seconds(0), Seconds(0.08)}, {}},
                        {"night", 1, 2, SpokenWords::Span{Seconds(0.08), Seconds(0.08)}, {}},
                        {"in", 2, 3, SpokenWords::Span{Seconds(0.08), Seconds(0.16)}, {}}};
        words->clock = TokenClock::affine(Seconds(0.02), Seconds(0.04));
        const auto map = std::make_shared<const MaxPyramid>(Matrix<float>(3, 4, 0.25F));
        words->cross = {{map}};
        words->means = {map};
        panel.showWords(words, {}, {});
        const widgets::TextWord& night = panel.map()->words().at(1);
        QVERIFY(night.time);
        QCOMPARE(night.time->start.value(), 0.08);
        QCOMPARE(night.time->end.value(), 0.12);
        QVERIFY2(panel.note()->sentence().contains(QStringLiteral("The word “night” has no token; its box marks where it would be.")),
                 qPrintable(panel.note()->sentence()));
        axis.setSelection(*night.time);
        axis.setCursor(night.time->start);
        QCOMPARE(panel.map()->currentWord(), 1);
        QCOMPARE(panel.readOutAt({}).front().value, QStringLiteral("night"));
        // "No token was assigned to 2 words" reads as if none belonged to both.
        auto both = std::make_shared<SpokenWords>(*words);
        both->words[0].attention = SpokenWords::Span{Seconds(0), Seconds(0)};
        panel.showWords(both, {}, {});
        QVERIFY2(panel.note()->sentence().contains(QStringLiteral("2 words have no token; their boxes mark where they would be.")),
                 qPrintable(panel.note()->sentence()));
    }

    /// Half of the first token lies before the sound: a word of it alone had its box, and was played, to the middle of the next one.
    void aWordOfTheFirstTokenEndsWhereItsTierSays() {
        widgets::TimeAxis axis;
        axis.setExtent(Seconds(0.2));
        WordsPanel panel(&axis);
        auto words = std::make_shared<SpokenWords>();
        words->pieces = {{7, "a", -0.25, false}, {8, "night", -0.5, false}};
        words->words = {{"a", 0, 1, {}, SpokenWords::Span{Seconds(0), Seconds(0.04)}},
                        {"night", 1, 2, {}, SpokenWords::Span{Seconds(0.04), Seconds(0.2)}}};
        words->clock = TokenClock::affine(Seconds(0), Seconds(0.08));
        words->ctc = std::make_shared<const MaxPyramid>(Matrix<float>(2, 3, 0.5F));
        panel.showWords(words, {}, {});
        const auto& time = panel.map()->words().at(0).time;
        QVERIFY(time);
        QCOMPARE(time->end.value(), 0.04);
        std::optional<widgets::TimeSpan> played;
        connect(&panel, &WordsPanel::wordActivated, this, [&](widgets::TimeSpan span) { played = span; });
        Q_EMIT panel.map()->wordActivated(0);
        QVERIFY(played);
        QCOMPARE(played->end.value(), 0.04);
    }

    /// It was missing from the row of words, without a word where the map has no times.
    void theRowOfWordsSaysWhichOneItLeavesOut() {
        widgets::TimeAxis axis;
        WordsPanel panel(&axis);
        auto words = atNight();
        words->words[1].attention = SpokenWords::Span{Seconds(0.1), Seconds(0.1)};
        panel.showWords(words, {}, {});
        panel.chooseBlock(WordsBlock::Self);
        QVERIFY(panel.attentionTier()->intervalAt(Seconds(0.05)) && !panel.attentionTier()->intervalAt(Seconds(0.1)));
        const QString said = QStringLiteral("The word “night” has no token, so it is missing from the row “attention”.");
        QVERIFY2(panel.note()->sentence().contains(said), qPrintable(panel.note()->sentence()));
        QVERIFY(!panel.note()->sentence().contains(QStringLiteral("box")));
        QVERIFY(panel.figureNote().contains(said));
        auto both = std::make_shared<SpokenWords>(*words);
        both->words[0].attention = SpokenWords::Span{Seconds(0), Seconds(0)};
        panel.showWords(both, {}, {});
        QVERIFY2(panel.note()->sentence().contains(QStringLiteral("2 words have no token, so they are missing from the row “attention”.")),
                 qPrintable(panel.note()->sentence()));
    }

    /// The tab beside it measures the cross-attention, so its words are found in both views.
    void theReferencesAreThoseOfTheWordsOverSelfAttentionToo() {
        widgets::TimeAxis axis;
        WordsPanel panel(&axis);
        panel.showWords(atNight(), {{Seconds(0.02), Seconds(0.12), "night"}}, {});
        const auto isKnown = [&] {
            const WordReferences references = panel.references();
            return references.size() == 2 && !references[0] && references[1] &&
                   references[1]->start == Seconds(0.02) && references[1]->end == Seconds(0.12);
        };
        QVERIFY(isKnown());
        QVERIFY(panel.map()->words().at(1).reference);
        panel.chooseBlock(WordsBlock::Self);
        QVERIFY(panel.isSelf() && !panel.map()->words().at(1).reference); // its columns are tokens of the text
        QVERIFY(isKnown());
    }

    /// A click on a word of text 2 described the word that the best text has at that time, and marked its pieces.
    void aWordOfAnotherTextIsFollowedInItsOwn() {
        const auto span = [](double start, double end) { return SpokenWords::Span{Seconds(start), Seconds(end)}; };
        widgets::TimeAxis axis;
        axis.setExtent(Seconds(0.2));
        WordsPanel panel(&axis);
        auto words = atNight();
        words->hypotheses = {{-1, {{"at", span(0, 0.1), 0, 1}, {"night", span(0.1, 0.2), 1, 2}}, words->pieces},
                             {-2, {{"at", span(0, 0.04), 0, 1}, {"knight", span(0.04, 0.16), 1, 3}},
                              {{7, "at", -0.25, false}, {9, "k", -1.5, false}, {8, "night", -2, false}}}};
        panel.showWords(words, {{Seconds(0.02), Seconds(0.12), "knight"}}, {});
        connect(&panel, &WordsPanel::wordActivated, this, [&](widgets::TimeSpan time) {
            axis.setSelection(time);
            axis.setCursor(time.start);
        });
        const auto click = [&](const char* link) { Q_EMIT panel.nBest()->anchorClicked(QUrl(QString::fromLatin1(link))); };
        const auto read = [&](const QString& label) {
            for (const ReadOutLine& line : panel.readOutAt({}))
                if (line.label == label)
                    return line.value;
            return QStringLiteral("no such line");
        };
        click("1/1");
        QCOMPARE(read(QStringLiteral("Word")), QStringLiteral("knight"));
        QCOMPARE(read(QStringLiteral("Pieces")), QStringLiteral("2 to 3 of 3")); // the map has those of the best text
        QCOMPARE(read(QStringLiteral("Log-probability")), QStringLiteral("−3.500"));
        QCOMPARE(read(QStringLiteral("From, by attention")), QStringLiteral("0.040\u202fs"));
        QVERIFY(read(QStringLiteral("Reference")).startsWith(QStringLiteral("0.020")));
        QCOMPARE(panel.map()->rows().size(), std::size_t(2));
        QCOMPARE(panel.map()->rows().at(1).word, -1);
        const Interval* told = panel.attentionTier()->intervalAt(Seconds(0.15));
        QVERIFY(told && told->label == "knight" && told->end == Seconds(0.16));
        QCOMPARE(panel.text(), QStringLiteral("at knight"));
        QVERIFY2(panel.note()->sentence().contains(QStringLiteral("The map shows the pieces of text 1.")), qPrintable(panel.note()->sentence()));
        QVERIFY(!panel.note()->sentence().contains(QStringLiteral("log-probabilities")));
        panel.grab();
        click("1/0"); // which both texts begin with
        QCOMPARE(read(QStringLiteral("Word")), QStringLiteral("at"));
        QCOMPARE(read(QStringLiteral("Piece")), QStringLiteral("1 of 3, id 7"));
        QCOMPARE(read(QStringLiteral("to")), QStringLiteral("0.040\u202fs"));
        NBestList* list = panel.nBest();
        QVERIFY(list->find(QStringLiteral("knight"))); // as Tab does
        const int place = list->textCursor().position();
        panel.showWords(words, {}, {}); // the same once more, as after every change elsewhere
        QCOMPARE(panel.followed(), std::size_t(1));
        QCOMPARE(list->textCursor().position(), place); // or the next Tab would begin at the first word
        QCOMPARE(list->textCursor().selectedText(), QStringLiteral("knight"));
        panel.chooseBlock(WordsBlock::Self);
        click("1/1");
        QCOMPARE(read(QStringLiteral("Word")), QStringLiteral("knight"));
        panel.chooseBlock(WordsBlock::Cross);
        click("0/1");
        QCOMPARE(read(QStringLiteral("Word")), QStringLiteral("night"));
        QCOMPARE(read(QStringLiteral("Piece")), QStringLiteral("2 of 2, id 8"));
        click("1/1");
        panel.showWords(std::make_shared<SpokenWords>(*words), {}, {}); // of another search
        QCOMPARE(panel.followed(), std::size_t(0));
        words->cross = words->self = {}; // of a model without a decoder, the times are by CTC
        panel.showWords(std::make_shared<SpokenWords>(*words), {}, {});
        click("1/1");
        told = panel.ctcTier()->intervalAt(Seconds(0.15));
        QVERIFY(told && told->label == "knight" && !panel.attentionTier()->intervalAt(Seconds(0.15)));
    }

    /// The texts of a translated text promised words to hear, and a click on one of them did nothing.
    void aTextWithoutTimesIsFollowedAndNotHeard() {
        widgets::TimeAxis axis;
        WordsPanel panel(&axis);
        auto words = atNight();
        for (auto& word : words->words)
            word.attention = {};
        words->hypotheses = {{-1, {{"at", {}, 0, 1}, {"night", {}, 1, 2}}, words->pieces},
                             {-2, {{"at", {}, 0, 1}, {"knight", {}, 1, 3}},
                              {{7, "at", -0.25, false}, {9, "k", -1.5, false}, {8, "night", -2, false}}}};
        panel.showWords(words, {}, {});
        bool isHeard = false;
        connect(&panel, &WordsPanel::wordActivated, this, [&] { isHeard = true; });
        NBestList* list = panel.nBest();
        QVERIFY2(!list->toolTip().contains(QStringLiteral("hear")), qPrintable(list->toolTip()));
        QVERIFY(list->find(QStringLiteral("knight")));
        const QString link = list->textCursor().charFormat().anchorHref();
        QCOMPARE(link, QStringLiteral("1/1"));
        Q_EMIT list->anchorClicked(QUrl(link));
        QCOMPARE(panel.followed(), std::size_t(1));
        QCOMPARE(panel.translationReadOut({}).at(1).value, QStringLiteral("3")); // pieces
        QVERIFY(!isHeard);
        words->hypotheses[0].words[0].time = SpokenWords::Span{Seconds(0), Seconds(0.1)};
        panel.showWords(std::make_shared<SpokenWords>(*words), {}, {});
        QVERIFY2(list->toolTip().contains(QStringLiteral("hear")), qPrintable(list->toolTip()));
    }

    /// They were those of text 1.
    void piecesOfAnotherTextThatAreNotKnownAreNotShown() {
        const auto span = [](double start, double end) { return SpokenWords::Span{Seconds(start), Seconds(end)}; };
        auto words = atNight();
        words->hypotheses = {{-1, {{"at", span(0, 0.1), 0, 1}}, words->pieces}, {-2, {{"at", span(0, 0.1)}}}};
        widgets::TimeAxis axis;
        axis.setExtent(Seconds(0.2));
        WordsPanel panel(&axis);
        panel.showWords(words, {}, {});
        Q_EMIT panel.nBest()->anchorClicked(QUrl(QStringLiteral("1/0")));
        QCOMPARE(panel.followed(), std::size_t(1));
        axis.setCursor(Seconds(0.05));
        const auto lines = panel.readOutAt({});
        QCOMPARE(lines.at(0).value, QStringLiteral("at"));
        QCOMPARE(lines.at(1).value, QStringLiteral("–"));
        QCOMPARE(lines.at(2).value, QStringLiteral("–"));
        QVERIFY(panel.note()->sentence().endsWith(QStringLiteral("Pieces and log-probabilities of text 2 are not known. There are no aligned words to compare with.")));
        QCOMPARE(panel.map()->rows().at(0).word, 0); // the same word is in the map
        // Written in other pieces, it is not.
        words->hypotheses[1] = {-2, {{"at", span(0, 0.1), 0, 2}}, {{10, "a", -1, false}, {11, "t", -1, false}}};
        const SpokenWords followed = words->following(1);
        QCOMPARE(followed.words.front().end, 0);
        QCOMPARE(followed.followedPieces(followed.words.front()), std::pair(0, 2));
    }

    /// The tier above marked the word at the cursor, and the map no row; the inputs always marked their first.
    void theWordAtTheCursorIsMarkedOverSelfAttentionToo() {
        widgets::TimeAxis axis;
        axis.setExtent(Seconds(0.4));
        WordsPanel panel(&axis);
        panel.showWords(atNight(), {}, {});
        axis.setCursor(Seconds(0.15));
        panel.chooseBlock(WordsBlock::Self);
        QCOMPARE(panel.map()->currentWord(), 1);
        QCOMPARE(panel.readOutAt({}).front().value, QStringLiteral("night"));
        const widgets::TimeAxis* inputs = panel.inputTier()->axis();
        QCOMPARE(inputs->cursor(), std::optional(Seconds(1.5))); // it reads “at”, and “night” follows
        axis.setCursor(Seconds(0.05));
        QCOMPARE(panel.map()->currentWord(), 0);
        QCOMPARE(inputs->cursor(), std::optional(Seconds(0.5)));
        axis.setCursor(Seconds(0.3));
        QCOMPARE(panel.map()->currentWord(), -1);
        QVERIFY(!inputs->cursor());
        axis.setCursor(Seconds(0.15));
        panel.chooseBlock(WordsBlock::Cross);
        QCOMPARE(panel.map()->currentWord(), 1);
    }

    /// Whisper reads four tokens before the text: the column of the word's number among the pieces is one of these, or of another word.
    void theInputThatPredictsAWordIsBehindThePrompt() {
        widgets::TimeAxis axis;
        axis.setExtent(Seconds(0.4));
        WordsPanel panel(&axis);
        auto words = atNight();
        words->prompt = {QStringLiteral("<|start|>"), QStringLiteral("<|en|>"), QStringLiteral("<|notimestamps|>")};
        words->firstRow = 2;
        words->inputs = {1, 2, 3, 7};
        panel.showWords(words, {}, {});
        panel.chooseBlock(WordsBlock::Self);
        const auto marked = [&](Seconds cursor) {
            axis.setCursor(cursor);
            const Interval* input = panel.inputTier()->intervalAt(panel.inputTier()->axis()->cursor().value_or(Seconds(-1)));
            return input ? QString::fromStdString(input->label) : QString();
        };
        QCOMPARE(marked(Seconds(0.05)), QStringLiteral("<|notimestamps|>"));
        QCOMPARE(marked(Seconds(0.15)), QStringLiteral("at"));
    }

    /// Read-out wrote "2,063 ms", and the note beside it "1380 ms".
    void thousandsOfMillisecondsHaveACommaEverywhere() {
        widgets::TimeAxis axis;
        WordsPanel panel(&axis);
        auto words = std::make_shared<SpokenWords>();
        words->pieces = {{7, "at", -0.25, false}};
        words->words = {{"at", 0, 1, SpokenWords::Span{Seconds(2), Seconds(3)}, {}}};
        words->clock = TokenClock::affine(Seconds(0.05), Seconds(0.1));
        const auto map = std::make_shared<const MaxPyramid>(Matrix<float>(1, 40, 0.025F));
        words->cross = {{map}};
        words->means = {map};
        panel.showWords(words, {{Seconds(0.5), Seconds(1.5), "at"}}, {});
        QVERIFY2(panel.note()->sentence().contains(QStringLiteral("1,500\u202fms")), qPrintable(panel.note()->sentence()));
        QStringList shown;
        for (const auto* lane : panel.findChildren<widgets::TierLane*>())
            if (const Interval* interval = lane->intervalAt(Seconds(2.5)))
                shown << QString::fromStdString(interval->label);
        QVERIFY2(shown.contains(QStringLiteral("+1,500")), qPrintable(shown.join(QLatin1Char('|'))));
    }

    /// A CTC output behind a length adapter: the words are here, and "Finding the words…" stood for ever.
    void wordsWithoutAMapSayWhy() {
        widgets::TimeAxis axis;
        WordsPanel panel(&axis);
        auto words = std::make_shared<SpokenWords>();
        words->pieces = {{7, "at", -0.25, false}};
        words->words = {{"at", 0, 1, {}, {}}};
        words->ctcReason = QStringLiteral("The CTC output of small stands behind a length adapter.");
        panel.showWords(words, {}, QStringLiteral("Finding the words…"));
        QCOMPARE(panel.map()->accessibleDescription(), words->ctcReason);
    }

    /// Its list says "As heard", and it said "Heard" when it was closed.
    void theTextIsNamedByItsSourceInFull() {
        widgets::TimeAxis axis;
        WordsPanel panel(&axis);
        const auto name = [&] { return panel.textField()->itemText(0) + panel.textField()->itemData(0, widgets::ShortNamesCombo::kShortNameRole).toString(); };
        QCOMPARE(name(), QStringLiteral("As heard"));
        panel.setSource(true, {QStringLiteral("My")});
        QCOMPARE(name(), QStringLiteral("As written"));
        panel.setSource(false, {});
        QCOMPARE(name(), QStringLiteral("As heard"));
    }

    /// A text that the vocabulary cannot write, or maps without a decoder: nothing is by CTC, because there
    /// is none.
    void withoutWordsNothingIsByCtc() {
        widgets::TimeAxis axis;
        WordsPanel panel(&axis);
        panel.setModelName(QStringLiteral("small"));
        panel.showWords(nullptr, {}, QStringLiteral("The vocabulary of small cannot write the given text."));
        QCOMPARE(panel.map()->accessibleName(), QStringLiteral("Words of small"));
        QStringList labels;
        for (const ReadOutLine& line : panel.readOutAt({}))
            labels << line.label;
        QVERIFY2(labels.contains(QStringLiteral("From")) && labels.contains(QStringLiteral("Value there")),
                 qPrintable(labels.join(QLatin1Char('|'))));
        QVERIFY(labels.filter(QStringLiteral("CTC")).isEmpty() &&
                labels.filter(QStringLiteral("Probability")).isEmpty());
    }
};

HEADROOM_TEST(WordsPanelTest)

} // namespace headroom::testing::words_panel_test

#include "words_panel_test.moc"

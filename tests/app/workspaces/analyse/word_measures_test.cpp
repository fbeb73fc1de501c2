// SPDX-License-Identifier: GPL-3.0-or-later
// What the measures of mixing say about a text, and the tab that compares them.
#include "app/documents/items/why_no_map.h"
#include "app/workspaces/analyse/words/cross_heads_panel.h"
#include "app/workspaces/analyse/words/word_checks.h"
#include "app/workspaces/analyse/words/word_measures.h"
#include "app/workspaces/analyse/words/word_mixing_panel.h"
#include "core/studies/table.h"
#include "tests/support/runner.h"
#include "widgets/study_table/study_table_view.h"
#include "widgets/text_map/head_maps.h"
#include "widgets/text_map/measure_tiles.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QLabel>
#include <QTest>

#include <cmath>

namespace headroom::testing::word_measures_test {

using namespace headroom::app;
using widgets::TimeSpan;

namespace {

std::shared_ptr<const MaxPyramid> mapOf(std::vector<float> values) {
    return std::make_shared<const MaxPyramid>(Matrix<float>(2, 10, std::move(values)));
}

/// Two words of one piece each over ten tokens of 0.1 s centred at 0.05, 0.15 …; the end is left out.
std::shared_ptr<const SpokenWords> twoWords() {
    auto words = std::make_shared<SpokenWords>();
    words->pieces = {{7, "one", -1, false}, {8, "two", -1, false}};
    words->words = {{"one", 0, 1, SpokenWords::Span{Seconds(0), Seconds(0.3)}, {}},
                    {"two", 1, 2, SpokenWords::Span{Seconds(0.3), Seconds(1)}, {}}};
    words->clock = TokenClock::affine(Seconds(0.05), Seconds(0.1));
    words->inputs = {2, 7};
    words->cross = {{mapOf(std::vector<float>(20, 0.1F))}};
    words->means = {words->cross[0][0]};
    return words;
}

/// The whole of row 0 at token 1 (0.15 s), that of row 1 half at token 4 (0.45 s), half at token 8 (0.85 s): 0.65 s.
std::shared_ptr<const MaxPyramid> sharpMap() {
    std::vector<float> values(20, 0);
    values[1] = 1;
    values[14] = values[18] = 0.5F;
    return mapOf(values);
}

} // namespace

class WordMeasuresTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWordIsFoundWhereItsCentreIsNearItsReference() {
        const auto words = twoWords();
        const WordReferences references{TimeSpan{Seconds(0.1), Seconds(0.2)}, TimeSpan{Seconds(0.8), Seconds(0.9)}};
        QCOMPARE(shareOfWordsFound(*words, references, *sharpMap()), 0.5); // 0.65 s is 150 ms before 0.8 s
        QCOMPARE(shareOfWordsFound(*words, references, *sharpMap(), Seconds(0.16)), 1.0);
        QCOMPARE(shareOfWordsFound(*words, {std::nullopt, references[1]}, *sharpMap()), 0.0);
        QVERIFY(std::isnan(shareOfWordsFound(*words, {}, *sharpMap())));
    }

    void mapsAgreeByTheOrderInTheirRows() {
        std::vector<float> up(20), down(20);
        for (std::size_t i = 0; i < 20; ++i) {
            up[i] = static_cast<float>(i % 10);
            down[i] = i < 10 ? up[i] * up[i] : -up[i]; // the same order, the opposite one
        }
        QCOMPARE(rankCorrelationOf(*mapOf(up), *mapOf(up)), 1.0);
        QCOMPARE(rankCorrelationOf(*mapOf(up), *mapOf(down)), 0.0);
        QVERIFY(std::isnan(rankCorrelationOf(*mapOf(up), MaxPyramid(Matrix<float>(1, 10)))));
    }

    void theQuickMeasuresAreThoseOfOnePass() {
        QCOMPARE(quickWordMeasures(), (std::vector<std::string>{"attention", "attention-norm", "contributions", "alti"}));
        QCOMPARE(wordMeasures().size(), std::size_t(6));
    }

    void aShareIsOneNumberInTheMapsAndInTheTable() {
        SpokenWords words = *twoWords(); // and six more of the last piece: 1 of 8 is found, 12.5 %
        words.words.resize(8, words.words.back());
        WordReferences references(8, TimeSpan{Seconds(0.8), Seconds(0.9)});
        references[0] = TimeSpan{Seconds(0.1), Seconds(0.2)};
        DecoderLayerState state;
        state.measures["attention"] = {sharpMap(), {}, 0.4};
        WordMixingPanel panel;
        panel.show({std::make_shared<const SpokenWords>(words), {}, &state, 1, references, -1, {}});
        const QString inTable = panel.table()->model()->index(0, 2).data().toString();
        QCOMPARE(std::get<double>(panel.table()->selectedTable(2).rows[0][2]), 12.5);
        QCOMPARE(panel.tiles()->tiles()[0].note, inTable + QStringLiteral("\u202f%"));
    }

    void theTabShowsWhatIsThereAndOffersTheRest() {
        WordMixingPanel panel;
        const auto words = twoWords();
        DecoderLayerState state;
        state.measures["attention"] = {sharpMap(), {}, 0.4};
        state.measures["value-zeroing"] = {sharpMap(), {}, 212};
        state.measures["alti"] = {nullptr, QStringLiteral("It has none."), NAN};
        state.asked = {"contributions"};
        panel.show({words, {}, &state, 1, {TimeSpan{Seconds(0.1), Seconds(0.2)}, std::nullopt}, 0, "value-zeroing"});
        const auto& tiles = panel.tiles()->tiles();
        QCOMPARE(tiles[0].note, QStringLiteral("100\u202f%"));
        QVERIFY(tiles[1].sentence.contains("Click"));
        QVERIFY(tiles[2].sentence.contains("Computing"));
        QCOMPARE(tiles[3].sentence, QStringLiteral("It has none."));
        QCOMPARE(panel.tiles()->current(), 4);
        QVERIFY(!panel.cancelButton()->isHidden());
        const StudyTable table = panel.table()->selectedTable(2);
        QCOMPARE(std::get<double>(table.rows[0][3]), 1.0); // all of “one” inside its time
        QCOMPARE(std::get<double>(table.rows[0][4]), 1.0);
        QCOMPARE(std::get<double>(table.rows[0][5]), 0.4);
        QVERIFY(std::holds_alternative<std::monostate>(table.rows[4][4])); // not with itself
        QVERIFY(std::holds_alternative<std::monostate>(table.rows[5][5]));
        QVERIFY2(panel.note().contains("(1 word)"), qPrintable(panel.note()));
        QVERIFY2(panel.note().startsWith("Cross-attention of decoder layer 1, its only head."), qPrintable(panel.note()));

        QSignalSpy chosen(&panel, &WordMixingPanel::measureChosen), cancelled(&panel, &WordMixingPanel::cancelled);
        panel.resize(600, 600);
        QTest::mouseClick(panel.tiles(), Qt::LeftButton, {}, panel.tiles()->tileRect(5).center());
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.front().front().value<std::string>(), std::string("rollout-attention"));
        panel.cancelButton()->click();
        QCOMPARE(cancelled.count(), 1);
    }

    void arrowKeysInTheTableOnlyMoveTheRow() {
        WordMixingPanel panel;
        DecoderLayerState state;
        state.measures["attention"] = {sharpMap(), {}, 0.4};
        const WordMixingPanel::Content content{twoWords(), {}, &state, 1, {std::nullopt, std::nullopt}, -1, {}};
        panel.show(content);
        panel.resize(600, 600);
        QSignalSpy chosen(&panel, &WordMixingPanel::measureChosen);
        QTest::keyClick(panel.table(), Qt::Key_Down);
        panel.show(content); // as an answer of the worker does
        QCOMPARE(panel.table()->currentRow(), 1);
        QTest::keyClick(panel.table(), Qt::Key_Down);
        QVERIFY(chosen.isEmpty());
        QTest::keyClick(panel.table(), Qt::Key_Return);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.front().front().value<std::string>(), nameOf(wordMeasures()[2]));
    }

    /// The last row of the table was cut in half, with a gap above it twice as wide as between the tiles.
    void theTableBeginsWhereTheTilesEnd() {
        WordMixingPanel panel;
        DecoderLayerState state;
        state.measures["attention"] = {sharpMap(), {}, 0.4};
        panel.show({twoWords(), {}, &state, 2, {std::nullopt, std::nullopt}, -1, {}});
        panel.resize(545, 468);
        panel.QWidget::show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QCoreApplication::processEvents();
        QCOMPARE(panel.table()->y(), panel.tiles()->y() + panel.tiles()->height()); // which have a gap below their titles
    }

    void withoutReferencesNoWordIsCalledFound() {
        WordMixingPanel panel;
        DecoderLayerState state;
        state.measures["attention"] = {sharpMap(), {}, 0.4};
        panel.show({twoWords(), {}, &state, 1, {std::nullopt, std::nullopt}, -1, {}});
        QCOMPARE(panel.tiles()->tiles()[0].note, QStringLiteral("–"));
        QVERIFY(panel.note().contains("Add an alignment"));
        WordMixingPanel::Content unheard{twoWords(), {}, &state, 1, {std::nullopt, std::nullopt}, -1, {}};
        unheard.aligned = true; // and none of its words is among these
        panel.show(unheard);
        QVERIFY2(panel.note().contains("None of these words is in the alignment") && !panel.note().contains("Add an alignment"),
                 qPrintable(panel.note()));
        QVERIFY(panel.cancelButton()->isHidden());
    }

    void aWordWithoutATokenIsNotSaidToBeMissingInTheAlignment() {
        WordMixingPanel panel;
        const auto note = [&](std::size_t without) {
            SpokenWords words = *twoWords();
            for (std::size_t place = 0; place < without; ++place)
                words.words[place].attention = SpokenWords::Span{Seconds(0.3), Seconds(0.3)};
            WordMixingPanel::Content content{std::make_shared<const SpokenWords>(words), {}, nullptr, 1, {std::nullopt, std::nullopt}, -1, {}};
            content.aligned = true;
            panel.show(content);
            return panel.note();
        };
        QVERIFY2(note(1).contains("The word “one” has no token, and none of the others is in the alignment"), qPrintable(panel.note()));
        QVERIFY2(note(2).contains("None of these words has a token, so none is counted."), qPrintable(panel.note()));
        QVERIFY2(note(0).contains("None of these words is in the alignment"), qPrintable(panel.note()));
    }

    void theWordsOfATextAreNotToBeAligned() {
        WordMixingPanel panel;
        DecoderLayerState state;
        WordMixingPanel::Content content{twoWords(), {}, &state, 1, {std::nullopt, std::nullopt}, -1, {}};
        content.isText = true;
        panel.show(content);
        QVERIFY2(!panel.note().contains("alignment") && panel.note().contains("have no times"), qPrintable(panel.note()));
    }

    void theChecksOfADecoderLayerAreItsOwn() {
        const auto words = twoWords();
        DecoderLayerState state;
        QCOMPARE(wordChecks(words.get(), WordsBlock::Cross, &state, nullptr, TextChoice::Heard, Seconds(1)).front().state, Check::State::Unknown);
        state.checked = true;
        state.rowSumError = 1e-7;
        state.rebuildError = 0.5;
        const auto checks = wordChecks(words.get(), WordsBlock::Cross, &state, nullptr, TextChoice::Best, Seconds(1));
        QCOMPARE(checks[0].state, Check::State::Passed);
        QCOMPARE(checks[1].state, Check::State::Failed);
        QCOMPARE(checks[2].state, Check::State::Remark); // measured, and no number
        QCOMPARE(checks.back().value, QStringLiteral("best of a search"));
    }

    void theChecksNameTheirBlock() {
        const auto words = twoWords();
        for (const auto& [block, name] : {std::pair(WordsBlock::Cross, "cross-attention"), std::pair(WordsBlock::Self, "self-attention")}) {
            const auto checks = wordChecks(words.get(), block, nullptr, nullptr, TextChoice::Heard, Seconds(1));
            for (const int check : {0, 1})
                QVERIFY2(checks[check].toolTip.contains(name), qPrintable(checks[check].toolTip));
        }
    }

    void checksOfOneBlockAreNotThoseOfTheOther() {
        WordsState state;
        state.layers[{WordsBlock::Cross, 2}].checked = true;
        DecoderLayerState delivered;
        delivered.rowSumError = 0.25;
        delivered.reason = QStringLiteral("It has none.");
        delivered.checked = true;
        state.layers[{WordsBlock::Self, 2}].takeChecks(delivered);
        QVERIFY(std::isnan(state.layer(2, WordsBlock::Cross)->rowSumError));
        QCOMPARE(state.layer(2, WordsBlock::Self)->rowSumError, 0.25);
        QCOMPARE(state.layer(2, WordsBlock::Self)->reason, QStringLiteral("It has none."));
        QVERIFY(state.layer(1, WordsBlock::Self) == nullptr);
    }

    void theHeadsSayWhichOfThemTellTheTimes() {
        CrossHeadsPanel panel;
        QVERIFY(panel.detail().isEmpty() && panel.note().contains("appear with the words"));
        QCOMPARE(panel.findChild<QLabel*>()->text(), panel.note()); // before anything was shown
        OpenModel maps;
        maps.maps = true;
        panel.show(nullptr, 0, 0, WordsBlock::Cross, false, whyNoCrossAttention(maps)); // no words will come
        QCOMPARE(panel.findChild<QLabel*>()->text(), QStringLiteral("Imported maps have no decoder, so no text can be located in the sound."));
        OpenModel ctc; // its text may come or not, heads never will
        ctc.info.emplace();
        panel.show(nullptr, 0, 0, WordsBlock::Cross, false, whyNoCrossAttention(ctc));
        QCOMPARE(panel.note(), QStringLiteral("This model has no decoder, so there is no cross-attention."));
        ctc.info->architecture.decoder.emplace();
        QVERIFY(whyNoCrossAttention(ctc).isEmpty());
        auto words = std::make_shared<SpokenWords>(*twoWords());
        words->cross = {{sharpMap(), sharpMap()}, {sharpMap(), sharpMap()}};
        words->alignmentHeads = {{2, 1}, {2, 2}};
        words->headsAreNamed = true;
        panel.show(words, 2, 1, WordsBlock::Cross, false);
        QCOMPARE(panel.detail(), QStringLiteral("2 layers × 2 heads"));
        QCOMPARE(panel.note(), QStringLiteral("2 heads, marked with a dot, give the word times: the model names them."));
        QCOMPARE(panel.maps()->current(), std::pair(2, 1));
        words = std::make_shared<SpokenWords>();
        ctc.info->architecture.decoder.reset();
        panel.show(words, 0, 0, WordsBlock::Cross, false, whyNoCrossAttention(ctc));
        QVERIFY(panel.detail().isEmpty() && panel.note().contains("no decoder"));
        QCOMPARE(panel.maps()->layers(), 0);
    }

    void aFixedWindowIsSaid() {
        OpenModel model;
        ModelDescription info;
        info.architecture.frontEnd.reads = InputKind::WhisperLogMel;
        model.info = info;
        const auto checks = wordChecks(nullptr, WordsBlock::Cross, nullptr, &model, TextChoice::Heard, Seconds(4.5));
        QCOMPARE(checks[3].name, QStringLiteral("Window of 30\u202fs"));
        QCOMPARE(checks[3].value, QStringLiteral("cut to 4.50\u202fs"));
        // The frames of an AST reach beyond their steps, as the banner counts that offers to analyse so much.
        auto& frontEnd = model.info->architecture.frontEnd;
        frontEnd.reads = InputKind::AstLogMel;
        frontEnd.windowFrames = 48;
        const auto ofAst = wordChecks(nullptr, WordsBlock::Cross, nullptr, &model, TextChoice::Heard, Seconds(0.5));
        QCOMPARE(ofAst[3].name, QStringLiteral("Window of 0.50\u202fs"));
        QCOMPARE(ofAst[3].value, QStringLiteral("filled"));
    }
};

HEADROOM_TEST(WordMeasuresTest)

} // namespace headroom::testing::word_measures_test

#include "word_measures_test.moc"

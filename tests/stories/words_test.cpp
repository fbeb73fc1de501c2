// SPDX-License-Identifier: GPL-3.0-or-later
// A text is followed into the sound and back: the demo's words, seen, heard and compared with its alignment.
#include "app/parts/actions.h"
#include "app/parts/checks_panel.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/common/metrics_note.h"
#include "app/workspaces/analyse/map/read_out_panel.h"
#include "app/workspaces/analyse/sound/sound_transport.h"
#include "app/workspaces/analyse/words/n_best_list.h"
#include "app/workspaces/analyse/words/cross_heads_panel.h"
#include "app/workspaces/analyse/words/word_mixing_panel.h"
#include "app/workspaces/analyse/words/words_panel.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"
#include "widgets/study_table/study_table_view.h"
#include "widgets/text_map/head_maps.h"
#include "widgets/text_map/measure_tiles.h"
#include "widgets/text_map/text_map_view.h"
#include "widgets/tiers/tier_lane.h"

#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>

namespace headroom::testing::words_test {

using namespace headroom::app;
using headroom::testing::Story;
using widgets::TextMapView;

namespace {

const QString kDemo = QStringLiteral(HEADROOM_SOURCE_DIR "/resources/demo/");

/// The demo is open, and its words are shown.
bool showWords(Story& story) {
    if (!story.openAndWait({kDemo + "demo.wav", Story::model()}))
        return false;
    story.window().actions().words->trigger();
    return story.quiet() && story.part<WordsPanel>()->isVisible();
}

void choose(QComboBox* field, int index) {
    field->setCurrentIndex(index);
    Q_EMIT field->activated(index);
}

int placeOf(const TextMapView& map, const QString& label) {
    for (std::size_t word = 0; word < map.words().size(); ++word)
        if (map.words()[word].label == label)
            return static_cast<int>(word);
    return -1;
}

} // namespace

class WordsStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theWordsThatTheModelHearsStandUnderTheSound() {
        Story story;
        QVERIFY2(showWords(story), qPrintable(story.messages()));
        auto* panel = story.part<WordsPanel>();
        QVERIFY2(panel->map()->hasMap(), qPrintable(panel->map()->accessibleDescription()));
        QCOMPARE(panel->map()->words().size(), std::size_t(12));
        QCOMPARE(panel->map()->rows().back().label, QStringLiteral("end"));
        QVERIFY(panel->attentionTier()->isVisible());
        QVERIFY(!panel->ctcTier()->isVisible()); // the demo has no CTC output
        QVERIFY(panel->differenceTier()->isVisible());
        QVERIFY2(panel->note()->sentence().contains("from the alignment (12 words)"),
                 qPrintable(panel->note()->sentence()));
        // On one axis with the sound: the box of a word begins where its time is on the ruler.
        const int place = placeOf(*panel->map(), "pictures");
        QVERIFY(place >= 0);
        const auto& word = panel->map()->words()[static_cast<std::size_t>(place)];
        QVERIFY(word.time && word.reference);
        QVERIFY(std::abs((word.time->start - word.reference->start).value()) < 0.15);
    }

    void aClickOnAWordSelectsAndPlaysIt() {
        qputenv("HEADROOM_AUDIO", "file:");
        Story story;
        QVERIFY2(showWords(story), qPrintable(story.messages()));
        auto* map = story.part<WordsPanel>()->map();
        const int place = placeOf(*map, "pictures");
        const auto& word = map->words()[static_cast<std::size_t>(place)];
        const QRectF row = map->rowRect(word.first);
        auto* transport = story.part<SoundTransport>();
        QTest::mouseClick(map, Qt::LeftButton, {}, QPoint(4, qRound(row.center().y()))); // on its label
        widgets::TimeAxis* axis = story.window().analyse()->axis();
        QVERIFY(axis->selection());
        QCOMPARE(axis->selection()->start.value(), word.time->start.value());
        QCOMPARE(axis->selection()->end.value(), word.time->end.value());
        QVERIFY2(transport->isPlaying(), qPrintable(story.messages()));
        QVERIFY(QTest::qWaitFor([&] { return !transport->isPlaying(); }, 60000));
        qunsetenv("HEADROOM_AUDIO");
        QVERIFY(axis->cursor()->value() <= word.time->end.value() + 1e-6);
        QCOMPARE(map->currentWord(), place); // still, at its end
        // The next word by the keyboard is selected, and not played.
        QTest::keyClick(map, Qt::Key_Down);
        QCOMPARE(map->currentWord(), place + 1);
        QVERIFY(!transport->isPlaying());
    }

    void theReadOutIsOfTheWordUnderTheCursorAndOfTheMapAgainAfterwards() {
        Story story;
        QVERIFY2(showWords(story), qPrintable(story.messages()));
        auto* map = story.part<WordsPanel>()->map();
        auto* readOut = story.part<ReadOutPanel>();
        const int place = placeOf(*map, "pictures");
        const auto& word = map->words()[static_cast<std::size_t>(place)];
        story.window().analyse()->axis()->setCursor(word.time->start);
        QCOMPARE(readOut->lines().front().label, QStringLiteral("Word"));
        QCOMPARE(readOut->lines().front().value, QStringLiteral("pictures"));
        for (const ReadOutLine& line : readOut->lines())
            if (line.label == QStringLiteral("Inside the word") || line.label == QStringLiteral("Log-probability"))
                QVERIFY2(line.value != QStringLiteral("–"), qPrintable(line.label));
        story.window().actions().words->trigger();
        QVERIFY(story.quiet());
        QCOMPARE(readOut->lines().front().label, QStringLiteral("Cursor (query)"));
    }

    void everyHeadIsSeenAtOnceAndChosen() {
        Story story;
        QVERIFY2(showWords(story), qPrintable(story.messages()));
        auto* panel = story.part<WordsPanel>();
        auto* heads = story.part<CrossHeadsPanel>();
        widgets::HeadMaps* grid = heads->maps();
        QTRY_VERIFY_WITH_TIMEOUT(grid->isVisible(), 60000);
        QCOMPARE(grid->layers(), panel->layerField()->count());
        QCOMPARE(heads->detail(), QStringLiteral("2 layers × 4 heads"));
        QVERIFY(heads->note().startsWith("4 heads, marked with a dot"));
        const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_HEADS");
        if (!picture.isEmpty())
            QVERIFY(grid->grab().save(picture));
        QTest::mouseClick(grid, Qt::LeftButton, {}, grid->cellRect(1, 2).center());
        QCOMPARE(panel->choice().layer, 1);
        QCOMPARE(panel->choice().head, 2);
        QCOMPARE(panel->layerField()->currentIndex(), 0);
        QCOMPARE(panel->headField()->currentIndex(), 2);
        QVERIFY(story.quiet());
        // By the keyboard: one to the left, and Enter.
        QCOMPARE(grid->current(), std::pair(1, 2));
        QTest::keyClick(grid, Qt::Key_Left);
        QCOMPARE(grid->accessibleDescription().left(23), QStringLiteral("Decoder layer 1, head 1"));
        QTest::keyClick(grid, Qt::Key_Return);
        QCOMPARE(panel->choice().head, 1);
        story.window().actions().words->trigger();
        QVERIFY(story.quiet());
        QVERIFY(!grid->isVisible());
    }

    void theMeasuresOfMixingAreComparedAndShown() {
        Story story;
        QVERIFY2(showWords(story), qPrintable(story.messages()));
        auto* panel = story.part<WordsPanel>();
        auto* mixing = story.part<WordMixingPanel>();
        auto* tabs = story.window().findChild<QTabWidget*>(QStringLiteral("analysisTabs"));
        QCOMPARE(tabs->widget(0), mixing);
        QCOMPARE(tabs->tabText(0), QStringLiteral("Mixing"));
        tabs->setCurrentIndex(0);
        QVERIFY(story.quiet());
        // Four come at once, the slow ones when they are clicked.
        const auto has = [&](int tile) { return mixing->tiles()->tiles().at(static_cast<std::size_t>(tile)).map != nullptr; };
        for (const int quick : {0, 1, 2, 3})
            QVERIFY(has(quick));
        QVERIFY(!has(4) && !has(5));
        QCOMPARE(mixing->tiles()->current(), 0); // the mean of the heads is attention
        for (const int slow : {4, 5}) {
            QTest::mouseClick(mixing->tiles(), Qt::LeftButton, {}, mixing->tiles()->tileRect(slow).center());
            QVERIFY(story.quiet());
            QVERIFY(has(slow));
            QCOMPARE(mixing->tiles()->current(), slow);
            QVERIFY(panel->map()->hasMap());
        }
        QCOMPARE(panel->choice().measure, std::string("rollout-attention"));
        QVERIFY(story.window().findChild<AnalyseWorkspace*>()->statusText().contains("Rollout of the cross-attention"));
        QVERIFY(panel->map()->accessibleName().startsWith("Rollout of the cross-attention"));
        // Every measure has its numbers; value zeroing is not compared with itself.
        const StudyTable table = mixing->table()->selectedTable(2);
        QCOMPARE(table.rows.size(), std::size_t(6));
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            const double words = std::get<double>(table.rows[row][2]);
            QVERIFY(words >= 0 && words <= 100);
            QCOMPARE(std::holds_alternative<double>(table.rows[row][4]), row != 4);
            QVERIFY(std::get<double>(table.rows[row][5]) >= 0);
        }
        // A head is none of them, and the tab goes with the words.
        choose(panel->headField(), 1);
        QVERIFY(story.quiet());
        QCOMPARE(mixing->tiles()->current(), -1);
        story.window().actions().words->trigger();
        QVERIFY(story.quiet());
        QVERIFY(tabs->indexOf(mixing) < 0);
        // What is hidden keeps no map; it is there again with the words.
        QVERIFY(mixing->tiles()->tiles().empty());
        QVERIFY(!panel->map()->hasMap());
        QCOMPARE(story.part<CrossHeadsPanel>()->maps()->layers(), 0);
        story.window().actions().words->trigger();
        QVERIFY(story.quiet());
        QVERIFY(panel->map()->hasMap());
        QCOMPARE(panel->choice().head, 1);
    }

    void theChecksAreThoseOfTheDecoderLayer() {
        Story story;
        QVERIFY2(showWords(story), qPrintable(story.messages()));
        const auto* checks = story.part<ChecksPanel>();
        for (const int check : {0, 1, 2})
            QCOMPARE(checks->checks().at(check).state, Check::State::Passed);
        QCOMPARE(checks->checks().back().value, QStringLiteral("greedy"));
        choose(story.part<WordsPanel>()->textField(), 1);
        QVERIFY(story.quiet());
        QCOMPARE(checks->checks().back().value, QStringLiteral("as given"));
        story.window().actions().words->trigger();
        QVERIFY(story.quiet());
        QCOMPARE(checks->checks().back().name, QStringLiteral("Alignment"));
    }

    void theTextOfTheAlignmentCanBeFollowedToo() {
        Story story;
        QVERIFY2(showWords(story), qPrintable(story.messages()));
        auto* panel = story.part<WordsPanel>();
        const std::size_t pieces = panel->map()->rows().size();
        choose(panel->textField(), 1);
        QVERIFY(story.quiet());
        QVERIFY(panel->map()->hasMap());
        QCOMPARE(panel->map()->rows().size(), pieces - 1); // no full stop in an alignment
        QCOMPARE(panel->map()->words().back().label, QStringLiteral("night"));
    }

    void theBestTextsAreListedAndTheirWordsAreHeard() {
        qputenv("HEADROOM_AUDIO", "file:");
        Story story;
        QVERIFY2(showWords(story), qPrintable(story.messages()));
        auto* panel = story.part<WordsPanel>();
        QVERIFY(!panel->nBest()->isVisible());
        choose(panel->textField(), 2);
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        QVERIFY(panel->nBest()->isVisible());
        const auto& hypotheses = panel->nBest()->hypotheses();
        QVERIFY(hypotheses.size() > 1);
        QVERIFY(hypotheses[0].score > hypotheses[1].score);
        const QString text = panel->nBest()->toPlainText();
        QVERIFY2(text.contains("pictures") && text.contains("\u2212"), qPrintable(text)); // ln P is below 0
        QVERIFY(panel->nBest()->toHtml().contains("underline") || panel->nBest()->toHtml().contains("line-through"));
        QVERIFY(panel->map()->hasMap()); // of the best one
        // A word of the second text is selected and played.
        Q_EMIT panel->nBest()->anchorClicked(QUrl(QStringLiteral("1/2")));
        const auto selection = story.window().analyse()->axis()->selection();
        QVERIFY(selection);
        QCOMPARE(selection->start.value(), hypotheses[1].words[2].time->start.value());
        QVERIFY2(story.part<SoundTransport>()->isPlaying(), qPrintable(story.messages()));
        story.part<SoundTransport>()->stop();
        qunsetenv("HEADROOM_AUDIO");
        choose(panel->textField(), 0);
        QVERIFY(story.quiet());
        QVERIFY(!panel->nBest()->isVisible());
    }

    void everyLayerAndHeadHasItsMap() {
        Story story;
        QVERIFY2(showWords(story), qPrintable(story.messages()));
        auto* panel = story.part<WordsPanel>();
        QCOMPARE(panel->layerField()->count(), 2);
        QCOMPARE(panel->layerField()->currentIndex(), 1); // the last one
        QCOMPARE(panel->headField()->count(), 1 + 4 + 5); // the mean, the heads, other measures of mixing
        QCOMPARE(panel->headField()->itemText(4), QStringLiteral("Head 4"));
        QCOMPARE(panel->headField()->itemText(5), QStringLiteral("Attention × norm"));
        const double mean = panel->map()->range().high;
        choose(panel->headField(), 2);
        const double second = panel->map()->range().high;
        choose(panel->layerField(), 0);
        QVERIFY(mean != second && second != panel->map()->range().high);
        QVERIFY(panel->map()->accessibleName().contains("decoder layer 1"));
    }

    void theMapOfTheLayersComesBack() {
        Story story;
        QVERIFY2(showWords(story), qPrintable(story.messages()));
        story.window().actions().compare->trigger();
        QVERIFY(!story.window().actions().words->isChecked());
        QVERIFY(!story.part<WordsPanel>()->isVisible());
        story.window().actions().words->trigger();
        QVERIFY(!story.window().actions().compare->isChecked());
        QVERIFY(story.part<WordsPanel>()->isVisible());
    }

    void aModelWithoutDecoderShowsItsCtcOutput() {
        Story story;
        const QString model = QStringLiteral(HEADROOM_SOURCE_DIR "/tests/data/parity/encoders/wav2vec2");
        QVERIFY(story.openAndWait({kDemo + "demo.wav", model}));
        story.window().actions().words->trigger();
        QVERIFY(story.quiet());
        auto* panel = story.part<WordsPanel>();
        QVERIFY2(panel->map()->hasMap(), qPrintable(panel->map()->accessibleDescription()));
        QVERIFY(panel->ctcTier()->isVisible() && !panel->attentionTier()->isVisible());
        QCOMPARE(panel->layerField()->currentText(), QStringLiteral("CTC output"));
        QVERIFY(!panel->layerField()->isEnabled() && !panel->headField()->isEnabled());
        QVERIFY(panel->note()->sentence().contains("has no decoder"));
    }

    void aModelOfBytesAndAFixedWindowIsFollowedToo() {
        Story story;
        const QString model = QStringLiteral(HEADROOM_SOURCE_DIR "/tests/data/parity/encoders/whisper-small");
        QVERIFY(story.openAndWait({kDemo + "demo.wav", model}));
        story.window().actions().words->trigger();
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        auto* panel = story.part<WordsPanel>();
        QVERIFY2(panel->map()->hasMap(), qPrintable(panel->map()->accessibleDescription()));
        // The pieces that the model writes, without its prompt; a byte that is no letter has the name of its
        // piece.
        QStringList labels;
        for (const widgets::TextRow& row : panel->map()->rows()) {
            QVERIFY2(!row.label.startsWith("<|") && !row.label.contains(QChar::ReplacementCharacter),
                     qPrintable(row.label));
            labels << row.label;
        }
        QCOMPARE(labels.size(), 11);
        QCOMPARE(labels.front(), QStringLiteral("~"));
        QCOMPARE(labels.back(), QStringLiteral("end"));
        QCOMPARE(panel->map()->words().size(), std::size_t(1));
        // The window of 30 s is cut to the recording, in times and in the checks.
        const double length = story.session().currentUtterance()->recording->duration().value();
        const auto& word = panel->map()->words().front();
        QVERIFY(word.time && word.time->start.value() >= 0 && word.time->end.value() <= length + 0.02);
        QVERIFY(panel->attentionTier()->isVisible() && !panel->ctcTier()->isVisible());
        const auto* checks = story.part<ChecksPanel>();
        for (const int check : {0, 1, 2})
            QCOMPARE(checks->checks().at(check).state, Check::State::Passed);
        QCOMPARE(checks->checks().at(3).name, QStringLiteral("Window of 30\u202fs"));
        QVERIFY2(checks->checks().at(3).value.startsWith("cut to "),
                 qPrintable(checks->checks().at(3).value));
        QCOMPARE(panel->layerField()->count(), 2);
        QCOMPARE(panel->headField()->count(), 1 + 2 + 5);
    }

    void aFigureShowsTheWordsInPlaceOfTheMap() {
        Story story;
        QVERIFY2(showWords(story), qPrintable(story.messages()));
        story.answers().file = story.path("words.svg");
        story.window().actions().exportFigure->trigger();
        QFile file(story.path("words.svg"));
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(story.messages()));
        const QString svg = QString::fromUtf8(file.readAll()).simplified();
        QVERIFY(svg.contains("pictures") && svg.contains("start, ms"));
        QVERIFY(svg.contains("Cross-attention of decoder layer 2"));
        QVERIFY(!svg.contains("attending (query)")); // the axis of the other map
    }

    void theViewOfASessionKeepsTheWords() {
        Story story;
        QVERIFY2(showWords(story), qPrintable(story.messages()));
        auto* panel = story.part<WordsPanel>();
        choose(panel->headField(), 3);
        choose(panel->layerField(), 0);
        choose(panel->textField(), 2);
        const WordsChoice chosen = panel->choice();
        const nlohmann::json view = story.window().analyse()->viewState();
        choose(panel->textField(), 0);
        choose(panel->headField(), 0);
        story.window().actions().words->trigger();
        QVERIFY(!panel->isVisible());
        story.window().analyse()->restoreView(view);
        QVERIFY(story.quiet());
        QVERIFY(panel->isVisible());
        QVERIFY(panel->choice() == chosen);
        QCOMPARE(panel->headField()->currentIndex(), 3);
        QCOMPARE(panel->layerField()->currentIndex(), 0);
        // A view that somebody else wrote keeps no window from opening.
        story.window().analyse()->restoreView({{"words", 3}, {"wordsShown", "yes"}});
        QVERIFY(story.quiet());
    }

    void anUtteranceWithoutAlignmentHasWordsAndNoDistance() {
        Story story;
        const QString copy = story.path("alone.wav");
        QVERIFY(QFile::copy(kDemo + "demo.wav", copy));
        QVERIFY(story.openAndWait({copy, Story::model()}));
        story.window().actions().words->trigger();
        QVERIFY(story.quiet());
        auto* panel = story.part<WordsPanel>();
        QVERIFY(panel->attentionTier()->isVisible());
        QVERIFY(!panel->differenceTier()->isVisible());
        QVERIFY(panel->note()->sentence().contains("no aligned words to compare"));
    }
};

HEADROOM_TEST(WordsStory)

} // namespace headroom::testing::words_test

#include "words_test.moc"

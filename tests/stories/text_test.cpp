// SPDX-License-Identifier: GPL-3.0-or-later
// A model that reads text: a sentence typed and analysed, its translation followed, its draft trained and opened again.
#include "app/documents/drafts/drafts.h"
#include "app/documents/items/paths.h"
#include "app/jobs/analysis_service.h"
#include "app/parts/actions.h"
#include "app/parts/banner.h"
#include "app/parts/checks_panel.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/map/read_out_panel.h"
#include "app/workspaces/analyse/sound/text_fields.h"
#include "app/workspaces/analyse/sound/time_column.h"
#include "app/workspaces/analyse/words/words_panel.h"
#include "core/analysis/diagonality.h"
#include "core/tensors/npy.h"
#include "tests/stories/text_story.h"
#include "tests/support/runner.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/text_map/text_map_view.h"
#include "widgets/tiers/tier_lane.h"
#include "widgets/waveform/waveform_lane.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <fstream>
#include <numeric>
#include <string>

namespace headroom::testing::text_test {

using namespace headroom::app;

class TextStory : public QObject, private TextModelFolder {
    Q_OBJECT

    /// Of the banner over the map, without the cross.
    static QList<QPushButton*> buttonsOf(Story& story) {
        return story.part<MatrixPanel>()->banner()->findChildren<QPushButton*>();
    }

private Q_SLOTS:
    void initTestCase() { QCOMPARE(make(), QString()); }

    void aTypedSentenceIsTheAxisOfTheMaps() {
        Story story;
        QVERIFY2(typed(story), qPrintable(story.messages()));
        const AnalysisResult* result = story.result();
        const auto tokens = result->tokens.value();
        QCOMPARE(result->sourcePieces.size(), tokens);
        QCOMPARE(result->sourcePieces.back(), QStringLiteral("</s>"));
        const widgets::TimeAxis* axis = story.window().analyse()->axis();
        QVERIFY(axis->countsTokens());
        QCOMPARE(axis->extent().value(), static_cast<double>(tokens));
        const auto* column = story.part<TimeColumn>();
        QVERIFY(!column->waveform()->isVisible() && column->words()->isVisible());
        for (int token = 0; token < tokens; ++token) {
            const Interval* piece = column->words()->intervalAt(Seconds(token + 0.5));
            QVERIFY(piece);
            QCOMPARE(QString::fromStdString(piece->label), pieceLabel(result->sourcePieces[token]));
        }
        const auto* matrix = story.part<MatrixPanel>()->matrix();
        QVERIFY(matrix->hasMatrix());
        const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_TEXT");
        if (!picture.isEmpty())
            QVERIFY(story.window().grab().save(picture));
    }

    void theReadOutNamesTheTokens() {
        Story story;
        QVERIFY2(typed(story), qPrintable(story.messages()));
        widgets::TimeAxis* axis = story.window().analyse()->axis();
        axis->setCursor(Seconds(1.5));
        axis->setPointer(Seconds(0.5));
        const auto lines = story.part<ReadOutPanel>()->lines();
        const QStringList& pieces = story.result()->sourcePieces;
        QCOMPARE(lines[0].value, QStringLiteral("%1, token 1").arg(pieces[1]));
        QCOMPARE(lines[1].value, QStringLiteral("%1, token 0").arg(pieces[0]));
        const float value = story.result()->layer(1)->contributions->level(0)(1, 0);
        QCOMPARE(lines[3].full, QString::number(static_cast<double>(value), 'g', 9));
    }

    void anEditedSentenceIsAnalysedAgain() {
        Story story;
        QVERIFY2(typed(story), qPrintable(story.messages()));
        const auto before = story.result()->tokens.value();
        type(story, QStringLiteral("We read."));
        QVERIFY(story.quiet());
        QVERIFY(story.result() && story.result()->tokens.value() < before);
        QCOMPARE(story.result()->source, QStringLiteral("We read."));
        QCOMPARE(story.window().analyse()->axis()->extent().value(), static_cast<double>(story.result()->tokens.value()));
    }

    void aCancelledTextIsAnalysedAgainFromTheBanner() {
        Story story;
        QVERIFY(story.openAndWait({path("run/model")}));
        const Actions& actions = story.window().actions();
        actions.newText->trigger();
        QVERIFY(!actions.analyseAgain->isEnabled());
        QCOMPARE(actions.analyseAgain->toolTip(), QStringLiteral("Type a text first."));
        type(story, QStringLiteral("The dog sees a cat."));
        story.window().analysis()->cancel(); // before the first layer, so the axis has no tokens
        QVERIFY(story.quiet());
        QCOMPARE(story.result()->state, AnalysisResult::State::Cancelled);
        QCOMPARE(story.window().analyse()->axis()->extent().value(), 0.0);
        QVERIFY(actions.analyseAgain->isEnabled() && actions.words->isEnabled());
        QCOMPARE(actions.toStart->toolTip(), QStringLiteral("This text has not been analysed yet."));
        const auto buttons = buttonsOf(story);
        QCOMPARE(buttons.size(), qsizetype(1));
        buttons.front()->click();
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        QCOMPARE(story.result()->state, AnalysisResult::State::Ready);
        QVERIFY(!story.part<MatrixPanel>()->banner()->isVisible());
    }

    void aTextThatIsTooLongIsNotOfferedAPart() {
        Story story;
        QVERIFY(story.openAndWait({path("run/model")}));
        story.window().actions().newText->trigger();
        const auto limit = story.session().currentModel()->info->maxSourceFrames;
        type(story, QStringLiteral("dog ").repeated(limit + 1));
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        QCOMPARE(story.result()->code, QStringLiteral("model.tooLong"));
        const Banner* banner = story.part<MatrixPanel>()->banner();
        QVERIFY(banner->isVisible());
        QVERIFY2(banner->text().contains("Cut it into sentences") && !banner->text().contains("waveform"), qPrintable(banner->text()));
        QVERIFY(buttonsOf(story).isEmpty());
        story.session().setPart(story.session().currentUtteranceId(), Part{Seconds(0), Seconds(1)});
        QVERIFY(!story.session().currentUtterance()->part);
    }

    void theTranslationStandsOverTheSource() {
        Story story;
        QVERIFY2(typed(story, QStringLiteral("Der Hund sieht eine Katze.")), qPrintable(story.messages()));
        story.window().actions().words->trigger();
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        auto* panel = story.part<WordsPanel>();
        chooseItem(panel->textField(), 1); // as given
        QVERIFY(story.quiet());
        const SpokenWords* words = story.result()->given.words.get();
        QVERIFY2(words, qPrintable(story.result()->given.sentence));
        QCOMPARE(words->text, QStringLiteral("Der Hund sieht eine Katze."));
        QVERIFY(panel->map()->hasMap());
        QCOMPARE(panel->map()->rows().size(), words->pieces.size());
        QCOMPARE(words->map(1, 1)->columns(), static_cast<std::size_t>(story.result()->tokens.value()));
        QVERIFY(!panel->attentionTier()->isVisible()); // a translation has no times
        chooseItem(panel->headField(), panel->headField()->findData("contributions"));
        QVERIFY(story.quiet());
        QCOMPARE(panel->choice().measure, std::string("contributions"));
        const WordsState& state = story.result()->given;
        const MeasuredWords* measured = state.measured(panel->shownLayer(), WordsBlock::Cross, "contributions");
        QVERIFY(measured && measured->map && measured->map->columns() == words->map(1, 1)->columns());
        for (std::size_t row = 0; row < measured->map->rows(); ++row) { // how the source's part is shared over its tokens
            double sum = 0;
            for (const float share : measured->map->level(0).row(row))
                sum += static_cast<double>(share);
            QVERIFY2(std::abs(sum - 1) < 1e-4, qPrintable(QString::number(sum)));
        }
        for (int layer = 1; layer <= words->layers(); ++layer) // nobody looked at self-attention
            QVERIFY(state.layer(layer, WordsBlock::Self) == nullptr);
        const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_TRANSLATION");
        if (!picture.isEmpty())
            QVERIFY(story.window().grab().save(picture));
    }

    void selfAttentionHasTheTextAsItsAxis() {
        Story story;
        QVERIFY2(typed(story, QStringLiteral("Der Hund sieht eine Katze.")), qPrintable(story.messages()));
        story.window().actions().words->trigger();
        QVERIFY(story.quiet());
        auto* panel = story.part<WordsPanel>();
        chooseItem(panel->textField(), 1);
        chooseItem(panel->blockField(), 1);
        QVERIFY(story.quiet());
        const SpokenWords* words = story.result()->given.words.get();
        QVERIFY(words);
        QCOMPARE(panel->map()->axis()->extent().value(), static_cast<double>(words->inputLabels().size()));
        QVERIFY(panel->map()->axis() != story.window().analyse()->axis());
        QVERIFY(panel->inputTier()->isVisible());
        const auto* heads = story.window().analyse()->findChild<QDockWidget*>(QStringLiteral("crossAttention"));
        QVERIFY(heads);
        QCOMPARE(heads->windowTitle(), QStringLiteral("Self-attention"));
        const auto map = words->map(1, 0, WordsBlock::Self);
        QCOMPARE(map->rows(), words->pieces.size());
        QCOMPARE(map->columns(), static_cast<std::size_t>(words->inputLabels().size()));
        for (std::size_t row = 0; row < map->rows(); ++row)
            for (std::size_t column = row + static_cast<std::size_t>(words->prompt.size()); column < map->columns(); ++column)
                QCOMPARE(map->level(0)(row, column), 0.0F); // no piece sees those behind it
        const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_SELF");
        if (!picture.isEmpty())
            QVERIFY(story.window().grab().save(picture));
        // The Read-out is that of this map: the word that is clicked, and the token under the mouse.
        QTest::mouseClick(panel->map(), Qt::LeftButton, {}, panel->map()->rowRect(words->words[1].first).center().toPoint());
        panel->map()->axis()->setPointer(Seconds(0.5));
        QTRY_COMPARE_WITH_TIMEOUT(story.part<ReadOutPanel>()->lines().front().value, words->words[1].label, 60000);
        const auto lines = story.part<ReadOutPanel>()->lines();
        QVERIFY2(lines[3].value.startsWith("</s>, token 0"), qPrintable(lines[3].value));
        double mean = 0;
        for (int row = words->words[1].first; row < words->words[1].end; ++row)
            mean += static_cast<double>(map->level(0)(std::size_t(row), 0)) / (words->words[1].end - words->words[1].first);
        QVERIFY(std::abs(lines[4].full.toDouble() - mean) < 1e-6);
        // Its checks are its own, and its contributions came with them.
        const auto* checks = story.part<ChecksPanel>();
        for (const int check : {0, 1, 2})
            QCOMPARE(checks->checks().at(check).state, Check::State::Passed);
        QVERIFY(checks->checks().front().toolTip.contains("self-attention"));
        const WordsState& state = story.result()->given;
        QVERIFY(state.layer(panel->shownLayer(), WordsBlock::Self)->checked);
        chooseItem(panel->headField(), panel->headField()->count() - 1);
        QVERIFY(story.quiet());
        QCOMPARE(panel->choice().head, kContributions);
        QVERIFY(panel->map()->hasMap());
        QVERIFY(panel->map()->accessibleName().startsWith("Contributions to the self-attention"));
        const MeasuredWords* shares = state.measured(panel->shownLayer(), WordsBlock::Self, "contributions");
        QVERIFY(shares && shares->map);
        QCOMPARE(shares->map->columns(), map->columns());
        chooseItem(panel->blockField(), 0);
        QVERIFY(panel->map()->axis() == story.window().analyse()->axis());
    }

    void aTextModelAndARecordingSayWhyNothingIsShown() {
        Story story;
        QVERIFY2(story.openAndWait({path("run/model"), story.utterance("hello")}), qPrintable(story.messages()));
        QVERIFY(!story.result() || story.result()->readyLayers() == 0);
        const auto* matrix = story.part<MatrixPanel>()->matrix();
        QVERIFY(!matrix->hasMatrix());
        QVERIFY2(matrix->emptySentence().contains("reads text, not recordings"), qPrintable(matrix->emptySentence()));
    }

    void aTextFileGivesATextForEachLineAndTheSessionKeepsThem() {
        std::ofstream(path("two.txt").toStdString()) << "The dog sees a cat.\n\nWe read.\n";
        const QString saved = path("texts.headroom");
        {
            Story story;
            QVERIFY2(story.openAndWait({path("run/model"), path("two.txt")}), qPrintable(story.messages()));
            QCOMPARE(story.session().utterances()->count(), 2);
            QVERIFY(story.result() && story.result()->readyLayers() == 2);
            story.session().setText(story.session().utterances()->at(1).id, "We read.", "Wir lesen.");
            story.session().saveAs(saved.toStdString());
        }
        Story story;
        story.session().openSession(saved.toStdString());
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        QCOMPARE(story.session().utterances()->count(), 2);
        QCOMPARE(story.session().utterances()->at(0).text, QStringLiteral("The dog sees a cat."));
        QCOMPARE(story.session().utterances()->at(1).target, QStringLiteral("Wir lesen."));
        QVERIFY(story.result() && story.result()->state == AnalysisResult::State::Ready);
    }

    void whatWasTypedAndNotConfirmedIsKept() {
        Story story;
        QVERIFY(story.openAndWait({path("run/model")}));
        story.window().actions().newText->trigger();
        const UtteranceId first = story.session().currentUtteranceId();
        QLineEdit* field = story.part<TimeColumn>()->textFields()->source();
        QTest::keyClicks(field, "The dog sees");
        story.session().addText(QStringLiteral("We read.")); // becomes the current one
        QCOMPARE(story.session().utterances()->find(first)->text, QStringLiteral("The dog sees"));
        QCOMPARE(field->text(), QStringLiteral("We read."));
        field->setFocus();
        field->setCursorPosition(0);
        QTest::keyClicks(field, "Today ");
        story.answers().file = path("typed.headroom");
        story.window().actions().saveSession->trigger();
        QCOMPARE(story.session().currentUtterance()->text, QStringLiteral("Today We read."));
        QVERIFY(!story.session().isModified());
    }

    void savingTakesFieldsOfTheSessionOnly() {
        Story story;
        QVERIFY(story.openAndWait({path("run/model")}));
        story.window().actions().newText->trigger();
        QLineEdit* source = story.part<TimeColumn>()->textFields()->source();
        QSignalSpy taken(source, &QLineEdit::editingFinished);
        source->setFocus();
        QTest::keyClicks(source, "We read.");
        QTest::keyClick(source, Qt::Key_Return);
        story.answers().file = path("fields.headroom");
        story.window().actions().saveSession->trigger();
        QCOMPARE(taken.count(), 1); // confirmed already
        QLineEdit other(&story.window());
        QSignalSpy finished(&other, &QLineEdit::editingFinished);
        other.show();
        other.setFocus();
        QTest::keyClicks(&other, "half of a word");
        QVERIFY(story.window().focusWidget() == &other && other.isModified());
        story.window().actions().saveSession->trigger();
        QCOMPARE(finished.count(), 0);
    }

    void aLineTooLongForTheFieldIsRefused() {
        std::ofstream(path("long.txt").toStdString()) << "We read.\n" << std::string(40000, 'a') << "\n";
        Story story;
        story.openAndWait({path("long.txt")});
        QCOMPARE(story.session().utterances()->count(), 0);
        QVERIFY2(story.messages().contains("Text 2 of") && story.messages().contains("32,767 characters"), qPrintable(story.messages()));
    }

    void exportedDataHasThePlacesOfTheTokens() {
        Story story;
        QVERIFY2(typed(story), qPrintable(story.messages()));
        story.answers().file = path("layer.npz");
        story.window().actions().exportData->trigger();
        std::vector<double> places;
        std::int64_t pieces = 0;
        for (const auto& [name, tensor] : readNpz(toPath(path("layer.npz")))) {
            if (name == "token_seconds")
                places = toDoubles(tensor.view());
            if (name == "source_pieces")
                pieces = tensor.shape[0];
        }
        QCOMPARE(pieces, story.result()->tokens.value());
        std::vector<double> expected(std::size_t(story.result()->tokens.value()));
        std::iota(expected.begin(), expected.end(), 0.0); // as the worker's analyse
        QCOMPARE(places, expected);
        story.answers().file = path("layer.csv");
        story.window().actions().exportData->trigger();
        QFile file(path("layer.csv"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray head = file.readLine(), row = file.readLine();
        QVERIFY(head.startsWith("query_token\\key_token,0,1,2") && head.endsWith(",piece\n"));
        QVERIFY(row.startsWith("0,") && row.endsWith(",\"" + story.result()->sourcePieces.front().toUtf8() + "\"\n"));
    }

    void aDraftIsTrainedAndOpensAgain() {
        Story story;
        QVERIFY2(typed(story), qPrintable(story.messages()));
        const ModelId origin = story.session().currentModelId();
        story.session().drafts()->setWindow({origin}, {1, 3});
        const LayerResult* layer = story.result()->layer(1);
        QVERIFY(diagonality(layer->profile, 3) < 1);
        const Architecture draft = story.session().drafts()->architecture({origin});
        std::ofstream(path("draft.json").toStdString()) << canonicalText(draft);
        QCOMPARE(train(path("draft.json"), path("narrow")), QString());
        QVERIFY2(story.openAndWait({path("narrow/model")}), qPrintable(story.messages()));
        const OpenModel* opened = story.session().currentModel();
        QVERIFY(opened && opened->id != origin);
        QCOMPARE(opened->ownWindow(1), std::optional<int>(3));
        QVERIFY(story.result() && story.result()->readyLayers() == 2);
        QVERIFY(std::abs(diagonality(story.result()->layer(1)->profile, 3) - 1) < 1e-5); // it sees no more
    }
};

HEADROOM_TEST(TextStory)

} // namespace headroom::testing::text_test

#include "text_test.moc"

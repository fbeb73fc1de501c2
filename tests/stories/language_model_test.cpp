// SPDX-License-Identifier: GPL-3.0-or-later
// A language model: a text is its time axis, its maps are causal, and its draft is a language model too.
#include "app/documents/drafts/drafts.h"
#include "app/documents/items/paths.h"
#include "app/parts/actions.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/map/read_out_panel.h"
#include "app/workspaces/analyse/sound/text_fields.h"
#include "app/workspaces/analyse/sound/time_column.h"
#include "core/analysis/diagonality.h"
#include "tests/stories/run_worker.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"
#include "widgets/layer_editor/layer_editor.h"
#include "widgets/matrix/matrix_view.h"

#include <QAction>
#include <QLineEdit>
#include <QTest>

#include <cmath>
#include <fstream>

namespace headroom::testing::language_model_story {

using namespace headroom::app;

namespace {

constexpr const char* kTiny = R"({ "format": "headroom/architecture", "version": 1, "name": "tiny language model",
  "languageModel": { "kind": "KIND", "layers": 2, "width": 32, OTHERS "dropout": 0.1 },
  "vocabulary": 512 })";

} // namespace

class LanguageModelStory : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    QString train(const QString& architecture, const QString& run) const {
        return runWorker({"train", "--architecture", architecture, "--recipe",
                     QStringLiteral(HEADROOM_SOURCE_DIR "/resources/recipes/demo-lm.json"), "--data", path("corpus"), "--run", run,
                          "--set", "task=\"lm_translate\"", "--set", "length.maxUpdates=4", "--set", "validation.everyUpdates=4",
                          "--set", "machine.threads=1", "--set", "data.maxBatchFrames=300"});
    }

    QString trainTiny(const char* kind, const char* others) const {
        QString text = QString::fromLatin1(kTiny);
        text.replace(QLatin1String("KIND"), QLatin1String(kind)).replace(QLatin1String("OTHERS"), QLatin1String(others));
        std::ofstream(path("tiny.json").toStdString()) << text.toStdString();
        return train(path("tiny.json"), path(kind));
    }

    bool typed(Story& story) const {
        if (!story.openAndWait({path("transformer/model")}))
            return false;
        story.window().actions().newText->trigger();
        QLineEdit* source = story.part<TimeColumn>()->textFields()->source();
        source->setText(QStringLiteral("The dog sees a cat."));
        QTest::keyClick(source, Qt::Key_Return);
        return story.quiet() && story.result() && story.result()->state == AnalysisResult::State::Ready;
    }

private Q_SLOTS:
    void initTestCase() {
        Story story; // names the worker
        QCOMPARE(runWorker({"corpus", "demo", "--text", "--sentences", "300", "--out", path("corpus")}), QString());
        QCOMPARE(trainTiny("transformer", R"("feedForward": 48, "selfAttention": "2 masked",)"), QString());
        QCOMPARE(trainTiny("lstm", ""), QString());
    }

    void aTypedSentenceIsTheAxisOfItsCausalMaps() {
        Story story;
        QVERIFY2(typed(story), qPrintable(story.messages()));
        const AnalysisResult* result = story.result();
        const auto tokens = result->tokens.value();
        QCOMPARE(result->sourcePieces.size(), tokens);
        QCOMPARE(result->sourcePieces.front(), QStringLiteral("</s>")); // which starts every text
        QVERIFY(result->sourcePieces.back() != QStringLiteral("</s>"));
        QCOMPARE(story.window().analyse()->axis()->extent().value(), static_cast<double>(tokens));
        QCOMPARE(result->readyLayers(), 2);
        const LayerResult* layer = result->layer(1);
        const auto& map = layer->contributions->level(0);
        for (std::size_t row = 0; row < map.rows(); ++row) {
            double sum = 0;
            for (std::size_t column = 0; column < map.columns(); ++column) {
                sum += static_cast<double>(map(row, column));
                QVERIFY(column <= row || map(row, column) == 0.0F);
            }
            QVERIFY(std::abs(sum - 1) < 1e-5);
        }
        QVERIFY(story.part<MatrixPanel>()->matrix()->hasMatrix());
        const TextFields* fields = story.part<TimeColumn>()->textFields();
        QVERIFY(fields->source()->isVisibleTo(&story.window()) && !fields->target()->isVisibleTo(&story.window())); // it translates nothing
        const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_LANGUAGE_MODEL");
        if (!picture.isEmpty())
            QVERIFY(story.window().grab().save(picture));
    }

    void diagonalityAndTheReadOutAreThoseOfItsTokens() {
        Story story;
        QVERIFY2(typed(story), qPrintable(story.messages()));
        const LayerResult* layer = story.result()->layer(2);
        const int widest = 2 * int(story.result()->tokens.value()) - 1;
        QVERIFY(std::abs(diagonality(layer->profile, widest) - 1) < 1e-6);
        QVERIFY(diagonality(layer->profile, 1) < 1);
        widgets::TimeAxis* axis = story.window().analyse()->axis();
        axis->setCursor(Seconds(1.5));
        axis->setPointer(Seconds(0.5));
        const auto lines = story.part<ReadOutPanel>()->lines();
        QCOMPARE(lines[0].value, QStringLiteral("%1, token 1").arg(story.result()->sourcePieces[1]));
        QCOMPARE(lines[1].value, QStringLiteral("</s>, token 0"));
        QVERIFY(story.messages().isEmpty()); // that it writes no translation is no mistake
    }

    void itsDraftIsALanguageModelThatCanBeTrained() {
        Story story;
        QVERIFY2(typed(story), qPrintable(story.messages()));
        Drafts* drafts = story.session().drafts();
        const DraftKey key{story.session().currentModelId()};
        QCOMPARE(drafts->grid(key).layerCount(), 2);
        QVERIFY(drafts->write(key, {{1, 1, 1, QStringLiteral("local 3")}}));
        QVERIFY(drafts->grid(key).isMistaken(1) && !drafts->grid(key).isMistaken(2));
        QVERIFY(drafts->write(key, {{1, 1, 1, QStringLiteral("masked")}}));
        QVERIFY(drafts->grid(key).mistakes().empty());
        QVERIFY(drafts->setWindow(key, {1, 5}));
        QCOMPARE(toText(drafts->heads(key, 1)), std::string("2 masked 5"));
        QCOMPARE(toText(drafts->heads(key, 2)), std::string("2 masked"));
        const Architecture draft = drafts->architecture(key);
        QVERIFY(draft.languageModel);
        drafts->save(key, toPath(path("draft.json")));
        QCOMPARE(train(path("draft.json"), path("again")), QString());
        QVERIFY2(story.openAndWait({path("again/model")}), qPrintable(story.messages()));
        QCOMPARE(story.session().currentModel()->layerCount(), 2);
        QCOMPARE(toText(drafts->heads({story.session().currentModelId()}, 1)), std::string("2 masked 5"));
    }

    void designShowsItsLayers() {
        Story story;
        QVERIFY2(typed(story), qPrintable(story.messages()));
        story.window().actions().designWorkspace->trigger();
        QVERIFY(story.quiet());
        auto* editor = story.window().findChild<widgets::LayerEditor*>();
        QVERIFY(editor);
        QCOMPARE(editor->gridModel()->grid().layerCount(), 2);
        const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_LANGUAGE_DESIGN");
        if (!picture.isEmpty())
            QVERIFY(story.window().grab().save(picture));
    }

    void anLstmSaysWhyItIsNotShown() {
        Story story;
        story.openAndWait({path("lstm/model")});
        QCOMPARE(story.session().models()->at(0).state, OpenState::Failed);
        QVERIFY2(story.messages().contains("is an LSTM, which has no attention to analyse."), qPrintable(story.messages()));
    }
};

HEADROOM_TEST(LanguageModelStory)

} // namespace headroom::testing::language_model_story

#include "language_model_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Models of every family in the window: from the Hugging Face cache by “Open a model…”; dropped, drafted and
// given to Train. One of them goes round the whole loop.
#include "app/documents/drafts/drafts.h"
#include "app/documents/items/paths.h"
#include "app/parts/actions.h"
#include "app/parts/model_chooser.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_store.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/map/map_field.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/studies/study_panel.h"
#include "app/workspaces/analyse/studies/study_settings_rows.h"
#include "app/workspaces/analyse/windows/study_windows.h"
#include "app/workspaces/analyse/windows/windows_panel.h"
#include "app/workspaces/analyse/words/word_mixing_panel.h"
#include "app/workspaces/analyse/words/words_controller.h"
#include "app/workspaces/analyse/words/words_panel.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/recipe_model.h"
#include "app/workspaces/train/train_actions.h"
#include "app/workspaces/train/train_workspace.h"
#include "tests/stories/guide_pictures.h"
#include "tests/stories/story.h"
#include "tests/support/longer_ast.h"
#include "tests/support/runner.h"
#include "tests/training/worker/tone_corpus.h"
#include "widgets/matrix/layer_thumbnails.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/matrix/row_profile.h"
#include "widgets/study_table/study_table_view.h"
#include "widgets/text_map/measure_tiles.h"
#include "widgets/time_axis/time_axis.h"

#include <QAction>
#include <QApplication>
#include <QDropEvent>
#include <QListView>
#include <QMimeData>
#include <QPushButton>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QUrl>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace headroom::testing::families_test {

using namespace headroom::app;
using headroom::testing::Story;
namespace fs = std::filesystem;

namespace {

const QString kEncoders = QStringLiteral(HEADROOM_SOURCE_DIR "/tests/data/parity/encoders/");

/// A snapshot of links to the files of `folder`, as huggingface_hub makes them.
void addToCache(const fs::path& cache, const std::string& repository, const fs::path& folder) {
    const fs::path place = cache / repository, snapshot = place / "snapshots" / "0123abcd";
    fs::create_directories(snapshot);
    fs::create_directories(place / "refs");
    std::ofstream(place / "refs" / "main") << "0123abcd";
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.is_regular_file())
            fs::create_symlink(entry.path(), snapshot / entry.path().filename());
}

/// Waits until the dialogue of the cache is there, and uses it.
template <typename Use>
void whenItOpens(Use use) {
    auto* timer = new QTimer(qApp);
    QObject::connect(timer, &QTimer::timeout, qApp, [timer, use] {
        if (auto* chooser = qobject_cast<ModelChooser*>(QApplication::activeModalWidget())) {
            timer->deleteLater();
            use(*chooser);
        }
    });
    timer->start(20);
}

} // namespace

class FamiliesStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aModelOfTheCacheIsOpened() {
        const QTemporaryDir cache;
        addToCache(cache.path().toStdString(), "models--facebook--wav2vec2-tiny",
                   (kEncoders + "wav2vec2").toStdString());
        addToCache(cache.path().toStdString(), "models--microsoft--wavlm-tiny", (kEncoders + "wavlm").toStdString());
        const QByteArray before = qgetenv("HF_HUB_CACHE");
        qputenv("HF_HUB_CACHE", cache.path().toLocal8Bit());
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one", 2)}));
        const int models = story.session().models()->count();
        const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_FAMILIES");
        whenItOpens([picture](ModelChooser& chooser) {
            QCOMPARE(chooser.list()->model()->rowCount(), 2);
            chooser.list()->setCurrentIndex(chooser.list()->model()->index(1, 0));
            if (!picture.isEmpty())
                chooser.grab().save(picture + QStringLiteral(".chooser.png"));
            chooser.openButton()->click();
        });
        story.window().actions().openModel->trigger();
        QCOMPARE(story.answers().asked, 0); // no folder was asked for
        QVERIFY(story.quiet());
        QCOMPARE(story.session().models()->count(), models + 1);
        QVERIFY2(story.session().currentModel()->state == OpenState::Ready, qPrintable(story.messages()));
        QCOMPARE(story.session().currentModel()->name, QStringLiteral("wavlm-tiny"));
        QVERIFY(story.result() && story.result()->readyLayers() >= 2);
        if (!picture.isEmpty())
            story.window().grab().save(picture + QStringLiteral(".png"));

        whenItOpens([](ModelChooser& chooser) { chooser.folderButton()->click(); });
        story.answers().folder = kEncoders + "hubert-batch-norm";
        story.window().actions().openModel->trigger();
        QCOMPARE(story.answers().asked, 1);
        QVERIFY(story.quiet());
        QCOMPARE(story.session().currentModel()->name, QStringLiteral("hubert-batch-norm"));
        qputenv("HF_HUB_CACHE", before);
    }

    /// Models of 8, 2 and 1 layers, with 4 and 2 heads: each after each other, from its last layer and head, under every tab.
    void everyModelFollowsEveryOther() {
        Story story;
        QVERIFY2(story.openAndWait({story.utterance("one", 2), Story::model(), kEncoders + "whisper-small", kEncoders + "wav2vec2",
                                    kEncoders + "parakeet-rnnt"}),
                 qPrintable(story.messages()));
        Session& session = story.session();
        std::vector<ModelId> ids;
        for (int row = 0; row < session.models()->count(); ++row)
            ids.push_back(session.models()->at(row).id);
        QCOMPARE(ids.size(), std::size_t(4));
        QTabWidget* tabs = story.part<QTabWidget>("analysisTabs");
        QObject here;
        connect(&session, &Session::currentModelChanged, &here, [&] {
            const OpenModel* told = session.currentModel();
            QVERIFY(!told || !told->info || session.currentLayer() <= told->layerCount());
        });
        for (int tab = 0; tab < tabs->count(); ++tab) {
            tabs->setCurrentIndex(tab);
            for (const ModelId from : ids)
                for (const ModelId to : ids) {
                    if (from == to)
                        continue;
                    session.setMapSource({});
                    session.setCurrentModel(from);
                    session.setCurrentLayer(session.currentModel()->layerCount());
                    if (tab % 2 == 1)
                        session.setMapSource({MapSource::Kind::Head, session.currentModel()->info->architecture.encoder.layers.front().headCount()});
                    QVERIFY2(story.quiet(), qPrintable(story.messages()));
                    session.setCurrentModel(to);
                    QVERIFY2(story.quiet(), qPrintable(story.messages()));
                    const int layers = session.currentModel()->layerCount();
                    QVERIFY(session.currentLayer() <= layers);
                    QCOMPARE(story.part<widgets::LayerThumbnails>()->count(), layers);
                    QCOMPARE(story.part<widgets::LayerThumbnails>()->current(), session.currentLayer() - 1);
                    // The map of this head, or why there is none; never another name in the field.
                    auto* panel = story.part<MatrixPanel>();
                    const auto* field = panel->findChild<MapField*>();
                    const bool has = panel->matrix()->hasMatrix();
                    QCOMPARE(field->currentIndex() >= 0, has);
                    if (!has) {
                        QCOMPARE(panel->matrix()->emptySentence(), QStringLiteral("This layer has no head 4."));
                        QCOMPARE(field->placeholderText(), QStringLiteral("Head 4"));
                    }
                }
        }
        // What cannot be exported is said.
        session.setCurrentModel(ids[1]);
        session.setMapSource({MapSource::Kind::Head, 4});
        QVERIFY(story.quiet());
        story.window().actions().exportData->trigger();
        QVERIFY2(story.messages().contains(QStringLiteral("There is no map of this layer to export. This layer has no head 4.")), qPrintable(story.messages()));
        // The words too: of a decoder with fewer heads their mean is shown, and the tab says so.
        session.setMapSource({});
        session.setCurrentModel(ids[0]);
        story.window().actions().words->trigger();
        QVERIFY(story.quiet());
        story.part<WordsPanel>()->chooseHead(1, 4);
        QVERIFY(story.quiet());
        const auto* tiles = story.part<WordMixingPanel>()->tiles();
        QCOMPARE(tiles->current(), -1);
        story.part<WordsPanel>()->chooseMeasure("alti");
        QVERIFY(story.quiet());
        QVERIFY2(!story.part<WordsController>()->caption().contains(QStringLiteral("alti")), qPrintable(story.part<WordsController>()->caption()));
        story.part<WordsPanel>()->chooseHead(1, 4);
        session.setCurrentModel(ids[1]);
        QVERIFY(story.quiet());
        QCOMPARE(story.part<WordsPanel>()->headField()->currentText(), QStringLiteral("Mean of heads"));
        QCOMPARE(tiles->current(), 0);
    }

    /// The cells of large patches begin behind the cursor, which was said to be outside of the part that begins at it.
    void aPartFromTheCursorHasTheCursor() {
        Story story;
        QVERIFY(story.openAndWait({kEncoders + "ast-small", story.utterance("one", 2)}));
        widgets::TimeAxis* axis = story.window().analyse()->axis();
        axis->setCursor(Seconds(0.7));
        QVERIFY(story.quiet());
        const auto buttons = story.window().findChildren<QPushButton*>();
        const auto offer = std::find_if(buttons.begin(), buttons.end(), [](const QPushButton* button) {
            return button->text() == QStringLiteral("Analyse 0.50\u202fs from the cursor") && button->isVisible();
        });
        QVERIFY(offer != buttons.end());
        (*offer)->click();
        QVERIFY(story.quiet());
        QCOMPARE(axis->cursor()->value(), 0.7);
        QVERIFY(story.part<widgets::RowProfile>()->row() == Tokens(0));
        if (const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_FAMILIES"); !picture.isEmpty())
            story.window().grab().save(picture + QStringLiteral(".part.png"));
    }

    void everyFamilyIsDroppedExplainedAndDrafted_data() {
        QTest::addColumn<QString>("family");
        for (const char* family : {"speech-to-text", "wav2vec2", "hubert-batch-norm", "wavlm", "data2vec-audio",
                                   "whisper-small", "wav2vec2-bert-small", "parakeet-small", "espnet-e-branchformer",
                                   "ast"})
            QTest::newRow(family) << family;
    }
    void everyFamilyIsDroppedExplainedAndDrafted() {
        QFETCH(QString, family);
        Story story;
        if (writesGuide()) // a small picture, and higher than wide maps are
            story.window().resize(story.window().minimumSizeHint() + QSize(0, 160));
        const bool demo = family == QStringLiteral("speech-to-text");
        const QTemporaryDir place;
        const bool alone = family == QStringLiteral("ast"); // no output to train with
        if (alone)
            writeLongerAst(place.filePath(family).toStdString(), 400);
        const QString folder = demo ? Story::model() : alone ? place.filePath(family) : kEncoders + family;
        const QString sound = writesGuide() ? QStringLiteral(HEADROOM_SOURCE_DIR "/resources/demo/demo.wav")
                                            : story.utterance("one", 2);
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(folder), QUrl::fromLocalFile(sound)});
        QDropEvent drop(QPointF(800, 500), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QDragEnterEvent enter(QPoint(800, 500), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&story.window(), &enter);
        QVERIFY(enter.isAccepted());
        QCoreApplication::sendEvent(&story.window(), &drop);
        QVERIFY(story.quiet());
        QVERIFY2(story.session().currentModel() && story.session().currentModel()->state == OpenState::Ready,
                 qPrintable(story.messages()));
        QCOMPARE(story.session().currentModel()->name, demo ? QStringLiteral("demo") : family);
        QVERIFY2(story.result(), qPrintable(story.messages()));
        QCOMPARE(story.result()->state, AnalysisResult::State::Ready);
        QCOMPARE(story.result()->readyLayers(), story.session().currentModel()->layerCount());
        if (writesGuide()) {
            story.window().actions().showWindow->setChecked(false);
            QVERIFY(story.quiet());
            QCOMPARE(writeGuidePart(*story.part<MatrixPanel>(), QStringLiteral("family-") + family), QString());
            return;
        }
        // A window is drawn, and the draft goes to Train with the model's weights.
        const DraftKey draft{story.session().currentModelId()};
        story.session().drafts()->setWindow(draft, {1, 5});
        QVERIFY(story.quiet());
        QCOMPARE(story.session().drafts()->window(draft, 1), std::optional<int>(5));
        if (alone)
            return;
        QVERIFY(story.window().actions().trainThis->isEnabled());
        story.window().actions().trainThis->trigger();
        LaunchForm* form = story.window().train()->form();
        QVERIFY(form->chooseStart(StartChoice::Kind::Whole, story.session().currentModel()->folder));
        QVERIFY(story.quiet());
        auto mistakes = form->mistakes();
        for (const char* field : {"architecture", "start"})
            QCOMPARE(mistakes[QLatin1String(field)], QString());
    }

    void oneIsDraftedTrainedOpenedBesideItselfAndStudied() {
        const QTemporaryDir place;
        qputenv("HEADROOM_RUNS", place.filePath("runs").toLocal8Bit());
        qputenv("HEADROOM_STUDIES", place.filePath("studies").toLocal8Bit());
        qputenv("XDG_CACHE_HOME",
                place.filePath("cache").toLocal8Bit()); // what is measured must be measured here
        ToneCorpus corpus(toPath(place.filePath("corpus")), 8, 3);
        for (const char* split : {"train", "dev"}) { // fewer letters than tokens of 20 ms
            for (headroom::Utterance& utterance : corpus.utterances(split))
                utterance.text.resize(3);
            corpus.write(split);
        }
        Story story;
        const QString folder = kEncoders + QStringLiteral("wav2vec2");
        QVERIFY(story.openAndWait({toQString(corpus.folder() / "audio" / "dev0.wav"), folder}));
        const ModelId origin = story.session().currentModelId();
        QVERIFY(story.result() && !isLocal(*story.result(), 1));
        for (const int layer : {1, 2})
            story.session().drafts()->setWindow({origin}, {layer, kWindow});
        story.window().actions().trainThis->trigger();
        TrainWorkspace* train = story.window().train();
        fillForm(train->form(), corpus.folder(), toPath(folder));
        train->findChild<QPushButton*>(QStringLiteral("startRuns"))->click();
        const auto runs = [train]() -> const std::vector<widgets::RunItem>& {
            return train->store()->runs();
        };
        QVERIFY2(
            QTest::qWaitFor([&] { return !runs().empty() && runs().front().info.state != RunState::Running; },
                            240000),
            qPrintable(train->statusText()));
        const widgets::RunItem run = runs().front();
        QVERIFY2(run.info.state == RunState::Finished, run.info.error.c_str());
        QCOMPARE(run.update, kUpdates);

        train->actions().openResult->trigger();
        QVERIFY2(story.quiet(120000), qPrintable(story.messages()));
        const OpenModel* opened = story.session().currentModel();
        QVERIFY(opened && opened->id != origin && opened->info);
        QCOMPARE(opened->folder, RunPaths{run.folder}.model());
        QCOMPARE(opened->ownWindow(1), std::optional<int>(kWindow));
        QVERIFY(story.result());
        QCOMPARE(story.result()->readyLayers(), opened->layerCount());
        QVERIFY(isLocal(*story.result(), 1) && isLocal(*story.result(), 2));
        QVERIFY(story.session().models()->find(origin)->enabled); // beside it

        // Both are studied over the corpus.
        StudyPanel* panel = story.part<StudyPanel>();
        StudyStore* store = story.window().studies();
        story.window().actions().newStudy->trigger();
        StudyForm* form = panel->form();
        form->setKind(StudyKind::Windows);
        form->setData(corpus.folder());
        form->setUtterances(3);
        form->findChild<StudySettingsRows*>()->setValue("shortest", 0); // these last a third of a second
        form->setName(QStringLiteral("families"));
        QVERIFY2(QTest::qWaitFor([form] { return form->request().has_value(); }, 60000),
                 qPrintable(form->reason()));
        QCOMPARE(form->command().count(QStringLiteral("--model")), 2);
        form->findChild<QPushButton*>(QStringLiteral("runStudy"))->click();
        const std::filesystem::path study = store->folder() / "families";
        const auto finished = [&] {
            const StudyItem* item = store->find(study);
            return item && item->state == StudyItem::State::Finished;
        };
        QVERIFY2(QTest::qWaitFor(finished, 240000), qPrintable(story.messages()));
        panel->setCurrent(study);
        panel->findChild<QPushButton*>(QStringLiteral("openStudy"))->click();
        WindowsPanel* windows = story.part<WindowsPanel>();
        QVERIFY(QTest::qWaitFor(
            [&] { return story.window().evidence()->shown(StudyKind::Windows) && windows->showsStudy(); },
            60000));
        QCOMPARE(story.window().evidence()->shown(StudyKind::Windows)->modelCount(), 2);
        QCOMPARE(windows->study()->table()->shownRows(), story.session().currentModel()->layerCount());
        for (const char* name : {"HEADROOM_RUNS", "HEADROOM_STUDIES", "XDG_CACHE_HOME"})
            qunsetenv(name);
    }

private:
    static constexpr int kWindow = 5, kUpdates = 4;

    /// Whether no token of the layer contributes beyond the window.
    static bool isLocal(const AnalysisResult& result, int layer) {
        const DiagonalProfile& profile = result.layer(layer)->profile;
        double beyond = 0;
        for (std::int64_t offset = kWindow / 2 + 1; offset < profile.size(); ++offset)
            beyond += profile.at(offset) + profile.at(-offset);
        return beyond == 0;
    }

    static void fillForm(LaunchForm* form, const std::filesystem::path& data,
                         const std::filesystem::path& start) {
        QVERIFY(form->chooseRecipe(HEADROOM_SOURCE_DIR "/resources/recipes/smoke.json"));
        for (const auto& [key, value] : {std::pair("length.maxUpdates", kUpdates),
                                         {"validation.everyUpdates", 2},
                                         {"machine.logEvery", 1},
                                         {"loss.ctcWeight", 0},
                                         {"augmentation.timeMasks", 0},
                                         {"augmentation.frequencyMasks", 0}})
            form->values()->write(key, QString::number(value));
        form->setData(data);
        QVERIFY(form->chooseStart(StartChoice::Kind::Whole, start));
        const bool complete = QTest::qWaitFor([form] { return form->launch().has_value(); }, 60000);
        QStringList mistakes;
        for (const auto& [field, sentence] : form->mistakes())
            mistakes << field + QStringLiteral(": ") + sentence;
        QVERIFY2(complete, qPrintable(mistakes.join(QLatin1Char('\n'))));
    }
};

HEADROOM_TEST(FamiliesStory)

} // namespace headroom::testing::families_test

#include "families_test.moc"

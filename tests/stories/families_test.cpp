// SPDX-License-Identifier: GPL-3.0-or-later
// Models of every family in the window: from the Hugging Face cache by “Open a model…”; dropped, drafted and given to TRAIN.
#include "app/documents/drafts.h"
#include "app/parts/actions.h"
#include "app/parts/model_chooser.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/train_workspace.h"
#include "tests/stories/guide_pictures.h"
#include "tests/stories/story.h"
#include "tests/support/longer_ast.h"
#include "tests/support/runner.h"

#include <QAction>
#include <QApplication>
#include <QDropEvent>
#include <QListView>
#include <QMimeData>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QUrl>

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
        // A window is drawn, and the draft goes to TRAIN with the model's weights.
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
};

HEADROOM_TEST(FamiliesStory)

} // namespace headroom::testing::families_test

#include "families_test.moc"

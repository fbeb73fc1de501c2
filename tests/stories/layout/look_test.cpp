// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/drafts.h"
#include "app/documents/paths.h"
#include "app/parts/actions.h"
#include "app/window/session_actions.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/sound/text_fields.h"
#include "app/workspaces/analyse/sound/time_column.h"
#include "app/workspaces/design/design_workspace.h"
#include "app/workspaces/train/data/data_view.h"
#include "app/workspaces/train/train_actions.h"
#include "app/workspaces/train/train_workspace.h"
#include "app/studies/study_store.h"
#include "tests/stories/layout/layout_walk.h"
#include "tests/app/runs/train_workshop.h"
#include "tests/stories/run_worker.h"
#include "tests/support/made_corpus.h"
#include "tests/support/runner.h"
#include "tests/support/tiny_text_model.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/run_table.h"

#include <QAction>
#include <QDockWidget>
#include <QLineEdit>
#include <QTabWidget>
#include <QTest>

#include <fstream>

namespace headroom::testing::look_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class LookTest : public QObject {
    Q_OBJECT
    LayoutFindings m_findings;
    QString m_prefix;

    void snap(Story& story, const QString& name) {
        settle(story);
        const QString scale = qEnvironmentVariable("QT_SCALE_FACTOR");
        const QString file = QStringLiteral("/tmp/look/p/%1 %2 %3x%4 %5 @%6.png").arg(m_prefix, name).arg(story.window().width()).arg(story.window().height()).arg(widgets::Theme::current().name, scale);
        story.window().grab().save(file);
        m_findings.look(&story.window(), m_prefix + QLatin1Char(' ') + name);
    }
    void stand(Story& story, QSize size, const char* theme) {
        widgets::Theme::apply(QString::fromLatin1(theme));
        story.window().resize(size);
        settle(story);
        for (Workspace* workspace : story.window().workspaces())
            workspace->resetLayout();
        settle(story);
    }
    void tabs(Story& story) {
        auto* tabs = story.part<QTabWidget>("analysisTabs");
        for (int tab = 0; tab < tabs->count(); ++tab) {
            tabs->setCurrentIndex(tab);
            QTest::qWait(50);
            (void)story.quiet();
            snap(story, QStringLiteral("tab%1").arg(tab));
        }
        tabs->setCurrentIndex(0);
    }
    void all(Story& story, QSize size, const char* theme, bool withTabs = true) {
        story.window().actions().analyseWorkspace->trigger();
        stand(story, size, theme);
        if (withTabs)
            tabs(story);
        else
            snap(story, QStringLiteral("analyse"));
        story.window().actions().designWorkspace->trigger();
        snap(story, QStringLiteral("design"));
        story.window().actions().trainWorkspace->trigger();
        snap(story, QStringLiteral("train"));
        story.window().actions().analyseWorkspace->trigger();
    }

private Q_SLOTS:
    void initTestCase() {
        QDir().mkpath(QStringLiteral("/tmp/look/p"));
        qputenv("HEADROOM_RUNS", "/tmp/look/no-runs");
        qputenv("HEADROOM_STUDIES", "/tmp/look/studies");
    }
    void cleanup() { nothingFound(m_findings); }

    void start() {
        m_prefix = QStringLiteral("start");
        Story story;
        for (auto [size, theme] : {std::pair(QSize(1280, 720), "light"), std::pair(QSize(1600, 1000), "dark")})
            all(story, size, theme, false);
    }
    void real() {
        m_prefix = QStringLiteral("real");
        Story story;
        const QString bare = story.path(QStringLiteral("a_recording_without_an_alignment_and_a_long_name.flac"));
        QFile::copy(QStringLiteral("/work/shared/data/librispeech-sample/audio/3331-159605-0006.flac"), bare);
        QStringList files;
        for (const QString& one : QDir(QStringLiteral("/work/shared/data/librispeech-sample/audio")).entryList({QStringLiteral("3331*.flac")}))
            files << QStringLiteral("/work/shared/data/librispeech-sample/audio/") + one;
        files << QStringLiteral("/work/shared/data/aligned/audio/bobby.wav") << Story::model();
        QVERIFY2(story.openAndWait(files), qPrintable(story.messages()));
        for (auto [size, theme] : {std::pair(QSize(1280, 720), "dark"), std::pair(QSize(1600, 1000), "light")})
            all(story, size, theme);
        m_prefix = QStringLiteral("bare");
        QVERIFY(story.openAndWait({bare}));
        for (auto [size, theme] : {std::pair(QSize(1280, 720), "light"), std::pair(QSize(1600, 1000), "dark")}) {
            stand(story, size, theme);
            tabs(story);
            story.window().actions().words->trigger();
            (void)story.quiet();
            snap(story, QStringLiteral("words"));
            story.window().actions().words->trigger();
        }
    }
    void words() {
        m_prefix = QStringLiteral("words");
        Story story;
        story.window().sessionActions()->openDemo();
        QVERIFY(story.quiet());
        for (auto [size, theme] : {std::pair(QSize(1280, 720), "light"), std::pair(QSize(1600, 1000), "dark")}) {
            stand(story, size, theme);
            story.window().actions().words->trigger();
            (void)story.quiet();
            tabs(story);
            story.window().actions().words->trigger();
        }
    }
    void deep() {
        m_prefix = QStringLiteral("deep");
        Story story;
        QVERIFY2(story.openAndWait({QStringLiteral("/work/shared/data/librispeech-sample/audio/3331-159605-0006.flac"), QStringLiteral("/tmp/look/deep24"),
                                    QStringLiteral("/tmp/look/deep12-a-model-with-a-rather-long-name-for-a-list"), Story::model()}),
                 qPrintable(story.messages()));
        story.session().setCurrentModel(story.session().models()->at(0).id);
        (void)story.quiet();
        for (auto [size, theme] : {std::pair(QSize(1280, 720), "light"), std::pair(QSize(1600, 1000), "dark")})
            all(story, size, theme);
        story.window().actions().compare->trigger();
        m_prefix = QStringLiteral("deepcompare");
        for (auto [size, theme] : {std::pair(QSize(1280, 720), "dark"), std::pair(QSize(1600, 1000), "light")}) {
            stand(story, size, theme);
            tabs(story);
            story.window().actions().difference->trigger();
            snap(story, QStringLiteral("difference"));
            story.window().actions().difference->trigger();
        }
    }
    void texts() {
        m_prefix = QStringLiteral("text");
        Story story;
        const QString f = QStringLiteral("/tmp/look/text/");
        if (!QDir(f + "run/model").exists()) {
            QDir().mkpath(f);
            std::ofstream((f + "tiny.json").toStdString()) << kTinyText;
            QCOMPARE(runWorker({"corpus", "demo", "--text", "--sentences", "300", "--out", f + "corpus"}), QString());
            QCOMPARE(runWorker({"train", "--architecture", f + "tiny.json", "--recipe", QStringLiteral(HEADROOM_SOURCE_DIR "/resources/recipes/demo-text.json"), "--data", f + "corpus", "--run", f + "run",
                                "--set", "length.maxUpdates=30", "--set", "validation.everyUpdates=30", "--set", "validation.maxUtterances=2", "--set", "validation.maxTokens=6", "--set", "machine.threads=1"}), QString());
            std::ofstream((f + "lm.json").toStdString()) << R"({ "format": "headroom/architecture", "version": 1, "name": "tiny language model",
  "languageModel": { "kind": "transformer", "layers": 2, "width": 32, "feedForward": 48, "selfAttention": "2 masked", "dropout": 0.1 },
  "vocabulary": 512 })";
            QCOMPARE(runWorker({"train", "--architecture", f + "lm.json", "--recipe", QStringLiteral(HEADROOM_SOURCE_DIR "/resources/recipes/demo-lm.json"), "--data", f + "corpus", "--run", f + "lm",
                                "--set", "task=\"lm_translate\"", "--set", "length.maxUpdates=30", "--set", "validation.everyUpdates=30", "--set", "machine.threads=1"}), QString());
        }
        for (const char* model : {"run/model", "lm/model"}) {
            m_prefix = QLatin1String(model) == QLatin1String("lm/model") ? QStringLiteral("lm") : QStringLiteral("text");
            Story one;
            QVERIFY(one.openAndWait({f + model}));
            one.window().actions().newText->trigger();
            QLineEdit* source = one.part<TimeColumn>()->textFields()->source();
            source->setText(QStringLiteral("The dog sees a cat near her house, and the men with the old book look for the pictures."));
            QTest::keyClick(source, Qt::Key_Return);
            QVERIFY(one.quiet());
            for (auto [size, theme] : {std::pair(QSize(1280, 720), "dark"), std::pair(QSize(1600, 1000), "light")}) {
                all(one, size, theme);
                one.window().actions().words->trigger();
                (void)one.quiet();
                snap(one, QStringLiteral("words"));
                one.window().actions().words->trigger();
            }
        }
    }
    void whisper() {
        m_prefix = QStringLiteral("whisper");
        Story story;
        QVERIFY2(story.openAndWait({QStringLiteral(HEADROOM_SOURCE_DIR "/resources/demo/demo.wav"), QStringLiteral(HEADROOM_SOURCE_DIR "/tests/data/parity/encoders/whisper-small")}), qPrintable(story.messages()));
        for (auto [size, theme] : {std::pair(QSize(1280, 720), "light"), std::pair(QSize(1600, 1000), "dark")}) {
            all(story, size, theme);
            story.window().actions().words->trigger();
            (void)story.quiet();
            tabs(story);
            story.window().actions().words->trigger();
        }
    }
    void oneStudy() {
        m_prefix = QStringLiteral("onestudy");
        Story story;
        const QString wav = QStringLiteral("/work/shared/data/librispeech-sample/audio/3331-159605-0006.flac");
        QDir().mkpath("/tmp/look/one");
        if (QDir("/tmp/look/one").isEmpty()) {
            QFile::copy(wav, "/tmp/look/one/3331-159605-0006.flac");
            QFile::copy("/work/shared/data/librispeech-sample/alignments/3331-159605-0006.TextGrid", "/tmp/look/one/3331-159605-0006.TextGrid");
            for (const char* kind : {"windows", "diagonality", "heads", "phones", "probe", "latency", "mixing", "similarity"})
                qInfo() << kind << runWorker({"study", "--kind", kind, "--model", Story::model(), "--data", "/tmp/look/one", "--out", QStringLiteral("/tmp/look/studies/one-") + kind});
        }
        QVERIFY2(story.openAndWait({wav, Story::model()}), qPrintable(story.messages()));
        StudyStore* store = story.window().studies();
        QTest::qWait(2000);
        for (const StudyItem& item : store->items())
            store->open(item.folder);
        QTest::qWait(1000);
        for (auto [size, theme] : {std::pair(QSize(1280, 720), "light"), std::pair(QSize(1600, 1000), "dark")}) {
            stand(story, size, theme);
            tabs(story);
            story.window().actions().showStudies->trigger();
            snap(story, QStringLiteral("list"));
        }
    }
    void train() {
        m_prefix = QStringLiteral("train");
        TrainWorkshop shop;
        const char* const names[] = {"full", "local-5-21-in-all-layers-but-the-first-three", "multiformer"};
        for (int seed = 1; seed <= 3; ++seed)
            for (const char* name : names)
                shop.run("2026-11-21T10-3" + std::to_string(seed) + "_" + name, seed == 3 ? RunState::Failed : RunState::Finished, std::uint64_t(seed), 1.0 / seed);
        qputenv("HEADROOM_RUNS", toQString(shop.runs()).toLocal8Bit());
        {
            Story story;
            TrainWorkspace* train = story.window().train();
            story.window().actions().trainWorkspace->trigger();
            QVERIFY(QTest::qWaitFor([&] { return train->runTable()->runs()->rowCount() > 0; }, 60000));
            for (auto [size, theme] : {std::pair(QSize(1280, 720), "light"), std::pair(QSize(1600, 1000), "dark")}) {
                stand(story, size, theme);
                snap(story, QStringLiteral("train"));
                for (QDockWidget* dock : train->findChildren<QDockWidget*>()) {
                    const bool was = dock->isVisible();
                    dock->show();
                    dock->raise();
                    settle(story);
                    snap(story, QStringLiteral("dock ") + dock->objectName());
                    if (!was) dock->hide();
                }
                train->resetLayout();
                train->actions().data->trigger();
                settle(story);
                train->data()->open(makeCorpus("/tmp/look/corpus"));
                settle(story);
                snap(story, QStringLiteral("data"));
                train->actions().data->trigger();
            }
        }
        qputenv("HEADROOM_RUNS", "/tmp/look/no-runs");
    }
};

HEADROOM_TEST(LookTest)

} // namespace headroom::testing::look_test

#include "look_test.moc"

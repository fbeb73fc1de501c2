// SPDX-License-Identifier: GPL-3.0-or-later
// The net: the whole window in many states and sizes, and what a newcomer would stumble over in it.
#include "app/aligning/align_dialog.h"
#include "app/aligning/aligning.h"
#include "app/documents/drafts/drafts.h"
#include "app/documents/items/paths.h"
#include "app/parts/actions.h"
#include "app/parts/panel_header.h"
#include "app/places/places_dialog.h"
#include "app/studies/study_store.h"
#include "app/window/find_action.h"
#include "app/window/guide.h"
#include "app/window/session_actions.h"
#include "app/window/tool_bar.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/design/design_workspace.h"
#include "app/workspaces/train/data/data_view.h"
#include "app/workspaces/train/evaluate/error_browser.h"
#include "app/workspaces/train/evaluate/evaluate_dialog.h"
#include "app/workspaces/train/experiments/experiments_dialog.h"
#include "app/workspaces/train/train_actions.h"
#include "app/workspaces/train/train_workspace.h"
#include "tests/app/runs/train_workshop.h"
#include "tests/app/studies/made_study.h"
#include "tests/stories/layout/layout_walk.h"
#include "tests/support/made_corpus.h"
#include "tests/support/runner.h"
#include "widgets/curves/windows_table.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/run_table.h"
#include "widgets/study_table/study_table_view.h"

#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <utility>

namespace headroom::testing::layout_test {

using namespace headroom::app;
namespace fs = std::filesystem;

namespace {

constexpr QSize kSmall(1280, 720), kUsual(1600, 1000), kLarge(1920, 1200);
const QString kLong = QStringLiteral("a_recording_whose_name_somebody_made_of_all_its_conditions_");

} // namespace

class LayoutTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("HEADROOM_RUNS", toQString(m_shop.path() / "no-runs").toLocal8Bit());
        qputenv("HEADROOM_STUDIES", toQString(m_shop.path() / "studies").toLocal8Bit());
    }
    void cleanup() { // whatever one state finds is said at its end
        QVERIFY2(nothingFound(m_findings), "The findings are listed above.");
    }

    void nothingIsOpen() {
        Story story;
        settle(story);
        walk(story, m_findings, QStringLiteral("nothing open"),
             {{kSmall, "light"}, {kLarge, "dark"}, {kUsual, "dark"}}, Docks::All);
    }

    void oneUtterance() {
        Story story;
        QVERIFY2(story.openAndWait({story.utterance(QStringLiteral("one")), Story::model()}),
                 qPrintable(story.messages()));
        story.session().setCurrentLayer(5);
        story.session().drafts()->setWindow({story.session().currentModelId()}, {5, 17});
        story.window().analyse()->axis()->setCursor(Seconds(1.2));
        walk(story, m_findings, QStringLiteral("one utterance"),
             {{kSmall, "dark"}, {kUsual, "light"}, {kLarge, "light"}});
        // What one looks for first is whole, also where the rest gives way.
        for (const QSize size : {kSmall, kUsual}) {
            resizeTo(story, size);
            story.window().analyse()->resetLayout();
            settle(story);
            const auto* title = story.part<MatrixPanel>()->findChild<PanelHeader*>()->findChild<QLabel*>();
            QCOMPARE(title->text(), QStringLiteral("Layer 5"));
            QVERIFY(title->width() >= title->sizeHint().width());
        }
        QCOMPARE(story.part<widgets::WindowsTable>()->horizontalScrollBar()->maximum(), 0);
    }

    /// Twelve recordings and three models with long names, compared; runs of three architectures; a study.
    void manyWithLongNames() {
        makeRuns();
        Story story;
        QStringList files;
        for (int i = 0; i < 12; ++i)
            files << story.utterance(kLong + QString::number(i), i == 0 ? 7 : 1);
        for (int i = 0; i < 3; ++i)
            files << longModel(story, i);
        QVERIFY2(story.openAndWait(files), qPrintable(story.messages()));
        story.window().actions().keepCurve->trigger();
        story.session().setCurrentLayer(3);
        QVERIFY(story.quiet());
        makeWindowsStudy(m_shop.path() / "studies" / "a study of all the windows that were ever drawn", 8, 12);
        story.window().studies()->open(m_shop.path() / "studies" /
                                       "a study of all the windows that were ever drawn");
        compareRuns(story);
        walk(story, m_findings, QStringLiteral("many, long names"), {{kSmall, "light"}}, Docks::All);
        walk(story, m_findings, QStringLiteral("many, long names"), {{kUsual, "dark"}, {kLarge, "dark"}});
        story.window().actions().compare->trigger();
        settle(story);
        walk(story, m_findings, QStringLiteral("compared"), {{kSmall, "dark"}, {kUsual, "light"}});
    }

    void errorsAndMessages() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance(QStringLiteral("one")), Story::model()}));
        QFile pdf(story.path(kLong + QStringLiteral("that_is_no_recording.wav")));
        QVERIFY(pdf.open(QIODevice::WriteOnly));
        pdf.write("%PDF-1.7 not a sound at all, only its name says so");
        pdf.close();
        QVERIFY(story.openAndWait({pdf.fileName()}));
        DesignWorkspace* design = story.window().design();
        design->drafts()->write(design->drafts()->current(), {{7, 1, 1, QStringLiteral("local 14")}});
        design->drafts()->write(design->drafts()->current(), {{3, 1, 4, QStringLiteral("map of layer 9")}});
        QSignalSpy stopped(story.window().worker(), &WorkerProcess::stoppedUnexpectedly);
        QCOMPARE(::kill(pid_t(story.window().worker()->processId()), SIGKILL), 0);
        QVERIFY(QTest::qWaitFor([&] { return stopped.count() == 1; }, 60000));
        story.window().current()->showMessages();
        walk(story, m_findings, QStringLiteral("errors"), {{kSmall, "light"}, {kUsual, "dark"}}, Docks::All);
    }

    /// Data in Train: without a corpus, with one, and with a folder that is none. Resetting a layout leaves Data.
    void dataOfACorpus() {
        Story story;
        settle(story);
        TrainWorkspace* train = story.window().train();
        const auto look = [&](const QString& state) {
            std::vector standings{std::pair(kSmall, "light"), std::pair(kSmall, "dark"), std::pair(kUsual, "dark")};
            if (widgets::Theme::current().isDark) // each change of the theme takes a second
                std::reverse(standings.begin(), standings.end());
            for (const auto& [size, theme] : standings) {
                widgets::Theme::apply(QString::fromLatin1(theme));
                resizeTo(story, size);
                settle(story);
                const QString setting = QStringLiteral("%1, %2, %3").arg(state).arg(size.width()).arg(QLatin1String(theme));
                m_findings.look(&story.window(), setting);
                m_findings.lookAtMinimum(&story.window(), kSmall, setting);
                story.window().grab().save(QStringLiteral(HEADROOM_BINARY_DIR "/tests/data, %1.png").arg(setting));
            }
        };
        train->actions().data->trigger();
        QVERIFY(train->data()->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(train->isSettled(), 60000);
        look(QStringLiteral("no corpus"));
        train->data()->open(makeCorpus(toPath(story.path(kLong + QStringLiteral("corpus")))));
        settle(story);
        QVERIFY(train->data()->current());
        look(QStringLiteral("a corpus"));
        const SplitLimits limits{{150, 400}, {150, 400}, {}};
        train->data()->setRecipes({QStringLiteral("a recipe")}, 0, limits, limits, "st_de");
        settle(story);
        look(QStringLiteral("a translation"));
        fs::create_directories(toPath(story.path(kLong)));
        train->data()->open(toPath(story.path(kLong)));
        settle(story);
        look(QStringLiteral("no corpus in the folder"));
    }

    void dialogues() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance(kLong), Story::model()}));
        for (const QString& theme : {QStringLiteral("light"), QStringLiteral("dark")}) {
            widgets::Theme::apply(theme);
            story.window().actions().about->trigger();
            story.window().actions().guide->trigger();
            AlignDialog* align =
                story.window().findChild<Aligning*>()->ask(story.session().currentUtteranceId());
            QVERIFY(align);
            align->show();
            for (QPushButton* button : story.window().train()->findChildren<QPushButton*>())
                if (button->text() == QStringLiteral("Places…"))
                    button->click();
            auto* places = story.window().findChild<PlacesDialog*>();
            QVERIFY(places);
            TrainWorkspace* train = story.window().train();
            EvaluateDialog* evaluate = train->askEvaluation();
            evaluate->show();
            evaluate->chooseData(makeCorpus(toPath(story.path(kLong + QStringLiteral("corpus")))));
            ExperimentsDialog* experiments = train->showExperiments();
            experiments->show();
            experiments->choose(QStringLiteral("locality-2"));
            ErrorBrowser* errors = train->showErrors(makeEvaluation());
            errors->show();
            QVERIFY(QTest::qWaitFor([&] {
                return !evaluate->isPending() && !errors->isPending() && !experiments->isPending() &&
                       experiments->steps()->shownRows() > 0;
            }, 60000));
            story.window().toolBar()->findField()->setFocus();
            story.window().toolBar()->findField()->openList();
            QTest::qWait(30);
            for (QWidget* window : QApplication::topLevelWidgets())
                if (window->isVisible() && window != &story.window()) {
                    window->grab().save(QStringLiteral(HEADROOM_BINARY_DIR "/tests/dialogue %1, %2.png").arg(window->objectName(), theme));
                    m_findings.look(window, QStringLiteral("dialogue, %1").arg(theme));
                }
            align->close();
            delete places;
            delete evaluate;
            delete experiments;
            delete errors;
            delete story.window().findChild<QMessageBox*>();
            story.window().findChild<Guide*>()->close();
            story.window().setFocus();
        }
    }

    /// The layout that was left is the one that comes back, in every workspace, at the first show and later.
    void theLayoutIsRestored() {
        makeRuns();
        const auto home = std::make_shared<QTemporaryDir>();
        QMap<QString, QMap<QString, QSize>> before;
        {
            Story story(home);
            resizeTo(story, kUsual);
            for (Workspace* workspace : story.window().workspaces()) {
                story.window().showWorkspace(workspace->objectName());
                settle(story);
                before[workspace->objectName()] = dockSizes(workspace);
            }
            story.window().setRemembersGeometry(true);
            story.window().close();
        }
        for (const QSize size : {kUsual, kSmall, kLarge}) {
            Story story(home, Story::Geometry::Remembered);
            resizeTo(story, size);
            for (Workspace* workspace : story.window().workspaces()) {
                story.window().showWorkspace(workspace->objectName());
                settle(story);
                const auto after = dockSizes(workspace);
                if (size == kUsual)
                    for (auto it = after.cbegin(); it != after.cend(); ++it) {
                        const QSize was = before[workspace->objectName()][it.key()];
                        QVERIFY2(std::abs(was.width() - it->width()) <= 8 &&
                                     std::abs(was.height() - it->height()) <= 8,
                                 qPrintable(QStringLiteral("%1: %2 × %3 became %4 × %5")
                                                .arg(it.key())
                                                .arg(was.width())
                                                .arg(was.height())
                                                .arg(it->width())
                                                .arg(it->height())));
                    }
                m_findings.look(&story.window(), QStringLiteral("restored at %1").arg(size.width()));
            }
        }
    }

private:
    static QMap<QString, QSize> dockSizes(const Workspace* workspace) {
        QMap<QString, QSize> sizes;
        for (const QDockWidget* dock : workspace->findChildren<QDockWidget*>())
            if (dock->isVisible())
                sizes[dock->objectName()] = dock->size();
        return sizes;
    }

    /// An evaluation with a few errors.
    fs::path makeEvaluation() {
        const fs::path folder = m_shop.path() / "evaluations" / "an-evaluation";
        nlohmann::json document{{"format", "headroom/evaluation"}, {"model", "/models/a"}, {"data", "/nowhere"}, {"split", "test"},
                                {"task", "asr"}, {"wer", 31.25}, {"bleu", 12.5}};
        const char* const texts[][2] = {{"the big man looks for the pictures in the forest at night", "the pig man looks for pictures in a forest at night"},
                                        {"let me see how can i begin", "let me see how can i begin"},
                                        {"he has known her all her life and has a good influence over her", "he has known all her wife and a good influence over over her"}};
        for (const auto& text : texts)
            document["utterances"].push_back({{"id", std::string("utterance-") + text[0][0]}, {"reference", text[0]}, {"hypothesis", text[1]}});
        m_shop.text(folder / "evaluation.json", document.dump());
        return folder;
    }

    void makeRuns() {
        qputenv("HEADROOM_RUNS", toQString(m_shop.runs()).toLocal8Bit());
        const char* const names[] = {"full", "local-5-21-in-all-layers-but-the-first-three", "multiformer"};
        for (int seed = 1; seed <= 3; ++seed)
            for (const char* name : names)
                m_shop.run("2026-11-21T10-3" + std::to_string(seed) + "_" + name,
                           seed == 3 ? RunState::Failed : RunState::Finished, std::uint64_t(seed), 1.0 / seed);
    }

    static void compareRuns(Story& story) {
        TrainWorkspace* train = story.window().train();
        story.window().actions().trainWorkspace->trigger();
        QVERIFY(QTest::qWaitFor([&] { return train->runTable()->runs()->rowCount() > 0; }, 60000));
        settle(story);
    }

    static QString longModel(const Story& story, int which) {
        const fs::path folder =
            toPath(story.path(QStringLiteral("speech-translation-model-with-a-name-of-its-own-%1").arg(which)));
        fs::copy(toPath(Story::model()), folder, fs::copy_options::recursive);
        return toQString(folder);
    }

    TrainWorkshop m_shop;
    LayoutFindings m_findings;
};

HEADROOM_TEST(LayoutTest)

} // namespace headroom::testing::layout_test

#include "layout_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The net, second half: views that one switches to, studies of every kind, panels made narrow by hand, boxes and menus.
#include "app/documents/drafts/drafts.h"
#include "app/documents/items/paths.h"
#include "app/parts/actions.h"
#include "app/parts/model_chooser.h"
#include "app/places/places_dialog.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_store.h"
#include "app/window/session_actions.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/heads/cad_panel.h"
#include "app/workspaces/analyse/map/layers_panel.h"
#include "app/workspaces/analyse/sound/recording_bar.h"
#include "app/workspaces/analyse/studies/study_panel.h"
#include "app/workspaces/analyse/words/words_panel.h"
#include "app/workspaces/design/design_workspace.h"
#include "app/workspaces/train/train_workspace.h"
#include "core/runs/file_lock.h"
#include "core/tensors/npy.h"
#include "tests/stories/layout/layout_walk.h"
#include "tests/support/runner.h"
#include "tests/training/figures/synthetic_study.h"
#include "widgets/heads/cad_plot.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTabWidget>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <functional>
#include <utility>

namespace headroom::testing::layout_views_test {

using namespace headroom::app;
namespace fs = std::filesystem;

namespace {

constexpr QSize kLow(1280, 720), kWide(1600, 1000);
const QString kLongName = QStringLiteral("a-name-that-somebody-made-of-all-the-conditions-of-one-experiment");

} // namespace

class LayoutViewsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("HEADROOM_RUNS", m_folder.filePath(QStringLiteral("no-runs")).toLocal8Bit());
        qputenv("HEADROOM_STUDIES", m_folder.filePath(QStringLiteral("studies")).toLocal8Bit());
    }
    void cleanup() { QVERIFY2(nothingFound(m_findings), "The findings are listed above."); }

    /// The text in the sound with its lists, A − B, blinking, the draft as text, what stands over the map for a while.
    void otherViews() {
        Story story;
        story.window().sessionActions()->openDemo(); // whose text ends: that of a made sound goes on and on
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        const Actions& a = story.window().actions();
        for (const auto& [size, theme] : {std::pair(kLow, "dark"), std::pair(kWide, "light")}) {
            stand(story, size, theme);
            a.analyseWorkspace->trigger();
            a.words->trigger();
            auto* words = story.part<WordsPanel>();
            QComboBox* text = words->textField();
            for (const int choice : {0, 2}) {
                text->setCurrentIndex(choice);
                Q_EMIT text->activated(choice);
                look(story, QStringLiteral("words, %1").arg(text->currentText()));
            }
            a.words->trigger();
            a.compare->trigger();
            settle(story);
            a.difference->trigger();
            look(story, QStringLiteral("A − B"));
            a.difference->trigger();
            a.blink->trigger();
            look(story, QStringLiteral("blinking"));
            a.compare->setChecked(false);
            auto* recording = story.part<RecordingBar>();
            recording->setProgress(12.3, 0.5F);
            recording->show();
            auto* layers = story.part<LayersPanel>();
            AnalysisService::Progress progress;
            progress.text = QStringLiteral("Reading layer 6 of 12");
            progress.done = 5;
            progress.total = 12;
            layers->showProgress(progress, {});
            layers->findChild<QProgressBar*>()->parentWidget()->show(); // at once
            look(story, QStringLiteral("recording, working"));
            recording->hide();
            layers->showProgress({}, {});
            story.part<QTabWidget>("analysisTabs")->setCurrentWidget(story.part<CadPanel>());
            auto* cad = story.part<widgets::CadPlot>();
            QTRY_VERIFY_WITH_TIMEOUT(!cad->shownOrder().empty(), 60000);
            for (const auto& head : {cad->shownOrder().front(), cad->shownOrder().back()}) {
                cad->setSelected(head);
                Q_EMIT cad->headSelected(head);
                look(story, QStringLiteral("CAD of a head"));
            }
            a.designWorkspace->trigger();
            actionOf(story, QStringLiteral("Text"))->trigger();
            look(story, QStringLiteral("the draft as text"));
            actionOf(story, QStringLiteral("Grid"))->trigger();
        }
    }

    /// What studies of every kind show, their list with one that runs, and the form of a new one.
    void studiesOfEveryKind() {
        const fs::path studies = toPath(m_folder.filePath(QStringLiteral("studies")));
        for (const StudyKind kind : {StudyKind::Windows, StudyKind::Diagonality, StudyKind::Heads, StudyKind::Phones,
                                     StudyKind::Probe, StudyKind::Latency, StudyKind::Mixing, StudyKind::Similarity})
            writeStudyOf(studies / (std::string("2026-11-21T10-31_") + toText(kind) + "_st-small-en-de"), kind, RunState::Finished);
        const fs::path running = studies / toPath(kLongName);
        writeStudyOf(running, StudyKind::Probe, RunState::Running);
        writeStudyProgress(running, {120, 400, "Measuring layer 3 of st-small en-de", 3700, 0});
        const auto lock = FileLock::tryTake(StudyPaths{running}.lock(), "study.locked");
        QVERIFY(lock);
        Story story;
        QVERIFY2(story.openAndWait({story.utterance(QStringLiteral("one")), Story::model()}), qPrintable(story.messages()));
        StudyStore* store = story.window().studies();
        QVERIFY(QTest::qWaitFor([&] { return store->items().size() == 9; }, 60000));
        for (const StudyItem& item : store->items())
            if (item.state == StudyItem::State::Finished)
                store->open(item.folder);
        for (const StudyKind kind : {StudyKind::Heads, StudyKind::Probe, StudyKind::Similarity})
            QVERIFY2(QTest::qWaitFor([&] { return !!story.window().evidence()->shown(kind); }, 60000),
                     qPrintable(story.messages()));
        for (const auto& [size, theme] : {std::pair(kLow, "light"), std::pair(kWide, "dark")}) {
            stand(story, size, theme);
            auto* tabs = story.part<QTabWidget>("analysisTabs");
            for (int tab = 0; tab < tabs->count(); ++tab) {
                tabs->setCurrentIndex(tab);
                look(story, tabs->tabText(tab));
            }
            story.window().actions().showStudies->trigger();
            look(story, QStringLiteral("the list"));
            story.part<StudyPanel>()->showForm(StudyKind::Phones);
            look(story, QStringLiteral("the form"));
            story.part<StudyPanel>()->showList();
        }
    }

    /// Sessions to begin with; every panel as narrow as it can be made; panels that float.
    void narrowAndFloating() {
        Story story;
        for (const QString& name : {kLongName, QStringLiteral("two"), kLongName.left(40)}) {
            QVERIFY(story.openAndWait({story.utterance(QStringLiteral("one"))}));
            story.answers().file = story.path(name);
            story.window().actions().saveSessionAs->trigger();
            story.window().actions().newSession->trigger();
        }
        stand(story, kLow, "light");
        look(story, QStringLiteral("recent sessions"));
        QVERIFY2(story.openAndWait({story.utterance(kLongName), Story::model()}), qPrintable(story.messages()));
        for (const char* theme : {"light", "dark"}) {
            stand(story, kLow, theme);
            for (Workspace* workspace : story.window().workspaces()) {
                story.window().showWorkspace(workspace->objectName());
                settle(story);
                makeNarrow(workspace);
                look(story, QStringLiteral("narrow panels of %1").arg(workspace->objectName()));
                workspace->resetLayout();
            }
        }
        for (Workspace* workspace : story.window().workspaces()) {
            story.window().showWorkspace(workspace->objectName());
            settle(story);
            for (QDockWidget* dock : workspace->findChildren<QDockWidget*>()) {
                if (!dock->isVisible())
                    continue;
                dock->setFloating(true);
                settle(story);
                m_findings.look(dock, QStringLiteral("floating"));
                dock->setFloating(false);
            }
            workspace->resetLayout();
        }
    }

    /// Boxes that ask, lists that drop down, the menus.
    void boxesAndMenus() {
        Story story;
        QVERIFY2(story.openAndWait({story.utterance(QStringLiteral("one")), Story::model()}), qPrintable(story.messages()));
        for (const char* theme : {"light", "dark"}) {
            stand(story, kLow, theme);
            FileDialogs boxes;
            while_([&] { boxes.askUnsaved(&story.window(), kLongName, true); }, QStringLiteral("unsaved"));
            while_([&] { boxes.askUnsaved(&story.window(), kLongName, false); }, QStringLiteral("never saved"));
            while_([&] { boxes.askChanged(&story.window(), kLongName, false); }, QStringLiteral("changed"));
            while_([&] { boxes.askChanged(&story.window(), kLongName, true); }, QStringLiteral("changed here"));
            while_([&] { boxes.askFileChanged(&story.window(), kLongName); }, QStringLiteral("file changed"));
            while_([&] { boxes.askName(&story.window(), QStringLiteral("Rename the study"), QStringLiteral("Name"), kLongName); },
                   QStringLiteral("name"));
            ModelChooser chooser({{"facebook/wav2vec2-base-960h", "/cache/w2v", "wav2vec 2.0", 378'000'000, {}, 378'000'000},
                                  {"somebody/" + kLongName.toStdString() + "-" + kLongName.toStdString(), "/cache/w", "WavLM", 631'000'000, {},
                                   1'262'000'000},
                                  {"openai/whisper-small", "/cache/whisper", "Whisper", 967'000'000,
                                   "openai/whisper-small is not downloaded completely: model.safetensors is missing. Download it again."}},
                                 toPath(story.path(kLongName)), 1e9, &story.window());
            chooser.show();
            for (int row = 0; row < 3; ++row) {
                chooser.list()->setCurrentIndex(chooser.list()->model()->index(row, 0));
                QCoreApplication::processEvents();
                m_findings.look(&chooser, QStringLiteral("models, %1").arg(QLatin1String(theme)));
            }
            chooser.close();
            for (Workspace* workspace : story.window().workspaces()) {
                story.window().showWorkspace(workspace->objectName());
                settle(story);
                for (const QAction* entry : story.window().menuBar()->actions())
                    lookAtMenu(entry->menu());
            }
            lookAtPlaces(story);
        }
    }

private:
    void stand(Story& story, QSize size, const char* theme) {
        m_setting = QStringLiteral("%1 × %2, %3").arg(size.width()).arg(size.height()).arg(QLatin1String(theme));
        widgets::Theme::apply(QString::fromLatin1(theme));
        resizeTo(story, size);
        settle(story);
        for (Workspace* workspace : story.window().workspaces())
            workspace->resetLayout();
    }
    void look(Story& story, const QString& state) {
        settle(story);
        const QString setting = QStringLiteral("%1, %2").arg(state, m_setting);
        m_findings.look(&story.window(), setting);
        m_findings.lookAtMinimum(&story.window(), kLow, setting);
    }
    static QAction* actionOf(Story& story, const QString& text) {
        for (const Actions::Listed& one : story.window().design()->listedActions())
            if (one.action->text() == text)
                return one.action;
        return nullptr;
    }

    /// As the user who drags every splitter as far as it goes.
    static void makeNarrow(Workspace* workspace) {
        QList<QDockWidget*> docks;
        for (QDockWidget* dock : workspace->findChildren<QDockWidget*>())
            if (dock->isVisible())
                docks << dock;
        for (const Qt::Orientation way : {Qt::Horizontal, Qt::Vertical})
            workspace->resizeDocks(docks, QList<int>(docks.size(), 1), way);
    }

    /// Looks at the box that `ask` shows, and closes it.
    void while_(const std::function<void()>& ask, const QString& state) {
        QTimer looking;
        looking.setInterval(20);
        QObject::connect(&looking, &QTimer::timeout, [&] {
            if (QWidget* box = QApplication::activeModalWidget()) {
                m_findings.look(box, QStringLiteral("%1, %2").arg(state, m_setting));
                box->close();
            }
        });
        looking.start();
        ask();
    }

    void lookAtMenu(QMenu* menu) {
        if (!menu)
            return;
        menu->popup(QPoint(10, 30));
        QCoreApplication::processEvents();
        m_findings.look(menu, QStringLiteral("menu %1, %2").arg(menu->title(), m_setting));
        menu->close();
    }

    /// The places: fields with more than they have room for.
    void lookAtPlaces(Story& story) {
        for (QPushButton* button : story.window().train()->findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Places…"))
                button->click();
        auto* places = story.window().findChild<PlacesDialog*>();
        QVERIFY(places);
        for (QComboBox* kind : places->findChildren<QComboBox*>())
            for (int row = 0; row < kind->count(); ++row) {
                kind->setCurrentIndex(row);
                Q_EMIT kind->activated(row);
                for (QLineEdit* field : places->findChildren<QLineEdit*>())
                    if (!field->isReadOnly() && field->objectName() != QStringLiteral("qt_spinbox_lineedit"))
                        field->setText(kLongName);
                QCoreApplication::processEvents();
                m_findings.look(places, QStringLiteral("places, %1").arg(m_setting));
            }
        delete places;
    }

    static void writeStudyOf(const fs::path& folder, StudyKind kind, RunState state) {
        SyntheticStudy made = syntheticStudy(kind, 3, 8, 4);
        fs::create_directories(folder);
        made.study.state = state;
        writeStudy(folder, made.study);
        NpzWriter results(StudyPaths{folder}.results());
        for (const auto& [name, tensor] : made.arrays)
            results.add(name, tensor.view());
        results.close();
    }

    QTemporaryDir m_folder;
    QString m_setting;
    LayoutFindings m_findings;
};

HEADROOM_TEST(LayoutViewsTest)

} // namespace headroom::testing::layout_views_test

#include "layout_views_test.moc"

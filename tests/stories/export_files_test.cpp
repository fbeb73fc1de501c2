// SPDX-License-Identifier: GPL-3.0-or-later
// Names, endings and folders of what is exported.
#include "app/parts/actions.h"
#include "app/parts/file_dialogs.h"
#include "app/settings/app_settings.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_store.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/compare/comparison.h"
#include "app/workspaces/analyse/export/file_names.h"
#include "app/workspaces/analyse/heads/heads_panel.h"
#include "app/workspaces/analyse/studies/probe_panel.h"
#include "tests/app/studies/made_study.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"

#include <QAction>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QTabWidget>
#include <QTest>

#include <memory>
#include <utility>

namespace headroom::testing::export_files_test {

using namespace headroom::app;

/// Keeps what a dialogue that saves suggested.
struct AskedSave : FileDialogs {
    QString suggested, file;
    QStringList names;
    QString save(QWidget*, const QString&, const QString& offered, const QStringList&, const QStringList& ofFilters) override {
        suggested = offered;
        names = ofFilters;
        return file;
    }
};

class ExportFilesStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void dataUnderAnotherEndingIsNotWritten() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.answers().file = story.path("data.xyz");
        story.window().actions().exportData->trigger();
        QVERIFY(!QFile::exists(story.path("data.xyz")));
        QVERIFY(story.messages().contains(QLatin1String(".npz or .csv")));
    }

    void aTabUnderAnotherEndingIsNotWritten() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.answers().file = story.path("tab.xyz");
        story.window().actions().exportTab->trigger();
        QVERIFY(!QFile::exists(story.path("tab.xyz")));
        QVERIFY2(story.messages().contains(QLatin1String(".pdf, .svg, .png or .csv")),
                 qPrintable(story.messages()));
    }

    void aTabWithoutContentIsNotExported() {
        Story story;
        const QAction* action = story.window().actions().exportTab;
        auto* tabs = story.part<QTabWidget>("analysisTabs");
        for (int tab = 0; tab < tabs->count(); ++tab) { // nothing is open
            tabs->setCurrentIndex(tab);
            QCoreApplication::processEvents();
            const QString whyNot = QStringLiteral("The tab %1 has nothing to save yet.").arg(tabs->tabText(tab));
            QVERIFY2(!action->isEnabled() && action->toolTip() == whyNot, qPrintable(tabs->tabText(tab) + u' ' + action->toolTip()));
        }
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        tabs->setCurrentWidget(story.part<ProbePanel>()); // there is no study
        QVERIFY(story.quiet());
        QVERIFY(!action->isEnabled());
        tabs->setCurrentIndex(0);
        QTRY_VERIFY_WITH_TIMEOUT(action->isEnabled(), 60000);
        story.part<QDockWidget>("analysis")->hide();
        QTRY_VERIFY_WITH_TIMEOUT(!action->isEnabled() && action->toolTip().contains(QStringLiteral("Window menu")), 60000);
    }

    /// The dialogue stood in the folder of the corpus that had been chosen for a study.
    void exportsKeepAFolderOfTheirOwn() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        QDir(story.path(".")).mkpath("figures");
        QDir(story.path(".")).mkpath("corpus");
        const QString file = story.path("figures/a.png");
        auto asking = std::make_unique<AskedSave>();
        AskedSave& asked = *asking;
        story.window().dialogs().replace(std::move(asking));
        story.settings().setLastFolder(AppSettings::FolderOf::Corpora, story.path("corpus"));
        asked.file = file;
        story.window().actions().exportFigure->trigger();
        QVERIFY2(QFileInfo(asked.suggested).absolutePath() != story.path("corpus"), qPrintable(asked.suggested));
        QVERIFY(QFile::exists(file));
        for (QAction* action : {story.window().actions().exportFigure, story.window().actions().exportTab, story.window().actions().exportData}) {
            asked.file.clear(); // given up
            action->trigger();
            QCOMPARE(QFileInfo(asked.suggested).absolutePath(), story.path("figures"));
        }
        QCOMPARE(story.settings().lastFolder(AppSettings::FolderOf::Corpora), story.path("corpus"));
    }

    /// Figures of two maps of one layer had one name, and so had those of two models; that of all heads named a layer.
    void everyViewSuggestsAFileOfItsOwn() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        auto asking = std::make_unique<AskedSave>();
        AskedSave& asked = *asking;
        story.window().dialogs().replace(std::move(asking));
        const auto suggested = [&](QAction* action) {
            action->trigger();
            return QFileInfo(asked.suggested).fileName();
        };
        const auto& actions = story.window().actions();
        const QString of = fileNameOf({QStringLiteral("one"), story.session().currentModel()->name});
        story.session().setCurrentLayer(2);
        QVERIFY(story.quiet());
        QCOMPARE(suggested(actions.exportFigure), of + QStringLiteral("-layer-2-contributions.pdf"));
        story.session().setMapSource(MapSource::of(MixingChoice(Mixing::ValueZeroing, true)));
        QVERIFY(story.quiet());
        QCOMPARE(suggested(actions.exportFigure), of + QStringLiteral("-layer-2-rollout-value-zeroing.pdf"));
        QCOMPARE(suggested(actions.exportData), of + QStringLiteral("-layer-2-rollout-value-zeroing.npz"));
        story.session().setMapSource({});
        story.window().analyse()->comparison()->compareLayer(story.session().currentModelId(), 3);
        QVERIFY(story.quiet());
        QCOMPARE(suggested(actions.exportFigure), of + QStringLiteral("-layer-2-contributions-compared-layer-3.pdf"));
        actions.blink->setChecked(true); // B stands in both places
        QVERIFY(story.quiet());
        QCOMPARE(suggested(actions.exportFigure), of + QStringLiteral("-layer-3-contributions.pdf"));
        QCOMPARE(suggested(actions.exportData), of + QStringLiteral("-layer-2-contributions-compared-layer-3.npz")); // which has both
        QCOMPARE(asked.names.at(1), of + QStringLiteral("-layer-3-contributions.csv"));
        actions.blink->setChecked(false);
        QVERIFY(story.quiet());
        actions.exportData->trigger();
        QCOMPARE(asked.names.at(1), of + QStringLiteral("-layer-2-contributions.csv"));
        for (auto* tabs : story.window().findChildren<QTabWidget*>())
            tabs->setCurrentWidget(story.part<HeadsPanel>());
        QVERIFY(story.quiet());
        QVERIFY2(suggested(actions.exportTab).startsWith(of + QStringLiteral("-heads.")), qPrintable(asked.suggested));
    }

    /// The folder of a study is called by its models, and the name of one of them stood twice in the name of the file.
    void aFigureOfAStudyNamesItsModelOnce() {
        Story story;
        const auto folder = toPath(story.path(QStringLiteral("2026-11-30T04-42_windows_made-other")));
        Study study = makeWindowsStudy(folder);
        study.models.resize(2, study.models.front());
        study.models.back().name = "other";
        writeStudy(folder, study);
        auto asking = std::make_unique<AskedSave>();
        AskedSave& asked = *asking;
        story.window().dialogs().replace(std::move(asking));
        story.window().studies()->open(folder);
        QVERIFY(story.quiet());
        story.window().evidence()->chooseModel(story.window().evidence()->shown(StudyKind::Windows), 2);
        story.window().actions().exportTab->trigger();
        const QString name = QFileInfo(asked.suggested).fileName(); // begins with the time at which the study was begun, here
        QVERIFY2(name.endsWith(QStringLiteral("_windows-other-layer-1-windows.pdf")) && !name.contains(QStringLiteral("made")), qPrintable(name));
    }

    void aFileThatCannotBeWrittenIsASentence() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.answers().file = story.path("no/such/folder/figure.png");
        story.window().actions().exportFigure->trigger();
        QCOMPARE(story.session().messages()->count(Severity::Error), 1);
        QVERIFY(story.messages().contains(QLatin1String("figure.png")));
    }
};

HEADROOM_TEST(ExportFilesStory)

} // namespace headroom::testing::export_files_test

#include "export_files_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/studies/study_tables_dialog.h"
#include "app/documents/session.h"
#include "app/jobs/device_list.h"
#include "app/places/place_store.h"
#include "app/settings/app_settings.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_store.h"
#include "app/workspaces/analyse/studies/study_panel.h"
#include "tests/app/studies/made_study.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/study_table/study_table_view.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace headroom::testing::study_tables_test {

using namespace headroom::app;

class StudyTablesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// The tests that compare the models were nowhere in the window.
    void everyTableOfAStudyIsShown() {
        auto study = std::make_shared<OpenStudy>();
        study->folder = "/studies/compared";
        study->document.kind = StudyKind::Heads;
        study->document.tables = {{"heads-1", "Heads of small", "CAD of small.", {{"cad", "CAD", "", 3, false}}, {{0.5}, {0.75}}},
                                  {"comparison", "Comparison of CAD", "Difference of the mean.", {{"p", "p", "", 4, false}}, {{0.03125}}}};
        StudyTablesDialog dialog(study, 1);
        dialog.show();
        QCOMPARE(dialog.chooser()->count(), 2);
        QCOMPARE(dialog.table()->study()->rowCount(), 2);
        dialog.chooser()->setCurrentIndex(dialog.chooser()->findText(QStringLiteral("Comparison of CAD")));
        QCOMPARE(dialog.table()->study()->table().name, std::string("comparison"));
        QVERIFY(std::ranges::any_of(dialog.findChildren<QLabel*>(),
                                    [](const QLabel* label) { return label->text() == QStringLiteral("Difference of the mean."); }));
    }

    void theFilterNamesWhatItSearches() {
        auto study = std::make_shared<OpenStudy>();
        study->folder = "/studies/searched";
        study->document.kind = StudyKind::Probe;
        study->document.tables = {{"probe", "Probe", "", {{"model", "Model", "", 0, true}, {"layer", "Layer", "", 0, false}, {"mean", "Accuracy", "%", 1, false}},
                                   {{std::string("demo"), 2.0, 12.3}, {std::string("demo"), 12.0, 22.0}}},
                                  {"latency", "Latency", "", {{"model", "Model", "", 0, true}, {"tokens", "Tokens", "", 0, false}}, {{std::string("demo"), 2.0}}}};
        StudyTablesDialog dialog(study, 1);
        const auto fields = dialog.findChildren<QLineEdit*>();
        QCOMPARE(fields.size(), 1);
        QCOMPARE(fields[0]->placeholderText(), QStringLiteral("Filter by layer"));
        QCOMPARE(fields[0]->toolTip(), QStringLiteral("Filter by layer, model"));
        fields[0]->setText(QStringLiteral("2"));
        QCOMPARE(dialog.table()->shownRows(), 1);
        dialog.chooser()->setCurrentIndex(1);
        QCOMPARE(fields[0]->toolTip(), QStringLiteral("Filter by tokens, model"));
        QCOMPARE(dialog.table()->shownRows(), 1); // the words go by the columns of this table
    }

    /// They began with those of the first model, whichever the tab showed.
    void theTablesBeginWithTheModelThatIsChosenInTheTab() {
        const QTemporaryDir home;
        const std::filesystem::path studies = home.path().toStdString(), folder = studies / "two";
        Study document = makeWindowsStudy(folder);
        document.models.resize(2, document.models.front());
        document.models.back().name = "other";
        document.tables.resize(2, document.tables.front());
        for (std::size_t model : {0, 1}) {
            document.tables[model].name = "windows-" + std::to_string(model + 1);
            document.tables[model].title = "Windows of " + document.models[model].name;
        }
        writeStudy(folder, document);
        Session session;
        StudyEvidence evidence;
        StudyStore store(studies, &evidence);
        AppSettings settings(home.filePath(QStringLiteral("settings.ini")));
        QAction newStudy;
        PlaceStore places;
        DeviceList devices;
        StudyPanel panel({&session, &store, &settings, &places, &devices}, &newStudy);
        panel.show();
        QTRY_VERIFY_WITH_TIMEOUT(panel.list()->model()->rowCount() == 1, 60000);
        panel.setCurrent(folder);
        evidence.add(openStudy(folder));
        for (const int model : {2, 1}) {
            evidence.chooseModel(evidence.shown(StudyKind::Windows), model);
            panel.findChild<QAction*>(QStringLiteral("studyTables"))->trigger();
            QTRY_VERIFY_WITH_TIMEOUT(panel.findChild<StudyTablesDialog*>(), 60000);
            std::unique_ptr<StudyTablesDialog> dialog(panel.findChild<StudyTablesDialog*>());
            QCOMPARE(dialog->chooser()->currentText(), QString::fromStdString(document.tables[std::size_t(model) - 1].title));
            QCOMPARE(dialog->table()->study()->table().name, document.tables[std::size_t(model) - 1].name);
        }
    }
};

HEADROOM_TEST(StudyTablesTest)

} // namespace headroom::testing::study_tables_test

#include "study_tables_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The forms of the program under the wheel.
#include "app/jobs/device_list.h"
#include "app/places/place_store.h"
#include "app/places/places_dialog.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_store.h"
#include "app/workspaces/analyse/studies/study_form.h"
#include "app/workspaces/design/cost_panel.h"
#include "app/workspaces/design/design_workspace.h"
#include "app/workspaces/train/evaluate/evaluate_dialog.h"
#include "app/workspaces/train/evaluate/evaluate_options.h"
#include "app/workspaces/train/experiments/experiments_dialog.h"
#include "app/workspaces/train/launch_form.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"
#include "tests/support/wheel.h"
#include "widgets/look/theme.h"

#include <QScrollArea>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

namespace headroom::testing::form_wheel_test {

using namespace headroom::app;

class FormWheelTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    /// Every field that can be used keeps its value, whichever way the wheel is turned over it.
    static void turnOverAll(QWidget* form, int least) {
        form->show();
        QVERIFY(QTest::qWaitForWindowExposed(form->window()));
        const QList<QWidget*> fields = usableFields(form);
        QVERIFY2(fields.size() >= least, qPrintable(QString::number(fields.size())));
        QStringList before;
        for (const QWidget* field : fields)
            before << valueOf(field);
        for (QWidget* field : fields)
            for (const int notches : {1, -1, -1}) // so that a field at the end of its range is moved, too
                turnWheel(field, notches);
        for (qsizetype i = 0; i < fields.size(); ++i)
            QVERIFY2(valueOf(fields[i]) == before[i], qPrintable(fields[i]->accessibleName() + QStringLiteral(": ") + before[i]));
    }

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void theFormOfAStudyScrolls() {
        const Workshop workshop;
        Session session;
        StudyEvidence evidence;
        StudyStore store(workshop.path() / "studies", &evidence);
        AppSettings settings(toQString(workshop.path() / "settings.ini"));
        PlaceStore places;
        DeviceList devices;
        StudyForm form({&session, &store, &settings, &places, &devices});
        form.resize(500, 300);
        turnOverAll(&form, 2);
        const auto areas = form.findChildren<QScrollArea*>();
        QCOMPARE(areas.size(), qsizetype(1));
        QScrollBar* bar = areas.front()->verticalScrollBar();
        QVERIFY(bar->maximum() > 0);
        bar->setValue(0);
        turnWheel(usableFields(&form).front(), -1);
        QVERIFY(bar->value() > 0);
    }

    void theFormOfARun() {
        Desk desk("good");
        turnOverAll(desk.workspace->form(), 3);
        turnOverAll(desk.workspace->showExperiments(), 2);
    }

    void anEvaluation() {
        PlaceStore places;
        DeviceList devices;
        EvaluateDialog dialog({}, {}, &places, &devices);
        dialog.options()->opener()->setChecked(true);
        turnOverAll(&dialog, 3);
    }

    void thePlaces() {
        PlaceStore places(toPath(m_folder.filePath(QStringLiteral("places.json"))));
        PlacesDialog dialog(&places);
        turnOverAll(&dialog, 1);
    }

    void design() {
        Session session;
        WorkerProcess worker({});
        AnalysisService analysis(&session, &worker);
        StudyEvidence evidence;
        const Actions actions(session.undoStack(), nullptr);
        DesignWorkspace design({&session, &analysis, &evidence, session.drafts(), &actions, {}, {}});
        design.resize(1600, 900);
        design.startFrom(0);
        QTRY_VERIFY_WITH_TIMEOUT(!design.isPending(), 60000);
        turnOverAll(&design, 4);
    }
};

HEADROOM_TEST(FormWheelTest)

} // namespace headroom::testing::form_wheel_test

#include "form_wheel_test.moc"

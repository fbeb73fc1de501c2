// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/study_evidence.h"
#include "app/workspaces/design/design_actions.h"
#include "app/workspaces/design/design_workspace.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QTest>

namespace headroom::testing::reuse_action_test {

using namespace headroom::app;

class ReuseActionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void layerOneSaysWhyItCannotReuse() {
        Session session;
        WorkerProcess worker({});
        AnalysisService analysis(&session, &worker);
        StudyEvidence evidence;
        const Actions actions(session.undoStack(), nullptr);
        DesignWorkspace design({&session, &analysis, &evidence, session.drafts(), &actions, {}, {}});
        design.startFrom(0);
        const QAction* reuse = design.actions().setReuse;
        const QString own = reuse->toolTip();
        design.editor()->selectHeads(1, 1, 1);
        QVERIFY(!reuse->isEnabled());
        QCOMPARE(reuse->toolTip(), QStringLiteral("Layer 1 has no earlier layer whose map it could reuse."));
        QVERIFY(design.actions().setFull->isEnabled());
        design.editor()->selectHeads(2, 1, 1);
        QVERIFY(reuse->isEnabled());
        QVERIFY(reuse->toolTip().contains(QStringLiteral("Shim")));
        QVERIFY(own != reuse->toolTip()); // nothing was selected
        design.editor()->selectionModel()->select(design.editor()->gridModel()->index(1, widgets::LayerEditorModel::FirstHead),
                                                  QItemSelectionModel::Select); // layers 1 and 2
        QVERIFY(!reuse->isEnabled());
    }
};

HEADROOM_TEST(ReuseActionTest)

} // namespace headroom::testing::reuse_action_test

#include "reuse_action_test.moc"

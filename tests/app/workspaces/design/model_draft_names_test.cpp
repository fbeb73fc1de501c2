// SPDX-License-Identifier: GPL-3.0-or-later
// What the draft of a model is called where it is saved and where it is measured beside its model.
#include "app/documents/items/paths.h"
#include "app/parts/panel_header.h"
#include "app/workspaces/design/cost_panel.h"
#include "app/workspaces/design/design_actions.h"
#include "app/workspaces/design/latency_view.h"
#include "tests/app/workspaces/design/design_desk.h"
#include "tests/app/workspaces/design/measuring_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <fstream>

namespace headroom::testing::model_draft_names_test {

using namespace headroom::app;

namespace {

/// A model of four layers, called demo, whose draft is current.
DraftKey openDemo(Session& session) {
    ModelDescription demo;
    demo.name = QStringLiteral("demo");
    demo.architecture = readArchitecture(HEADROOM_SOURCE_DIR "/resources/recipes/smoke.architecture.json");
    const ModelId model = session.openModel("/models/demo");
    session.setModelOpened(model, demo);
    session.setCurrentModel(model);
    return {model, 0};
}

} // namespace

class ModelDraftNamesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// Of two seeds, the title over the draft was cut before what tells them apart.
    void theTitleTellsTheSeedsOfAModelApart() {
        MeasuringDesk desk;
        const ModelId model = openDemo(desk.session).model;
        desk.design.resize(1000, 600);
        desk.design.show();
        QLabel* title = nullptr;
        const auto pictureOf = [&](int seed) {
            ModelDescription info = *desk.session.models()->find(model)->info;
            info.name = QStringLiteral("demo, layer 4: full → 13, layers 5–7: full → 19, layer 8: full → 23, 120 updates on demo, seed %1").arg(seed);
            desk.session.setModelOpened(model, info);
            if (!QTest::qWaitFor([&] { return !desk.design.isPending(); }, 60000))
                return QImage();
            for (QLabel* label : desk.design.findChildren<QLabel*>())
                if (label->text().endsWith(QStringLiteral("seed\u00a0%1").arg(seed)))
                    title = label;
            QCoreApplication::processEvents();
            return title ? title->grab().toImage() : QImage();
        };
        const QImage first = pictureOf(1), second = pictureOf(2);
        QVERIFY(title && title->fontMetrics().horizontalAdvance(title->text()) > title->width()); // it is cut
        QVERIFY(!first.isNull() && first == pictureOf(1) && first != second);
    }

    /// In a window of 1000 pixels it had room for six letters; *Use suggested windows* is in the menu ⋯ then.
    void theTitleHasRoomInASmallWindow() {
        MeasuringDesk desk;
        const ModelId model = openDemo(desk.session).model;
        ModelDescription info = *desk.session.models()->find(model)->info;
        info.name = QStringLiteral("wav2vec2-large-xlsr");
        desk.session.setModelOpened(model, info);
        desk.design.show();
        QLabel* title = nullptr;
        const auto isWhole = [&](int width) {
            desk.design.resize(width, 600);
            if (!QTest::qWaitFor([&] { return !desk.design.isPending(); }, 60000))
                return false;
            QCoreApplication::processEvents();
            for (QLabel* label : desk.design.findChildren<QLabel*>())
                if (label->text() == info.name)
                    title = label;
            return title && title->fontMetrics().horizontalAdvance(info.name) <= title->width();
        };
        QVERIFY2(isWhole(1000), qPrintable(title ? QString::number(title->width()) : QString()));
        auto* more = desk.design.findChild<QToolButton*>(QStringLiteral("overflow"));
        QVERIFY(more && more->isVisible());
        Q_EMIT more->menu()->aboutToShow();
        QVERIFY(more->menu()->actions().contains(desk.design.actions().useSuggested));
        QVERIFY(isWhole(1600) && !more->isVisible());
    }

    /// The draft was called as its model, and the model "Original model".
    void whatIsMeasuredIsCalledByWhatChanged() {
        MeasuringDesk desk;
        Session& session = desk.session;
        LatencyMeasurements& latency = desk.latency;
        DesignWorkspace& design = desk.design;
        const DraftKey key = openDemo(session);
        const auto measured = [&] { // the names of the documents are those of the study's models
            QStringList names;
            for (const auto& one : std::filesystem::recursive_directory_iterator(desk.studies))
                if (one.path().parent_path().filename() == "architectures")
                    names << toQString(one.path().stem());
            names.sort();
            std::filesystem::remove_all(desk.studies);
            return names;
        };
        const auto measure = [&] {
            if (!QTest::qWaitFor([&] { return !design.isPending() && !latency.isMeasuring(); }, 60000))
                return QStringList();
            design.findChild<LatencyView*>()->measureAction()->trigger();
            const bool ended = QTest::qWaitFor([&] { return !latency.isMeasuring(); }, 60000);
            return ended ? measured() : QStringList();
        };
        session.drafts()->write(key, {{2, 1, 4, QStringLiteral("local 29")}});
        const QString changed = session.drafts()->nameWithChanges(key);
        QVERIFY2(changed.startsWith(QStringLiteral("demo, layer 2: ")) && changed.endsWith(QStringLiteral(" → 29")), qPrintable(changed));
        QCOMPARE(measure(), (QStringList{QStringLiteral("demo"), changed}));

        const QString preset = design.baselineField()->itemText(1);
        design.baselineField()->setCurrentIndex(1);
        QStringList both{changed, preset};
        both.sort();
        QCOMPARE(measure(), both);
        design.baselineField()->setCurrentIndex(0);

        // An own document, which its file is called like since it was saved.
        const auto file = toPath(desk.folder.filePath(QStringLiteral("mine.json")));
        session.drafts()->save(key, file);
        std::filesystem::copy_file(file, file.parent_path() / "copy.json");
        const DraftKey own = session.drafts()->openDocument(file.parent_path() / "copy.json");
        QCOMPARE(session.drafts()->nameWithChanges(own), QStringLiteral("mine"));
        session.drafts()->write(own, {{1, 1, 4, QStringLiteral("local 9")}});
        session.drafts()->save(own, file.parent_path() / "copy.json");
        QCOMPARE(measure(), (QStringList{QStringLiteral("mine"), QStringLiteral("mine, original")}));
    }

    void aModelsDraftIsAskedForItsFileOnce() {
        const QTemporaryDir folder;
        DesignDesk desk;
        const DraftKey key = openDemo(desk.session);
        QStringList offered;
        desk.design.askSave = [&](const QString& suggested) {
            offered << suggested;
            return folder.filePath(QStringLiteral("arch.json"));
        };
        const auto* save = desk.design.actions().saveArchitecture;
        const auto isSaid = [&](const QString& words) {
            const auto headers = desk.design.findChildren<PanelHeader*>();
            return std::ranges::any_of(headers, [&](const PanelHeader* header) { return header->detail() == words; });
        };
        desk.session.drafts()->write(key, {{2, 1, 4, QStringLiteral("local 29")}});
        desk.design.actions().saveArchitecture->trigger();
        QVERIFY(isSaid(QStringLiteral("draft, saved as arch.json")));
        QVERIFY(!save->isEnabled() && save->toolTip().contains(QStringLiteral("since it was saved")));
        desk.session.drafts()->write(key, {{2, 1, 4, QStringLiteral("local 19")}});
        QVERIFY(isSaid(QStringLiteral("draft, edited since arch.json was saved")));
        desk.design.actions().saveArchitecture->trigger();
        QVERIFY(isSaid(QStringLiteral("draft, saved as arch.json")));
        QCOMPARE(offered, QStringList{QStringLiteral("demo.json")});
        desk.design.actions().saveArchitectureAs->trigger();
        QCOMPARE(offered.last(), QStringLiteral("arch.json"));
        desk.design.actions().resetDraft->trigger();
        QVERIFY(isSaid(QStringLiteral("unchanged, unlike arch.json")) && save->isEnabled());
    }
};

HEADROOM_TEST(ModelDraftNamesTest)

} // namespace headroom::testing::model_draft_names_test

#include "model_draft_names_test.moc"

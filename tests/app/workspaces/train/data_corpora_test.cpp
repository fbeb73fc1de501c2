// SPDX-License-Identifier: GPL-3.0-or-later
// Corpora in the Data view of Train: opened, named, exported, and given to the form.
#include "app/workspaces/train/data/corpus_export.h"
#include "app/workspaces/train/data/corpus_list.h"
#include "app/workspaces/train/data/data_charts.h"
#include "app/workspaces/train/data/data_tables.h"
#include "app/workspaces/train/launch_facts.h"
#include "app/workspaces/train/recipe_model.h"
#include "core/corpus/exports/export_corpus.h"
#include "core/corpus/kinds/import_corpus.h"
#include "tests/app/workspaces/train/opened_data.h"
#include "tests/support/pair_corpus.h"
#include "tests/support/runner.h"
#include "widgets/study_plots/limited_histogram.h"

#include <QComboBox>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>

#include <algorithm>

namespace headroom::testing::data_corpora_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class DataCorporaTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void trainWithItFillsTheForm() {
        Desk desk("good");
        DataView* view = openData(desk);
        QTest::keyClick(view->charts()->lengths(), Qt::Key_Left);
        const LengthLimits limits = view->charts()->limits();
        QVERIFY(view->charts()->isChanged());
        QTest::mouseClick(view->trainButton(), Qt::LeftButton);
        QVERIFY(!view->isVisible());
        QVERIFY(desk.workspace->form()->isVisible());
        QCOMPARE(desk.workspace->form()->data(), desk.shop.path() / "made");
        QCOMPARE(desk.workspace->form()->values()->recipe().data.maxFrames, limits.most);
        QCOMPARE(desk.workspace->form()->values()->recipe().data.minFrames, limits.least);
        desk.workspace->actions().data->trigger(); // the form's limits are not the recipe's, and Esc shows those
        QVERIFY(view->charts()->limits() == limits && view->charts()->isChanged());
        view->charts()->takeBack();
        QCOMPARE(view->charts()->limits().most, desk.workspace->form()->values()->base().data.maxFrames);
    }

    void whatIsNoCorpusSaysSoAndCanBeReadAgain() {
        Desk desk("good");
        fs::create_directories(desk.shop.path() / "empty");
        DataView* view = desk.workspace->data();
        desk.workspace->actions().data->trigger();
        QVERIFY(!view->trainButton()->isEnabled());
        QVERIFY(!view->trainButton()->toolTip().isEmpty());
        view->askFolder = [&](const QString&) { return toQString(desk.shop.path() / "empty"); };
        for (QAction* action : view->actions() + view->findChildren<QAction*>())
            if (action->text() == QStringLiteral("Add a corpus…"))
                action->trigger();
        QVERIFY(QTest::qWaitFor([&] { return !view->isPending(); }, 60000));
        QVERIFY(!view->current());
        bool says = false;
        for (const QLabel* label : view->findChildren<QLabel*>())
            says = says || (label->isVisible() && label->text().contains(QStringLiteral("is not a corpus")));
        QVERIFY(says);
        makeCorpus(desk.shop.path() / "empty");
        view->readAgain();
        QVERIFY(QTest::qWaitFor([&] { return view->current() != nullptr; }, 60000));
        QCOMPARE(view->current()->summary.utterances(), std::int64_t(71));
        QVERIFY(desk.settings->recentCorpora().contains(toQString(desk.shop.path() / "empty")));
    }

    /// One that was wrong stayed for ever, and a folder that was gone was listed like any other.
    void aCorpusIsTakenOffTheList() {
        Desk desk("good");
        const fs::path wrong = desk.shop.path() / "wrong", gone = desk.shop.path() / "gone";
        for (const fs::path& folder : {wrong, gone}) {
            fs::create_directories(folder);
            desk.settings->addRecentCorpus(toQString(folder));
        }
        DataView* view = openData(desk);
        const auto heightOf = [&](const fs::path& folder) {
            auto* list = view->list()->view();
            return list->visualRect(list->model()->index(view->list()->rowOf(folder), 0)).height();
        };
        const int usual = heightOf(gone);
        fs::remove(gone);
        desk.workspace->actions().data->trigger(); // back to the curves
        desk.workspace->actions().data->trigger();
        QVERIFY(heightOf(gone) > usual); // says so, and offers to remove it

        view->open(wrong);
        QTRY_VERIFY_WITH_TIMEOUT(!view->isPending(), 60000);
        QVERIFY(desk.settings->recentCorpora().contains(toQString(wrong)));
        desk.workspace->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(desk.workspace.get()));
        view->list()->view()->setFocus();
        QTest::keyClick(view->list()->view(), Qt::Key_Delete);
        QCOMPARE(view->list()->rowOf(wrong), -1);
        QVERIFY(!desk.settings->recentCorpora().contains(toQString(wrong)));
        QTRY_VERIFY_WITH_TIMEOUT(!view->isPending(), 60000);
        desk.workspace->actions().data->trigger();
        desk.workspace->actions().data->trigger();
        QCOMPARE(view->list()->rowOf(wrong), -1);
        view->open(wrong); // until it is opened again
        QVERIFY(view->list()->rowOf(wrong) >= 0);
        QTRY_VERIFY_WITH_TIMEOUT(!view->isPending(), 60000);

        while (view->list()->count() > 0) {
            const int before = view->list()->count();
            view->takeOffList();
            QCOMPARE(view->list()->count(), before - 1);
        }
        QTRY_VERIFY_WITH_TIMEOUT(!view->isPending(), 60000);
        QVERIFY(!view->trainButton()->isEnabled());
        QVERIFY(fs::exists(wrong) && fs::exists(desk.shop.path() / "made"));
        // "Choose one on the left", where there was none.
        QCOMPARE(view->statusText(), QStringLiteral("No corpus is shown. Add one on the left."));

        // The corpus of the form came back with the next start.
        desk.workspace.reset();
        desk.open();
        desk.workspace->form()->setData(desk.shop.path() / "made");
        desk.workspace->actions().data->trigger();
        QCOMPARE(desk.workspace->data()->list()->count(), 0);
        desk.workspace->data()->open(desk.shop.path() / "made");
        QCOMPARE(desk.workspace->data()->list()->count(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.workspace->data()->isPending(), 60000);
        desk.workspace.reset();
        desk.open();
        desk.workspace->actions().data->trigger();
        QCOMPARE(desk.workspace->data()->list()->rowOf(desk.shop.path() / "made"), 0);
    }

    /// "Export as…" wrote the corpus that was read before, and its tasks could be chosen.
    void whatWasReadBeforeIsNotExportedInItsPlace() {
        Desk desk("good");
        DataView* view = openData(desk);
        fs::create_directories(desk.shop.path() / "empty");
        view->open(desk.shop.path() / "empty");
        QTRY_VERIFY_WITH_TIMEOUT(!view->isPending(), 60000);
        for (QAction* action : view->findChildren<QAction*>())
            QVERIFY(action->text() != QStringLiteral("Export as…") || !action->isEnabled());
        for (const QComboBox* box : view->findChildren<QComboBox*>())
            QVERIFY(box->accessibleName() != QStringLiteral("Task") || !box->isEnabled());
    }

    /// What it calls itself may be another corpus's name.
    void aCorpusIsCalledAsInTheList() {
        Desk desk("good");
        DataView* view = openData(desk);
        view->open(makeCorpus(desk.shop.path() / "a copy of it"));
        QTRY_VERIFY_WITH_TIMEOUT(!view->isPending(), 60000);
        QCOMPARE(view->current()->summary.name, std::string("made"));
        QVERIFY2(view->statusText().startsWith(QStringLiteral("a copy of it, ")), qPrintable(view->statusText()));
    }

    void theCorpusIsExportedAndItsKindIsSaid() {
        Desk desk("good");
        DataView* view = openData(desk);
        QCOMPARE(view->kindText(), QStringLiteral("corpus.json and tables"));
        const fs::path made = view->current()->folder;
        QCOMPARE(view->exports()->menu()->actions().size(), qsizetype(exportKinds().size()));
        const fs::path place = desk.shop.path() / "exports";
        view->askFolder = [&](const QString&) { return QString::fromStdString(place.string()); };
        QSignalSpy exported(view, &DataView::exported), said(view, &DataView::said);
        for (QAction* form : view->exports()->menu()->actions())
            if (form->text() == QStringLiteral("kaldi"))
                form->trigger();
        QVERIFY(!view->exports()->action()->isEnabled()); // one at a time
        QVERIFY(exported.wait(60000));
        QCOMPARE(said.count(), 0);
        QVERIFY(view->exports()->action()->isEnabled());
        QVERIFY(fs::exists(place / "train" / "wav.scp"));
        // The folder is not empty any more: the next export has one of its own in it.
        view->exports()->exportAs("nemo", place);
        QVERIFY(exported.wait(60000));
        QCOMPARE(exported.back().front().toString(), QString::fromStdString((place / "made-nemo").string()));
        QVERIFY(fs::exists(place / "made-nemo" / "train.json"));
        view->exports()->exportAs("nemo", place); // that one is taken
        QVERIFY(said.wait(60000));
        // Read again, it says what it was.
        CorpusImport request;
        request.kind = "kaldi";
        request.from = place;
        request.out = desk.shop.path() / "again";
        importCorpus(request);
        view->open(request.out);
        QVERIFY(QTest::qWaitFor([&] { return view->current()->folder == request.out && !view->isPending(); }, 60000));
        QCOMPARE(view->kindText(), QStringLiteral("imported, kaldi"));
        // And where that lies: its own folder stood beside "From".
        const auto source = [&](const QString& word) {
            for (const QLabel* label : view->findChildren<QLabel*>())
                if (label->text() == word && label->isVisibleTo(view))
                    return qobject_cast<const QLabel*>(label->buddy())->text();
            return QString();
        };
        QCOMPARE(source(QStringLiteral("Imported from")), QString::fromStdString(place.string()));
        QCOMPARE(source(QStringLiteral("Folder")), QString::fromStdString(request.out.string()));
        view->open(made);
        QVERIFY(QTest::qWaitFor([&] { return view->current()->folder == made && !view->isPending(); }, 60000));
        QCOMPARE(source(QStringLiteral("Imported from")), QString());
    }

    /// "0.0 min", and plots of lengths and minutes without anything in them.
    void parallelTextHasNoMinutes() {
        Desk desk("good");
        const fs::path folder = makePairs(desk.shop.path() / "pairs", {"train"});
        DataView* view = openData(desk);
        DataCharts* charts = view->charts();
        QVERIFY(charts->lengths()->isVisible() && charts->detail(QStringLiteral("splits")).contains(QStringLiteral("min, ")));
        view->open(folder);
        QVERIFY(QTest::qWaitFor([&] { return view->current() && view->current()->folder == folder && !view->isPending(); }, 60000));
        QVERIFY(!charts->lengths()->isVisible());
        QCOMPARE(charts->detail(QStringLiteral("splits")), QStringLiteral("1 utterance"));
        QCOMPARE(view->statusText(), QStringLiteral("pairs, train: 1 utterance."));
        QVERIFY2(view->trainButton()->toolTip().startsWith(QStringLiteral("The recipe needs")), qPrintable(view->trainButton()->toolTip())); // a dev split
        for (const StudyColumn& column : splitsTable(view->current()->summary).columns)
            QVERIFY2(column.key != "minutes", column.key.c_str());
        const fs::path whole = makePairs(desk.shop.path() / "whole", {"train", "dev"});
        view->open(whole);
        QVERIFY(QTest::qWaitFor([&] { return view->current() && view->current()->folder == whole && !view->isPending(); }, 60000));
        const QString other = QStringLiteral("The recipe trains on recordings, but this corpus is parallel text. Choose another recipe.");
        QVERIFY2(view->trainButton()->toolTip().startsWith(other), qPrintable(view->trainButton()->toolTip()));
    }

    /// The field of the task lay over the lines around it.
    void aLowViewScrollsItsSource() {
        Desk desk("good");
        DataView view(desk.settings.get(), nullptr);
        view.open(makeCorpus(desk.shop.path() / "made"));
        view.resize(960, 300);
        view.show();
        QVERIFY(QTest::qWaitFor([&] { return view.current() && !view.isPending(); }, 60000));
        const auto fields = view.findChildren<QComboBox*>();
        const auto task = std::ranges::find_if(fields, [](const QComboBox* one) { return one->accessibleName() == QStringLiteral("Task"); });
        QVERIFY(task != fields.end());
        const auto isFree = [&] {
            for (const QLabel* label : (*task)->parentWidget()->findChildren<QLabel*>())
                if (label->isVisible() && label->buddy() != *task && label->geometry().intersects((*task)->geometry()))
                    return false;
            return true;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isFree(), 10000);
        QCOMPARE(view.height(), 300);
    }

    /// Training with it could not start; the form says so too, with the same remedy.
    void aCorpusWithoutTheRecipesSplitIsNotOffered() {
        Desk desk("good");
        DataView* view = openData(desk);
        QVERIFY(view->trainButton()->isEnabled());
        RecipeModel* recipe = desk.workspace->form()->values();
        recipe->write(QStringLiteral("data.trainSplit"), QStringLiteral("all"));
        QVERIFY(QTest::qWaitFor([&] { return !desk.workspace->isPending(); }, 60000));
        QVERIFY(!view->trainButton()->isEnabled());
        const QString why = QStringLiteral("The recipe needs the split “all”; this corpus has “train”, “dev”. Set data.trainSplit in "
                                           "New run, All values.");
        QVERIFY(view->trainButton()->toolTip().contains(why));
        const DataFacts facts = readDataFacts(desk.shop.path() / "made", recipe->recipe(), {});
        QVERIFY2(facts.mistake.endsWith(QStringLiteral("has no split “all”; it has “train”, “dev”. Set data.trainSplit in All values.")),
                 qPrintable(facts.mistake));
        recipe->write(QStringLiteral("data.validationSplit"), QStringLiteral("held-out"));
        QVERIFY(QTest::qWaitFor([&] { return !desk.workspace->isPending(); }, 60000));
        QVERIFY2(view->trainButton()->toolTip().contains(QStringLiteral("needs the splits “all” and “held-out”; this corpus has “train”, “dev”. Set "
                                                                        "data.trainSplit and data.validationSplit in New run, All values.")),
                 qPrintable(view->trainButton()->toolTip()));
        recipe->takeBack(QStringLiteral("data.validationSplit"));
        recipe->takeBack(QStringLiteral("data.trainSplit"));
        QVERIFY(view->trainButton()->isEnabled());
    }
};

HEADROOM_TEST(DataCorporaTest)

} // namespace headroom::testing::data_corpora_test

#include "data_corpora_test.moc"

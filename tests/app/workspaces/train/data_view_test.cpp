// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/number_text.h"
#include "app/parts/panel_header.h"
#include "app/workspaces/train/data/corpus_export.h"
#include "app/workspaces/train/data/corpus_list.h"
#include "app/workspaces/train/data/data_charts.h"
#include "app/workspaces/train/data/data_tables.h"
#include "app/workspaces/train/data/data_view.h"
#include "app/workspaces/train/data/defects_panel.h"
#include "app/workspaces/train/launch_facts.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/recipe_model.h"
#include "app/workspaces/train/train_actions.h"
#include "core/corpus/exports/export_corpus.h"
#include "core/corpus/kinds/import_corpus.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/made_corpus.h"
#include "tests/support/runner.h"
#include "widgets/look/number_text.h"
#include "widgets/study_plots/limited_histogram.h"
#include "widgets/study_table/study_table_view.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::data_view_test {

using namespace headroom::app;
using headroom::testing::Desk;
using headroom::testing::makeCorpus;
using widgets::LimitedHistogram;
using widgets::numberText;
using widgets::StudyTableView;
namespace fs = std::filesystem;

namespace {

/// What a cell shows, by row of the table and key of the column.
QString cell(const StudyTableView* view, int row, const char* key) {
    const auto& columns = view->study()->table().columns;
    for (std::size_t column = 0; column < columns.size(); ++column)
        if (columns[column].key == key)
            return view->study()->index(row, int(column)).data().toString();
    return QStringLiteral("no column ") + QLatin1String(key);
}

QString footOf(DataView* view) {
    for (const QLabel* label : view->findChildren<QLabel*>())
        if (label->text().startsWith(QLatin1String("With ")))
            return label->text();
    return {};
}

} // namespace

class DataViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("HEADROOM_AUDIO", "file:"); }

    /// A manifest names no language: nothing stands in its place.
    void anUnknownLanguageIsNotNamed() {
        CorpusSummary summary;
        summary.vocabularies.resize(1);
        summary.vocabularies[0].language = "text";
        summary.vocabularies[0].unknown["dev"] = 0.014;
        summary.trainingSplits = {"train"};
        SplitFacts train, dev;
        train.name = "train";
        dev.name = "dev";
        train.texts.resize(1);
        train.texts[0].language = "text";
        dev.texts = train.texts;
        train.texts[0].vocabulary.different = 439;
        dev.texts[0].vocabulary.different = 57;
        QCOMPARE(languageName("text"), QString());
        QCOMPARE(languageName("und"), QString()); // "undetermined", as an import without a language writes it
        QCOMPARE(languageName("de"), QStringLiteral("de"));
        summary.splits = {train, dev};
        const QString counted = QStringLiteral("; different words, counted as in WER (lower case, without tokens of punctuation alone)");
        QCOMPARE(vocabularyText(summary, train), QStringLiteral("439 in train; not in training: dev 1.4\u202f%") + counted);
        QCOMPARE(vocabularyText(summary, dev), QStringLiteral("57 in dev; not in training: 1.4\u202f%") + counted);
    }

    /// “43 in test, 54 in several splits”: the second number was of the whole corpus.
    void sharedSpeakersAreThoseOfTheSplit() {
        CorpusSummary summary;
        SplitFacts train, dev, test;
        train.name = "train";
        dev.name = "dev";
        test.name = "test";
        train.speakers = {{"a"}, {"b"}, {"c"}};
        dev.speakers = {{"a"}, {"b"}};
        test.speakers = {{"d"}};
        summary.splits = {train, dev, test};
        summary.sharedSpeakers = {{"a", {"dev", "train"}}, {"b", {"dev", "train"}}};
        QCOMPARE(speakersText(summary, dev), QStringLiteral("2 in dev, 2 also in other splits"));
        QCOMPARE(speakersText(summary, train), QStringLiteral("3 in train, 2 also in other splits"));
        QCOMPARE(speakersText(summary, test), QStringLiteral("1 in test, none in another split"));
        summary.splits = {train};
        QCOMPARE(speakersText(summary, train), QStringLiteral("3 in train"));
    }

    void whatCannotBeReadIsSaid() {
        SplitFacts split;
        split.name = "bad";
        split.utterances = split.unknownLength = 7;
        QVERIFY2(statusText(split, {}).contains(QStringLiteral("7 recordings would stop a run.")), qPrintable(statusText(split, {})));
    }

    void everyNumberIsThatOfTheSummary() {
        Desk desk("good");
        DataView* view = openData(desk);
        QVERIFY(view->current());
        const auto summary = summariseCorpus(Corpus::open(desk.shop.path() / "made"), "asr");
        const StudyTableView* splits = view->charts()->splits();
        QCOMPARE(splits->study()->rowCount(), 2);
        for (int row = 0; row < 2; ++row) {
            const auto& split = summary->splits[std::size_t(row)];
            QCOMPARE(cell(splits, row, "split"), QString::fromStdString(split.name));
            QCOMPARE(cell(splits, row, "minutes"), numberText(split.seconds / 60, 1));
            QCOMPARE(cell(splits, row, "utterances"), QString::number(split.utterances));
            QCOMPARE(cell(splits, row, "speakers"), QString::number(split.speakers.size()));
        }
        const auto& train = summary->split("train");
        QCOMPARE(view->charts()->detail(QStringLiteral("speakers")),
                 QStringLiteral("9 in train, 1 also in other splits"));
        QVERIFY(view->charts()
                    ->detail(QStringLiteral("rate"))
                    .contains(numberText(train.texts[0].meanRate(), 2)));
        QVERIFY(view->charts()
                    ->detail(QStringLiteral("vocabulary"))
                    .startsWith(QStringLiteral("en %1 in train").arg(summary->vocabularies[0].different)));
        QVERIFY(view->charts()
                    ->detail(QStringLiteral("vocabulary"))
                    .contains(numberText(100 * summary->vocabularies[0].unknown.at("dev"), 1)));
        QVERIFY(view->charts()
                    ->detail(QStringLiteral("length"))
                    .contains(numberText(train.seconds / double(train.frames.size()), 2)));
        const LengthLimits limits = view->charts()->limits();
        const Recipe& recipe = desk.workspace->form()->values()->recipe();
        QCOMPARE(limits.most, recipe.data.maxFrames);
        const auto kept = leftOutBy(train, limits).kept;
        QVERIFY2(footOf(view).contains(QStringLiteral("%1 utterances of train").arg(kept.utterances)),
                 qPrintable(footOf(view)));
        QVERIFY(footOf(view).contains(hoursText(kept.seconds)));
        QCOMPARE(desk.workspace->statusText(), view->statusText());
        QVERIFY2(view->statusText().contains(QStringLiteral("1 without text")), qPrintable(view->statusText()));

        const StudyTableView* defects = view->defects()->defects();
        QCOMPARE(defects->study()->rowCount(), int(summary->defects.size()));
        QVERIFY(summary->defects.size() >= 3);
        for (int row = 0; row < defects->study()->rowCount(); ++row) {
            const auto& defect = summary->defects[std::size_t(row)];
            QCOMPARE(cell(defects, row, "defect"), QString::fromStdString(defectTitle(defect.code)));
            QCOMPARE(cell(defects, row, "utterances"), QString::number(defect.utterances.size()));
            view->defects()->chooseDefect(row);
            const StudyTableView* list = view->defects()->utterances();
            QCOMPARE(list->study()->rowCount(), int(defect.utterances.size()));
            for (int one = 0; one < list->study()->rowCount(); ++one) {
                QCOMPARE(cell(list, one, "id"),
                         QString::fromStdString(defect.utterances[std::size_t(one)].id));
                QCOMPARE(cell(list, one, "problem"),
                         QString::fromStdString(defect.utterances[std::size_t(one)].sentence));
            }
        }
    }

    void theLimitsOfTheRecipeCanBeMovedAndTakenBack() {
        Desk desk("good");
        DataView* view = openData(desk);
        auto* plot = view->charts()->lengths();
        const auto& train = view->current()->summary.split("train");
        const std::int64_t recipes = view->charts()->limits().most;
        // Dragged from the edge, where it stands while it lies beyond the longest utterance.
        const int y = plot->height() / 2;
        const QPoint from(qRound(plot->pixelOf(LimitedHistogram::Limit::Most)), y);
        QTest::mousePress(plot, Qt::LeftButton, {}, from);
        QTest::mouseMove(plot, QPoint(plot->width() / 2, y));
        QTest::mouseRelease(plot, Qt::LeftButton, {}, QPoint(plot->width() / 2, y));
        const LengthLimits moved = view->charts()->limits();
        QVERIFY(view->charts()->isChanged());
        QVERIFY2(moved.most > 100 && moved.most < train.frames.back(), qPrintable(QString::number(moved.most)));
        const auto left = leftOutBy(train, moved);
        QVERIFY(left.tooLong.utterances > 0);
        QVERIFY(
            footOf(view).contains(QStringLiteral("changed limits: %1 utterances").arg(left.kept.utterances)));
        QVERIFY(view->statusText().contains(QStringLiteral("%1 too long").arg(left.tooLong.utterances)));
        QVERIFY(plot->accessibleDescription().contains(QString::number(left.tooLong.utterances)));
        QTest::keyClick(plot, Qt::Key_Right);
        QCOMPARE(view->charts()->limits().most, moved.most + 10);
        QTest::keyClick(plot, Qt::Key_Down);
        QTest::keyClick(plot, Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(view->charts()->limits().least >= 100);
        QTest::keyClick(plot, Qt::Key_Escape);
        QCOMPARE(view->charts()->limits().most, recipes);
        QVERIFY(!view->charts()->isChanged());
    }

    void anUtteranceWithADefectIsPlayed() {
        Desk desk("good");
        DataView* view = openData(desk);
        QSignalSpy failed(view, &DataView::said), played(view->defects()->player(), &ClipPlayer::played);
        const auto& defects = view->current()->summary.defects;
        for (std::size_t row = 0; row < defects.size(); ++row) {
            view->defects()->chooseDefect(int(row));
            view->defects()->toggle(0);
            if (defects[row].utterances.front().index < 0) {
                QCOMPARE(failed.count(), 1);
                continue;
            }
            QVERIFY(QTest::qWaitFor([&] { return view->defects()->player()->isPlaying(); }, 60000));
            if (defects[row].code == "corpus.sounds")
                QVERIFY(QTest::qWaitFor([&] { return played.count() > 0; }, 60000)); // to its end
            else
                view->defects()->toggle(0);
            QVERIFY(QTest::qWaitFor([&] { return !view->defects()->player()->isPlaying(); }, 60000));
        }
        QCOMPARE(failed.count(), 1); // the one that was left out
        QVERIFY(desk.said().contains(QStringLiteral("gone.wav")));
    }

    /// Every second time it closed Data behind the workspace that was shown, and nothing was to be seen.
    void fromAnotherWorkspaceDataIsAlwaysShown() {
        Desk desk("good");
        DataView* view = openData(desk);
        QAction* data = desk.workspace->actions().data;
        for (QAction* elsewhere : {desk.actions.analyseWorkspace, desk.actions.designWorkspace}) {
            elsewhere->trigger();
            data->trigger();
            QVERIFY(desk.actions.trainWorkspace->isChecked());
            QVERIFY(data->isChecked() && view->isVisible());
        }
        data->trigger(); // from TRAIN, where it is seen
        QVERIFY(!data->isChecked() && !view->isVisible());
    }

    /// The list beside “none found” was blank.
    void withoutDefectsTheListSaysSo() {
        DefectsPanel panel;
        panel.show();
        const auto* sentence = panel.findChild<QLabel*>(QStringLiteral("noDefects"));
        panel.setCorpus(std::make_shared<ReadCorpus>());
        QVERIFY(sentence && sentence->isVisible() && !panel.utterances()->isVisible());
        Desk desk("good");
        const auto made = openData(desk)->current();
        QVERIFY(!made->summary.defects.empty());
        panel.setCorpus(made);
        QVERIFY(!sentence->isVisible() && panel.utterances()->isVisible());
    }

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

    void panelsComeBackAsTheyWere() {
        Desk desk("good");
        TrainWorkspace* train = desk.workspace.get();
        openData(desk);
        QVERIFY(!train->form()->isVisible());
        const QByteArray saved = train->savedLayout(); // what the next start finds
        train->actions().data->trigger();
        QVERIFY(train->form()->isVisible());
        for (auto* dock : train->findChildren<QDockWidget*>())
            dock->hide();
        train->restoreLayout(saved);
        QVERIFY(train->form()->isVisible());
        train->actions().data->trigger();
        QVERIFY(!train->form()->isVisible());
        train->resetLayout();
        QVERIFY(train->form()->isVisible() && !train->data()->isVisible());
        QVERIFY(!train->actions().data->isChecked());
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

    void anotherTaskAndSplitAreShown() {
        Desk desk("good");
        DataView* view = openData(desk);
        view->charts()->chooseSplit("dev");
        QVERIFY(footOf(view).contains(QStringLiteral("of dev")));
        const SplitFacts& dev = view->current()->summary.split("dev");
        QVERIFY(dev.texts[0].vocabulary.running < view->current()->summary.split("train").texts[0].vocabulary.running);
        QVERIFY(view->charts()->detail(QStringLiteral("vocabulary"))
                    .startsWith(QStringLiteral("en %1 in dev").arg(dev.texts[0].vocabulary.different)));
        view->setRecipes({QStringLiteral("one")}, 0, {5, 3000}, {5, 3000}, "st_de");
        QVERIFY(QTest::qWaitFor([&] { return view->current()->summary.task == "st_de"; }, 60000));
        QCOMPARE(view->charts()->split()->name, std::string("dev"));
        QVERIFY(view->charts()->detail(QStringLiteral("rate")).contains(QStringLiteral("de ")));
        view->cancel(); // nothing is read: nothing happens
        QVERIFY(footOf(view).contains(QStringLiteral("of dev")));
    }

    void theCorpusIsExportedAndItsKindIsSaid() {
        Desk desk("good");
        DataView* view = openData(desk);
        QCOMPARE(view->kindText(), QStringLiteral("corpus.json and tables"));
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

    /// "226 utterances of all" reads as a part of something.
    void aSplitNamedAllIsQuoted() {
        SplitFacts split;
        split.name = "all";
        split.speakers.resize(1);
        QCOMPARE(speakersText({}, split), QStringLiteral("1 in “all”"));
        split.name = "train";
        QCOMPARE(speakersText({}, split), QStringLiteral("1 in train"));
    }

private:
    static DataView* openData(Desk& desk) {
        const auto corpus = makeCorpus(desk.shop.path() / "made");
        desk.workspace->form()->chooseRecipe(desk.shop.resource("recipes/smoke.json"));
        desk.workspace->actions().data->trigger();
        desk.workspace->data()->open(corpus);
        (void)QTest::qWaitFor([&] { return !desk.workspace->data()->isPending(); }, 60000);
        QTest::qWait(20);
        return desk.workspace->data();
    }
};

HEADROOM_TEST(DataViewTest)

} // namespace headroom::testing::data_view_test

#include "data_view_test.moc"

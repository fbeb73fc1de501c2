// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/forms/form_row.h"
#include "app/workspaces/train/data/data_charts.h"
#include "app/workspaces/train/data/data_tables.h"
#include "app/workspaces/train/data/data_view.h"
#include "app/workspaces/train/data/defects_panel.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/recipe_model.h"
#include "app/workspaces/train/train_actions.h"
#include "tests/app/workspaces/train/opened_data.h"
#include "tests/support/runner.h"
#include "widgets/look/number_text.h"
#include "widgets/study_plots/limited_histogram.h"
#include "widgets/study_table/study_table_view.h"

#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

namespace headroom::testing::data_view_test {

using namespace headroom::app;
using widgets::LimitedHistogram;
using widgets::numberText;
using widgets::StudyTableView;

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
        const QString counted = QStringLiteral("; counted as in WER (lower case, without tokens of punctuation alone)");
        QCOMPARE(vocabularyText(summary, train), QStringLiteral("439 different words in train; not in training, of all words: dev 1.4\u202f%") + counted);
        QCOMPARE(vocabularyText(summary, dev), QStringLiteral("57 different words in dev; not in training, of all words: 1.4\u202f%") + counted);
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
        split.utterances = 7;
        split.unusable.resize(7);
        QVERIFY2(statusText(split, {}).contains(QStringLiteral("7 recordings would stop a run.")), qPrintable(statusText(split, {})));
    }

    /// A table that gives a recording which cannot be used a wrong length made it "1 too long, 0.0 min".
    void aLengthThatOnlyTheTableSaysIsNoTime() {
        SplitFacts split;
        split.name = "bad";
        split.unusable = {{9000, true}};
        const LengthLimits limits{5, 3000};
        QCOMPARE(leftOutText(leftOutBy(split, limits)), QStringLiteral("left out: 1 too long by the table (unusable recording)"));
        split.unusable.push_back({1, true});
        split.frames = {2, 100, 5998};
        QCOMPARE(leftOutText(leftOutBy(split, limits)),
                 QStringLiteral("left out: 1 too short, 1 too long, %1; 1 too short, 1 too long by the table (unusable recordings)").arg(hoursText(60.04)));
        split.unusable.clear();
        QCOMPARE(leftOutText(leftOutBy(split, limits)), QStringLiteral("left out: 1 too short, 1 too long, %1").arg(hoursText(60.04)));
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
                    .startsWith(QStringLiteral("en %1 different words in train").arg(summary->vocabularies[0].different)));
        QVERIFY(view->charts()
                    ->detail(QStringLiteral("vocabulary"))
                    .contains(numberText(100 * summary->vocabularies[0].unknown.at("dev"), 1)));
        QVERIFY(view->charts()
                    ->detail(QStringLiteral("length"))
                    .contains(widgets::timeText(train.seconds / double(train.frames.size()), 2)));
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

    /// Data counted the split of validation by data.maxFrames; a run and the form go by what fits into a batch.
    void validationIsLimitedByTheBatch() {
        Desk desk("good");
        DataView* view = openData(desk);
        RecipeModel* values = desk.workspace->form()->values();
        for (const auto& [key, value] : {std::pair("data.trainSplit", "train"), {"data.validationSplit", "dev"}, {"data.maxFrames", "100"}, {"data.maxBatchFrames", "150"}})
            values->write(QString::fromLatin1(key), QString::fromLatin1(value));
        const auto& summary = view->current()->summary;
        const LengthLimits ofBatch{values->recipe().data.minFrames, 150};
        const auto kept = leftOutBy(summary.split("dev"), ofBatch).kept.utterances;
        QVERIFY(kept > leftOutBy(summary.split("dev"), view->charts()->limits()).kept.utterances);
        view->charts()->chooseSplit("dev");
        QCOMPARE(view->charts()->shownLimits(), ofBatch);
        QVERIFY2(footOf(view).contains(QStringLiteral(": %1 utterances of dev").arg(kept)), qPrintable(footOf(view)));
        QCOMPARE(view->statusText().section(u'.', 1), statusText(summary.split("dev"), ofBatch, true).section(u'.', 1));
        auto* plot = view->charts()->lengths();
        QCOMPARE(plot->limit(LimitedHistogram::Limit::Most), 1.5);
        QTest::keyClick(plot, Qt::Key_Up); // the batch is not chosen here
        QTest::keyClick(plot, Qt::Key_Right);
        QCOMPARE(view->charts()->limits().most, 100);
        QVERIFY(view->charts()->limits().least > ofBatch.least);
        QCOMPARE(view->charts()->shownLimits(), (LengthLimits{view->charts()->limits().least, 150}));
        view->charts()->chooseSplit("train");
        QCOMPARE(view->charts()->shownLimits(), view->charts()->limits());
        QCOMPARE(plot->limit(LimitedHistogram::Limit::Most), 1.0);
        LaunchForm* form = desk.workspace->form();
        form->setData(view->current()->folder);
        QTRY_VERIFY_WITH_TIMEOUT(!form->isPending(), 60000);
        const QString note = form->findChild<FormRow*>(QStringLiteral("data"))->note();
        QVERIFY2(note.contains(QStringLiteral(", %1 to validate").arg(kept)), qPrintable(note));
        values->write(QStringLiteral("data.validationSplit"), QStringLiteral("train")); // trained on, too
        QCOMPARE(view->charts()->shownLimits(), view->charts()->limits());
    }

    /// On the split of validation the shortest could be dragged past the longest of training, which no recipe may have.
    void theShortestStaysBelowTheLongestOfTraining() {
        Desk desk("good");
        DataView* view = openData(desk);
        DataCharts* charts = view->charts();
        RecipeModel* values = desk.workspace->form()->values();
        for (const auto& [key, value] : {std::pair("data.trainSplit", "train"), {"data.validationSplit", "dev"}, {"data.maxFrames", "100"}})
            values->write(QString::fromLatin1(key), QString::fromLatin1(value));
        charts->chooseSplit("dev");
        QTest::keyClick(charts->lengths(), Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(charts->limits(), (LengthLimits{100, 100}));
        QCOMPARE(charts->lengths()->limit(LimitedHistogram::Limit::Least), 1.0);
        const std::int64_t batch = values->recipe().data.maxBatchFrames;
        values->write(QStringLiteral("data.maxBatchFrames"), QStringLiteral("150")); // does not replace what was dragged
        QCOMPARE(charts->limits(), (LengthLimits{100, 100}));
        QCOMPARE(charts->shownLimits(), (LengthLimits{100, 150}));
        values->write(QStringLiteral("data.maxBatchFrames"), QString::number(batch));
        charts->takeBack();
        charts->chooseSplit("train");
        QTest::keyClick(charts->lengths(), Qt::Key_Up);
        QTest::keyClick(charts->lengths(), Qt::Key_Left);
        QVERIFY2(footOf(view).startsWith(QLatin1String("With the changed limits")), qPrintable(footOf(view)));
        charts->chooseSplit("dev"); // which the longest of training does not touch
        QVERIFY2(charts->isChanged() && footOf(view).startsWith(QLatin1String("With this recipe")), qPrintable(footOf(view)));
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
        data->trigger(); // from Train, where it is seen
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

    /// “imported, headr…” stood beside a path that was whole.
    void theKindOfACorpusIsWhole() {
        Desk desk("good");
        DataView* view = openData(desk);
        const auto labels = view->findChildren<QLabel*>();
        const auto kind = std::find_if(labels.begin(), labels.end(), [](const QLabel* label) { return label->text() == QLatin1String("corpus.json and tables"); });
        QVERIFY(kind != labels.end());
        (*kind)->setText(QStringLiteral("imported, recordings with transcripts and alignments"));
        const auto room = [&] { return (*kind)->contentsRect(); };
        const auto needed = [&] { return (*kind)->fontMetrics().boundingRect(room(), (*kind)->wordWrap() ? Qt::TextWordWrap : 0, (*kind)->text()); };
        QTRY_VERIFY(needed().width() <= room().width() && needed().height() <= room().height());
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

    void anotherTaskAndSplitAreShown() {
        Desk desk("good");
        DataView* view = openData(desk);
        view->charts()->chooseSplit("dev");
        QVERIFY(footOf(view).contains(QStringLiteral("of dev")));
        const SplitFacts& dev = view->current()->summary.split("dev");
        QVERIFY(dev.texts[0].vocabulary.running < view->current()->summary.split("train").texts[0].vocabulary.running);
        QVERIFY(view->charts()->detail(QStringLiteral("vocabulary"))
                    .startsWith(QStringLiteral("en %1 different words in dev").arg(dev.texts[0].vocabulary.different)));
        view->setRecipes({QStringLiteral("one")}, 0, {{5, 3000}, {5, 3000}, {}}, Recipe().data.limits(), "st_de");
        QVERIFY(QTest::qWaitFor([&] { return view->current()->summary.task == "st_de"; }, 60000));
        QCOMPARE(view->charts()->split()->name, std::string("dev"));
        QVERIFY(view->charts()->detail(QStringLiteral("rate")).contains(QStringLiteral("de ")));
        view->cancel(); // nothing is read: nothing happens
        QVERIFY(footOf(view).contains(QStringLiteral("of dev")));
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
};

HEADROOM_TEST(DataViewTest)

} // namespace headroom::testing::data_view_test

#include "data_view_test.moc"

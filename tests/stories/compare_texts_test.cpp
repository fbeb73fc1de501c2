// SPDX-License-Identifier: GPL-3.0-or-later
// Two maps of texts beside each other: every one is on the axis of its own tokens.
#include "app/parts/actions.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/compare/compared_map.h"
#include "app/workspaces/analyse/sound/time_column.h"
#include "tests/stories/run_worker.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"
#include "tests/support/tiny_text_model.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/tiers/tier_lane.h"

#include <QAction>
#include <QComboBox>
#include <QTest>

#include <fstream>

namespace headroom::testing::compare_texts_story {

using namespace headroom::app;

class CompareTextsStory : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    /// A translator from English or from German, whose tokenizers cut a text differently.
    QString train(const char* run, const QString& task) const {
        return runWorker({"train", "--architecture", path("tiny.json"), "--recipe",
                     QStringLiteral(HEADROOM_SOURCE_DIR "/resources/recipes/demo-text.json"), "--data", path("corpus"), "--run", path(run),
                          "--set", QStringLiteral("task=\"%1\"").arg(task), "--set", "length.maxUpdates=2", "--set",
                          "validation.everyUpdates=2", "--set", "validation.maxUtterances=2", "--set", "validation.maxTokens=4", "--set",
                          "machine.threads=1", "--set", "data.maxBatchFrames=300"});
    }

    /// The tokens over map B, from left to right.
    static QStringList twinTokens(Story& story, std::int64_t count) {
        QStringList labels;
        for (widgets::TimeLane* lane : story.part<TimeColumn>()->twinLanes())
            if (const auto* words = qobject_cast<widgets::TierLane*>(lane))
                for (std::int64_t token = 0; token < count; ++token)
                    if (const Interval* piece = words->intervalAt(Seconds(double(token) + 0.5)))
                        labels << QString::fromStdString(piece->label);
        return labels;
    }

    static void choose(QComboBox* field, int index) {
        field->setCurrentIndex(index);
        Q_EMIT field->activated(index);
    }

private Q_SLOTS:
    void initTestCase() {
        Story story; // names the worker
        std::ofstream(path("tiny.json").toStdString()) << kTinyText;
        std::ofstream(path("two.txt").toStdString()) << "The dog sees a cat.\nWe read.\n";
        QCOMPARE(runWorker({"corpus", "demo", "--text", "--sentences", "300", "--out", path("corpus")}), QString());
        QCOMPARE(train("german", QStringLiteral("translate")), QString());
        QCOMPARE(runWorker({"corpus", "pieces", "--data", path("corpus"), "--task", "translate", "--model", "char"}), QString());
        QCOMPARE(train("letters", QStringLiteral("translate")), QString());
    }

    void otherTokensOfOneTextHaveAnAxisOfTheirOwn() {
        Story story;
        QVERIFY2(story.openAndWait({path("letters/model"), path("german/model"), path("two.txt")}), qPrintable(story.messages()));
        story.session().setCurrentUtterance(story.session().utterances()->at(0).id);
        story.window().actions().compare->trigger();
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        const auto* beside = story.part<ComparedMap>();
        widgets::TimeAxis* own = story.window().analyse()->axis();
        QTRY_VERIFY(beside->matrix()->hasMatrix());
        const std::int64_t rows = std::int64_t(beside->matrix()->ownMap()->rows());
        QVERIFY(rows != story.result()->tokens.value());
        QTRY_VERIFY(beside->matrix()->axis() != own);
        QVERIFY(beside->matrix()->axis()->countsTokens());
        QCOMPARE(beside->matrix()->axis()->extent().value(), double(rows));
        const QStringList tokens = twinTokens(story, rows);
        QCOMPARE(tokens.size(), qsizetype(rows));
        QVERIFY(tokens != story.result()->sourcePieces);
        QCOMPARE(tokens.back(), QStringLiteral("</s>"));
        const Actions& actions = story.window().actions();
        QVERIFY(!actions.difference->isEnabled() && !actions.blink->isEnabled());
        QVERIFY2(actions.difference->toolTip().contains("the tokenizers differ"), qPrintable(actions.difference->toolTip()));
        QVERIFY(actions.blink->toolTip().contains("the same tokens"));
        const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_TWO_TEXTS");
        if (!picture.isEmpty())
            QVERIFY(story.window().grab().save(picture));
    }

    void anotherTextCanStandBeside() {
        Story story;
        QVERIFY2(story.openAndWait({path("german/model"), path("two.txt")}), qPrintable(story.messages()));
        story.session().setCurrentUtterance(story.session().utterances()->at(0).id);
        story.window().actions().compare->trigger();
        QVERIFY(story.quiet());
        auto* beside = story.part<ComparedMap>();
        widgets::TimeAxis* own = story.window().analyse()->axis();
        QTRY_COMPARE(beside->matrix()->axis(), own); // another layer of the same text
        QCOMPARE(beside->recordingField()->itemText(0), QStringLiteral("Text as A"));
        QCOMPARE(beside->recordingField()->count(), 2);
        choose(beside->recordingField(), 1);
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        QTRY_VERIFY(beside->matrix()->hasMatrix() && beside->matrix()->axis() != own);
        const std::int64_t rows = std::int64_t(beside->matrix()->ownMap()->rows());
        QVERIFY(rows < story.result()->tokens.value());
        QTRY_COMPARE(beside->matrix()->axis()->extent().value(), double(rows));
        QCOMPARE(twinTokens(story, rows).size(), qsizetype(rows));
        const Actions& actions = story.window().actions();
        QVERIFY2(actions.difference->toolTip().contains("tokens of two texts do not correspond"), qPrintable(actions.difference->toolTip()));
    }
};

HEADROOM_TEST(CompareTextsStory)

} // namespace headroom::testing::compare_texts_story

#include "compare_texts_test.moc"

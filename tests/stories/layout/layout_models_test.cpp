// SPDX-License-Identifier: GPL-3.0-or-later
// The net, third part: models whose axis is a text, and one with more layers than the panels were drawn for.
#include "app/parts/actions.h"
#include "app/workspaces/analyse/sound/text_fields.h"
#include "app/workspaces/analyse/sound/time_column.h"
#include "app/workspaces/analyse/words/words_panel.h"
#include "tests/stories/layout/layout_walk.h"
#include "tests/stories/run_worker.h"
#include "tests/support/deeper_model.h"
#include "tests/support/runner.h"
#include "tests/support/tiny_text_model.h"

#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>

namespace headroom::testing::layout_models_test {

using namespace headroom::app;

namespace {

constexpr QSize kLow(1280, 720), kWide(1600, 1000);

} // namespace

class LayoutModelsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("HEADROOM_RUNS", m_folder.filePath(QStringLiteral("no-runs")).toLocal8Bit());
        qputenv("HEADROOM_STUDIES", m_folder.filePath(QStringLiteral("studies")).toLocal8Bit());
    }
    void cleanup() { QVERIFY2(nothingFound(m_findings), "The findings are listed above."); }

    /// A sentence typed in and translated: axes of tokens, the text over its source, self-attention text × text.
    void aTextModel() {
        Story story;
        std::ofstream(path("tiny.json").toStdString()) << kTinyText;
        QCOMPARE(runWorker({"corpus", "demo", "--text", "--sentences", "300", "--out", path("corpus")}), QString());
        QCOMPARE(runWorker({"train", "--architecture", path("tiny.json"), "--recipe",
                            QStringLiteral(HEADROOM_SOURCE_DIR "/resources/recipes/demo-text.json"), "--data", path("corpus"), "--run",
                            path("run"), "--set", "length.maxUpdates=6", "--set", "validation.everyUpdates=6", "--set",
                            "validation.maxUtterances=2", "--set", "validation.maxTokens=6", "--set", "machine.threads=1", "--set",
                            "data.maxBatchFrames=300"}),
                 QString());
        QVERIFY2(story.openAndWait({path("run/model")}), qPrintable(story.messages()));
        story.window().actions().newText->trigger();
        TextFields* fields = story.part<TimeColumn>()->textFields();
        fields->target()->setText(QStringLiteral("Der Hund sieht eine Katze."));
        fields->source()->setText(
            QStringLiteral("The dog sees a cat near her house, and the men with the old book look for pictures."));
        QTest::keyClick(fields->source(), Qt::Key_Return);
        QVERIFY2(story.quiet() && story.result() && story.result()->state == AnalysisResult::State::Ready,
                 qPrintable(story.messages()));
        walk(story, m_findings, QStringLiteral("a text"), {{kLow, "dark"}, {kWide, "light"}});
        story.window().actions().words->trigger();
        settle(story);
        auto* words = story.part<WordsPanel>();
        QVERIFY(words->isVisible());
        QComboBox* text = words->textField();
        for (int choice = 0; choice < text->count(); ++choice) {
            text->setCurrentIndex(choice);
            Q_EMIT text->activated(choice);
            settle(story);
            m_findings.look(&story.window(), QStringLiteral("a text, %1").arg(text->currentText()));
        }
        walk(story, m_findings, QStringLiteral("a text, words"), {{kLow, "light"}});
    }

    void manyLayers() {
        Story story;
        writeDeeperModel(path("speech-translation-of-24-layers").toStdString(), 24);
        QVERIFY2(story.openAndWait({story.utterance(QStringLiteral("one")), path("speech-translation-of-24-layers")}),
                 qPrintable(story.messages()));
        story.session().setCurrentLayer(17);
        walk(story, m_findings, QStringLiteral("24 layers"), {{kLow, "light"}, {kWide, "dark"}});
    }

private:
    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    QTemporaryDir m_folder;
    LayoutFindings m_findings;
};

HEADROOM_TEST(LayoutModelsTest)

} // namespace headroom::testing::layout_models_test

#include "layout_models_test.moc"

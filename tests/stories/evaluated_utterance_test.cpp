// SPDX-License-Identifier: GPL-3.0-or-later
// From a table of errors to the utterance: with the model that was evaluated, and nothing beside it.
#include "app/documents/items/paths.h"
#include "app/window/session_actions.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/compare/comparison.h"
#include "app/workspaces/train/train_workspace.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::evaluated_utterance_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class EvaluatedUtteranceStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A model that had nothing to do with the evaluation was shown beside it.
    void anErrorIsOpenedWithTheEvaluatedModelAlone() {
        Story story;
        const fs::path evaluated = toPath(story.path(QStringLiteral("evaluated")));
        fs::copy(toPath(Story::model()), evaluated, fs::copy_options::recursive);
        story.window().sessionActions()->openDemo();
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        const ModelId before = story.session().currentModelId();
        QVERIFY(before != ModelId::None);
        CorpusUtterance utterance;
        utterance.audio = toPath(story.utterance(QStringLiteral("one")));
        utterance.id = QStringLiteral("one");
        Q_EMIT story.window().train()->openUtteranceRequested(evaluated, utterance);
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        QVERIFY(story.session().currentModelId() != before);
        QCOMPARE(story.session().currentModel()->folder, fs::canonical(evaluated));
        QCOMPARE(story.session().currentUtterance()->name, QStringLiteral("one"));
        QVERIFY(!story.window().analyse()->comparison()->side());
        // The result of a run is compared with what is open.
        Q_EMIT story.window().train()->openResultRequested(toPath(Story::model()), {});
        QVERIFY(story.window().analyse()->comparison()->side().has_value());
    }
};

HEADROOM_TEST(EvaluatedUtteranceStory)

} // namespace headroom::testing::evaluated_utterance_test

#include "evaluated_utterance_test.moc"

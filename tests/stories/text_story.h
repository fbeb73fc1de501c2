// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/actions.h"
#include "app/workspaces/analyse/sound/text_fields.h"
#include "app/workspaces/analyse/sound/time_column.h"
#include "tests/stories/run_worker.h"
#include "tests/stories/story.h"
#include "tests/support/tiny_text_model.h"

#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QTest>

#include <fstream>

namespace headroom::testing {

/// A corpus of texts, and a model of a few updates that translates them: what the stories of text models
/// begin with.
class TextModelFolder {
public:
    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    /// Makes the corpus and trains run/model. Returns what went wrong.
    QString make() const {
        Story story; // names the worker
        std::ofstream(path("tiny.json").toStdString()) << kTinyText;
        const QString mistake =
            runWorker({"corpus", "demo", "--text", "--sentences", "300", "--out", path("corpus")});
        return mistake.isEmpty() ? train(path("tiny.json"), path("run")) : mistake;
    }

    QString train(const QString& architecture, const QString& run) const {
        return runWorker({"train",
                          "--architecture",
                          architecture,
                          "--recipe",
                          QStringLiteral(HEADROOM_SOURCE_DIR "/resources/recipes/demo-text.json"),
                          "--data",
                          path("corpus"),
                          "--run",
                          run,
                          "--set",
                          "length.maxUpdates=6",
                          "--set",
                          "validation.everyUpdates=6",
                          "--set",
                          "validation.maxUtterances=2",
                          "--set",
                          "validation.maxTokens=6",
                          "--set",
                          "machine.threads=1",
                          "--set",
                          "data.maxBatchFrames=300"});
    }

    void type(Story& story, const QString& source, const QString& target = {}) const {
        app::TextFields* fields = story.part<app::TimeColumn>()->textFields();
        fields->target()->setText(target);
        fields->source()->setText(source);
        QTest::keyClick(fields->source(), Qt::Key_Return);
    }

    /// The model is open, and a sentence was typed into a new text.
    bool typed(Story& story, const QString& target = {}) const {
        story.openAndWait({path("run/model")});
        story.window().actions().newText->trigger();
        type(story, QStringLiteral("The dog sees a cat."), target);
        return story.quiet() && story.result() && story.result()->state == app::AnalysisResult::State::Ready;
    }

private:
    QTemporaryDir m_folder;
};

/// As somebody chooses an item of a field.
inline void chooseItem(QComboBox* field, int index) {
    field->setCurrentIndex(index);
    Q_EMIT field->activated(index);
}

} // namespace headroom::testing

// SPDX-License-Identifier: GPL-3.0-or-later
// A figure of the words says what it shows, and has all of it; the status line says what is under the cursor.
#include "app/parts/actions.h"
#include "app/window/status_bar.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/common/metrics_note.h"
#include "app/workspaces/analyse/words/words_controller.h"
#include "app/workspaces/analyse/words/words_panel.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"
#include "widgets/text_map/text_map_view.h"
#include "widgets/time_axis/time_axis.h"

#include <QAction>
#include <QFile>
#include <QTest>

namespace headroom::testing::words_figure_test {

using namespace headroom::app;
using headroom::testing::Story;

class WordsFigureStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// “heads, the text as heard”, of a model without any; no word of the weights and the colours; a quarter of the pieces.
    void theFigureOfACtcModelIsWholeAndSaysWhatItIs() {
        Story story;
        const QString root = QStringLiteral(HEADROOM_SOURCE_DIR);
        QVERIFY(story.openAndWait({root + QStringLiteral("/resources/demo/demo.wav"), root + QStringLiteral("/tests/data/parity/encoders/wav2vec2")}));
        story.window().actions().words->trigger();
        QVERIFY(story.quiet());
        const auto* map = story.part<WordsPanel>()->map();
        const QString caption = story.part<WordsController>()->caption();
        const OpenModel& model = *std::as_const(story.session()).currentModel();
        for (const QString& part : {QStringLiteral("CTC probabilities of %1 (SHA-256 %2), the text as heard.").arg(model.name, model.info->hash.left(12)),
                                    QStringLiteral("%1 pieces, N = ").arg(map->rows().size()), QStringLiteral("Colours: 0 to "), QStringLiteral(", colour gamma 0.50"),
                                    QStringLiteral("Recording: demo, ")})
            QVERIFY2(caption.contains(part), qPrintable(part + QStringLiteral(" in ") + caption));
        const QString note = story.part<WordsPanel>()->note()->sentence(); // says what there is not, too
        QVERIFY2(note.contains(QStringLiteral("has no decoder")) && !caption.contains(QStringLiteral("no decoder")), qPrintable(caption));
        QVERIFY2(!caption.contains(QStringLiteral("no aligned words")), qPrintable(caption));
        QVERIFY2(map->figureHeight() > map->height(), qPrintable(QString::number(map->rows().size()))); // else nothing is scrolled
        story.answers().file = story.path(QStringLiteral("words.svg"));
        story.window().actions().exportFigure->trigger();
        QFile file(story.answers().file);
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(story.messages()));
        const QByteArray svg = file.readAll();
        const auto heightAt = svg.indexOf("viewBox=\"0 0 ");
        QVERIFY(heightAt > 0);
        QVERIFY(svg.mid(heightAt, 40).split(' ').value(3).split('"').front().toInt() > map->figureHeight());
    }

    /// It kept the name of the word that was chosen before, and said that Space plays what was not selected.
    void theStatusLineFollowsTheCursorToAnotherWord() {
        Story story;
        QVERIFY(story.openAndWait({QStringLiteral(HEADROOM_SOURCE_DIR "/resources/demo/demo.wav"), Story::model()}));
        story.window().actions().words->trigger();
        QVERIFY(story.quiet());
        const std::vector<widgets::TextWord>& words = story.part<WordsPanel>()->map()->words();
        QVERIFY(words.size() > 3 && words[2].time && words[3].time);
        widgets::TimeAxis* axis = story.window().analyse()->axis();
        const auto said = [&] { return story.window().statusBarWidget()->said(); };
        const auto begins = [](const widgets::TextWord& word) { return QStringLiteral("“%1”: ").arg(word.label); };
        axis->setSelection(*words[2].time);
        axis->setCursor(words[2].time->start);
        QVERIFY2(said().startsWith(begins(words[2])) && said().contains(QStringLiteral("Space plays it. ")), qPrintable(said()));
        axis->setSelection(std::nullopt);
        QVERIFY2(said().startsWith(begins(words[2])), qPrintable(said()));
        QVERIFY2(!said().contains(QStringLiteral("Space")), qPrintable(said())); // it plays from the cursor
        axis->setCursor((words[3].time->start + words[3].time->end) / 2);
        QVERIFY2(said().startsWith(begins(words[3])), qPrintable(said()));
        axis->setCursor(std::nullopt);
        QVERIFY2(!said().contains(QStringLiteral("“")), qPrintable(said()));
    }
};

HEADROOM_TEST(WordsFigureStory)

} // namespace headroom::testing::words_figure_test

#include "words_figure_test.moc"

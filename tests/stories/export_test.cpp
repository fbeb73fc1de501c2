// SPDX-License-Identifier: GPL-3.0-or-later
// What is on the screen goes to paper and to other programs.
#include "app/documents/drafts/drafts.h"
#include "app/documents/items/paths.h"
#include "app/parts/actions.h"
#include "app/settings/app_settings.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/compare/comparison.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/sound/time_column.h"
#include "app/workspaces/analyse/words/words_panel.h"
#include "core/tensors/npy.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/time_axis/time_lane.h"

#include <QAction>
#include <QDockWidget>
#include <QImage>
#include <QSpinBox>
#include <QStatusBar>
#include <QTest>
#include <QToolButton>

#include <cmath>
#include <set>

namespace headroom::testing::export_test {

using namespace headroom::app;
using headroom::testing::Story;

class ExportStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void figuresAreWrittenAsSvgPdfAndPng() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        for (const QString& suffix : QStringList{"svg", "pdf", "png"}) {
            story.answers().file = story.path("figure." + suffix);
            story.window().actions().exportFigure->trigger();
            QFile file(story.answers().file);
            QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(story.messages()));
            const QByteArray bytes = file.readAll();
            QVERIFY(bytes.size() > 5000);
            if (suffix == "svg")
                QVERIFY(bytes.contains("<text")); // text stays text
            if (suffix == "pdf") {
                QVERIFY(bytes.startsWith("%PDF-"));
                // Text is set in fonts that are in the file, not drawn as outlines or pixels.
                QVERIFY(bytes.contains("/FontFile2") || bytes.contains("/FontFile3"));
                QVERIFY(bytes.contains("/ToUnicode"));
            }
            if (suffix == "png")
                QVERIFY(QImage::fromData(bytes).width() > 1000);
            const Message& said = story.session().messages()->at(0);
            QVERIFY(said.sentence.contains(story.answers().file) && said.severity == Severity::Good);
            QCOMPARE(said.actionText, QStringLiteral("Show in folder"));
            // Said where it takes no room from the map, with the way to the folder.
            QVERIFY(!story.part<QDockWidget>("messages")->isVisible());
            const auto* offer = story.window().statusBar()->findChild<QToolButton*>(QStringLiteral("offer"));
            QVERIFY(offer && offer->isVisible());
            QCOMPARE(offer->text(), said.actionText);
        }
    }

    void theCaptionSaysWhatTheFigureShows() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.session().setCurrentLayer(4);
        QVERIFY(story.quiet());
        const QByteArray svg = figure(story, "caption.svg");
        const QString hash = story.session().currentModel()->info->hash.left(12);
        QCOMPARE(hash.size(), 12);
        const QString text = QString::fromUtf8(svg).simplified();
        for (const QString& part :
             QStringList{"Alastruey et al. 2022, Eq. 5", "layer 4", hash, "main diagonal left out"})
            QVERIFY2(text.contains(part), qPrintable(part));
        QVERIFY(text.contains(QStringLiteral("N = %1 tokens").arg(story.result()->tokens.value())));
        story.window().actions().hideDiagonal->setChecked(false);
        QVERIFY(!figure(story, "whole.svg").contains("main diagonal left out"));
        story.session().setPart(story.session().currentUtteranceId(), Part{Seconds(0.5), Seconds(2)});
        QVERIFY(story.quiet());
        QVERIFY(QString::fromUtf8(figure(story, "part.svg")).simplified().contains(QStringLiteral("tokens from 0.50 to 2.00 s.")));
        // A draft of other heads is not what the map is of, and the caption says so.
        Drafts* drafts = story.session().drafts();
        QVERIFY(drafts->write({story.session().currentModel()->id, 0}, {{4, 1, 4, QStringLiteral("reuse 3")}}));
        QVERIFY(story.quiet());
        const QString drawn = QString::fromUtf8(figure(story, "draft.svg")).simplified();
        QVERIFY(drawn.contains(QStringLiteral("The draft")));
        QVERIFY(!drawn.contains(QStringLiteral("Heads:")));
    }

    /// The dashed lines of the suggestion were in the figure, and nothing said what they were.
    void theCaptionSaysWhatTheDashedLinesAre() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.session().setCurrentLayer(4);
        story.session().setFullAbove(1);
        QVERIFY(story.quiet());
        const auto* band = story.part<MatrixPanel>()->matrix()->band();
        const int suggested = band->suggestedWindow();
        QVERIFY(suggested > 0);
        const auto caption = [&] { return QString::fromUtf8(figure(story, "lines.svg")).simplified(); };
        const QString dashed = QStringLiteral("Dashed lines: suggested window w = %1, CL %2.")
                                   .arg(suggested)
                                   .arg(band->lossOf(suggested), 0, 'f', 3);
        QVERIFY2(caption().contains(dashed), qPrintable(dashed + caption().right(2000)));
        story.session().setFullAbove(0);
        QVERIFY(story.quiet());
        QCOMPARE(band->suggestedWindow(), 0);
        const QString full = QStringLiteral("full is suggested (CL 0; w = %1 loses ").arg(suggested);
        QVERIFY2(caption().contains(full), qPrintable(full + caption().right(2000)));
        story.window().actions().showWindow->setChecked(false); // no lines
        QVERIFY(!caption().contains(QStringLiteral("Dashed")));
        story.window().actions().showWindow->setChecked(true);
        QVERIFY(caption().contains(QStringLiteral("Dashed")));
        story.session().drafts()->setWindow({story.session().currentModelId(), 0}, {4, 5});
        QVERIFY(story.quiet());
        QVERIFY(caption().contains(QStringLiteral("Lines: window w = 5, CL ")) && !caption().contains(QStringLiteral("Dashed")));
    }

    /// “CL 0.091” stood in the caption and 0.222 in the table, of one window.
    void theCaptionSaysWhatALossIsOf() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), story.utterance("two"), Story::model()}));
        story.session().setCurrentLayer(4);
        story.session().setFullAbove(1);
        QVERIFY(story.quiet());
        const auto* band = story.part<MatrixPanel>()->matrix()->band();
        const int suggested = band->suggestedWindow();
        QVERIFY(suggested > 0);
        const QString dashed = QStringLiteral("suggested window w = %1 with CL %2 over 2 open utterances; CL %3 in this recording.")
                                   .arg(suggested)
                                   .arg(band->foundLoss(), 0, 'f', 3)
                                   .arg(band->lossOf(suggested), 0, 'f', 3);
        const QString caption = QString::fromUtf8(figure(story, "losses.svg")).simplified();
        QVERIFY2(caption.contains(dashed), qPrintable(dashed + caption.right(2000)));
    }

    void theCaptionOfTwoMapsSaysWhatEachIs() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.session().setCurrentLayer(4);
        story.window().analyse()->comparison()->compareLayer(story.session().currentModelId(), 2);
        QVERIFY(story.quiet());
        const QString both = QString::fromUtf8(figure(story, "both.svg")).simplified();
        QVERIFY(both.contains(QStringLiteral("<title>one: layer 4 of demo, contributions; and layer 2 of demo, contributions</title>"))); // with no time that it took
        const auto left = both.indexOf("Left, A: Contributions"), right = both.indexOf("Right, B: Contributions");
        QVERIFY2(left >= 0 && right > left, qPrintable(both.right(3000)));
        QVERIFY(both.mid(left, right - left).contains("layer 4 of"));
        QVERIFY(both.mid(right).contains("layer 2 of"));
        QVERIFY(both.contains("Colours of both: 0 to"));
        // A − B has colours of its own, and B blinked into A's place is what the left map is of.
        story.window().actions().difference->setChecked(true);
        QVERIFY(story.quiet());
        const QString difference = QString::fromUtf8(figure(story, "difference.svg")).simplified();
        QVERIFY(difference.contains("Right, A − B, where B is: Contributions") && difference.contains("Colours of A − B: ±"));
        // Its scale is bent as that of A.
        QVERIFY2(difference.section(QStringLiteral("Colours of A − B"), 1).contains(QStringLiteral(", colour gamma 0.50")), qPrintable(difference.right(1000)));
        story.window().actions().difference->setChecked(false);
        story.window().actions().blink->setChecked(true);
        QVERIFY(story.quiet());
        const QString blinked = QString::fromUtf8(figure(story, "blinked.svg")).simplified();
        QVERIFY(!blinked.contains("layer 4 of") && blinked.contains("Left and right, B: Contributions"));
    }

    void figuresAreLightFromADarkWindow() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        widgets::Theme::apply(QStringLiteral("dark"));
        QVERIFY(story.quiet());
        const QImage paper = QImage::fromData(figure(story, "paper.png"));
        QVERIFY(widgets::Theme::current().isDark);
        QCOMPARE(paper.pixelColor(1, paper.height() - 2), QColor(Qt::white));
        story.window().actions().figureInWindowColours->setChecked(true);
        const QImage dark = QImage::fromData(figure(story, "dark.png"));
        QCOMPARE(dark.pixelColor(1, dark.height() - 2), widgets::Theme::current().panel);
        widgets::Theme::apply(QStringLiteral("light"));
        QVERIFY(story.quiet());
        QCOMPARE(paper, QImage::fromData(figure(story, "light.png"))); // maps, sound and words too
    }

    void aPngHasTheWidthThatWasAskedFor() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        auto* width = story.window().findChild<QSpinBox*>(QStringLiteral("figurePixels"));
        QVERIFY(width);
        width->setValue(1234);
        QCOMPARE(QImage::fromData(figure(story, "wide.png")).width(), 1234);
        width->setValue(0);
        QCOMPARE(QImage::fromData(figure(story, "screen.png")).width(),
                 2 * story.part<TimeColumn>()->lanes().front()->width());
    }

    void dataComesBackAsItWas() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.session().setCurrentLayer(4);
        QVERIFY(story.quiet());
        story.answers().file = story.path("layer.npz");
        story.window().actions().exportData->trigger();
        const auto arrays = readNpz(toPath(story.answers().file));
        const LayerResult* layer = story.result()->layer(4);
        bool found = false;
        for (const auto& [name, tensor] : arrays)
            if (name == "layer.4.contributions") {
                found = true;
                QCOMPARE(toFloats(tensor.view()), layer->contributions->level(0).values());
            }
        QVERIFY(found);

        story.answers().file = story.path("layer.csv");
        story.window().actions().exportData->trigger();
        QFile file(story.answers().file);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
        QCOMPARE(lines.size(), story.result()->tokens.value() + 1);
        const QList<QByteArray> row = lines[11].split(',');
        QCOMPARE(row.size(), story.result()->tokens.value() + 1);
        QVERIFY(std::abs(row[0].toDouble() - (0.0125 + 0.04 * 10)) < 1e-6);
        QCOMPARE(row[21].toFloat(), layer->contributions->level(0)(10, 20));
    }

    /// What was computed of another measure was in the table only.
    void anotherMeasureIsInTheArrays() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.session().setCurrentLayer(4);
        for (const MixingUnits units : {MixingUnits::Tokens, MixingUnits::Phones}) {
            story.session().setMapSource(MapSource::of(MixingChoice(Mixing::ValueZeroing, false, units)));
            QVERIFY(story.quiet());
        }
        story.answers().file = story.path("mixing.npz");
        story.window().actions().exportData->trigger();
        const LayerResult* layer = story.result()->layer(4);
        int found = 0;
        for (const auto& [name, tensor] : readNpz(toPath(story.answers().file)))
            for (const auto& [key, units] : {std::pair("layer.4.mixing.value-zeroing", MixingUnits::Tokens),
                                             std::pair("layer.4.mixing.value-zeroing-of-phones", MixingUnits::Phones)})
                if (name == key) {
                    ++found;
                    QCOMPARE(toFloats(tensor.view()), layer->mixed(MixingChoice(Mixing::ValueZeroing, false, units))->map->level(0).values());
                }
        QCOMPARE(found, 2);
    }

    /// Only A was written, whatever stood beside it.
    void twoMapsAreWrittenAsTheyAreShown() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.session().setCurrentLayer(4);
        story.window().analyse()->comparison()->compareLayer(story.session().currentModel()->id, 2);
        story.window().actions().difference->setChecked(true);
        QVERIFY(story.quiet());
        const auto a = story.result()->layer(4)->contributions->level(0), b = story.result()->layer(2)->contributions->level(0);
        const auto cell = [&](const char* file) {
            story.answers().file = story.path(QString::fromLatin1(file));
            story.window().actions().exportData->trigger();
            QFile table(story.answers().file);
            return table.open(QIODevice::ReadOnly) ? table.readAll().split('\n').value(11).split(',').value(21).toFloat() : NAN;
        };
        QCOMPARE(cell("difference.csv"), a(10, 20) - b(10, 20));
        story.answers().file = story.path("both.npz");
        story.window().actions().exportData->trigger();
        std::set<std::string> names;
        for (const auto& [name, tensor] : readNpz(toPath(story.answers().file))) {
            names.insert(name);
            if (name == "a.map" || name == "layer.4.contributions")
                QCOMPARE(toFloats(tensor.view()), a.values());
            else if (name == "b.map")
                QCOMPARE(toFloats(tensor.view()), b.values());
            else if (name == "a_minus_b")
                QCOMPARE(toFloats(tensor.view()).at(10 * a.columns() + 20), a(10, 20) - b(10, 20));
        }
        for (const char* name : {"a.map", "b.map", "a_minus_b", "a.name", "b.name", "b.token_seconds"})
            QVERIFY2(names.contains(name), name);
        story.window().actions().difference->setChecked(false);
        QVERIFY(story.quiet());
        QCOMPARE(cell("a.csv"), a(10, 20));
        story.window().actions().blink->setChecked(true);
        QVERIFY(story.quiet());
        QCOMPARE(cell("b.csv"), b(10, 20));
    }

    /// The decoder's map is what is shown, so it is what is written.
    void dataOfTheWordsIsThatOfTheDecoder() {
        Story story;
        QVERIFY(story.openAndWait(
            {QStringLiteral(HEADROOM_SOURCE_DIR "/resources/demo/demo.wav"), Story::model()}));
        story.window().actions().words->trigger();
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        const auto* panel = story.part<WordsPanel>();
        const SpokenWords* words = panel->words().get();
        QVERIFY(words && panel->shownMap());
        const auto rows = static_cast<std::int64_t>(panel->shownMap()->rows()),
                   tokens = story.result()->tokens.value();
        const std::string block = "decoder.layer." + std::to_string(panel->shownLayer()) + ".cross.";
        story.answers().file = story.path("words.npz");
        story.window().actions().exportData->trigger();
        int found = 0;
        for (const auto& [name, tensor] : readNpz(toPath(story.answers().file))) {
            QVERIFY2(!name.starts_with("layer."), name.c_str());
            if (name == block + "attention") {
                ++found;
                QVERIFY((tensor.shape == std::vector<std::int64_t>{words->heads(), rows, tokens}));
            } else if (name == block + "rebuild_error" || name == block + "mixing.attention") {
                ++found;
            } else if (name == "token_seconds") {
                ++found;
                QCOMPARE(toDoubles(tensor.view()).at(1), story.result()->clock.centre(Tokens(1)).value());
            }
        }
        QCOMPARE(found, 4);
        story.answers().file = story.path("words.csv");
        story.window().actions().exportData->trigger();
        QFile file(story.answers().file);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
        QCOMPARE(lines.size(), rows + 1);
        QVERIFY2(lines[0].startsWith("query_piece\\key_s,0.0125,0.0525") && lines[0].endsWith(",piece"),
                 lines[0].left(60).constData());
        QCOMPARE(lines[4].split(',')[8].toFloat(), panel->shownMap()->level(0)(3, 7));
    }

private:
    static QByteArray figure(Story& story, const QString& name) {
        story.answers().file = story.path(name);
        story.window().actions().exportFigure->trigger();
        QFile file(story.answers().file);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
};

HEADROOM_TEST(ExportStory)

} // namespace headroom::testing::export_test

#include "export_test.moc"

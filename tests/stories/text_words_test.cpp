// SPDX-License-Identifier: GPL-3.0-or-later
// A text and its translation in the panels beside the map, and in the files that are exported.
#include "app/documents/items/paths.h"
#include "app/parts/actions.h"
#include "app/workspaces/analyse/phones/phones_panel.h"
#include "app/workspaces/analyse/words/words_panel.h"
#include "core/tensors/npy.h"
#include "tests/stories/text_story.h"
#include "tests/support/runner.h"

#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QPushButton>
#include <QTabWidget>
#include <QTest>

#include <algorithm>
#include <map>

namespace headroom::testing::text_words_test {

using namespace headroom::app;

class TextWordsStory : public QObject, private TextModelFolder {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QCOMPARE(make(), QString()); }

    void theTranslationIsExportedAsItIsShown() {
        Story story;
        QVERIFY2(typed(story, QStringLiteral("Der Hund sieht eine Katze.")), qPrintable(story.messages()));
        story.window().actions().words->trigger();
        QVERIFY2(story.quiet(), qPrintable(story.messages()));
        auto* panel = story.part<WordsPanel>();
        chooseItem(panel->textField(), 1); // as given
        QVERIFY(story.quiet());
        chooseItem(panel->headField(), 2);
        QVERIFY(story.quiet());
        const SpokenWords* words = story.result()->given.words.get();
        QVERIFY(words);
        const int layer = panel->shownLayer(), pieces = static_cast<int>(words->pieces.size());
        const std::string of = "decoder.layer." + std::to_string(layer);
        story.answers().file = path("words.npz");
        story.window().actions().exportData->trigger();
        std::map<std::string, Tensor> arrays;
        for (auto& [name, tensor] : readNpz(toPath(path("words.npz"))))
            arrays.emplace(name, std::move(tensor));
        QStringList names;
        for (const auto& [name, tensor] : arrays) {
            names << QString::fromStdString(name);
            QVERIFY2(!names.last().startsWith("layer."), qPrintable(names.last())); // the encoder's
        }
        const auto heads = static_cast<std::int64_t>(words->heads()), tokens = story.result()->tokens.value();
        QVERIFY2(arrays.contains(of + ".cross.attention"), qPrintable(names.join(u' ')));
        QVERIFY(
            (arrays.at(of + ".cross.attention").shape == std::vector<std::int64_t>{heads, pieces, tokens}));
        QVERIFY((arrays.at(of + ".self.attention").shape ==
                 std::vector<std::int64_t>{heads, pieces, words->inputLabels().size()}));
        QCOMPARE(arrays.at("decoder.pieces").shape.front(), std::int64_t(pieces));
        QCOMPARE(arrays.at("decoder.input_pieces").shape.front(), std::int64_t(words->inputLabels().size()));
        QCOMPARE(arrays.at("source_pieces").shape.front(), tokens);
        const std::vector<float> all = toFloats(arrays.at(of + ".cross.attention").view());
        const Matrix<float>& second = words->map(layer, 2)->level(0);
        QVERIFY(std::equal(second.values().begin(), second.values().end(), all.begin() + pieces * tokens));

        for (const bool isSelf : {false, true}) {
            chooseItem(panel->blockField(), isSelf ? 1 : 0);
            QVERIFY(story.quiet());
            story.answers().file = path("words.csv");
            story.window().actions().exportData->trigger();
            QFile file(path("words.csv"));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
            QCOMPARE(lines.size(), pieces + 1);
            QVERIFY2(
                lines[0].startsWith(isSelf ? "query_piece\\key_input,0,1" : "query_piece\\key_token,0,1"),
                lines[0].constData());
            const auto row = lines[2].split(',');
            QVERIFY(lines[2].endsWith(",\"" + words->pieces[1].text.toUtf8() + "\""));
            QCOMPARE(row[1].toFloat(), panel->shownMap()->level(0)(1, 0));
        }
    }

    void aTextIsNotToBeAligned() {
        Story story;
        QVERIFY2(typed(story), qPrintable(story.messages()));
        auto* par = story.part<PhonesPanel>();
        story.part<QTabWidget>("analysisTabs")->setCurrentWidget(par);
        QVERIFY(story.quiet());
        QCOMPARE(par->map()->accessibleDescription(),
                 QStringLiteral("PAR needs phones, and a text has none."));
        for (const QPushButton* button : par->findChildren<QPushButton*>())
            QVERIFY2(!button->isVisible(), qPrintable(button->text()));
        const auto* align = story.window().findChild<QAction*>(QStringLiteral("align"));
        QVERIFY(align && !align->isEnabled() && align->toolTip().contains("no recording"));
    }
};

HEADROOM_TEST(TextWordsStory)

} // namespace headroom::testing::text_words_test

#include "text_words_test.moc"

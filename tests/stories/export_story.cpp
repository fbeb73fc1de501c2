// SPDX-License-Identifier: GPL-3.0-or-later
// What is on the screen goes to paper and to other programs.
#include "app/documents/paths.h"
#include "app/window/actions.h"
#include "core/tensors/npy.h"
#include "tests/stories/story.h"

#include <QAction>
#include <QImage>
#include <QTest>

#include <cmath>

using namespace headroom;
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
        }
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

    void dataUnderAnotherEndingIsNotWritten() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.answers().file = story.path("data.xyz");
        story.window().actions().exportData->trigger();
        QVERIFY(!QFile::exists(story.path("data.xyz")));
        QVERIFY(story.messages().contains(QLatin1String(".npz or .csv")));
    }

    void aFileThatCannotBeWrittenIsASentence() {
        Story story;
        QVERIFY(story.openAndWait({story.utterance("one"), Story::model()}));
        story.answers().file = story.path("no/such/folder/figure.png");
        story.window().actions().exportFigure->trigger();
        QCOMPARE(story.session().messages()->count(Severity::Error), 1);
        QVERIFY(story.messages().contains(QLatin1String("figure.png")));
    }
};

QTEST_MAIN(ExportStory)
#include "export_story.moc"

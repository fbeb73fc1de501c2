// SPDX-License-Identifier: GPL-3.0-or-later
// What New run and Data say of a folder that cannot be trained on.
#include "app/workspaces/train/data/corpus_reader.h"
#include "app/workspaces/train/launch_form.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/made_corpus.h"
#include "tests/support/runner.h"

namespace headroom::testing::corpus_mistakes_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class CorpusMistakesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The form called it “a corpus of another kind, headroom”.
    void aDamagedCorpusIsNoOtherKind() {
        Desk desk("good");
        const fs::path folder = makeCorpus(desk.shop.path() / "damaged");
        writeFile(folder / "corpus.json", "{\n");
        QCOMPARE(importFirstText(folder), QString());
        LaunchForm* form = desk.workspace->form();
        form->setData(folder);
        QTRY_VERIFY_WITH_TIMEOUT(!form->isPending(), 60000);
        const QString said = form->mistakes()[QStringLiteral("data")];
        QVERIFY2(said.contains(QStringLiteral("corpus.json")) && said.contains(QStringLiteral("JSON")), qPrintable(said));
    }

    /// Its recordings lie in the folder, too: they were called recordings without texts.
    void tablesBesideRecordingsAreAnotherKind() {
        const TrainWorkshop shop;
        for (const char* name : {"a", "b"})
            saveWav(shop.text(std::string("tables/") + name + ".wav", ""), std::vector<float>(16000, 0.1F), kModelSampleRate);
        shop.text("tables/train.tsv", "audio\ttext\na.wav\thello\nb.wav\tthere\n");
        const QString said = importFirstText(shop.path() / "tables");
        QCOMPARE(said, QStringLiteral("tables is a corpus of another kind, csv. Import it first; importing only reads it."));
    }

    /// A task that was set stays when other data is chosen.
    void aTaskThatTheCorpusLacksIsSaidWithWhereItIsSet() {
        const TrainWorkshop shop;
        Recipe recipe = TrainWorkshop::smoke();
        recipe.data.trainSplit = "train";
        recipe.data.validationSplit = "dev";
        const fs::path corpus = makeCorpus(shop.path() / "made");
        recipe.task = "st_fr";
        QCOMPARE(readDataFacts(corpus, recipe, {}).mistake, QStringLiteral("made has no task “st_fr”; it has “asr”, “st_de”. Set task in All values."));
        recipe.task = "st_de";
        QCOMPARE(readDataFacts(corpus, recipe, {}).mistake, QString());
    }
};

HEADROOM_TEST(CorpusMistakesTest)

} // namespace headroom::testing::corpus_mistakes_test

#include "corpus_mistakes_test.moc"

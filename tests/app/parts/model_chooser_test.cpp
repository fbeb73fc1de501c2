// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/model_chooser.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QListView>
#include <QPushButton>
#include <QTest>

namespace headroom::testing::model_chooser_test {

using namespace headroom::app;

class ModelChooserTest : public QObject {
    Q_OBJECT

    static std::vector<CachedModel> models() {
        return {{"facebook/wav2vec2-base-960h", "/cache/w2v", "wav2vec 2.0", 378'000'000, {}, 378'000'000},
                {"microsoft/wavlm-large", "/cache/wavlm", "WavLM", 631'000'000, {}, 1'262'000'000},
                {"openai/whisper-small", "/cache/whisper", "Whisper", 967'000'000,
                 "openai/whisper-small is not downloaded completely: model.safetensors is missing. Download it again."},
                {"usefulsensors/moonshine-tiny", "/cache/moonshine", "moonshine", 108'000'000,
                 "usefulsensors/moonshine-tiny is a speech model that Headroom does not open: it needs the convolutions "
                 "of Moonshine and rotary positions on a part of each head."}};
    }
    static void choose(const ModelChooser& chooser, int row) {
        chooser.list()->setCurrentIndex(chooser.list()->model()->index(row, 0));
    }

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("dark")); }

    void aModelIsOpenedByItsSnapshot() {
        ModelChooser chooser(models(), "/cache");
        QCOMPARE(chooser.folder(), QStringLiteral("/cache/w2v"));
        QVERIFY(chooser.openButton()->isEnabled());
        choose(chooser, 1);
        chooser.openButton()->click();
        QCOMPARE(chooser.result(), int(QDialog::Accepted));
        QCOMPARE(chooser.folder(), QStringLiteral("/cache/wavlm"));
        QVERIFY(!chooser.wantsAnotherFolder());
    }

    void whatCannotBeOpenedSaysWhyAndIsNotChosen() {
        ModelChooser chooser(models(), "/cache");
        for (const int row : {2, 3}) {
            choose(chooser, row);
            QVERIFY(!chooser.openButton()->isEnabled());
            QVERIFY(chooser.folder().isEmpty());
            QTest::keyClick(chooser.list(), Qt::Key_Return);
            QVERIFY(chooser.result() != QDialog::Accepted);
            const QString read =
                chooser.list()->currentIndex().data(Qt::AccessibleTextRole).toString();
            QVERIFY2(read.contains(row == 2 ? "Download it again" : "it needs the convolutions"), qPrintable(read));
        }
        const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_CHOOSER");
        if (!picture.isEmpty())
            QVERIFY(chooser.grab().save(picture));
    }

    void eachModelSaysHowMuchMemoryItTakes() {
        ModelChooser chooser(models(), "/cache", 500e6);
        const auto said = [&](int row) {
            choose(chooser, row);
            const QVariant text = chooser.list()->currentIndex().data(Qt::AccessibleTextRole);
            return text.toString().simplified(); // without narrow spaces
        };
        QVERIFY2(said(0).contains("378.0 MB, takes 378.0 MB of memory") && !said(0).contains("is free"), qPrintable(said(0)));
        QVERIFY2(said(1).contains("631.0 MB, takes 1.3 GB of memory") &&
                     said(1).contains("Needs about 1.3 GB of memory; 500.0 MB is free."),
                 qPrintable(said(1)));
        QVERIFY(chooser.openButton()->isEnabled()); // the worker decides
        QVERIFY2(!said(2).contains("of memory"), qPrintable(said(2)));
        const QString picture = qEnvironmentVariable("HEADROOM_PICTURE_OF_CHOOSER");
        if (!picture.isEmpty())
            QVERIFY(chooser.grab().save(picture));
    }

    void anyOtherFolderCanBeChosen() {
        ModelChooser chooser(models(), "/cache");
        chooser.folderButton()->click();
        QCOMPARE(chooser.result(), int(QDialog::Accepted));
        QVERIFY(chooser.wantsAnotherFolder());
    }
};

HEADROOM_TEST(ModelChooserTest)

} // namespace headroom::testing::model_chooser_test

#include "model_chooser_test.moc"

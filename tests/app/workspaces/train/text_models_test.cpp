// SPDX-License-Identifier: GPL-3.0-or-later
// What is evaluated of models that read text: nothing has seconds, and nothing was spoken.
#include "app/parts/availability.h"
#include "app/runs/run_reading.h"
#include "app/workspaces/train/evaluate/error_browser.h"
#include "app/workspaces/train/evaluate/evaluate_options.h"
#include "core/architecture/costs.h"
#include "tests/app/runs/train_workshop.h"
#include "tests/app/workspaces/train/evaluation_result.h"
#include "tests/support/runner.h"
#include "tests/support/written_files.h"
#include "widgets/look/theme.h"
#include "widgets/study_table/study_table_view.h"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::text_models_test {

using namespace headroom::app;
namespace fs = std::filesystem;

class TextModelsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_home;
    fs::path path(const char* name) const { return fs::path(m_home.path().toStdString()) / name; }
    static Architecture preset(const char* name) { return readArchitecture(fs::path(HEADROOM_SOURCE_DIR) / "resources/architectures" / name); }

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// It took 20 s, which were remembered from a model of speech, and its evaluation was called "windows of 20 s".
    void aTextIsNotDecodedInWindowsOfSeconds() {
        writeFile(path("text/architecture.json"), canonicalText(preset("relaxed-mt-baseline.json")));
        writeFile(path("speech/architecture.json"), canonicalText(preset("s2t-small.json")));
        const DecodableModel text = DecodableModel::of(path("text")), speech = DecodableModel::of(path("speech"));
        EvaluateOptions options;
        options.windowField()->setValue(20);
        EvaluationRequest request;
        options.setModel(speech, 5);
        options.applyTo(request);
        QCOMPARE(request.window, 20.0);
        QVERIFY(!options.nBestField()->isEnabled());
        options.setModel(text, 5);
        QVERIFY(!options.windowField()->isEnabled());
        QCOMPARE(reasonOf(options.windowField()), QStringLiteral("This model reads text, which has no seconds."));
        QVERIFY(options.nBestField()->isEnabled());
        EvaluationRequest ofText;
        options.applyTo(ofText);
        QCOMPARE(ofText.window, EvaluationRequest().window);
    }

    void itsErrorsAreThoseOfSentences() {
        auto document = nlohmann::json::parse(result("/models/a", "/nowhere"));
        document["task"] = "translate_de";
        writeFile(path("evaluation/evaluation.json"), document.dump());
        ErrorBrowser browser(path("evaluation"));
        browser.show();
        QTRY_VERIFY_WITH_TIMEOUT(!browser.isPending(), 60000);
        const auto head = [](const widgets::StudyTableView* table, int column) { return table->model()->headerData(column, Qt::Horizontal).toString(); };
        QCOMPARE(head(browser.confusions(), 0), QStringLiteral("Reference"));
        QCOMPARE(head(browser.lengths(), 1), QStringLiteral("Sentences"));
        QCOMPARE(head(browser.utterances(), 1), QStringLiteral("Sentence"));
        QString words;
        for (const auto* one : browser.findChildren<QWidget*>()) {
            words += one->toolTip() + one->accessibleName();
            if (const auto* label = qobject_cast<const QLabel*>(one))
                words += label->text();
            if (const auto* button = qobject_cast<const QPushButton*>(one))
                words += button->text();
        }
        QVERIFY2(!words.contains(QStringLiteral("tterance")) && words.contains(QStringLiteral("3 sentences")), qPrintable(words));
    }

    /// Its share was that of 3,000 tokens, which stood there as "30 s".
    void itsShareOfMacsIsThatOfASentence() {
        TrainWorkshop shop;
        const fs::path folder = shop.run("text");
        Architecture built = preset("relaxed-mt-baseline.json");
        const Architecture full = built;
        for (auto& layer : built.encoder.layers)
            layer.heads = parseHeads("4 local 5");
        shop.text("runs/text/architecture.json", canonicalText(built));
        const double share = readRunItem(folder).macShare;
        QCOMPARE(share, double(encoderCosts(built, 25).macs) / double(encoderCosts(full, 25).macs));
        QVERIFY(share < 1 && share > 0.9);
    }
};

HEADROOM_TEST(TextModelsTest)

} // namespace headroom::testing::text_models_test

#include "text_models_test.moc"

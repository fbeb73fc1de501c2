// SPDX-License-Identifier: GPL-3.0-or-later
// The line below a figure of the tabs: whose numbers it shows, since a file has neither fields nor a window around it.
#include "app/workspaces/analyse/export/tab_views.h"
#include "app/workspaces/analyse/heads/cad_panel.h"
#include "app/workspaces/analyse/heads/heads_panel.h"
#include "app/workspaces/analyse/phones/phones_panel.h"
#include "tests/app/studies/made_study.h"
#include "tests/app/workspaces/analyse/heads_desk.h"
#include "tests/app/workspaces/analyse/windows_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QTest>

namespace headroom::testing::tab_captions_test {

using namespace headroom::app;

namespace {

constexpr const char* kGrid =
    "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\n0\n0.5\n<exists>\n1\n\"IntervalTier\"\n\"phones\"\n0\n0.5\n4\n"
    "0\n0.15\n\"AH\"\n0.15\n0.25\n\"\"\n0.25\n0.35\n\"S\"\n0.35\n0.5\n\"AH\"\n";

std::shared_ptr<OpenStudy> studyOf(StudyKind kind) {
    auto study = std::make_shared<OpenStudy>();
    study->folder = std::string("/studies/") + toText(kind) + "-1";
    study->document.kind = kind;
    study->document.models.push_back({"small", "", "", "", 2, 2, false, 0, 0});
    study->document.models.back().weightsHash = "0123456789abcdef";
    study->document.utterances.resize(5);
    return study;
}

bool hasAll(const QString& whole, const QStringList& parts) {
    const QString caption = whole.simplified(); // narrow spaces before units
    for (const QString& part : parts)
        if (!caption.contains(part)) {
            qWarning("“%s” is not in “%s”", qPrintable(part), qPrintable(caption));
            return false;
        }
    return true;
}

} // namespace

class TabCaptionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void figuresOfHeadsNameModelAndRecording() {
        HeadsDesk desk;
        QVERIFY(captionOf(desk.part<CadPanel>()).isEmpty() && captionOf(desk.part<PhonesPanel>()).isEmpty());
        desk.workshop.text("one.TextGrid", kGrid);
        desk.open();
        desk.front(desk.part<CadPanel>());
        QVERIFY(desk.settle());
        const QString hash = QStringLiteral("small (SHA-256 %1").arg(desk.session.currentModel()->info->hash.left(12));
        const QString cad = captionOf(desk.part<CadPanel>());
        QVERIFY(hasAll(cad, {QStringLiteral("Cumulative attention diagonality (Shim et al. 2022, Eq. 3) of "), hash, QStringLiteral("of one."),
                             QStringLiteral("Silence included")}));
        QVERIFY2(!cad.contains(QStringLiteral("press")) && !cad.contains(QStringLiteral("intervals")), qPrintable(cad)); // paper has no buttons
        desk.front(desk.part<HeadsPanel>());
        QVERIFY(desk.settle());
        QVERIFY(hasAll(captionOf(desk.part<HeadsPanel>()), {QStringLiteral("Head relevance (Sant et al. 2022, Eq. 4) of "), hash}));
        desk.front(desk.part<PhonesPanel>());
        QVERIFY(desk.settle());
        QVERIFY(hasAll(captionOf(desk.part<PhonesPanel>()),
                       {QStringLiteral("Phone attention relation, layer 1, mean of the heads of "), hash, QStringLiteral("Recording: one, 0.50 s."), QStringLiteral("Phone map: ")}));
        desk.session.setPart(desk.session.currentUtteranceId(), Part{Seconds(0), Seconds(0.25)});
        QVERIFY(desk.settle());
        QVERIFY(hasAll(captionOf(desk.part<PhonesPanel>()), {QStringLiteral("Analysed from 0.00 to 0.25 s.")}));
    }

    void figuresOfStudiesNameTheStudy() {
        HeadsDesk desk;
        auto heads = studyOf(StudyKind::Heads);
        heads->document.settings = {{"silence", "remove"}};
        heads->arrays["1.cad"] = Tensor::of<float>({2, 2, 5}, std::vector<float>(20, 0.5F));
        heads->document.tables = {makeCadTable(2, 2, 0.5, 5)};
        heads->arrays["1.relevance"] = Tensor::of<double>({2, 2}, std::vector<double>(4, 0.5));
        auto phones = studyOf(StudyKind::Phones);
        phones->arrays["1.par"] = Tensor::of<float>({2, 2, 36, 36}, std::vector<float>(2 * 2 * 36 * 36, 1.5F));
        phones->arrays["1.par_count"] = Tensor::of<std::int32_t>({36, 36}, std::vector<std::int32_t>(36 * 36, 2));
        desk.evidence.add(heads);
        desk.evidence.add(phones);
        desk.front(desk.part<CadPanel>());
        QVERIFY(desk.settle());
        QVERIFY(hasAll(captionOf(desk.part<CadPanel>()), {QStringLiteral("Study “heads-1”, model small. "), QStringLiteral("SHA-256 0123456789ab"), QStringLiteral("mean of 5 utterances"),
                                                         QStringLiteral("Silence removed"), QStringLiteral("Bars: 95 % intervals of the mean.")}));
        desk.front(desk.part<HeadsPanel>());
        QVERIFY(desk.settle());
        QVERIFY(hasAll(captionOf(desk.part<HeadsPanel>()), {QStringLiteral("Study “heads-1”, model small. Head relevance"), QStringLiteral(", over 5 utterances. Pooled: ")}));
        desk.front(desk.part<PhonesPanel>());
        QVERIFY(desk.settle());
        QVERIFY(hasAll(captionOf(desk.part<PhonesPanel>()), {QStringLiteral("layer 1, mean of the heads of small (SHA-256 0123456789ab). Study “phones-1”, model small. "),
                                                            QStringLiteral("the 5 utterances"), QStringLiteral("at half opacity")}));
    }

    void figuresOfWindowsNameLayerModelAndRecordingOrTheStudy() {
        WindowsDesk desk;
        QVERIFY(captionOf(desk.panel()).isEmpty());
        QVERIFY(desk.settle());
        desk.session.setCurrentLayer(4);
        desk.session.drafts()->setWindow(desk.draft(), {4, 5});
        QVERIFY(desk.settle());
        const QString hash = desk.session.currentModel()->info->hash.left(12);
        QVERIFY(hasAll(captionOf(desk.panel()), {QStringLiteral("D(w) in layer 4 and CCD by layer"), QStringLiteral("of the contributions of m (SHA-256 %1").arg(hash),
                                                QStringLiteral("N = %1 tokens").arg(desk.analysis.current()->tokens.value()), QStringLiteral("Line: window w = 5."),
                                                QStringLiteral("Recording: a, 3.00 s.")}));
        auto study = studyOf(StudyKind::Windows);
        StudyTable table;
        table.name = "windows";
        table.caption = "How it was found.";
        table.columns = {{"layer", "layer", "", 0, false}, {"window", "w", "", 0, false}};
        table.rows = {{1.0, 5.0}, {2.0, 7.0}};
        study->document.tables.push_back(table);
        desk.evidence.add(study);
        QVERIFY(hasAll(captionOf(desk.panel()), {QStringLiteral("Study “windows-1”, model small. How it was found.")}));
    }
};

HEADROOM_TEST(TabCaptionsTest)

} // namespace headroom::testing::tab_captions_test

#include "tab_captions_test.moc"

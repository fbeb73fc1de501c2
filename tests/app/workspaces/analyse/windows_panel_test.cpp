// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/actions.h"
#include "app/studies/study_evidence.h"
#include "app/workspaces/analyse/common/study_model_field.h"
#include "app/workspaces/analyse/windows/study_windows.h"
#include "app/workspaces/analyse/windows/windows_panel.h"
#include "tests/app/studies/made_study.h"
#include "tests/app/workspaces/analyse/windows_desk.h"
#include "tests/support/runner.h"
#include "widgets/curves/curve_key.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/study_table/study_table_view.h"

#include <QFontMetrics>
#include <QLineEdit>
#include <QTest>
#include <QUndoStack>

#include <algorithm>

namespace headroom::testing::windows_panel_test {

using namespace headroom::app;
using namespace headroom::widgets;

class WindowsPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    /// “model could not be opened. See Models for the reason.” crossed the curve behind it.
    void theReasonOfAnEmptyTabStandsOnPlainGround() {
        QUndoStack undo;
        QObject owner;
        const Actions actions(&undo, &owner);
        StudyEvidence evidence;
        WindowsPanel panel(actions, &evidence);
        panel.resize(400, 320);
        auto* ghost = panel.findChild<QWidget*>(QStringLiteral("windowsEmpty"));
        QVERIFY(ghost);
        ghost->resize(400, 280);
        const auto curve = [&](const QString& sentence) { // pixels of its colour, left of the middle of the frame
            panel.setEmptySentence(sentence);
            const QImage picture = ghost->grab().toImage();
            int count = 0;
            const int edge = qRound(Sizes::unit() * 5.5) + 3;
            for (int y = qRound(Sizes::unit() * 1.5) + 3; y < qRound(Sizes::unit() * 19); ++y)
                for (int x = edge; x < picture.width() / 2; ++x)
                    count += picture.pixelColor(x, y) == Theme::current().line;
            return count;
        };
        const int whole = curve({});
        QVERIFY(whole > 20);
        // Of a sentence of blanks, only the ground is seen.
        const QFontMetrics metrics(Sizes::caption());
        const int blanks = static_cast<int>((ghost->width() - Sizes::unit() * 9.5) / metrics.horizontalAdvance(QChar::Nbsp)) - 6;
        const QString line = QLatin1Char('.') + QString(blanks, QChar::Nbsp) + QLatin1Char('.');
        const int behind = curve(QStringList(7, line).join(QLatin1Char('\n')));
        QVERIFY2(behind > 0 && behind < whole * 4 / 5, qPrintable(QStringLiteral("%1 of %2").arg(behind).arg(whole)));
    }

    /// "Filte…" beside as much room that nothing used.
    void theHintOfTheFilterIsRead() {
        WindowsDesk desk;
        QVERIFY(desk.settle());
        const auto folder = desk.workshop.path() / "Windows of demo, s2t-reference";
        makeWindowsStudy(folder, 6, 3);
        desk.evidence.add(openStudy(folder));
        WindowsPanel* panel = desk.panel();
        const QLineEdit* filter = panel->filterField();
        desk.tabs.resize(465, 500); // of a window of 1600 × 1000, without the models that one chooses from
        desk.tabs.show();
        QTRY_VERIFY_WITH_TIMEOUT(filter->isVisible() && panel->width() > 400, 60000);
        QCoreApplication::processEvents();
        const double icon = Sizes::icon() + Sizes::unit();
        QVERIFY2(filter->width() >= filter->fontMetrics().horizontalAdvance(filter->placeholderText()) + icon, qPrintable(QString::number(filter->width())));
    }

    /// “Filte…” and “demo, …” stood there in a window of 1280 × 720, and the table was below the edge.
    void aNarrowLowTabShowsWhoseNumbersAndTheTable() {
        WindowsDesk desk;
        QVERIFY(desk.settle());
        const auto folder = desk.workshop.path() / "Windows of demo; demo, seed 2";
        Study study = makeWindowsStudy(folder, 6, 3);
        study.models.push_back(study.models.front());
        study.models[0].name = "demo, seed 2";
        study.models[1].name = "demo";
        writeStudy(folder, study);
        desk.evidence.add(openStudy(folder));
        WindowsPanel* panel = desk.panel();
        desk.tabs.resize(404, 264);
        desk.tabs.show();
        const QLineEdit* filter = panel->filterField();
        QTRY_VERIFY_WITH_TIMEOUT(filter->isVisible() && panel->width() >= 390, 60000);
        QCoreApplication::processEvents();
        const auto widthOf = [](const QWidget* field, const QString& text) { return field->fontMetrics().horizontalAdvance(text); };
        QVERIFY2(filter->width() >= widthOf(filter, filter->placeholderText()) + Sizes::icon() + Sizes::unit(), qPrintable(QString::number(filter->width())));
        const auto* model = panel->findChild<StudyModelField*>();
        QCOMPARE(model->currentText(), QStringLiteral("demo, seed 2"));
        QVERIFY2(model->width() >= widthOf(model, model->currentText()) + 3 * Sizes::unit(), qPrintable(QString::number(model->width())));
        const auto* table = panel->study()->table();
        const int seen = table->viewport()->visibleRegion().boundingRect().height();
        QVERIFY2(seen >= 3 * Sizes::tableRow(), qPrintable(QString::number(seen)));
    }

    /// The table of the open utterances was below the edge in a window of 1280 × 720.
    void theLiveTableComesFirstInALowTab() {
        WindowsDesk desk;
        QVERIFY(desk.settle());
        const WindowsPanel* panel = desk.panel();
        desk.tabs.resize(404, 264);
        desk.tabs.show();
        const auto all = [](const QWidget* part) { return part->visibleRegion().boundingRect() == part->rect(); };
        const auto seen = [&] { return panel->table()->viewport()->visibleRegion().boundingRect().height(); };
        QTRY_VERIFY2_WITH_TIMEOUT(seen() >= 3 * Sizes::tableRow(), qPrintable(QString::number(seen())), 60000);
        QVERIFY(panel->table()->y() < panel->diagonality()->y());
        desk.tabs.resize(404, 900);
        QTRY_VERIFY_WITH_TIMEOUT(all(panel->table()) && all(panel->diagonality()), 60000);
        QVERIFY(panel->table()->y() > panel->diagonality()->y());
    }

    /// “wav…ase”, “wav…ert”, “wav…ing” and “oth…ers” told nothing.
    void theKeyOfManyModelsNamesThem() {
        QUndoStack undo;
        QObject owner;
        const Actions actions(&undo, &owner);
        StudyEvidence evidence;
        WindowsPanel panel(actions, &evidence);
        WindowsPanel::Content content;
        content.rows.resize(2);
        int style = 0;
        for (const char* name : {"wavlm-base-random", "wav2vec2-base-960h", "wav2vec2-bert-random", "wav2vec2-pretraining", "whisper-tiny-random",
                                 "parakeet-ctc-random", "demonstration"})
            content.ccd.push_back({QLatin1String(name), {0.8, 0.9}, style++});
        panel.showContent(content);
        panel.resize(qRound(51 * Sizes::unit()), 700);
        panel.show();
        QCoreApplication::processEvents();
        const auto keys = panel.findChildren<CurveKey*>();
        const auto shown = std::find_if(keys.begin(), keys.end(), [](const CurveKey* one) { return one->isVisible(); });
        QVERIFY(shown != keys.end());
        const CurveKey* key = *shown;
        for (int i = 0; i < style; ++i)
            QVERIFY2(key->entryRect(i).width() > 11 * Sizes::unit(), qPrintable(QStringLiteral("%1: %2").arg(i).arg(key->entryRect(i).width())));
    }
};

HEADROOM_TEST(WindowsPanelTest)

} // namespace headroom::testing::windows_panel_test

#include "windows_panel_test.moc"

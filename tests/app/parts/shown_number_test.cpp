// SPDX-License-Identifier: GPL-3.0-or-later
// Fields whose number something else keeps take what is typed, digit by digit: the change that a key makes comes back from the session,
// the plot or the draft, and once wrote the whole number into what was being typed (0.15 became 1.00).
#include "app/parts/shown_number.h"

#include "app/workspaces/analyse/heads/cad_panel.h"
#include "app/workspaces/analyse/studies/study_settings_rows.h"
#include "app/workspaces/train/curves_panel.h"
#include "app/workspaces/train/evaluate/evaluate_options.h"
#include "tests/app/workspaces/analyse/heads_desk.h"
#include "tests/app/workspaces/analyse/windows_desk.h"
#include "tests/app/workspaces/design/design_desk.h"
#include "tests/support/runner.h"
#include "tests/support/typed_number.h"
#include "widgets/look/theme.h"

#include <QDoubleSpinBox>
#include <QTest>
#include <QToolButton>

#include <cmath>

namespace headroom::testing::shown_number_test {

using namespace headroom::app;

class ShownNumberTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void aFieldKeepsItsTextWhereTheNumberIsTheSame() {
        QDoubleSpinBox field;
        field.setLocale(QLocale::c());
        field.show();
        connect(&field, &QDoubleSpinBox::valueChanged, &field, [&](double value) { showNumber(&field, value); });
        QCOMPARE(typedNumber(&field, QStringLiteral("0.15")), QStringLiteral("0.15"));
        showNumber(&field, 0.4);
        QCOMPARE(field.text(), QStringLiteral("0.40"));
    }

    void fullAboveInDesign() {
        DesignDesk desk;
        desk.design.resize(1200, 700);
        desk.design.show();
        for (const auto& [typed, shown, value] : {std::tuple("0.15", "CL 0.15", 0.15), {"1", "CL 1.00", 1.0}, {"0.05", "CL 0.05", 0.05}}) {
            QCOMPARE(typedNumber(desk.design.fullAboveField(), QLatin1String(typed)), QLatin1String(shown));
            QCOMPARE(desk.session.fullAbove(), value);
        }
    }

    void fullAboveInWindows() {
        WindowsDesk desk;
        QVERIFY(desk.settle());
        desk.tabs.resize(600, 500);
        desk.tabs.show();
        desk.session.setFullAbove(1);
        QDoubleSpinBox* field = desk.panel()->fullAboveField();
        QCOMPARE(field->value(), 1.0);
        QCOMPARE(typedNumber(field, QStringLiteral("0.15")), QStringLiteral("0.15"));
        QCOMPARE(desk.session.fullAbove(), 0.15);
    }

    void theLengthOfTheCost() {
        DesignDesk desk;
        desk.design.resize(1200, 700);
        desk.design.show();
        auto* field = desk.design.findChild<QSpinBox*>();
        QVERIFY(field && field->isVisible());
        QCOMPARE(typedNumber(field, QStringLiteral("12345")), QStringLiteral("12,345 tokens"));
        QCOMPARE(typedNumber(field, QStringLiteral("800")), QStringLiteral("800 tokens"));
    }

    void theSplitOfCad() {
        HeadsDesk desk;
        desk.open();
        auto* panel = desk.part<CadPanel>();
        desk.front(panel);
        QVERIFY(desk.settle());
        auto* field = panel->findChild<QDoubleSpinBox*>();
        QCOMPARE(typedNumber(field, QStringLiteral("0.15")), QStringLiteral("0.15"));
        QCOMPARE(typedNumber(field, QStringLiteral("1")), QStringLiteral("1.00"));
        QCOMPARE(typedNumber(field, QStringLiteral("0.6")), QStringLiteral("0.60"));
    }

    void smoothOfTheCurves() {
        CurvesPanel panel;
        panel.resize(1200, 500);
        panel.show();
        auto* field = panel.findChild<QDoubleSpinBox*>();
        QCOMPARE(typedNumber(field, QStringLiteral("0.35")), QStringLiteral("0.35"));
        QCOMPARE(panel.reading().smoothing, 0.35);
    }

    void theOptionsOfAnEvaluation() {
        EvaluateOptions options;
        DecodableModel model;
        model.hasDecoder = model.hasCtc = true;
        options.setModel(model, 10);
        options.findChild<QToolButton*>(QStringLiteral("evaluateOptions"))->setChecked(true);
        options.show();
        const QStringList texts{QStringLiteral("0.15"), QStringLiteral("0.25")};
        for (auto* field : options.findChildren<QDoubleSpinBox*>())
            if (field->isEnabled() && field->decimals() == 2)
                for (const QString& text : texts)
                    QCOMPARE(typedNumber(field, text), text);
        QCOMPARE(typedNumber(options.windowField(), QStringLiteral("12.5")), QStringLiteral("12.5 s"));
    }

    /// Threshold t and Patience among them.
    void theNumbersOfAStudy() {
        for (const StudyKind kind : kStudyKinds) {
            StudySettingsRows rows;
            rows.setKind(kind);
            rows.show();
            for (auto* field : rows.findChildren<QDoubleSpinBox*>()) {
                if (!field->isEnabled() || !field->isVisible())
                    continue;
                const double wanted = field->minimum() + std::min(0.35, (field->maximum() - field->minimum()) / 2);
                typedNumber(field, field->textFromValue(wanted));
                QVERIFY2(std::abs(field->value() - wanted) < std::pow(10, -field->decimals()), qPrintable(field->accessibleName()));
            }
            for (auto* field : rows.findChildren<QSpinBox*>()) {
                if (!field->isEnabled() || !field->isVisible())
                    continue;
                const int wanted = std::min(field->maximum(), std::max(field->minimum(), 37));
                typedNumber(field, QString::number(wanted));
                QVERIFY2(field->value() == wanted, qPrintable(field->accessibleName()));
            }
        }
    }
};

HEADROOM_TEST(ShownNumberTest)

} // namespace headroom::testing::shown_number_test

#include "shown_number_test.moc"

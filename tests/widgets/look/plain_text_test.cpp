// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QApplication>
#include <QLabel>
#include <QMessageBox>
#include <QScreen>
#include <QTest>
#include <QToolTip>

namespace headroom::testing::plain_text_test {

using namespace headroom::widgets;

/// A run called “Müll/er <b>x” was “Müll/er x” in bold, in the status bar and in tool tips.
class PlainTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    void whatLooksLikeMarkupIsShownAsItIs() {
        QLabel label(m_name), rich(QStringLiteral("<b>x</b>"));
        rich.setTextFormat(Qt::RichText);
        label.show();
        rich.show();
        QCOMPARE(label.textFormat(), Qt::PlainText);
        QCOMPARE(rich.textFormat(), Qt::RichText);
        const int whole = label.sizeHint().width();
        QVERIFY(whole >= QFontMetrics(label.font()).horizontalAdvance(m_name));
        QMessageBox box(QMessageBox::NoIcon, QStringLiteral("Title"), m_name);
        box.show();
        QCOMPARE(box.findChild<QLabel*>(QStringLiteral("qt_msgbox_label"))->textFormat(), Qt::PlainText);
    }

    void toolTipsTooAlsoTheNextOne() {
        QWidget window;
        window.resize(200, 100);
        window.show();
        for (const QString& text : {m_name, m_name + QStringLiteral(", again")}) {
            QToolTip::showText(window.mapToGlobal(QPoint(50, 50)), text, &window);
            const QLabel* tip = nullptr;
            for (const QWidget* one : QApplication::topLevelWidgets())
                if (one->inherits("QTipLabel") && one->isVisible())
                    tip = qobject_cast<const QLabel*>(one);
            QVERIFY(tip);
            QCOMPARE(tip->text(), text);
            QCOMPARE(tip->textFormat(), Qt::PlainText);
        }
        QToolTip::hideText();
    }

    /// A sentence of a hundred letters was one line across the screen.
    void longToolTipsHaveSeveralLines() {
        QWidget window;
        window.resize(200, 100);
        window.show();
        const QString sentence = QStringLiteral("Largest difference between the sum and the output, over all rows of this layer and of the others");
        QVERIFY(QFontMetrics(QToolTip::font()).horizontalAdvance(sentence) < window.screen()->size().width()); // wider ones Qt wraps
        const auto shown = [&](const QString& text, const QPoint& at) -> const QLabel* {
            QToolTip::showText(at, text, &window);
            for (const QWidget* one : QApplication::topLevelWidgets())
                if (one->inherits("QTipLabel") && one->isVisible())
                    return qobject_cast<const QLabel*>(one);
            return nullptr;
        };
        const QRect screen = window.screen()->geometry();
        const QPoint corner = screen.bottomRight() - QPoint(20, 20);
        for (const QPoint& at : {window.mapToGlobal(QPoint(50, 50)), corner})
            for (const QString& text : {sentence, QStringLiteral("Short."), sentence + QStringLiteral(", too.")}) {
                const QLabel* tip = shown(text, at);
                QVERIFY(tip);
                QCOMPARE(tip->text(), text);
                const QFontMetrics metrics(tip->font());
                QVERIFY2(tip->width() <= 70 * Sizes::unit(), qPrintable(QString::number(tip->width())));
                const int lines = metrics.boundingRect(QRect(0, 0, tip->contentsRect().width() - 2 * tip->margin(), 10000), Qt::TextWordWrap, text).height();
                QVERIFY2(tip->height() >= lines && tip->height() < lines + 2 * metrics.height(),
                         qPrintable(QStringLiteral("%1 for %2").arg(tip->height()).arg(lines)));
                QVERIFY(screen.contains(tip->geometry()));
            }
        QToolTip::hideText();
    }

private:
    const QString m_name = QStringLiteral("Müll/er <b>x");
};

HEADROOM_TEST(PlainTextTest)

} // namespace headroom::testing::plain_text_test

#include "plain_text_test.moc"

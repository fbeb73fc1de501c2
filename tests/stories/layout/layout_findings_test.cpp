// SPDX-License-Identifier: GPL-3.0-or-later
// The net can fail: each kind of defect is planted in a small window and must be found there, and nowhere else.
#include "app/parts/panel_header.h"
#include "tests/stories/layout/layout_check.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <qcustomplot.h>
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QTest>
#include <QVBoxLayout>

#include <functional>

namespace headroom::testing::layout_findings_test {

namespace {

/// Paints what it is told to, as a plot or a table does.
class Painting : public QWidget {
public:
    Painting(std::function<void(QPainter&)> paint, QWidget* parent) : QWidget(parent), m_paint(std::move(paint)) {
        setGeometry(20, 20, 160, 40);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        m_paint(painter);
    }

private:
    std::function<void(QPainter&)> m_paint;
};

using Plant = std::function<void(QWidget&)>;

Plant painted(std::function<void(QPainter&)> paint) {
    return [paint](QWidget& window) { new Painting(paint, &window); };
}

} // namespace

class LayoutFindingsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void aDefectThatIsPlantedIsFound_data() {
        QTest::addColumn<QString>("defect");
        QTest::addColumn<Plant>("plant");
        QTest::addRow("cut") << "text cut" << painted([](QPainter& painter) {
            painter.drawText(QPoint(2, 20), QStringLiteral("a label that is far too long for its place"));
        });
        QTest::addRow("elided") << "elided without a tool tip" << painted([](QPainter& painter) {
            painter.drawText(QPoint(2, 20), QStringLiteral("beginning…"));
        });
        QTest::addRow("button") << "elided without a tool tip" << Plant([](QWidget& window) {
            auto* button = new QPushButton(QStringLiteral("Measure all of the layers"), &window);
            button->setToolTip(button->text()); // does not excuse a button
            button->setGeometry(20, 20, 80, 28);
        });
        QTest::addRow("choice") << "choice cut" << Plant([](QWidget& window) {
            auto* box = new QComboBox(&window);
            box->addItems({QStringLiteral("Mean over heads"), QStringLiteral("Self-attention")});
            box->addItem(QStringLiteral("Cross"));
            box->setCurrentIndex(2);
            box->setToolTip(box->currentText()); // does not excuse a short choice
            box->setAccessibleName(QStringLiteral("Attention"));
            box->setGeometry(20, 20, 62, 28);
        });
        QTest::addRow("choices") << "choice cut" << Plant([](QWidget& window) {
            auto* box = new QComboBox(&window);
            box->addItems({QStringLiteral("translation, small"), QStringLiteral("translation, local")});
            box->setToolTip(box->currentText());
            box->setAccessibleName(QStringLiteral("Model"));
            box->setGeometry(20, 20, 70, 28);
        });
        QTest::addRow("number") << "number cut" << painted([](QPainter& painter) {
            painter.drawText(QPoint(2, 20), QStringLiteral("245.…"));
        });
        QTest::addRow("word") << "word cut" << Plant([](QWidget& window) {
            auto* header = new app::PanelHeader(QStringLiteral("Utterances"), &window);
            header->setGeometry(0, 20, 200, header->height());
            auto* detail = new QLabel(QStringLiteral("faile…"));
            detail->setToolTip(QStringLiteral("13, 1 failed")); // does not excuse it
            detail->setProperty("secondary", true);
            header->addTrailing(detail);
        });
        QTest::addRow("rows") << "reads like another row" << Plant([](QWidget& window) {
            auto* list = new QListWidget(&window);
            for (const char* seed : {"1", "2"}) {
                auto* row = new QListWidgetItem(QStringLiteral("Evaluate demo, seed %1, on test of digits").arg(QLatin1String(seed)), list);
                row->setToolTip(row->text());
            }
            list->setTextElideMode(Qt::ElideMiddle);
            list->setGeometry(20, 20, 120, 80);
            list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
            list->setAccessibleName(QStringLiteral("Jobs"));
        });
        QTest::addRow("deviation") << "number cut" << painted([](QPainter& painter) {
            painter.drawText(QPoint(2, 20), QStringLiteral("6.704 ± 0…"));
        });
        QTest::addRow("texts") << "texts overlap" << painted([](QPainter& painter) {
            painter.drawText(QPoint(2, 20), QStringLiteral("one text"));
            painter.drawText(QPoint(12, 22), QStringLiteral("another"));
        });
        QTest::addRow("turned") << "texts overlap" << painted([](QPainter& painter) {
            painter.drawText(QPoint(2, 20), QStringLiteral("180.0"));
            painter.translate(14, 38);
            painter.rotate(-90);
            painter.drawText(QPoint(0, 0), QStringLiteral("title"));
        });
        QTest::addRow("covered") << "text half covered" << painted([](QPainter& painter) {
            painter.drawText(QPoint(2, 20), QStringLiteral("behind a box"));
            painter.fillRect(QRect(30, 0, 100, 40), Qt::white);
        });
        QTest::addRow("under") << "text under a widget" << Plant([](QWidget& window) {
            auto* lane = new Painting([](QPainter& painter) { painter.drawText(QPoint(2, 20), QStringLiteral("behind a button")); }, &window);
            auto* button = new QPushButton(QStringLiteral("Align"), lane);
            button->setGeometry(60, 5, 80, 28);
        });
        QTest::addRow("curve") << "text on a curve" << painted([](QPainter& painter) {
            QPolygonF curve;
            for (int x = 0; x < 160; x += 5)
                curve << QPointF(x, 16);
            painter.drawPolyline(curve);
            painter.drawText(QPoint(30, 20), QStringLiteral("legend"));
        });
        QTest::addRow("point") << "text on a point" << Plant([](QWidget& window) {
            auto* plot = new QCustomPlot(&window);
            plot->setGeometry(20, 10, 260, 100);
            plot->setAccessibleName(QStringLiteral("Plot"));
            auto* graph = plot->addGraph();
            graph->setData(QVector<double>{1, 2, 3}, QVector<double>{1, 2, 3});
            graph->setLineStyle(QCPGraph::lsNone);
            graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssTriangle, 8));
            plot->xAxis->setRange(0, 4);
            plot->yAxis->setRange(0, 4);
            auto* text = new QCPItemText(plot);
            text->position->setCoords(2, 2);
            text->setText(QStringLiteral("legend"));
        });
        QTest::addRow("sisters") << "overlap" << Plant([](QWidget& window) {
            (new QLabel(QStringLiteral("one"), &window))->setGeometry(20, 20, 60, 20);
            (new QLabel(QStringLiteral("two"), &window))->setGeometry(50, 30, 60, 20);
        });
        QTest::addRow("outside") << "outside its parent" << Plant([](QWidget& window) {
            (new QLabel(QStringLiteral("beyond"), &window))->setGeometry(250, 20, 90, 20);
        });
        QTest::addRow("scrolled") << "outside its parent" << Plant([](QWidget& window) {
            auto* area = new QScrollArea(&window);
            area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
            area->setGeometry(20, 20, 100, 60);
            auto* inside = new QLabel(QStringLiteral("wider than its view"));
            inside->setFixedWidth(200);
            area->setWidget(inside);
            area->setAccessibleName(QStringLiteral("View"));
        });
        QTest::addRow("sideways") << "scrolls sideways" << Plant([](QWidget& window) {
            auto* area = new QScrollArea(&window);
            area->setWidgetResizable(true);
            area->setGeometry(20, 20, 100, 60);
            auto* inside = new QLabel(QStringLiteral("wider than its view"));
            inside->setMinimumWidth(200);
            area->setWidget(inside);
            area->setAccessibleName(QStringLiteral("View"));
        });
        QTest::addRow("contrast") << "low contrast" << painted([](QPainter& painter) {
            painter.setPen(QColor(190, 190, 190));
            painter.drawText(QPoint(2, 20), QStringLiteral("hardly there"));
        });
        QTest::addRow("name") << "no accessible name" << Plant([](QWidget& window) {
            auto* button = new QPushButton(&window);
            button->setGeometry(20, 20, 28, 28);
        });
        QTest::addRow("size") << "window too large" << Plant([](QWidget& window) { window.setMinimumSize(1400, 120); });
    }
    void aDefectThatIsPlantedIsFound() {
        QFETCH(QString, defect);
        QFETCH(Plant, plant);
        QWidget window;
        window.resize(300, 120);
        plant(window);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        LayoutFindings findings;
        findings.look(&window, QStringLiteral("planted"));
        findings.lookAtMinimum(&window, {1280, 720}, QStringLiteral("planted"));
        const QStringList lines = findings.report().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QVERIFY2(!lines.isEmpty(), "nothing was found");
        for (const QString& line : lines)
            QVERIFY2(line.startsWith(defect + QLatin1Char(':')), qPrintable(line));
    }

    void aWindowWithoutDefectsHasNoFindings() {
        QWidget window;
        auto* layout = new QVBoxLayout(&window);
        layout->addWidget(new QLabel(QStringLiteral("A label that has room.")));
        layout->addWidget(new QPushButton(QStringLiteral("Measure")));
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        LayoutFindings findings;
        findings.look(&window, QStringLiteral("good"));
        findings.lookAtMinimum(&window, {1280, 720}, QStringLiteral("good"));
        QVERIFY2(findings.isEmpty(), qPrintable(findings.report()));
        QCOMPARE(findings.texts(), 2);
    }
};

HEADROOM_TEST(LayoutFindingsTest)

} // namespace headroom::testing::layout_findings_test

#include "layout_findings_test.moc"

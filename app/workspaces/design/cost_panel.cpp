// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/cost_panel.h"

#include "app/workspaces/analyse/number_text.h"
#include "app/workspaces/design/cost_report.h"
#include "widgets/curves/cost_plot.h"
#include "widgets/look/icons.h"
#include "widgets/look/metrics.h"
#include "widgets/look/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::app {

using widgets::CostPlot;
using widgets::Metrics;
using widgets::Theme;

namespace {
constexpr int kCurveSteps = 60;
const QChar kNarrowSpace(0x202F);
} // namespace

/// Label, number in large, and the change against the baseline.
class CostPanel::Figure : public QWidget {
public:
    using QWidget::QWidget;
    void show(const QString& label, const QString& number, const QString& change, bool isSaving,
              const QString& full) {
        m_label = label;
        m_number = number;
        m_change = change;
        m_saving = isSaving;
        setToolTip(full);
        setAccessibleName(QStringLiteral("%1: %2, %3").arg(label, number, change));
        update();
    }
    QSize sizeHint() const override { return {int(Metrics::unit() * 14), int(Metrics::unit() * 9.5)}; }
    QSize minimumSizeHint() const override { return {int(Metrics::unit() * 9), int(Metrics::unit() * 9.5)}; }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::current();
        const int unit = int(Metrics::unit());
        QPainter painter(this);
        painter.fillRect(QRect(width() - 1, 0, 1, height()), theme.line);
        const QRect room = rect().adjusted(unit * 3 / 2, unit, -unit / 2, -unit);
        painter.setFont(Metrics::caption());
        painter.setPen(theme.text2);
        painter.drawText(room, Qt::AlignTop | Qt::AlignLeft, m_label);
        // The unit is smaller than the number it belongs to.
        const auto gap = m_number.indexOf(kNarrowSpace);
        const QString number = gap < 0 ? m_number : m_number.left(gap),
                      suffix = gap < 0 ? QString() : m_number.mid(gap);
        painter.setFont(Metrics::figure());
        painter.setPen(theme.text);
        const int baseline = room.top() + unit * 9 / 2;
        painter.drawText(room.left(), baseline, number);
        const int after = room.left() + painter.fontMetrics().horizontalAdvance(number);
        painter.setFont(Metrics::caption());
        painter.setPen(theme.text2);
        painter.drawText(after, baseline, suffix);
        painter.setPen(m_saving ? theme.good : theme.text2);
        painter.drawText(room, Qt::AlignBottom | Qt::AlignLeft, m_change);
    }

private:
    QString m_label, m_number, m_change;
    bool m_saving = false;
};

/// MACs and kept maps as a share of the baseline; the tick is what no window can save.
class CostPanel::Bars : public QWidget {
public:
    using QWidget::QWidget;
    struct Bar {
        QString name;
        double share = 0;
        std::optional<double> floor;
    };
    void show(const QString& at, std::vector<Bar> bars) {
        m_at = at;
        m_bars = std::move(bars);
        updateGeometry();
        update();
    }
    QSize sizeHint() const override {
        return {int(Metrics::unit() * 40), int(Metrics::unit() * (5.5 + 3.25 * double(m_bars.size())))};
    }
    QSize minimumSizeHint() const override { return {int(Metrics::unit() * 24), sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::current();
        const double unit = Metrics::unit();
        QPainter painter(this);
        painter.fillRect(QRect(0, 0, width(), 1), theme.line);
        painter.setFont(Metrics::heading());
        painter.setPen(theme.text);
        const QString title = tr("Headroom");
        painter.drawText(QPointF(unit * 1.5, unit * 3), title);
        const double after = unit * 1.5 + painter.fontMetrics().horizontalAdvance(title) + unit;
        painter.setFont(Metrics::text());
        painter.setPen(theme.text2);
        painter.drawText(QPointF(after, unit * 3), m_at);
        double y = unit * 4.5;
        for (const Bar& bar : m_bars) {
            const QRectF line(unit * 1.5, y, width() - unit * 3, unit * 3);
            painter.setFont(Metrics::caption());
            painter.setPen(theme.text);
            painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft, bar.name);
            const QRectF track(line.left() + unit * 13, line.center().y() - unit * 0.4,
                               line.width() - unit * 28, unit * 0.85);
            painter.fillRect(track, theme.line);
            const double scale = std::max(1.0, bar.share);
            painter.fillRect(
                QRectF(track.left(), track.top(), track.width() * bar.share / scale, track.height()),
                theme.accent);
            const auto percent = [](double share) {
                return decimals(share * 100, 0) + kNarrowSpace + QLatin1Char('%');
            };
            painter.setFont(Metrics::heading());
            painter.drawText(QRectF(track.right(), line.top(), unit * 6.5, line.height()),
                             Qt::AlignVCenter | Qt::AlignRight, percent(bar.share));
            if (bar.floor) {
                const double x = track.left() + track.width() * *bar.floor / scale;
                painter.fillRect(
                    QRectF(x - unit / 4, track.top() - unit / 2, unit / 2, track.height() + unit),
                    theme.panel);
                painter.fillRect(
                    QRectF(x - unit / 8, track.top() - unit / 2, unit / 4, track.height() + unit),
                    theme.text);
                painter.setFont(Metrics::small());
                painter.setPen(theme.text2);
                painter.drawText(line, Qt::AlignVCenter | Qt::AlignRight,
                                 tr("floor %1").arg(percent(*bar.floor)));
            }
            y += unit * 3.25;
        }
    }

private:
    QString m_at;
    std::vector<Bar> m_bars;
};

CostPanel::CostPanel(QWidget* parent)
    : QWidget(parent)
    , m_length(new QSpinBox(this))
    , m_lengthNote(new QLabel(this))
    , m_parameters(new Figure(this))
    , m_macs(new Figure(this))
    , m_maps(new Figure(this))
    , m_macsPlot(new CostPlot(tr("MACs of the encoder, G"), tr("length in tokens"), this))
    , m_mapsPlot(new CostPlot(tr("Attention maps kept to train, MB"), {}, this))
    , m_bars(new Bars(this))
    , m_sentence(new QLabel(this))
    , m_mistakes(new QWidget(this))
    , m_mistakesText(new QLabel(this)) {
    const int unit = int(Metrics::unit());
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);

    auto* length = new QWidget(this);
    auto* lengthLayout = new QHBoxLayout(length);
    lengthLayout->setContentsMargins(unit * 3 / 2, unit / 2, unit * 3 / 2, unit / 2);
    lengthLayout->setSpacing(unit);
    auto* lengthLabel = new QLabel(tr("Length"), length);
    lengthLabel->setBuddy(m_length);
    m_length->setRange(1, 100'000);
    m_length->setValue(1000);
    m_length->setSingleStep(100);
    m_length->setGroupSeparatorShown(true);
    m_length->setLocale(QLocale(QLocale::English, QLocale::UnitedStates));
    m_length->setSuffix(tr(" tokens"));
    m_length->setProperty("small", true);
    m_length->setAccessibleName(tr("Length at which the cost is counted"));
    m_length->setToolTip(tr("How long the input is for which MACs and maps are counted."));
    m_lengthNote->setProperty("caption", true);
    lengthLayout->addWidget(lengthLabel);
    lengthLayout->addWidget(m_length);
    lengthLayout->addWidget(m_lengthNote, 1);
    layout->addWidget(length);

    auto* figures = new QHBoxLayout;
    figures->setSpacing(0);
    for (Figure* figure : {m_parameters, m_macs, m_maps})
        figures->addWidget(figure, 1);
    layout->addLayout(figures);
    auto* line = new QFrame(this);
    line->setFrameShape(QFrame::HLine);
    layout->addWidget(line);
    m_sentence->setWordWrap(true);
    m_sentence->setProperty("caption", true);
    m_sentence->setContentsMargins(unit * 3 / 2, unit, unit * 3 / 2, 0);
    m_sentence->hide();
    layout->addWidget(m_sentence);
    layout->addWidget(m_macsPlot, 1);
    layout->addWidget(m_mapsPlot, 1);
    auto* legend = new QLabel(tr("<b>━</b>&nbsp;this&nbsp;&nbsp;&nbsp;╌╌&nbsp;baseline"), this);
    legend->setProperty("caption", true);
    legend->setAlignment(Qt::AlignHCenter);
    legend->setContentsMargins(0, 0, 0, unit);
    layout->addWidget(legend);
    layout->addWidget(m_bars);

    m_mistakes->setObjectName(QStringLiteral("designMistakes"));
    auto* frame = new QFrame(m_mistakes);
    frame->setProperty("banner", "error");
    auto* outer = new QVBoxLayout(m_mistakes);
    outer->setContentsMargins(unit, unit, unit, unit);
    outer->addWidget(frame);
    auto* row = new QHBoxLayout(frame);
    row->setContentsMargins(unit * 3 / 2, unit, unit, unit);
    row->setSpacing(unit * 3 / 2);
    m_mark = new QLabel(frame);
    m_mistakesText->setWordWrap(true);
    auto* next = new QPushButton(tr("Next   F8"), frame);
    next->setToolTip(tr("Go to the next mistake. F8"));
    connect(next, &QPushButton::clicked, this, &CostPanel::nextMistakeRequested);
    row->addWidget(m_mark);
    row->addWidget(m_mistakesText, 1);
    row->addWidget(next);
    layout->addWidget(m_mistakes);
    connect(m_length, &QSpinBox::valueChanged, this, [this] {
        refresh();
        Q_EMIT lengthChanged();
    });
    showNothing();
}

CostPanel::~CostPanel() = default;

std::int64_t CostPanel::tokens() const {
    return m_length->value();
}

void CostPanel::showContent(const Content& content) {
    m_content = content;
    m_any = true;
    refresh();
}

void CostPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

void CostPanel::showNothing() {
    m_any = false;
    m_text.clear();
    for (auto* figure : {m_parameters, m_macs, m_maps})
        figure->show(figure == m_parameters ? tr("Parameters")
                     : figure == m_macs     ? tr("MACs")
                                            : tr("Maps"),
                     kUnknown, {}, false, {});
    m_macsPlot->show({}, {}, {}, 1);
    m_mapsPlot->show({}, {}, {}, 1);
    m_bars->hide();
    m_mistakes->hide();
    m_sentence->hide();
    m_lengthNote->clear();
}

void CostPanel::refresh() {
    if (!m_any)
        return;
    const std::int64_t asked = tokens();
    const CostReport now = costReport(m_content.architecture, asked),
                     base = costReport(m_content.baseline, asked);
    m_lengthNote->setText(decimals(double(asked) * m_content.millisecondsPerToken / 1000, 1) + kNarrowSpace +
                          tr("s of speech"));
    const QString at = thousands(asked) + tr(" tokens");
    QStringList full;
    const auto figure = [&](Figure* where, const QString& label, std::optional<std::int64_t> value,
                            std::optional<std::int64_t> before, const QString& text,
                            const QString& unitName) {
        const QString change = value && before ? percentChange(double(*value), double(*before)) : kUnknown;
        const QString exact = value ? thousands(*value) + unitName : kUnknown;
        where->show(
            label, value ? text : kUnknown, change, change.startsWith(QChar(0x2212)),
            tr("%1: %2; baseline %3").arg(label, exact, before ? thousands(*before) + unitName : kUnknown));
        full << label + QLatin1Char('\t') + (value ? QString::number(*value) : kUnknown);
    };
    const auto part = [](const CostReport& report, auto member) {
        return report.encoder ? std::optional<std::int64_t>((*report.encoder).*member) : std::nullopt;
    };
    const auto parametersOf = [](const CostReport& report) {
        return report.parameters ? std::optional(report.parameters->parameters) : std::nullopt;
    };
    const auto macs = part(now, &EncoderCosts::macs), maps = part(now, &EncoderCosts::attentionMapBytes);
    const auto baseMacs = part(base, &EncoderCosts::macs),
               baseMaps = part(base, &EncoderCosts::attentionMapBytes);
    figure(m_parameters, tr("Parameters"), parametersOf(now), parametersOf(base),
           countText(parametersOf(now).value_or(0)), {});
    figure(m_macs, tr("MACs, %1").arg(at), macs, baseMacs, countText(macs.value_or(0)), {});
    figure(m_maps, tr("Maps, %1").arg(at), maps, baseMaps, bytesText(maps.value_or(0)), tr(" bytes"));
    m_text = full.join(QLatin1Char('\n'));
    const QString sentence = !now.sentence.isEmpty()    ? now.sentence
                             : !base.sentence.isEmpty() ? tr("Baseline: %1").arg(base.sentence)
                                                        : QString();
    m_sentence->setText(sentence);
    m_sentence->setVisible(!sentence.isEmpty());

    const std::int64_t longest = std::max<std::int64_t>({asked * 2, m_content.longestTokens, 10});
    const auto curves = [&](const Architecture& architecture, CostPlot::Curve& macsCurve,
                            CostPlot::Curve& mapsCurve) {
        const CostCurve curve = costCurve(architecture, longest, kCurveSteps);
        macsCurve = {curve.tokens, curve.macs};
        mapsCurve = {curve.tokens, curve.mapBytes};
        for (double& value : macsCurve.y)
            value /= 1e9;
        for (double& value : mapsCurve.y)
            value /= 1e6;
    };
    CostPlot::Curve nowMacs, nowMaps, wasMacs, wasMaps;
    curves(m_content.architecture, nowMacs, nowMaps);
    curves(m_content.baseline, wasMacs, wasMaps);
    std::vector<CostPlot::Mark> marks;
    if (m_content.utteranceTokens > 0)
        marks.push_back({double(m_content.utteranceTokens),
                         tr("utterance %1").arg(thousands(m_content.utteranceTokens))});
    marks.push_back({double(asked), {}}); // its number stands in the field above
    if (m_content.longestTokens > 0 && m_content.longestTokens != asked)
        marks.push_back(
            {double(m_content.longestTokens), tr("longest %1").arg(thousands(m_content.longestTokens))});
    m_macsPlot->show(nowMacs, wasMacs, marks, double(longest));
    m_mapsPlot->show(nowMaps, wasMaps, marks, double(longest));

    std::vector<Bars::Bar> bars;
    if (macs && baseMacs) {
        const auto floor = floorMacs(m_content.architecture, asked);
        bars.push_back({tr("MACs"), double(*macs) / double(*baseMacs),
                        floor ? std::optional(double(*floor) / double(*baseMacs)) : std::nullopt});
        bars.push_back({tr("Maps kept"), double(*maps) / double(*baseMaps), std::nullopt});
    }
    m_bars->setVisible(!bars.empty());
    m_bars->show(tr("at %1, baseline = 100 %").arg(at), std::move(bars));

    m_mistakes->setVisible(!m_content.mistakes.empty());
    if (m_content.mistakes.empty())
        return;
    m_mark->setPixmap(widgets::icon(QStringLiteral("error"), Theme::current().error)
                          .pixmap(QSize(Metrics::icon(), Metrics::icon()), devicePixelRatioF()));
    std::vector<int> layers;
    for (const HeadMistake& mistake : m_content.mistakes)
        if (layers.empty() || layers.back() != mistake.layer)
            layers.push_back(mistake.layer);
    QStringList numbers;
    for (const int layer : layers)
        numbers << QString::number(layer);
    const QString last = numbers.takeLast();
    const QString where = numbers.isEmpty()
                              ? tr("in layer %1").arg(last)
                              : tr("in layers %1 and %2").arg(numbers.join(QStringLiteral(", ")), last);
    const auto count = m_content.mistakes.size();
    m_mistakesText->setText(tr("<b>%1</b>, %2. The cost counts the last valid text.")
                                .arg(count == 1 ? tr("1 mistake") : tr("%1 mistakes").arg(count), where));
}

} // namespace headroom::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/cost_panel.h"

#include "app/parts/action_button.h"
#include "app/parts/availability.h"
#include "app/parts/number_text.h"
#include "app/parts/shown_number.h"
#include "app/workspaces/design/cost_report.h"
#include "app/workspaces/design/cost_views.h"
#include "app/workspaces/design/latency_view.h"
#include "widgets/curves/cost_plot.h"
#include "widgets/look/icons.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::app {

using widgets::CostPlot;
using widgets::Sizes;
using widgets::Theme;

namespace {
constexpr int kCurveSteps = 60;

/// How the memory comes from the maps (core/architecture/README.md, “Memory of a training step”).
QString keptMaps(const Architecture& architecture) {
    const auto& model = architecture.languageModel;
    if ((model ? model->attentionDropout : architecture.encoder.attentionDropout) > 0)
        return CostPanel::tr("With attention dropout every map is kept twice, before and after dropout.");
    return CostPanel::tr("Without attention dropout, most full heads are computed without storing their map,\n"
                         "but a window stores its band. A windowed head may therefore need more memory than a full one.");
}

/// What Parts and the count leave out.
QString uncountedPositions(const Architecture& architecture) {
    return !architecture.languageModel && architecture.encoder.positions == Positions::Stored
               ? CostPanel::tr("The table of positions is not counted, because it is never trained.")
               : QString();
}
} // namespace

CostPanel::CostPanel(LatencyMeasurements* measurements, QWidget* parent)
    : QWidget(parent)
    , m_length(new QSpinBox(this))
    , m_lengthNote(new QLabel(this))
    , m_parameters(new CostNumber(this))
    , m_macs(new CostNumber(this))
    , m_maps(new CostNumber(this))
    , m_memory(new CostNumber(this))
    , m_macsPlot(new CostPlot({}, tr("length in tokens"), this))
    , m_mapsPlot(new CostPlot({}, {}, this))
    , m_latency(new LatencyView(measurements, this))
    , m_bars(new CostBars(this))
    , m_parts(new CostParts(this))
    , m_sentence(new QLabel(this))
    , m_mistakes(new QWidget(this))
    , m_mistakesText(new QLabel(this)) {
    const int unit = int(Sizes::unit());
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
    m_length->setValue(m_chosen.speech);
    m_length->setSingleStep(100);
    m_length->setGroupSeparatorShown(true);
    m_length->setLocale(QLocale(QLocale::English, QLocale::UnitedStates));
    m_length->setProperty("small", true);
    m_length->setAccessibleName(tr("Length at which the cost is counted"));
    m_length->setToolTip(tr("The input length for which MACs and maps are counted."));
    m_lengthNote->setProperty("caption", true);
    lengthLayout->addWidget(lengthLabel);
    lengthLayout->addWidget(m_length);
    lengthLayout->addWidget(m_lengthNote, 1);
    layout->addWidget(length);

    auto* numbers = new QGridLayout;
    numbers->setSpacing(0);
    int place = 0;
    for (CostNumber* number : {m_parameters, m_macs, m_maps, m_memory}) {
        numbers->addWidget(number, place / 2, place % 2);
        ++place;
    }
    layout->addLayout(numbers);
    auto* line = new QFrame(this);
    line->setFrameShape(QFrame::HLine);
    layout->addWidget(line);
    m_sentence->setWordWrap(true);
    m_sentence->setProperty("caption", true);
    m_sentence->setContentsMargins(unit * 3 / 2, unit, unit * 3 / 2, 0);
    m_sentence->hide();
    layout->addWidget(m_sentence);
    // What a low window has no room for is scrolled to; numbers and mistakes always show.
    auto* area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setAccessibleName(tr("Cost along the length"));
    auto* inside = new QWidget(area);
    inside->setProperty("panel", true);
    inside->setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    area->setWidget(inside);
    layout->addWidget(area, 1);
    column->addWidget(m_macsPlot, 1);
    column->addWidget(m_mapsPlot, 1);
    column->addWidget(m_latency, 1);
    auto* legend = new QLabel(tr("<b>━</b>&nbsp;this&nbsp;&nbsp;&nbsp;╌╌&nbsp;baseline"), this);
    legend->setTextFormat(Qt::RichText);
    legend->setProperty("caption", true);
    legend->setAlignment(Qt::AlignHCenter);
    legend->setContentsMargins(0, 0, 0, unit);
    column->addWidget(legend);
    column->addWidget(m_bars);
    column->addWidget(m_parts);

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
    m_mistakesText->setTextFormat(Qt::RichText);
    m_mistakesText->setWordWrap(true);
    auto* goOn = new QAction(tr("Next"), this);
    goOn->setToolTip(tr("Go to the next mistake. F8"));
    connect(goOn, &QAction::triggered, this, &CostPanel::nextMistakeRequested);
    auto* next = new ActionButton(goOn, QString(), frame);
    next->setKeyHint(QStringLiteral("F8"));
    row->addWidget(m_mark);
    row->addWidget(m_mistakesText, 1);
    row->addWidget(next);
    layout->addWidget(m_mistakes);
    connect(m_latency, &LatencyView::changed, this, &CostPanel::refresh);
    connect(m_length, &QSpinBox::valueChanged, this, [this](int tokens) {
        chosenLength() = tokens;
        refresh();
        Q_EMIT lengthChanged();
    });
    showNothing();
    refresh();
}

CostPanel::~CostPanel() = default;

std::int64_t CostPanel::tokens() const {
    return m_length->value();
}

void CostPanel::setChosenLengths(const Lengths& lengths) {
    const auto inRange = [this](int tokens) { return std::clamp(tokens, m_length->minimum(), m_length->maximum()); };
    m_chosen = {inRange(lengths.speech), inRange(lengths.text)};
    if (!m_isFixed)
        showNumber(m_length, chosenLength());
}

/// A sentence is far shorter than a recording, so each has its own length. What is counted at one length only shows that length, and the
/// field says why it cannot be changed.
void CostPanel::showLength() {
    const auto tokens = fixedTokens(m_content.architecture);
    m_isFixed = tokens.has_value();
    const QSignalBlocker silent(m_length);
    showNumber(m_length, tokens ? static_cast<int>(*tokens) : chosenLength());
    setAvailable(m_length, tokens ? tr("This architecture computes every recording at one length: shorter ones are padded with silence.")
                                  : QString());
}

void CostPanel::showContent(const Content& content) {
    m_content = content;
    m_any = true;
    showLength();
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
    const std::pair<CostNumber*, QString> numbers[] = {{m_parameters, tr("Parameters")},
                                                       {m_macs, tr("MACs")},
                                                       {m_maps, tr("Attention maps")},
                                                       {m_memory, tr("Training memory")}};
    for (const auto& [number, label] : numbers)
        number->show(label, kUnknown, {}, false, {});
    setTitles(QStringLiteral("G"), QStringLiteral("MB"));
    for (CostPlot* plot : {m_macsPlot, m_mapsPlot}) {
        plot->setEmptyText(tr("No architecture"));
        plot->show({}, {}, {}, 1);
    }
    m_latency->showNothing();
    m_bars->hide();
    m_parts->hide();
    m_mistakes->hide();
    m_sentence->hide();
    m_lengthNote->clear();
}

void CostPanel::setTitles(const QString& macsUnit, const QString& mapsUnit) {
    m_macsPlot->setTitle((m_content.architecture.languageModel ? tr("MACs of the language model, %1") : tr("MACs of the encoder, %1")).arg(macsUnit),
                         tr("MACs, %1").arg(macsUnit));
    m_mapsPlot->setTitle(tr("Attention maps, %1").arg(mapsUnit), tr("Maps, %1").arg(mapsUnit));
}

void CostPanel::refresh() {
    if (const QString unit = tokens() == 1 ? tr(" token") : tr(" tokens"); m_length->suffix() != unit) // which writes the number anew
        m_length->setSuffix(unit);
    if (!m_any)
        return;
    for (CostPlot* plot : {m_macsPlot, m_mapsPlot})
        plot->setEmptyText(tr("Cannot be counted"));
    const std::int64_t asked = tokens();
    const CostReport now = costReport(m_content.architecture, asked),
                     base = costReport(m_content.baseline, asked);
    const QString length = widgets::timeText(double(asked) * m_content.millisecondsPerToken / 1000, 1) + widgets::kNarrowSpace;
    m_lengthNote->setText(readsText(m_content.architecture) ? QString() : m_isFixed ? tr("always %1s").arg(length) : length + tr("s of speech"));
    m_lengthNote->setToolTip(m_isFixed ? m_length->toolTip() : QString());
    const QString at = widgets::counted(asked, tr("1 token"), tr("%1 tokens"));
    QStringList full;
    const auto number = [&](CostNumber* where, const QString& label, std::optional<std::int64_t> value,
                            std::optional<std::int64_t> before, const QString& text,
                            const QString& unitName, const QString& note = {}) {
        const QString change = value && before ? percentChange(double(*value), double(*before)) : kUnknown;
        const QString exact = value ? thousands(*value) + unitName : kUnknown;
        where->show(
            label, value ? text : kUnknown, change, change.startsWith(QChar(0x2212)),
            tr("%1: %2; baseline %3").arg(label, exact, before ? thousands(*before) + unitName : kUnknown) +
                (note.isEmpty() ? QString() : QStringLiteral(".\n") + note));
        full << label + (unitName.isEmpty() ? QString() : u',' + unitName) + QLatin1Char('\t') + (value ? QString::number(*value) : kUnknown);
    };
    const auto part = [](const CostReport& report, auto member) {
        return report.encoder ? std::optional<std::int64_t>((*report.encoder).*member) : std::nullopt;
    };
    const auto parametersOf = [](const CostReport& report) {
        return report.parameters ? std::optional(report.parameters->parameters) : std::nullopt;
    };
    const auto macs = part(now, &EncoderCosts::macs), maps = part(now, &EncoderCosts::attentionMapBytes);
    const auto memory = part(now, &EncoderCosts::activationBytes),
               baseMemory = part(base, &EncoderCosts::activationBytes);
    const auto baseMacs = part(base, &EncoderCosts::macs),
               baseMaps = part(base, &EncoderCosts::attentionMapBytes);
    number(m_parameters, tr("Parameters"), parametersOf(now), parametersOf(base),
           countText(parametersOf(now).value_or(0)), {}, uncountedPositions(m_content.architecture));
    number(m_macs, tr("MACs, %1").arg(at), macs, baseMacs, countText(macs.value_or(0)), {});
    number(m_maps, tr("Attention maps, %1").arg(at), maps, baseMaps, bytesText(maps.value_or(0)),
           tr(" bytes"),
           tr("A number in fp32 for each query and key: of masked heads also for the later keys of the window,\n"
              "and of block heads for the whole band of 4⌊W/3⌋ − 1 keys (83 for “local 64 block”, which sees 63).\n"
              "MACs leave both out. Training need not keep every map; training memory counts what it keeps."));
    number(m_memory, tr("Training memory, %1").arg(at), memory, baseMemory, bytesText(memory.value_or(0)),
           tr(" bytes"), tr("What the encoder keeps of one recording for the backward pass, in fp32.\n%1").arg(keptMaps(m_content.architecture)));
    showParts(now, full);
    const auto baseFixed = fixedTokens(m_content.baseline);
    const QString sentence = !now.sentence.isEmpty()    ? now.sentence
                             : !base.sentence.isEmpty() ? tr("Baseline: %1").arg(base.sentence)
                             : baseFixed && baseFixed != asked
                                 ? tr("The baseline computes every recording as %1.").arg(widgets::counted(*baseFixed, tr("1 token"), tr("%1 tokens")))
                                 : QString();
    m_sentence->setText(sentence);
    m_sentence->setVisible(!sentence.isEmpty());

    // A model may accept ten minutes; an axis as long as that would press what is asked into a corner.
    const bool limitInSight = m_content.longestTokens > 0 && m_content.longestTokens <= 4 * asked;
    const std::int64_t longest =
        m_isFixed ? asked + asked / 20 : std::max<std::int64_t>({asked * 2, limitInSight ? m_content.longestTokens : 0, 10});
    const auto curves = [&](const Architecture& architecture, CostPlot::Curve& macsCurve,
                            CostPlot::Curve& mapsCurve) {
        const CostCurve curve = costCurve(architecture, longest, kCurveSteps);
        macsCurve = {curve.tokens, curve.macs};
        mapsCurve = {curve.tokens, curve.mapBytes};
    };
    CostPlot::Curve nowMacs, nowMaps, wasMacs, wasMaps;
    curves(m_content.architecture, nowMacs, nowMaps);
    curves(m_content.baseline, wasMacs, wasMaps);
    setTitles(scaleCounts(nowMacs.y, wasMacs.y), scaleBytes(nowMaps.y, wasMaps.y));
    std::vector<CostPlot::Mark> marks;
    if (m_content.utteranceTokens > 0)
        marks.push_back({double(m_content.utteranceTokens),
                         tr("utterance %1").arg(thousands(m_content.utteranceTokens))});
    marks.push_back({double(asked), {}}); // its number stands in the field above
    if (limitInSight && m_content.longestTokens != asked)
        marks.push_back(
            {double(m_content.longestTokens), tr("model's limit %1").arg(thousands(m_content.longestTokens))});
    m_macsPlot->show(nowMacs, wasMacs, marks, double(longest));
    m_mapsPlot->show(nowMaps, wasMaps, marks, double(longest));
    std::vector<std::int64_t> notable{asked, m_content.longestTokens};
    if (m_content.utteranceTokens > 0)
        notable.push_back(m_content.utteranceTokens);
    m_latency->show({m_content.architecture, m_content.baseline, m_content.name, m_content.baselineName, notable},
                    marks, double(longest));
    m_text = (full << m_latency->lines()).join(QLatin1Char('\n'));

    std::vector<CostBars::Bar> bars;
    if (macs && baseMacs) {
        const auto floor = floorMacs(m_content.architecture, asked);
        bars.push_back({tr("MACs"), double(*macs) / double(*baseMacs),
                        floor ? std::optional(double(*floor) / double(*baseMacs)) : std::nullopt});
        if (*baseMaps > 0)
            bars.push_back({tr("Attention maps"), double(*maps) / double(*baseMaps), std::nullopt});
        bars.push_back({tr("Training memory"), double(*memory) / double(*baseMemory), std::nullopt, {},
                        keptMaps(m_content.architecture)});
    }
    if (const auto share = m_latency->share(asked))
        bars.push_back({tr("Time, measured"), *share, std::nullopt,
                        tr("the median over the rounds, in each of which both were timed in turn. The curve shows the median of either "
                           "over all rounds, so their ratio may differ")});
    m_bars->setVisible(!bars.empty());
    m_bars->show(tr("at %1, baseline = 100\u202f%").arg(at), std::move(bars));

    showMistakes();
}

void CostPanel::showParts(const CostReport& report, QStringList& full) {
    std::vector<CostParts::Row> rows;
    for (const PartRow& part : partRows(report)) {
        const auto name = tr(part.name.toUtf8().constData());
        CostParts::Row row;
        row.name = name;
        row.parameterShare = part.parameterShare;
        row.macShare = part.macShare;
        row.parameters = part.parameters > 0 ? countText(part.parameters) : QString();
        row.macs = part.macs > 0 ? countText(part.macs) : QString();
        row.full = tr("%1: %2 parameters, %3 MACs")
                       .arg(name, thousands(part.parameters),
                            part.macs > 0 ? thousands(part.macs) : tr("no counted"));
        full << QStringLiteral("%1\t%2\t%3").arg(part.name).arg(part.parameters).arg(part.macs);
        rows.push_back(std::move(row));
    }
    if (report.parameters && m_content.architecture.publishedParameters) {
        const bool without = m_content.architecture.publishedWithoutFrontEnd;
        CostParts::Row row;
        row.name = without ? tr("in the paper, no front end") : tr("in the paper");
        row.parameters = countText(*m_content.architecture.publishedParameters);
        row.parameterShare = double(*m_content.architecture.publishedParameters) /
                             double(std::max<std::int64_t>(report.parameters->parameters, 1));
        row.full = tr("Published: %1 parameters%2; counted the same way: %3")
                       .arg(thousands(*m_content.architecture.publishedParameters),
                            without ? tr(", without the front end") : QString(),
                            thousands(report.parameters->comparableParameters));
        rows.push_back(std::move(row));
    }
    m_parts->setVisible(!rows.empty());
    m_parts->show(tr("MACs"), std::move(rows));
}

void CostPanel::showMistakes() {
    m_mistakes->setVisible(!m_content.mistakes.empty());
    if (m_content.mistakes.empty())
        return;
    m_mark->setPixmap(widgets::icon(QStringLiteral("error"), Theme::current().error)
                          .pixmap(QSize(Sizes::icon(), Sizes::icon()), devicePixelRatioF()));
    std::vector<int> layers;
    for (const HeadMistake& mistake : m_content.mistakes)
        if (layers.empty() || layers.back() != mistake.layer)
            layers.push_back(mistake.layer);
    const bool inCross = std::erase(layers, kCrossAttention) > 0;
    QStringList numbers;
    for (const int layer : layers)
        numbers << QString::number(layer);
    const QString last = numbers.isEmpty() ? QString() : numbers.takeLast();
    const QString inLayers = numbers.isEmpty() ? tr("in layer %1").arg(last)
                                               : tr("in layers %1 and %2").arg(numbers.join(QStringLiteral(", ")), last);
    const QString where = !inCross         ? inLayers
                          : last.isEmpty() ? tr("in the cross-attention")
                                           : tr("%1 and in the cross-attention").arg(inLayers);
    const auto count = m_content.mistakes.size();
    m_mistakesText->setText(tr("<b>%1</b>, %2. Costs are those of the last valid heads.")
                                .arg(count == 1 ? tr("1 mistake") : tr("%1 mistakes").arg(count), where));
}

} // namespace headroom::app

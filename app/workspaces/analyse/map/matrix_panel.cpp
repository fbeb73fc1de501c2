// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/map/matrix_panel.h"

#include "app/documents/items/map_names.h"
#include "app/parts/actions.h"
#include "app/parts/availability.h"
#include "app/parts/banner.h"
#include "app/parts/choice_focus.h"
#include "app/parts/name_views.h"
#include "app/parts/panel_header.h"
#include "app/workspaces/analyse/map/gamma_slider.h"
#include "app/workspaces/analyse/map/map_field.h"
#include "app/workspaces/analyse/map/window_spin.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/matrix/row_profile.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace headroom::app {

using widgets::ColourMap;
using widgets::Sizes;

namespace {

constexpr std::array<ColourMap::Name, 4> kColourMaps{ColourMap::Name::Magma, ColourMap::Name::Viridis,
                                                     ColourMap::Name::Cividis, ColourMap::Name::Grey};

/// A check box that is the action: one state, two faces.
QCheckBox* boxOf(QAction* action, QWidget* parent) {
    auto* box = new QCheckBox(action->text(), parent);
    box->setChecked(action->isChecked());
    box->setToolTip(action->toolTip());
    QObject::connect(box, &QCheckBox::toggled, action, &QAction::setChecked);
    QObject::connect(action, &QAction::toggled, box, &QCheckBox::setChecked);
    return box;
}

/// With as many digits as `number` has, the widest of them.
QString widestNumber(int number) {
    const QFontMetrics metrics(Sizes::heading());
    const QString digits = QStringLiteral("0123456789");
    const QChar widest = *std::ranges::max_element(digits, {}, [&](QChar digit) { return metrics.horizontalAdvance(digit); });
    return QString(QString::number(number).size(), widest);
}

QString sourceToolTip() {
    return MatrixPanel::tr(
        "Contributions: how much each key contributes to the output of the attention block (Kobayashi "
        "norms, rows sum to 1). Head: its attention weights as applied. Compressed keys are drawn over the "
        "tokens nearest to the middle of those they were computed from. Other measures of mixing are computed "
        "when they are chosen; a rollout follows the sound through all layers up to this one.");
}

/// A line with a little room at both sides, which gives way with it.
QWidget* separator(QWidget* parent) {
    auto* place = new QWidget(parent);
    auto* row = new QHBoxLayout(place);
    row->setContentsMargins(qRound(Sizes::unit() / 2), 0, qRound(Sizes::unit() / 2), 0);
    auto* line = new QFrame(place);
    line->setFrameShape(QFrame::VLine);
    line->setFixedHeight(qRound(Sizes::unit() * 2));
    row->addWidget(line);
    return place;
}

} // namespace

MatrixPanel::MatrixPanel(widgets::TimeAxis* axis, const Actions& actions, QWidget* parent)
    : QWidget(parent)
    , m_header(new PanelHeader(QString(), this))
    , m_banner(new Banner(this))
    , m_source(new MapField(this))
    , m_colours(new QComboBox(this))
    , m_window(new WindowSpin(this))
    , m_gamma(new GammaSlider(this))
    , m_row(new widgets::RowProfile(this))
    , m_matrix(new widgets::LayerMatrixView(this))
    , m_captionRow(new QWidget(this))
    , m_caption(new NameLabel(m_captionRow))
    , m_maps(new QHBoxLayout) {
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    addControls(actions);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addWidget(m_banner);
    m_captionRow->setFixedHeight(mapCaptionHeight());
    m_caption->setTextFormat(Qt::PlainText);
    m_caption->setMinimumWidth(1);
    auto* caption = new QHBoxLayout(m_captionRow);
    caption->setContentsMargins(qRound(Sizes::unit()), 0, qRound(Sizes::unit()), 0);
    caption->setSpacing(qRound(Sizes::unit() / 2));
    caption->addWidget(m_caption, 1);
    for (QAction* action : {actions.difference, actions.blink}) {
        auto* button = new QToolButton(m_captionRow);
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setProperty("small", true);
        button->setAccessibleName(action->text());
        button->setFixedHeight(Sizes::smallControl());
        caption->addWidget(button);
    }
    m_captionRow->hide();
    widgets::withTextSize(m_caption, [this] { showCaption(); });
    auto* current = new QVBoxLayout;
    current->setSpacing(0);
    current->addWidget(m_captionRow);
    current->addWidget(m_row);
    current->addWidget(m_matrix, 1);
    m_maps->setContentsMargins(0, 0, 0, 0);
    m_maps->setSpacing(0);
    m_maps->addLayout(current, 1);
    layout->addLayout(m_maps, 1);
    m_row->setAxis(axis);
    m_matrix->setAxis(axis);
    setLayer(0, 0);
    setHeads({});
}

void MatrixPanel::addControls(const Actions& actions) {
    const int unit = qRound(Sizes::unit());
    m_source->setProperty("small", true);
    m_source->setAccessibleName(tr("Map"));
    // As wide as its words; in a narrow window it gives way, down to the names that are short.
    m_source->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_source->setMinimumWidth(QFontMetrics(Sizes::text()).horizontalAdvance(tr("Contributions")) +
                              unit * 5);
    m_header->addLeading(m_source);
    m_header->giveWay(m_source);
    QWidget* const lines[] = {separator(this), separator(this)};
    m_header->addLeading(lines[0]);
    QWidget* const boxes[] = {boxOf(actions.hideDiagonal, this), boxOf(actions.showWindow, this)};
    m_header->addLeading(boxes[0]);
    m_header->addLeadingSpace(unit / 2);
    auto* windowPart = new QWidget(this); // the field without its name would be any number
    auto* windowRow = new QHBoxLayout(windowPart);
    windowRow->setContentsMargins(0, 0, 0, 0);
    windowRow->setSpacing(unit / 2);
    windowRow->addWidget(boxes[1]);
    windowRow->addWidget(m_window);
    m_header->addLeading(windowPart);
    m_header->addLeading(lines[1]);
    for (const QString& name : {tr("Magma"), tr("Viridis"), tr("Cividis"), tr("Grey")})
        m_colours->addItem(name);
    m_colours->setProperty("small", true);
    m_colours->setAccessibleName(tr("Colour map"));
    m_colours->setToolTip(
        tr("Colour map. Values run from 0 to the 99th percentile off the diagonal of this layer."));
    m_header->addLeading(m_colours);
    m_gamma->setAccessibleName(tr("Colour gamma"));
    m_header->addLeading(m_gamma);
    m_header->giveWay(m_gamma, [this] { return m_gamma->briefWidth(); });
    m_header->yield(m_header->addButton(actions.compare), actions.compare); // the last goes first
    m_header->yield(windowPart, actions.showWindow);
    m_header->yield(boxes[0], actions.hideDiagonal);
    for (QWidget* line : {lines[1], lines[0]})
        m_header->yield(line);
    m_header->addButton(actions.exportFigure);
    connect(m_source, &QComboBox::activated, this,
            [this](int index) { Q_EMIT sourceChosen(m_sources[std::size_t(index)]); });
    connect(m_colours, &QComboBox::currentIndexChanged, this, &MatrixPanel::applyColours);
    for (QComboBox* chooser : {sourceField(), m_colours})
        passFocusOn(chooser, m_matrix);
    connect(m_gamma, &QSlider::valueChanged, this, &MatrixPanel::applyColours);
    connect(m_window, &WindowSpin::windowEntered, this, &MatrixPanel::windowEntered);
    m_gamma->setGamma(0.5);
    applyColours();
}

void MatrixPanel::setHeads(const std::vector<HeadGroup>& groups, bool measures) {
    if (m_source->count() > 0 && groups == m_groups && measures == m_measures)
        return;
    m_measures = measures;
    const MapSource chosen =
        m_source->currentIndex() < 0 ? MapSource{} : m_sources[std::size_t(m_source->currentIndex())];
    m_groups = groups;
    m_source->clear();
    m_sources.clear();
    addSource({}, tr("Contributions"));
    const bool alike = groups.size() == 1 && groups.front().kind == HeadKind::Full;
    int head = 0;
    for (HeadGroup group : groups) {
        const int last = head + group.count;
        group.count = 1;
        const QString words = QString::fromStdString(toText({group})).mid(2);
        const bool relaxed = relaxesAtInference(group);
        while (head < last) {
            ++head;
            const QString name =
                alike ? tr("Attention head %1").arg(head) : tr("Head %1: %2").arg(head).arg(words);
            addSource({MapSource::Kind::Head, head}, name, group.kind);
            setShortName(tr("Head %1").arg(head));
            if (relaxed) {
                addSource({MapSource::Kind::Head, head, true}, tr("Head %1 before relaxation").arg(head),
                          group.kind);
                setShortName(tr("Head %1, before").arg(head));
            }
        }
    }
    if (!groups.empty())
        addSource({MapSource::Kind::HeadMean}, tr("Mean of heads"));
    if (measures && !groups.empty()) {
        bool rollouts = false;
        for (const MixingChoice& measure : offeredMixing()) {
            if (m_source->count() > 0 && (measure.rollout != rollouts || measure == offeredMixing().front())) {
                m_source->insertSeparator(m_source->count());
                m_sources.push_back({}); // so that rows and sources keep their places
            }
            rollouts = measure.rollout;
            addSource(MapSource::of(measure), mapTitle(MapSource::of(measure)));
        }
    }
    setAvailable(m_source, groups.empty() ? tr("Open a model first.") : QString());
    setSource(chosen);
}

void MatrixPanel::addSource(const MapSource& source, const QString& text, std::optional<HeadKind> kind) {
    m_sources.push_back(source);
    m_source->addItem(text);
    if (kind)
        m_source->setKind(m_source->count() - 1, *kind);
    if (const QString formula = mapFormula(source); !formula.isEmpty())
        m_source->setItemData(m_source->count() - 1, formula, Qt::ToolTipRole);
}

QComboBox* MatrixPanel::sourceField() const {
    return m_source;
}

void MatrixPanel::setShortName(const QString& name) {
    m_source->setItemData(m_source->count() - 1, name, MapField::kShortNameRole);
}

void MatrixPanel::setSource(MapSource source) {
    const auto found = std::find(m_sources.begin(), m_sources.end(), source);
    // Another layer or model may not have the head that is looked at: the field names it all the same.
    m_source->setPlaceholderText(mapTitle(source));
    m_source->setCurrentIndex(found == m_sources.end() ? -1 : int(found - m_sources.begin()));
    m_source->setToolTip(source.isMixing() ? mapTitle(source) + QStringLiteral(": ") + mapFormula(source)
                                           : sourceToolTip());
}

void MatrixPanel::setMissing(const std::function<QString(const MapSource&)>& whyNot) {
    for (int row = 0; row < m_source->count(); ++row)
        if (!m_source->itemText(row).isEmpty()) // no separator
            setAvailable(m_source, row, whyNot(m_sources[std::size_t(row)]), mapFormula(m_sources[std::size_t(row)]));
}

void MatrixPanel::setColourMap(ColourMap::Name name) {
    for (std::size_t i = 0; i < kColourMaps.size(); ++i)
        if (kColourMaps[i] == name)
            m_colours->setCurrentIndex(int(i));
}

ColourMap::Name MatrixPanel::colourMap() const {
    return kColourMaps[static_cast<std::size_t>(m_colours->currentIndex())];
}

void MatrixPanel::setGamma(double gamma) {
    m_gamma->setGamma(gamma);
}

double MatrixPanel::gamma() const {
    return m_gamma->gamma();
}

void MatrixPanel::setRemark(const QString& remark) {
    m_header->setDetail(remark);
}

int mapCaptionHeight() {
    return Sizes::smallControl() + qRound(Sizes::unit() / 2);
}

void MatrixPanel::setBeside(QWidget* beside) {
    m_beside = beside;
    m_maps->addWidget(beside, 1);
    // Both maps are as wide as the lanes above them, also where the fields of one would like more room.
    m_captionRow->setMinimumWidth(1);
    beside->setMinimumWidth(1);
    beside->hide();
}

void MatrixPanel::setBesideVisible(bool visible) {
    if (!m_beside || visible == !m_beside->isHidden())
        return;
    for (QWidget* half : {static_cast<QWidget*>(m_row), static_cast<QWidget*>(m_matrix)})
        half->setMinimumWidth(visible ? 1 : 0); // two lanes above may be narrower than two maps would like to be
    m_beside->setVisible(visible);
    m_captionRow->setVisible(visible);
    Q_EMIT besideShown(visible);
}

void MatrixPanel::setCaptionHeight(int pixels) {
    m_captionRow->setFixedHeight(pixels);
}

void MatrixPanel::setModelName(const QString& name) {
    m_modelName = name;
    showCaption();
}

void MatrixPanel::setInPlaceName(const QString& name) {
    m_inPlaceName = name;
    showCaption();
}

void MatrixPanel::showCaption() {
    const QString own = m_layer > 0 ? tr("%1, layer %2").arg(m_modelName).arg(m_layer) : m_modelName;
    m_caption->setText(m_inPlaceName.isEmpty() ? tr("A: %1").arg(own) : tr("B: %1").arg(m_inPlaceName));
    QFont font = Sizes::text();
    font.setBold(!m_inPlaceName.isEmpty()); // that it is another map is said by words, and these stand out
    m_caption->setFont(font);
}

void MatrixPanel::setLayer(int layer, int layers) {
    m_layer = layer;
    showCaption();
    m_header->setTitle(layer > 0 ? tr("Layer %1").arg(layer) : tr("Matrix"), tr("Layer %1").arg(widestNumber(layers)));
    m_matrix->setTitle(layer > 0 ? tr("Layer %1").arg(layer) : tr("Matrix"));
}

void MatrixPanel::applyColours() {
    m_gamma->setToolTip(tr("Colour gamma %1. Values are coloured by v^gamma. A small gamma emphasises small values. 0.2 "
                           "to 1.")
                            .arg(m_gamma->number()));
    m_matrix->setColourMap(colourMap());
    m_matrix->setGamma(gamma());
    Q_EMIT coloursChanged();
}

} // namespace headroom::app

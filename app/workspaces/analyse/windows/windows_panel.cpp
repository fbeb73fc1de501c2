// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/windows/windows_panel.h"

#include "app/parts/action_button.h"
#include "app/parts/actions.h"
#include "app/parts/breakable.h"
#include "app/parts/flow_layout.h"
#include "app/parts/least_height_area.h"
#include "app/parts/tab_parts.h"
#include "app/workspaces/analyse/common/evidence_field.h"
#include "app/workspaces/analyse/map/head_words.h"
#include "app/workspaces/analyse/windows/study_windows.h"
#include "core/architecture/edits.h"
#include "widgets/curves/curve_key.h"
#include "widgets/curves/diagonality_plot.h"
#include "widgets/curves/windows_table.h"
#include "widgets/look/context_menu.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPainterPath>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

/// What the curves will look like, and why they are not there.
class WindowsGhost : public QWidget {
public:
    using QWidget::QWidget;
    void setSentence(const QString& sentence) {
        setAccessibleName(sentence);
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::current();
        const double unit = Sizes::unit();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillRect(rect(), theme.panel);
        const QRectF frame(unit * 5.5, unit * 1.5, width() - unit * 7, unit * 18);
        painter.setPen(theme.line);
        painter.setBrush(theme.alternate);
        painter.drawRect(frame);
        QPainterPath curve(QPointF(frame.left(), frame.bottom() - unit * 4.5));
        curve.cubicTo(frame.left() + frame.width() * 0.12, frame.top() + unit * 3,
                      frame.left() + frame.width() * 0.4, frame.top() + unit * 1.4, frame.right(),
                      frame.top() + unit);
        painter.setPen(QPen(theme.line, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(curve);
        painter.setFont(Sizes::caption());
        const QRectF room = frame.adjusted(unit, unit * 3, -unit, 0);
        constexpr int kHow = Qt::AlignCenter | Qt::TextWordWrap;
        const QString sentence = breakable(accessibleName());
        const QRectF text = painter.boundingRect(room, kHow, sentence);
        painter.fillRect(text.adjusted(-unit / 2, -unit / 2, unit / 2, unit / 2).intersected(frame.adjusted(1, 1, -1, -1)), theme.alternate);
        painter.setPen(theme.text2);
        painter.drawText(room, kHow, sentence);
    }
};

WindowsPanel::WindowsPanel(const Actions& actions, StudyEvidence* evidence, QWidget* parent)
    : QWidget(parent)
    , m_evidence(evidence)
    , m_ghost(new WindowsGhost(this))
    , m_field(new EvidenceField(evidence, StudyKind::Windows, EvidenceField::Live::Offered, this))
    , m_study(new StudyWindows(evidence, this))
    , m_pages(new QStackedWidget(this))
    , m_diagonality(new widgets::DiagonalityPlot)
    , m_ccd(new widgets::CcdPlot)
    , m_key(new widgets::CurveKey(3))
    , m_table(new widgets::WindowsTable) {
    const int unit = qRound(Sizes::unit());
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* head = new TabHead(this);
    head->layout()->setContentsMargins(unit, unit / 2, unit, 0);
    head->add(m_field);
    head->add(m_field->makeModelField(m_pages, this));
    head->addStretch();
    m_filter = tableFilter(m_study->table(), this);
    head->add(m_filter);
    layout->addWidget(head);
    m_ghost->setObjectName(QStringLiteral("windowsEmpty"));
    m_pages->addWidget(m_ghost);
    setEmptySentence(tr("Open a model and an utterance to see D(w) and the windows of Algorithm 1."));
    auto* views = new QVBoxLayout; // the plots and, last, the table
    auto* livePage = new LeastHeightArea(makeContent(views), this);
    livePage->keepLastInSight(views);
    m_pages->addWidget(livePage);
    auto* studyPage = new LeastHeightArea(m_study, this);
    studyPage->keepLastInSight(m_study->views());
    m_pages->addWidget(m_studyPage = studyPage);
    layout->addWidget(m_pages, 1);
    m_foot = makeFoot(actions);
    layout->addWidget(m_foot);
    connect(m_diagonality, &widgets::DiagonalityPlot::windowDragged, this, &WindowsPanel::windowDragged);
    connect(m_diagonality, &widgets::DiagonalityPlot::windowEdited, this, &WindowsPanel::windowEdited);
    connect(m_ccd, &widgets::CcdPlot::layerSelected, this,
            [this](int layer) { Q_EMIT layerChosen(layer + 1); });
    connect(m_table, &widgets::WindowsTable::layerSelected, this,
            [this](int layer) { Q_EMIT layerChosen(layer + 1); });
    const QList<QAction*> edits{actions.suggestedWindow, actions.fullWindow, nullptr, actions.compare,
                                actions.keepCurve};
    for (QWidget* view : {static_cast<QWidget*>(m_diagonality), static_cast<QWidget*>(m_ccd)})
        widgets::setContextMenu(view, edits + QList<QAction*>{nullptr, actions.exportTab});
    widgets::setContextMenu(m_table, edits + QList<QAction*>{
                                        nullptr, widgets::makeCopyAction(m_table, [this] { return m_table->asText(); }),
                                        actions.exportTab});
    connect(m_study, &StudyWindows::layerChosen, this, &WindowsPanel::layerChosen);
    connect(evidence, &StudyEvidence::shownChanged, this, &WindowsPanel::showPage);
    showPage();
}

QWidget* WindowsPanel::makeContent(QVBoxLayout* views) {
    const int unit = qRound(Sizes::unit());
    auto* content = new QWidget(this);
    content->setProperty("panel", true);
    content->setLayout(views);
    views->setContentsMargins(0, 0, 0, 0);
    views->setSpacing(0);
    auto* plots = new QHBoxLayout;
    plots->setContentsMargins(0, 0, unit, 0);
    plots->setSpacing(0);
    plots->addWidget(m_diagonality, 19);
    plots->addWidget(m_ccd, 11);
    views->addLayout(plots, 2);
    // Both plots show the same models: one key under both, over their whole width.
    auto* key = new QHBoxLayout;
    key->setContentsMargins(unit * 2, 0, unit * 2, unit / 2);
    key->addWidget(m_key);
    views->addLayout(key);
    for (widgets::PlotFrame* plot : {static_cast<widgets::PlotFrame*>(m_diagonality), static_cast<widgets::PlotFrame*>(m_ccd)}) {
        plot->setKeyOutside(true);
        connect(plot, &widgets::PlotFrame::keyChanged, this, &WindowsPanel::showKey);
    }
    connect(m_key, &widgets::CurveKey::chosen, m_diagonality, &widgets::DiagonalityPlot::comparedChosen);
    views->addWidget(m_table, 3);
    return content;
}

/// The curves of D(w), and models that only CCD shows.
void WindowsPanel::showKey() {
    m_key->setEntries(widgets::inOneKey(m_diagonality->keyEntries(), m_ccd->keyEntries()));
}

QWidget* WindowsPanel::makeFoot(const Actions& actions) {
    const int unit = qRound(Sizes::unit());
    auto* foot = new QWidget(this);
    auto* lines = new QVBoxLayout(foot); // one above the other: side by side they would widen the window
    lines->setContentsMargins(unit, unit / 2, unit, unit / 2);
    lines->setSpacing(unit / 2);
    auto* row = new FlowLayout(nullptr); // two rows where large text stands in a narrow panel
    row->setSpacing(unit);
    auto* suggested = new ActionButton(actions.suggestedWindows, QStringLiteral("wand"), foot);
    suggested->setText(tr("Use suggested windows"));
    row->addWidget(suggested);
    m_use = suggested;
    m_from = new QLabel(foot);
    m_from->setObjectName(QStringLiteral("suggestedFrom"));
    m_from->setProperty("caption", true);
    m_from->setTextFormat(Qt::PlainText);
    m_from->setWordWrap(true);
    m_fromHere = lines;
    lines->addWidget(m_from);
    lines->addLayout(row);
    row->addStretch();
    auto* above = new QWidget(foot);
    auto* aboveRow = new QHBoxLayout(above);
    aboveRow->setContentsMargins(0, 0, 0, 0);
    aboveRow->setSpacing(unit);
    auto* label = new QLabel(tr("Full above CL"), above);
    label->setProperty("caption", true);
    aboveRow->addWidget(label);
    auto* threshold = m_fullAbove = new QDoubleSpinBox(above);
    threshold->setRange(0, 1);
    threshold->setSingleStep(0.05);
    threshold->setDecimals(2);
    threshold->setValue(m_table->threshold());
    threshold->setProperty("small", true);
    threshold->setLocale(QLocale::c());
    threshold->setAccessibleName(label->text());
    threshold->setToolTip(
        tr("Layers whose suggested window would lose more than this are highlighted in the table and stay "
           "full."));
    connect(threshold, &QDoubleSpinBox::valueChanged, m_table, &widgets::WindowsTable::setThreshold);
    aboveRow->addWidget(threshold);
    row->addWidget(above);
    return foot;
}

QString WindowsPanel::figureCaption() const {
    return showsStudy() ? m_study->figureCaption() : m_hasContent ? m_caption : QString();
}

QString WindowsPanel::viewInFileName() const {
    return QStringLiteral("layer %1").arg(m_study->layer()); // also where no study is shown
}

bool WindowsPanel::showsStudy() const {
    return m_pages->currentWidget() == m_studyPage;
}

void WindowsPanel::showPage() {
    const OpenStudyPtr study = m_evidence->shown(StudyKind::Windows);
    if (study)
        m_study->showStudy(study, m_evidence->model(*study));
    m_from->setToolTip(study ? study->failures() : QString());
    m_pages->setCurrentIndex(study ? 2 : m_hasContent ? 1 : 0);
    const bool isOfWindows = study && study->document.kind == StudyKind::Windows;
    m_foot->setVisible(study ? isOfWindows : m_hasContent);
    const int unit = qRound(Sizes::unit());
    if (isOfWindows)
        m_study->layout()->addWidget(m_from); // a low panel has the room for the table instead
    else
        m_fromHere->insertWidget(0, m_from);
    m_from->setContentsMargins(isOfWindows ? QMargins(unit, 0, unit, unit / 2) : QMargins());
    m_filter->setVisible(study != nullptr);
}

void WindowsPanel::setSuggestedFrom(const QString& of, const QString& whyNot) {
    m_use->setVisible(whyNot.isEmpty());
    m_from->setText(breakable(whyNot.isEmpty() ? of : whyNot)); // with the name of a file
    m_from->setVisible(!m_from->text().isEmpty()); // no empty line
}

void WindowsPanel::setEmptySentence(const QString& sentence) {
    m_ghost->setSentence(sentence);
}

void WindowsPanel::setLayer(int layer) {
    m_study->setLayer(layer);
}

void WindowsPanel::showContent(const Content& content) {
    m_hasContent = !content.rows.empty();
    m_caption = content.caption;
    showPage();
    if (!m_hasContent)
        return;
    const std::size_t current = static_cast<std::size_t>(content.layer - 1);
    std::vector<DiagonalProfile> others;
    for (std::size_t i = 0; i < content.rows.size(); ++i)
        if (i != current && !content.rows[i].profile.empty())
            others.push_back(content.rows[i].profile);
    m_diagonality->setMeasured(content.measured);
    m_diagonality->setOthers(others);
    m_diagonality->setCompared(content.own, content.compared);
    m_diagonality->setCurrent(
        content.layer - 1, current < content.rows.size() ? content.rows[current].profile : DiagonalProfile(),
        content.millisecondsPerToken);
    m_diagonality->setKinds(content.kinds);
    m_diagonality->setMasked(current < content.rows.size() && content.rows[current].masked);
    m_diagonality->setWindow(content.window);
    m_ccd->setModels(content.ccd);
    m_ccd->setCurrentLayer(content.layer - 1);
    m_table->setRows(content.rows, content.utterances, content.of, content.selections);
    m_table->setCurrentLayer(content.layer - 1);
}

void WindowsPanel::showDragged(int layer, const std::vector<HeadGroup>& heads) {
    const int window = windowOf(heads).value_or(0);
    m_table->windows()->setWindow(layer - 1, window, oneWindowOf(heads).has_value());
    m_diagonality->setKinds(otherKinds(heads));
    if (m_diagonality->shownWindow() != window)
        m_diagonality->setWindow(window);
}

} // namespace headroom::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/export/export_controller.h"

#include "app/documents/items/map_names.h"
#include "app/documents/items/paths.h"
#include "app/documents/items/saved_message.h"
#include "app/parts/actions.h"
#include "app/parts/exported_view.h"
#include "app/parts/file_dialogs.h"
#include "app/parts/tab_overflow.h"
#include "app/settings/app_settings.h"
#include "app/studies/study_names.h"
#include "app/workspaces/analyse/common/captioned.h"
#include "app/workspaces/analyse/common/evidence_field.h"
#include "app/workspaces/analyse/common/study_model_field.h"
#include "app/workspaces/analyse/compare/compare_controller.h"
#include "app/workspaces/analyse/export/figure_caption.h"
#include "app/workspaces/analyse/export/file_names.h"
#include "app/workspaces/analyse/export/tab_views.h"
#include "app/workspaces/analyse/map/map_controller.h"
#include "app/workspaces/analyse/sound/sound_controller.h"
#include "app/workspaces/analyse/words/words_controller.h"
#include "widgets/look/context_menu.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/text_map/text_map_view.h"

#include <QAction>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSpinBox>
#include <QTabWidget>
#include <QWidgetAction>

#include <utility>

namespace headroom::app {

namespace {

constexpr QLatin1String kTable("csv"), kArrays("npz");

/// A text by its words; a recording as its file is called, without its folder.
QString inFileName(const OpenUtterance& utterance) {
    return utterance.isText ? utterance.shownName() : utterance.name;
}

} // namespace

ExportController::ExportController(const Parts& parts, QObject* parent)
    : Controller(parent)
    , m_parts(parts) {
    connect(parts.actions->exportFigure, &QAction::triggered, this, &ExportController::exportFigure);
    connect(parts.actions->exportTab, &QAction::triggered, this, &ExportController::exportTab);
    parts.corner->addButton(parts.actions->exportTab);
    widgets::setContextMenu(parts.tabs, {parts.actions->exportTab}); // of every plot that has no menu of its own
    connect(parts.actions->exportData, &QAction::triggered, this, &ExportController::exportData);
    parts.tabs->installEventFilter(this); // the panel may be hidden
    connect(parts.tabs, &QTabWidget::currentChanged, this, &ExportController::watchTab);
    watchTab();
}

void ExportController::fillMenu(QMenu* figures) {
    auto* field = new QWidget(figures);
    auto* row = new QHBoxLayout(field);
    auto* width = new QSpinBox(field);
    width->setObjectName(QStringLiteral("figurePixels"));
    width->setAccessibleName(tr("Width of PNG figures, in pixels"));
    width->setRange(0, Figure::kMostPixels);
    width->setSingleStep(100);
    width->setGroupSeparatorShown(true);
    width->setSuffix(tr(" px"));
    width->setSpecialValueText(tr("twice the screen's"));
    width->setValue(m_parts.settings->figurePixels());
    connect(width, &QSpinBox::valueChanged, this,
            [this](int pixels) { m_parts.settings->setFigurePixels(pixels); });
    row->addWidget(new QLabel(tr("PNG, width"), field));
    row->addWidget(width, 1);
    auto* action = new QWidgetAction(figures);
    action->setDefaultWidget(field);
    figures->addAction(action);
    figures->addAction(m_parts.actions->figureInWindowColours);
}

QString ExportController::suggestion(const QStringList& parts, const QString& suffix) const {
    return QDir(m_parts.settings->exportFolder()).filePath(fileNameOf(parts) + QLatin1Char('.') + suffix);
}

/// What is analysed, and with which model.
QStringList ExportController::openInFileName(const OpenModel* model) const {
    const OpenUtterance* utterance = m_parts.session->currentUtterance();
    return {utterance ? inFileName(*utterance) : QStringLiteral("headroom"), model ? model->name : QString()};
}

/// While B stands in A's place too, a figure shows nothing of A, unless it is subtracted from.
QStringList ExportController::figureInFileName() const {
    return m_parts.actions->blink->isChecked() ? matrixInFileName() : middleInFileName();
}

/// Of two maps a table has one, unless it has their difference.
QStringList ExportController::matrixInFileName() const {
    const auto b = m_parts.words->isShown() ? std::nullopt : m_parts.compare->drawn();
    if (!b || b->view->showsDifference())
        return middleInFileName();
    const Session& session = *m_parts.session;
    return m_parts.actions->blink->isChecked() ? mapOfFileName(b->model, b->layer, b->source)
                                               : mapOfFileName(session.currentModel(), session.currentLayer(), session.mapSource());
}

QStringList ExportController::mapOfFileName(const OpenModel* model, int layer, const MapSource& source) const {
    return openInFileName(model) + QStringList{QStringLiteral("layer %1").arg(layer), mapInFileName(source)};
}

/// What the middle shows, for the name of its file.
QStringList ExportController::middleInFileName() const {
    QStringList view = openInFileName(m_parts.session->currentModel());
    if (m_parts.words->isShown()) {
        const WordsPanel* panel = m_parts.words->panel();
        view << QStringLiteral("words");
        if (const int layer = panel->shownLayer(); layer > 0) {
            const int head = panel->choice().head;
            view << QStringLiteral("decoder %1").arg(layer) << (panel->isSelf() ? QStringLiteral("self") : QString())
                 << (!panel->measureName().empty() ? QString::fromStdString(panel->measureName())
                     : head > 0                    ? QStringLiteral("head %1").arg(head)
                                                   : QString());
        }
        return view;
    }
    if (!m_parts.analysis->currentMap())
        return view;
    const int layer = m_parts.session->currentLayer();
    const MapSource source = m_parts.session->mapSource();
    view << QStringLiteral("layer %1").arg(layer) << mapInFileName(source);
    if (!m_parts.compare->comparison()->side())
        return view;
    view << QStringLiteral("compared");
    if (const auto b = m_parts.compare->drawn()) { // what is not as in A
        const OpenUtterance* other = m_parts.session->utterances()->find(b->utterance);
        view << (other && b->utterance != m_parts.session->currentUtteranceId() ? inFileName(*other) : QString())
             << (b->model && b->model != m_parts.session->currentModel() ? b->model->name : QString())
             << (b->layer != layer ? QStringLiteral("layer %1").arg(b->layer) : QString())
             << (b->source != source ? mapInFileName(b->source) : QString());
    }
    return view;
}

void ExportController::exportFigure() {
    QStringList filters;
    for (const char* suffix : Figure::kSuffixes)
        filters << fileFilter(QLatin1String(suffix));
    const QString file = (*m_parts.dialogs)->save(m_parts.window, tr("Export figure"),
                                                  suggestion(figureInFileName(), QStringLiteral("pdf")), filters);
    if (file.isEmpty())
        return;
    try {
        figure().write(toPath(file));
        done(file);
    } catch (const std::exception& failure) {
        failed(QString::fromUtf8(failure.what()));
    }
}

Figure ExportController::figure() const {
    Figure figure;
    QList<widgets::TimeLane*> lanes = m_parts.sound->lanes();
    const bool words = m_parts.words->isShown();
    if (words)
        lanes << m_parts.words->lanes();
    else if (m_parts.analysis->currentMap())
        lanes << m_parts.map->lanes();
    figure.addColumn(lanes);
    if (!words && m_parts.compare->comparison()->side())
        figure.addColumn(m_parts.sound->twinLanes() + m_parts.compare->lanes());
    if (words) {
        figure.title = m_parts.words->title();
        figure.caption = m_parts.words->caption();
    } else {
        describeMaps(figure);
    }
    figure.asInWindow = m_parts.actions->figureInWindowColours->isChecked();
    figure.pixels = m_parts.settings->figurePixels();
    return figure;
}

void ExportController::describeMaps(Figure& figure) const {
    const Session& session = *m_parts.session;
    const DrawnMap a{session.mapSource(),
                     session.currentModel(),
                     session.currentLayer(),
                     session.currentUtteranceId(),
                     m_parts.analysis->currentMap() ? m_parts.analysis->current() : nullptr,
                     &m_parts.map->drawnMap()};
    const DrawnMaps maps{a, m_parts.compare->drawn(), m_parts.actions->blink->isChecked()};
    figure.title = figureTitle(session, maps);
    figure.caption = figureCaption(session, maps);
}

QString ExportController::tabTitle() const {
    return m_parts.tabs->tabText(m_parts.tabs->currentIndex()).remove(QLatin1Char('&'));
}

QString ExportController::whyNoTab() const {
    return !m_parts.tabs->isVisible()                   ? tr("The panel Analysis is hidden. Show it in the Window menu first.")
           : isEmptyTab(m_parts.tabs->currentWidget()) ? tr("The tab %1 has nothing to save yet.").arg(tabTitle())
                                                        : QString();
}

void ExportController::watchTab() {
    for (QWidget* view : savedViewsOf(m_parts.tabs->currentWidget()))
        view->installEventFilter(this);
    checkTab();
}

void ExportController::checkTab() {
    if (const QString whyNot = whyNoTab(); std::exchange(m_whyNoTab, whyNot) != whyNot)
        Q_EMIT whyNoTabChanged();
}

/// Panels fill and empty their views without telling anybody else, but then the views are shown, hidden or painted.
bool ExportController::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Show || event->type() == QEvent::Paint)
        checkTab();
    else if (event->type() == QEvent::Hide) // perhaps the window's last, when what the actions ask is gone
        QMetaObject::invokeMethod(this, &ExportController::checkTab, Qt::QueuedConnection);
    return Controller::eventFilter(watched, event);
}

void ExportController::exportTab() {
    const QWidget* tab = m_parts.tabs->currentWidget();
    const QString title = tabTitle();
    ExportedView exported;
    exported.figure.parts = viewsOf(tab);
    exported.table = csvOf(tab);
    if (exported.isEmpty())
        return failed(whyNoTab());
    const auto* evidence = tab->findChild<EvidenceField*>();
    const OpenStudyPtr study = evidence ? evidence->shown() : nullptr;
    const auto* ofModel = tab->findChild<StudyModelField*>();
    const auto* captioned = dynamic_cast<const Captioned*>(tab);
    const bool ofOneModel = ofModel && !ofModel->isHidden();
    const QStringList view{ofOneModel ? ofModel->currentText() : QString(), captioned ? captioned->viewInFileName() : QString(),
                           title.toLower()};
    // A figure of a study is named after the study: the open utterance is not what it shows.
    const QStringList of = study ? QStringList{studyInFileName(*study, ofOneModel)} : openInFileName(m_parts.session->currentModel());
    const QString file = (*m_parts.dialogs)->save(m_parts.window, tr("Export the tab %1").arg(title),
                                                  suggestion(of + view, exported.suffixes().first()), exported.filters());
    if (file.isEmpty())
        return;
    Figure& figure = exported.figure;
    figure.title = study ? tr("%1, study %2").arg(title, study->name()) : title;
    figure.caption = captionOf(tab);
    figure.asInWindow = m_parts.actions->figureInWindowColours->isChecked();
    figure.pixels = m_parts.settings->figurePixels();
    if (const QString sentence = exported.save(file, m_parts.settings, m_parts.session->messages()); !sentence.isEmpty())
        failed(sentence);
}

ShownWords ExportController::shownWords() const {
    const WordsPanel* panel = m_parts.words->panel();
    const AnalysisResult* result = m_parts.analysis->current();
    ShownWords shown{panel->words(), panel->shownMap(), panel->choice().block, panel->shownLayer()};
    if (result)
        shown.state = &result->wordsOf(panel->choice().text);
    return shown;
}

std::optional<ShownBeside> ExportController::shownBeside() const {
    const auto b = m_parts.compare->drawn();
    const OpenModel* model = m_parts.session->currentModel();
    const MaxPyramid* a = m_parts.analysis->currentMap();
    const int layer = m_parts.session->currentLayer();
    if (!b || !b->result || !b->model || !model || !a || !m_parts.compare->map())
        return std::nullopt;
    const auto nameOf = [](int of, const OpenModel& its, const MapSource& source) {
        return tr("Layer %1 of %2, %3").arg(of).arg(its.name, mapNoun(source)).toStdString();
    };
    return ShownBeside{nameOf(layer, *model, m_parts.session->mapSource()), nameOf(b->layer, *b->model, b->source), a,
                       m_parts.compare->map(), m_parts.compare->difference(), b->result};
}

void ExportController::exportData() {
    const MaxPyramid* map = m_parts.analysis->currentMap();
    const AnalysisResult* result = m_parts.analysis->current();
    const bool ofWords = m_parts.words->isShown();
    const ShownWords words = ofWords ? shownWords() : ShownWords();
    if (ofWords && !words.map)
        return failed(tr("There is no map of the words to export. %1")
                          .arg(m_parts.words->panel()->map()->accessibleDescription()));
    if (!result || (!ofWords && !map))
        return failed(tr("There is no map of this layer to export. %1").arg(m_parts.map->drawnMap().emptySentence()));
    const std::optional<ShownBeside> beside = ofWords ? std::nullopt : shownBeside();
    const QString all = beside            ? tr("Both maps and what was computed of this layer, %1")
                        : !ofWords        ? tr("What was computed of this layer, %1")
                        : words.layer > 0 ? tr("What was computed of this decoder layer, %1")
                                          : tr("All data of the CTC output, %1");
    // Of two maps the table has the one that the eye is on: their difference, or B while it stands in A's place.
    const bool isDifference = beside && beside->difference,
               isB = beside && !isDifference && m_parts.actions->blink->isChecked();
    const QString matrix = isDifference ? tr("The matrix A − B, %1")
                           : isB        ? tr("The matrix B, %1")
                           : beside     ? tr("The matrix A, %1")
                                        : tr("The matrix, %1");
    const QString arrays = suggestion(middleInFileName(), kArrays), table = suggestion(matrixInFileName(), kTable);
    const QString file = (*m_parts.dialogs)
                             ->save(m_parts.window, tr("Export data"), arrays, {all.arg(fileFilter(kArrays)), matrix.arg(fileFilter(kTable))},
                                    {QFileInfo(arrays).fileName(), QFileInfo(table).fileName()});
    if (file.isEmpty())
        return;
    const QString suffix = QFileInfo(file).suffix().toLower();
    if (suffix != kTable && suffix != kArrays)
        return failed(tr("%1 was not saved. Choose a file name that ends in %2.")
                          .arg(QFileInfo(file).fileName(), listedEndings({kArrays, kTable})));
    try {
        if (ofWords && suffix == kTable)
            writeCsv(toPath(file), words, *result);
        else if (ofWords)
            writeNpz(toPath(file), words, *result);
        else if (suffix == kTable && isB)
            writeCsv(toPath(file), *beside->b, *beside->resultB);
        else if (suffix == kTable)
            writeCsv(toPath(file), isDifference ? *beside->difference : *map, *result);
        else
            writeNpz(toPath(file), *result, m_parts.session->currentLayer(), beside ? &*beside : nullptr);
        done(file);
    } catch (const std::exception& failure) {
        failed(QString::fromUtf8(failure.what()));
    }
}

void ExportController::done(const QString& file) {
    m_parts.settings->setExportFolder(QFileInfo(file).absolutePath());
    announceSaved(m_parts.session->messages(), file);
}

void ExportController::failed(const QString& sentence) {
    m_parts.session->messages()->post(Severity::Error, sentence);
    Q_EMIT messagesRequested();
}

} // namespace headroom::app

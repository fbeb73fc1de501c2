// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/export_actions.h"

#include "app/documents/paths.h"
#include "app/parts/actions.h"
#include "app/settings/app_settings.h"
#include "app/window/main_window.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/compare/compared_map.h"
#include "app/workspaces/analyse/compare/comparison.h"
#include "app/workspaces/analyse/export/export_data.h"
#include "app/workspaces/analyse/export/figure.h"
#include "app/workspaces/analyse/export/figure_caption.h"
#include "app/workspaces/analyse/map/map_presenter.h"
#include "app/workspaces/analyse/map/matrix_panel.h"
#include "app/workspaces/analyse/sound/time_column.h"
#include "widgets/matrix/matrix_view.h"
#include "widgets/matrix/row_profile.h"

#include <QAction>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSpinBox>
#include <QUrl>
#include <QWidgetAction>

namespace headroom::app {

ExportActions::ExportActions(MainWindow* window) : QObject(window), m_window(window) {
    connect(window->actions().exportFigure, &QAction::triggered, this, &ExportActions::exportFigure);
    connect(window->actions().exportData, &QAction::triggered, this, &ExportActions::exportData);
}

void ExportActions::fillMenu(QMenu* figures) {
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
    width->setValue(m_window->settings()->figurePixels());
    connect(width, &QSpinBox::valueChanged, this,
            [this](int pixels) { m_window->settings()->setFigurePixels(pixels); });
    row->addWidget(new QLabel(tr("PNG, width"), field));
    row->addWidget(width, 1);
    auto* action = new QWidgetAction(figures);
    action->setDefaultWidget(field);
    figures->addAction(action);
    figures->addAction(m_window->actions().figureInWindowColours);
}

QString ExportActions::suggestion(const QString& suffix) const {
    const Utterance* utterance = m_window->session()->currentUtterance();
    QString name = utterance ? utterance->name : QStringLiteral("headroom");
    name.replace(QLatin1Char('/'), QLatin1Char('-'));
    if (m_window->analysis()->currentMap())
        name += QStringLiteral("-layer-%1").arg(m_window->session()->currentLayer());
    return QDir(m_window->settings()->lastFolder()).filePath(name + suffix);
}

void ExportActions::exportFigure() {
    const QString file = m_window->dialogs()->save(
        m_window, tr("Export figure"), suggestion(QStringLiteral(".pdf")),
        {QStringLiteral("PDF (*.pdf)"), QStringLiteral("SVG (*.svg)"), QStringLiteral("PNG (*.png)")});
    if (file.isEmpty())
        return;
    Figure figure;
    figure.lanes = m_window->analyse()->timeColumn()->lanes();
    figure.title = m_window->analyse()->presenter()->statusText();
    if (m_window->analysis()->currentMap())
        figure.lanes << m_window->analyse()->matrixPanel()->rowProfile()
                     << m_window->analyse()->matrixPanel()->matrix();
    if (m_window->analyse()->comparison()->side()) {
        const ComparedMap* beside = m_window->analyse()->matrixPanel()->beside();
        figure.beside = m_window->analyse()->timeColumn()->twinLanes();
        figure.beside << beside->rowProfile() << beside->matrix();
    }
    figure.caption = figureCaption(*m_window->session(), *m_window->analysis(),
                                   *m_window->analyse()->matrixPanel()->matrix());
    figure.asInWindow = m_window->actions().figureInWindowColours->isChecked();
    figure.pixels = m_window->settings()->figurePixels();
    try {
        figure.write(toPath(file));
        done(file);
    } catch (const std::exception& failure) {
        failed(QString::fromUtf8(failure.what()));
    }
}

void ExportActions::exportData() {
    const MaxPyramid* map = m_window->analysis()->currentMap();
    const AnalysisResult* result = m_window->analysis()->current();
    if (!map || !result)
        return;
    const QString file = m_window->dialogs()->save(
        m_window, tr("Export data"), suggestion(QStringLiteral(".npz")),
        {tr("Everything about this layer, NPZ (*.npz)"), tr("The matrix, CSV (*.csv)")});
    if (file.isEmpty())
        return;
    const QString suffix = QFileInfo(file).suffix().toLower();
    if (suffix != QLatin1String("csv") && suffix != QLatin1String("npz"))
        return failed(tr("%1 was not written: data goes to files that end in .npz or .csv.")
                          .arg(QFileInfo(file).fileName()));
    try {
        if (suffix == QLatin1String("csv"))
            writeCsv(toPath(file), *map, result->clock);
        else
            writeNpz(toPath(file), *result, m_window->session()->currentLayer());
        done(file);
    } catch (const std::exception& failure) {
        failed(QString::fromUtf8(failure.what()));
    }
}

void ExportActions::done(const QString& file) {
    m_window->settings()->setLastFolder(QFileInfo(file).absolutePath());
    m_window->session()->messages()->post(Severity::Good,
                                          tr("%1 was written.").arg(QDir::toNativeSeparators(file)),
                                          tr("Show in folder"), [folder = QFileInfo(file).absolutePath()] {
                                              QDesktopServices::openUrl(QUrl::fromLocalFile(folder));
                                          });
}

void ExportActions::failed(const QString& sentence) {
    m_window->session()->messages()->post(Severity::Error, sentence);
    m_window->analyse()->showMessages();
}

} // namespace headroom::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/devices_panel.h"

#include "app/parts/number_text.h"
#include "app/places/place_store.h"
#include "app/runs/run_store.h"
#include "widgets/look/duration_text.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/run_monitor/run_words.h"
#include "widgets/run_monitor/table_text.h"

#include <QHeaderView>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headroom::app {

using widgets::Sizes;
using widgets::Theme;

namespace {

QString shareText(double share) {
    return std::isfinite(share) ? widgets::numberText(100 * share, 0) + widgets::kNarrowSpace + QLatin1Char('%') : QStringLiteral("–");
}

/// A bar before the text, of the share in the item.
class BarDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QVariant share = index.data(DevicesPanel::ShareRole);
        QStyleOptionViewItem text = option;
        if (share.isValid()) {
            const Theme& theme = Theme::current();
            const double unit = Sizes::unit();
            const QRectF bar(option.rect.left() + unit / 2, option.rect.center().y() - unit / 2 + 1, unit * 8, unit);
            painter->save();
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(Qt::NoPen);
            painter->setBrush(theme.line);
            painter->drawRoundedRect(bar, unit / 4, unit / 4);
            const double filled = std::clamp(share.toDouble(), 0.0, 1.0);
            if (filled > 0) {
                painter->setBrush(theme.accent);
                painter->drawRoundedRect(QRectF(bar.topLeft(), QSizeF(bar.width() * filled, bar.height())), unit / 4, unit / 4);
            }
            painter->restore();
            text.rect.setLeft(qRound(bar.right()));
        }
        QStyledItemDelegate::paint(painter, text, index);
    }
};

} // namespace

DevicesPanel::DevicesPanel(PlaceStore* places, RunStore* runs, QWidget* parent)
    : QWidget(parent)
    , m_places(places)
    , m_runs(runs)
    , m_rows(new QStandardItemModel(this))
    , m_view(new QTableView(this)) {
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_view);
    m_view->setModel(m_rows);
    widgets::styleTable(*m_view, Sizes::tableRow());
    m_view->setItemDelegate(new BarDelegate(m_view));
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setSelectionMode(QAbstractItemView::NoSelection);
    m_view->setAccessibleName(tr("Devices"));
    m_view->horizontalHeader()->setStretchLastSection(true);
    m_view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_rows->setHorizontalHeaderLabels({tr("Device"), tr("Memory"), tr("Load"), tr("By")});
    m_rows->horizontalHeaderItem(Load)->setToolTip(tr("Processor: programs that compute or wait, per thread, "
                                                      "averaged over the last minute. Above 100 %, some are "
                                                      "waiting.\nGPU: share of the time in which it computed."));
    connect(&m_monitor, &PlaceMonitor::changed, this, &DevicesPanel::fill);
    connect(m_runs, &RunStore::changed, this, [this] {
        if (isVisible())
            fill();
    });
    connect(m_places, &PlaceStore::changed, &m_monitor, &PlaceMonitor::restart);
    m_ageing.setInterval(1000 * PlaceMonitor::kEvery);
    connect(&m_ageing, &QTimer::timeout, this, &DevicesPanel::fill);
    fill();
    const int unit = qRound(Sizes::unit());
    for (const auto& [column, width] : {std::pair(Device, 20), std::pair(Memory, 24), std::pair(Load, 17)})
        m_view->setColumnWidth(column, width * unit);
}

void DevicesPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_monitor.start();
    m_ageing.start();
    fill();
}

void DevicesPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_monitor.stop();
    m_ageing.stop();
}

void DevicesPanel::setClock(std::function<qint64()> clock) {
    m_clock = std::move(clock);
    fill();
}

void DevicesPanel::fill() {
    m_rows->setRowCount(0);
    addMachine({});
    for (const Place& place : m_places->places())
        addMachine(QString::fromStdString(place.name));
    m_view->clearSpans();
    for (int row = 0; row < m_rows->rowCount(); ++row)
        if (m_rows->index(row, 0).data(HeadRole).toBool())
            m_view->setSpan(row, 0, 1, ColumnCount);
}

void DevicesPanel::addMachine(const QString& place) {
    const auto found = m_monitor.loads().find(place);
    const MachineLoad* load = found == m_monitor.loads().end() ? nullptr : &found->second;
    const QString about = aboutMachine(place, load);
    auto* head = new QStandardItem((place.isEmpty() ? tr("This machine") : place) + (about.isEmpty() ? QString() : QStringLiteral("  ") + about));
    head->setData(true, HeadRole);
    const bool hasProblem = !m_monitor.problem().isEmpty() || (load && !load->error.isEmpty());
    head->setToolTip(!m_monitor.problem().isEmpty() ? m_monitor.problem() : hasProblem ? load->error : about);
    QFont font = Sizes::caption();
    font.setWeight(QFont::DemiBold);
    head->setFont(font);
    if (hasProblem)
        head->setForeground(Theme::current().warning);
    m_rows->appendRow(head);
    if (!load || load->answered == 0)
        return;
    const bool old = isOld(*load);
    addDevice(load->threads == 1 ? tr("Processor, 1 thread") : tr("Processor, %1 threads").arg(load->threads),
              load->memoryBytes - load->freeBytes, load->memoryBytes, load->load / std::max(1, load->threads),
              runsOnProcessor(place), old);
    for (const MachineLoad::Gpu& gpu : load->gpus)
        addDevice(tr("GPU %1, %2").arg(gpu.id.section(u':', 1), gpu.name), gpu.usedBytes, gpu.memoryBytes, gpu.busy, runsOnGpu(place, gpu.uuid), old);
}

void DevicesPanel::addDevice(const QString& name, double used, double all, double busy, const QString& by, bool old) {
    auto* device = new QStandardItem(QStringLiteral("   ") + name);
    auto* memory = new QStandardItem(std::isfinite(used) && std::isfinite(all) ? tr("%1 of %2").arg(decimalBytes(used), decimalBytes(all))
                                                                               : QStringLiteral("–"));
    if (std::isfinite(used) && all > 0)
        memory->setData(used / all, ShareRole);
    auto* load = new QStandardItem(shareText(busy));
    if (std::isfinite(busy))
        load->setData(busy, ShareRole);
    auto* runs = new QStandardItem(by);
    const QList<QStandardItem*> row{device, memory, load, runs};
    for (QStandardItem* item : row) {
        item->setToolTip(item->text().trimmed());
        if (old)
            item->setForeground(Theme::current().text3);
    }
    m_rows->appendRow(row);
}

/// How far away it is or that it does not answer, and what is being copied there.
QString DevicesPanel::aboutMachine(const QString& place, const MachineLoad* load) const {
    QStringList parts;
    const Place* known = m_places->find(place);
    const QString age = load && load->answered > 0
                            ? widgets::durationText(static_cast<double>(m_clock() - load->answered))
                            : QString();
    if (known && !known->isRemote())
        parts << tr("on this machine");
    else if (load && !load->error.isEmpty())
        parts << (age.isEmpty() ? tr("no contact yet") : tr("no contact for %1").arg(age));
    else if (load && isOld(*load))
        parts << tr("numbers from %1 ago").arg(age);
    else if (load && !place.isEmpty() && std::isfinite(load->seconds))
        parts << tr("answers in %1 ms").arg(widgets::numberText(1000 * load->seconds, 0));
    else if (!load && m_monitor.isRunning())
        parts << tr("looking…");
    if (place.isEmpty() && !m_monitor.problem().isEmpty())
        parts << tr("The monitor stopped and is restarting: %1").arg(m_monitor.problem());
    if (isCluster(place) && known->isRemote())
        parts << tr("login host");
    if (const QString runs = runsBeside(place); !runs.isEmpty())
        parts << (isCluster(place) ? tr("in jobs: %1") : tr("on a GPU: %1")).arg(runs);
    const auto addCopy = [&](const widgets::Elsewhere& job) {
        if (job.place != place || job.there != widgets::Elsewhere::There::Copying)
            return;
        QString text = tr("copying, %1").arg(shareText(job.copied));
        if (std::isfinite(job.bytesPerSecond))
            text += QStringLiteral(", ") + widgets::byteSpeedText(job.bytesPerSecond);
        if (std::isfinite(job.secondsLeft))
            text += QStringLiteral(", ") + widgets::timeLeftText(job.secondsLeft);
        parts << text;
    };
    for (const widgets::WaitingItem& job : m_runs->waiting())
        addCopy(job);
    for (const EvaluationInfo& evaluation : m_runs->evaluations())
        if (evaluation.state == EvaluationInfo::State::Running)
            addCopy(m_runs->elsewhere(evaluation.folder));
    return parts.join(QStringLiteral(" · "));
}

/// A cluster's runs compute on its nodes, which are not looked at.
bool DevicesPanel::isCluster(const QString& place) const {
    const Place* known = m_places->find(place);
    return known && known->kind == Place::Kind::Slurm;
}

bool DevicesPanel::isOld(const MachineLoad& load) const {
    return !load.error.isEmpty() || m_clock() - load.answered > 3 * PlaceMonitor::kEvery;
}

/// The user's runs that compute at a place, as far as `counts` says.
QString DevicesPanel::runsThere(const QString& place, const std::function<bool(const RunInfo&)>& counts) const {
    QStringList names;
    for (const widgets::RunItem& run : m_runs->runs())
        if (run.place == place && run.info.state == RunState::Running && !run.waits && counts(run.info))
            names << widgets::runTitle(run);
    return names.join(QStringLiteral(" · "));
}

QString DevicesPanel::runsOnProcessor(const QString& place) const {
    return runsThere(place, [&](const RunInfo& run) { return run.decided.device == "cpu" && !isCluster(place); });
}

/// By its own number: CUDA's is another one where CUDA_VISIBLE_DEVICES is set.
QString DevicesPanel::runsOnGpu(const QString& place, const QString& uuid) const {
    return runsThere(place, [&](const RunInfo& run) { return !uuid.isEmpty() && std::ranges::count(run.gpus, uuid.toStdString()) > 0; });
}

/// The nodes of a cluster are not looked at, and a run of an earlier version does not say which GPUs it has.
QString DevicesPanel::runsBeside(const QString& place) const {
    return runsThere(place, [&](const RunInfo& run) { return isCluster(place) || (run.decided.device != "cpu" && run.gpus.empty()); });
}

} // namespace headroom::app

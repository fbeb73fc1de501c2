// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

#include <functional>
#include <vector>

class QAction;
class QHBoxLayout;
class QLabel;
class QMenu;
class QToolButton;

namespace headroom::app {

/// The bar on top of a panel: its name in semi-bold, a detail in grey, and at the right its few controls. The
/// same bar heads docks, the time column and the matrix, so that the three columns of the window line up.
/// Window's thread.
class PanelHeader : public QWidget {
    Q_OBJECT

public:
    explicit PanelHeader(const QString& title = {}, QWidget* parent = nullptr);

    /// `widest`: the widest of the titles that the bar may have, which all leave the controls the same room.
    void setTitle(const QString& title, const QString& widest = {});
    /// Grey text beside the title. Where the bar is too narrow it is replaced by `brief`, if there is one, and elided at
    /// the end if that is still too long. `counts`: what `brief` is the number of.
    enum class BriefCounts { Any, Errors };
    void setDetail(const QString& detail, const QString& brief = {}, BriefCounts counts = BriefCounts::Any);
    QString title() const;
    QString detail() const { return m_detailText; }

    /// Adds a control left of the stretch, after title and detail.
    void addLeading(QWidget* control);
    /// Adds a control at the right end.
    void addTrailing(QWidget* control);
    /// A flat 24 px button for an action: icon only, the action's tool tip.
    QToolButton* addButton(QAction* action);
    void addLeadingSpace(int pixels);
    /// A ⋯ button at the very end, which opens this menu.
    void setMenu(QMenu* menu);
    /// Hides this control while the others do not have the room that they ask for. Later calls hide first. `instead`: a ⋯
    /// button after the leading controls offers this action meanwhile.
    void yield(QWidget* control, QAction* instead = nullptr);
    /// Nothing yields before this control is as narrow as it may be, or as `least` returns.
    void giveWay(QWidget* control, std::function<int()> least = {});
    QSize sizeHint() const override; ///< a dock asks for this, not for the fixed height
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    void elideDetail();
    void fitControls();
    int roomOf(const QWidget* control) const;
    void addOverflow();
    QHBoxLayout* m_layout;
    QLabel* m_title;
    class Detail;
    Detail* m_detail;
    QToolButton* m_more = nullptr; ///< null: there is no menu
    QString m_ownTitle; ///< that of the constructor
    QString m_detailText, m_briefText, m_widestTitle;
    BriefCounts m_briefCounts = BriefCounts::Any;
    struct Yielding {
        QWidget* control;
        QAction* instead; ///< null: nothing is offered
    };
    QList<Yielding> m_yielding;        ///< the first one goes first
    struct GivingWay {
        QWidget* control;
        std::function<int()> least; ///< width
    };
    std::vector<GivingWay> m_givingWay;
    QToolButton* m_overflow = nullptr; ///< offers what has yielded; null: nothing is offered
};

} // namespace headroom::app

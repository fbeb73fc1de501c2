// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/layer_editor/layer_editor.h"

#include <QTest>

namespace headroom::testing {

/// The widget alone on a grid: what it asks for is done at once, as an owner would.
class EditorOwner : public QObject {
public:
    explicit EditorOwner(std::initializer_list<const char*> layers) {
        std::vector<Architecture::Layer> list;
        for (const char* text : layers)
            list.push_back({parseHeads(text)});
        grid = HeadGrid(list);
        connect(&editor, &widgets::LayerEditor::edited, this, [this](const std::vector<widgets::CellEdit>& edits, bool goesOn) {
            last = edits;
            wentOn = goesOn;
            ++count;
            for (const widgets::CellEdit& edit : edits)
                grid.write(edit.layer, edit.firstHead, edit.lastHead, edit.text.toStdString());
            grid.settle();
            editor.setGrid(grid);
        });
        editor.setGrid(grid);
        editor.gridModel()->setClock(40, QStringLiteral("MACs, 1,000"));
        editor.gridModel()->setFrame(QStringLiteral("2 × conv1d"), QStringLiteral("6 layers"));
        editor.resize(920, 700);
    }
    void show() {
        editor.show();
        editor.activateWindow();
        QVERIFY(QTest::qWaitForWindowExposed(&editor));
        editor.setFocus();
    }
    QString text(int layer) const { return QString::fromStdString(textOf(grid.layer(layer).cells)); }
    QModelIndex at(int layer, int head) const {
        return editor.gridModel()->index(widgets::LayerEditorModel::rowOf(layer), widgets::LayerEditorModel::columnOf(head));
    }
    QPoint chip(int layer, int head) const { return editor.visualRect(at(layer, head)).center(); }

    HeadGrid grid;
    widgets::LayerEditor editor;
    std::vector<widgets::CellEdit> last;
    bool wentOn = false;
    int count = 0;
};

} // namespace headroom::testing

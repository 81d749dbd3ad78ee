#include "gui/panels/view_menu.h"

#include <QActionGroup>
#include <QWidget>

#include "gui/panels/perspectives.h"
#include "gui/parts/appearance.h"

namespace vitrine {

ViewMenu::ViewMenu(Perspectives& perspectives, Appearance& appearance, QWidget* window)
    : QMenu(tr("&View"), window) {
  perspectives.addPerspectiveActions(this);
  // The window keeps being maximised behind the full screen.
  addAction(tr("&Full screen"), Qt::Key_F11, window,
            [window] { window->setWindowState(window->windowState() ^ Qt::WindowFullScreen); });
  addSeparator();
  addSchemes(appearance);
  addTextSizes(appearance);
  addSeparator();
  perspectives.addDockActions(addMenu(tr("Pa&nels")));
  addAction(tr("&Restore default layout"), &perspectives, &Perspectives::restoreDefault);
  addSeparator();
  addAction(tr("Settin&gs…"), Qt::CTRL | Qt::Key_Comma, this, &ViewMenu::settingsRequested);
}

void ViewMenu::addSchemes(Appearance& appearance) {
  QMenu* menu = addMenu(tr("&Theme"));
  auto* group = new QActionGroup(menu);
  for (const ColourScheme scheme : Appearance::kSchemes) {
    QAction* action = menu->addAction(Appearance::nameOf(scheme), &appearance,
                                      [&appearance, scheme] { appearance.setScheme(scheme); });
    action->setCheckable(true);
    group->addAction(action);
    const auto follow = [&appearance, action, scheme] { action->setChecked(scheme == appearance.scheme()); };
    follow();
    connect(&appearance, &Appearance::changed, action, follow);
  }
}

void ViewMenu::addTextSizes(Appearance& appearance) {
  QMenu* menu = addMenu(tr("Te&xt size"));
  auto* group = new QActionGroup(menu);
  for (const int percent : Appearance::kPercents) {
    QAction* action = menu->addAction(tr("%1 %").arg(percent), &appearance,
                                      [&appearance, percent] { appearance.setTextPercent(percent); });
    action->setCheckable(true);
    group->addAction(action);
    const auto follow = [&appearance, action, percent] {
      action->setChecked(percent == appearance.textPercent());
    };
    follow();
    connect(&appearance, &Appearance::changed, action, follow);
  }
}

}  // namespace vitrine

#include "moc_view_menu.cpp"

#include "view_menu.h"

#include <QActionGroup>
#include <QWidget>

#include "appearance.h"
#include "perspectives.h"
#include "settings.h"

namespace vitrine {

ViewMenu::ViewMenu(Perspectives& perspectives, Appearance& appearance, Settings& settings, QWidget* window)
    : QMenu(tr("&View"), window) {
  perspectives.addPerspectiveActions(this);
  // The window keeps being maximised behind the full screen.
  addAction(tr("&Full screen"), Qt::Key_F11, window,
            [window] { window->setWindowState(window->windowState() ^ Qt::WindowFullScreen); });
  addSeparator();
  addSchemes(appearance, settings);
  addTextSizes(appearance, settings);
  addSeparator();
  perspectives.addDockActions(addMenu(tr("Pa&nels")));
  addAction(tr("&Restore default layout"), &perspectives, &Perspectives::restoreDefault);
}

void ViewMenu::addSchemes(Appearance& appearance, Settings& settings) {
  QMenu* menu = addMenu(tr("&Theme"));
  auto* group = new QActionGroup(menu);
  const auto add = [&](const QString& name, ColourScheme scheme) {
    QAction* action = menu->addAction(name, &appearance, [&appearance, &settings, scheme] {
      appearance.setScheme(scheme);
      settings.setColourScheme(Appearance::keyOf(scheme));
    });
    action->setCheckable(true);
    action->setChecked(scheme == appearance.scheme());
    group->addAction(action);
  };
  add(tr("&Follow the desktop"), ColourScheme::kDesktop);
  add(tr("&Light"), ColourScheme::kLight);
  add(tr("&Dark"), ColourScheme::kDark);
  add(tr("&High contrast"), ColourScheme::kHighContrast);
}

void ViewMenu::addTextSizes(Appearance& appearance, Settings& settings) {
  QMenu* menu = addMenu(tr("Te&xt size"));
  auto* group = new QActionGroup(menu);
  for (const int percent : {100, 125, 150}) {
    QAction* action =
        menu->addAction(tr("%1 %").arg(percent), &appearance, [&appearance, &settings, percent] {
          appearance.setTextPercent(percent);
          settings.setTextPercent(percent);
        });
    action->setCheckable(true);
    action->setChecked(percent == appearance.textPercent());
    group->addAction(action);
  }
}

}  // namespace vitrine

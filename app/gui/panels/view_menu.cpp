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
  addChoices(tr("&Theme"), appearance, Appearance::kSchemes, Appearance::nameOf, &Appearance::scheme,
             &Appearance::setScheme);
  addChoices(
      tr("Te&xt size"), appearance, Appearance::kPercents,
      +[](int percent) { return tr("%1 %").arg(percent); }, &Appearance::textPercent,
      &Appearance::setTextPercent);
  addSeparator();
  perspectives.addDockActions(addMenu(tr("Pa&nels")));
  addAction(tr("&Restore default layout"), &perspectives, &Perspectives::restoreDefault);
  addSeparator();
  addAction(tr("Settin&gs…"), Qt::CTRL | Qt::Key_Comma, this, &ViewMenu::settingsRequested);
}

template <class Values, class Value>
void ViewMenu::addChoices(const QString& title, Appearance& appearance, const Values& values,
                          QString (*nameOf)(Value), Value (Appearance::*chosen)() const,
                          void (Appearance::*choose)(Value)) {
  QMenu* menu = addMenu(title);
  auto* group = new QActionGroup(menu);
  for (const Value value : values) {
    QAction* action = menu->addAction(nameOf(value), &appearance,
                                      [&appearance, choose, value] { (appearance.*choose)(value); });
    action->setCheckable(true);
    group->addAction(action);
    const auto follow = [&appearance, action, chosen, value] {
      action->setChecked((appearance.*chosen)() == value);
    };
    follow();
    connect(&appearance, &Appearance::changed, action, follow);
  }
}

}  // namespace vitrine

#include "moc_view_menu.cpp"

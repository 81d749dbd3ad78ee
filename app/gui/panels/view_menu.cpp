#include "gui/panels/view_menu.h"

#include <QActionGroup>
#include <QWidget>

#include "gui/panels/card_walk.h"
#include "gui/panels/full_screen.h"
#include "gui/panels/perspectives.h"
#include "gui/panels/stage.h"
#include "gui/parts/appearance.h"
#include "gui/parts/blank_cover.h"
#include "widgets/support/translations.h"

namespace vitrine {

ViewMenu::ViewMenu(Perspectives& perspectives, Appearance& appearance, CardWalk& walk, FullScreen& fullScreen,
                   const Settings& settings, QWidget* window)
    : QMenu(tr("&View"), window) {
  perspectives.addPerspectiveActions(this);
  addBlank(perspectives, window);
  addAction(fullScreen.toggle);
  addSeparator();
  addChoices(tr("&Theme"), appearance, Appearance::kSchemes, Appearance::nameOf, &Appearance::scheme,
             &Appearance::setScheme);
  addChoices(
      tr("Te&xt size"), appearance, Appearance::kPercents,
      +[](int percent) { return tr("%1 %").arg(percent); }, &Appearance::textPercent,
      &Appearance::setTextPercent);
  addLanguages(settings);
  addSeparator();
  perspectives.addDockActions(addMenu(tr("Pa&nels")));
  addAction(tr("&Restore default layout"), &perspectives, &Perspectives::restoreDefault);
  addSeparator();
  addViewsOfTheRun(perspectives);
  addAction(tr("N&ext card"), Qt::Key_F6, &walk, &CardWalk::next);
  addAction(tr("Previ&ous card"), Qt::SHIFT | Qt::Key_F6, &walk, &CardWalk::previous);
  addSeparator();
  addAction(tr("Settin&gs…"), Qt::CTRL | Qt::Key_Comma, this, &ViewMenu::settingsRequested);
}

// Each in its own words, so that a reader of it finds it in any other.
void ViewMenu::addLanguages(const Settings& settings) {
  QMenu* menu = addMenu(tr("&Language"));
  auto* group = new QActionGroup(menu);
  const auto add = [&](const QString& name, const QString& key) {
    QAction* action = menu->addAction(name, this, [this, &settings, key] {
      if (key == settings.language()) return;
      settings.language.set(key);
      emit languageChosen();
    });
    action->setCheckable(true);
    action->setChecked(key == settings.language());
    group->addAction(action);
  };
  add(tr("As the &desktop"), {});
  for (const OfferedLanguage& one : offeredLanguages()) add(one.name, one.key);
}

// A letter, so it is a command for an audience alone.
void ViewMenu::addBlank(Perspectives& perspectives, QWidget* window) {
  auto* cover = new BlankCover(window);
  QAction* blank = addAction(tr("&Blank the window"), Qt::Key_B, cover, &BlankCover::cover);
  blank->setToolTip(tr("In Present, until a key or a click brings it back"));
  const auto follow = [blank, cover](Perspective now) {
    blank->setEnabled(now == Perspective::kPresent);
    cover->uncover();
  };
  follow(perspectives.current());
  connect(&perspectives, &Perspectives::changed, blank, follow);
}

// The tabs of the stage, which the chat perspective does not have.
void ViewMenu::addViewsOfTheRun(Perspectives& perspectives) {
  QMenu* menu = addMenu(tr("&Views of the run"));
  QTabBar* const tabs = perspectives.stage()->tabs();
  for (int page = 0; page < tabs->count(); ++page)
    menu->addAction(tabs->tabText(page), Stage::keyOf(page), tabs,
                    [tabs, page] { tabs->setCurrentIndex(page); });
  const auto follow = [menu](Perspective now) {
    for (QAction* action : menu->actions()) action->setEnabled(now != Perspective::kChat);
  };
  follow(perspectives.current());
  connect(&perspectives, &Perspectives::changed, menu, follow);
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

// HelpMenu: what Vitrine is, and its version.
#pragma once

#include <QMenu>

namespace vitrine {

class HelpMenu : public QMenu {
  Q_OBJECT

 public:
  explicit HelpMenu(QWidget* parent);
};

}  // namespace vitrine

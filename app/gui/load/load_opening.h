// LoadOpening: the window of the load of servers, one for as long as the program runs, so that its keys and
// its last minutes are there when it is opened again. Thread: the window's. Read next: load_window.h.
#pragma once

#include <QObject>
#include <optional>

#include "gui/machine/api_address.h"

class QWidget;

namespace vitrine {

class LoadWindow;
class Settings;

class LoadOpening : public QObject {
  Q_OBJECT

 public:
  // `window` is the parent; both must outlive this.
  LoadOpening(const Settings& settings, QWidget* window);

  // `server`: it is added to the list, with its key.
  LoadWindow* open(const std::optional<ApiAddress>& server = std::nullopt);

 private:
  const Settings& m_settings;
  QWidget* const m_parent;
  LoadWindow* m_window = nullptr;  // of the parent
};

}  // namespace vitrine

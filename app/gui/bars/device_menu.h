// DeviceMenu: where the machine computes, a choice for each device. One that cannot compute is dimmed and
// says why. The devices are looked at when the menu is opened for the first time. Thread: the window's. Read
// next: device_finder.h.
#pragma once

#include <QMenu>
#include <functional>
#include <vector>

#include "gui/machine/device_finder.h"

namespace vitrine {

class DeviceMenu : public QMenu {
  Q_OBJECT

 public:
  // `current` tells the device of the machine. All must outlive this.
  DeviceMenu(DeviceFinder& finder, std::function<Device()> current, QWidget* parent);

 signals:
  void deviceChosen(vitrine::Device device);

 private:
  void showDevices(const std::vector<DeviceInfo>& devices);
  void showCurrent();

  const std::function<Device()> m_current;
  std::vector<QAction*> m_actions;  // by Device
};

}  // namespace vitrine

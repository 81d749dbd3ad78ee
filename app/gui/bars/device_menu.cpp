#include "gui/bars/device_menu.h"

#include <QActionGroup>
#include <utility>

#include "gui/settings/device_words.h"

namespace vitrine {

DeviceMenu::DeviceMenu(DeviceFinder& finder, std::function<Device()> current, QWidget* parent)
    : QMenu(tr("&Compute on"), parent), m_current(std::move(current)) {
  setToolTipsVisible(true);
  auto* group = new QActionGroup(this);
  for (std::size_t i = 0; i < Names<Device>::list.size(); ++i) {
    const auto device = static_cast<Device>(i);
    QAction* action = addAction(deviceKind(device));
    action->setObjectName(QLatin1String(nameOf(device)));
    action->setCheckable(true);
    group->addAction(action);
    connect(action, &QAction::triggered, this, [this, device] {
      if (device != m_current()) emit deviceChosen(device);
      showCurrent();  // until the machine is there
    });
    m_actions.push_back(action);
  }
  addSeparator();
  addAction(tr("Another device loads the model anew"))->setEnabled(false);
  connect(&finder, &DeviceFinder::known, this, &DeviceMenu::showDevices);
  connect(this, &QMenu::aboutToShow, this, [this, &finder] {
    showCurrent();
    finder.want();
  });
}

void DeviceMenu::showCurrent() { m_actions[static_cast<std::size_t>(m_current())]->setChecked(true); }

void DeviceMenu::showDevices(const std::vector<DeviceInfo>& devices) {
  for (const DeviceInfo& device : devices) {
    QAction* action = m_actions[static_cast<std::size_t>(device.device)];
    action->setText(deviceTitle(device).replace(u'&', QStringLiteral("&&")));
    action->setToolTip(deviceTip(device));
    action->setEnabled(device.canCompute());
  }
}

}  // namespace vitrine

#include "moc_device_menu.cpp"

// DeviceFinder: the devices of this machine, found on a thread of its own, since a driver takes its time.
//
// The names are found once in a program; the memory each time that it is wanted. The destructor waits for
// a search that is under way. Thread: the window's. Read next: vitrine/devices.h.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <vector>

#include "vitrine/devices.h"

class QThread;

namespace vitrine {

class DeviceFinder : public QObject {
  Q_OBJECT

 public:
  explicit DeviceFinder(QObject* parent = nullptr);
  ~DeviceFinder() override;

  void want();  // known() follows; at once where it was before
  const std::vector<DeviceInfo>& devices() const { return m_devices; }  // empty until known()
  void wantMemory(Device device);                                       // memoryKnown() follows

 signals:
  void known(const std::vector<vitrine::DeviceInfo>& devices);
  // 0: the device has no memory of its own, or cannot compute.
  void memoryKnown(vitrine::Device device, qint64 freeBytes);

 private:
  void find(const std::function<std::function<void()>()>& work);

  std::vector<DeviceInfo> m_devices;
  bool m_asked = false;
  std::vector<std::unique_ptr<QThread>> m_threads;
};

}  // namespace vitrine

#include "gui/machine/device_finder.h"

#include <QMetaObject>
#include <QThread>
#include <utility>

#include "vitrine/error.h"

namespace vitrine {

DeviceFinder::DeviceFinder(QObject* parent) : QObject(parent) {}

DeviceFinder::~DeviceFinder() {
  for (const auto& thread : m_threads) thread->wait();
}

// `work` runs on a thread, and what it returns on this object's.
void DeviceFinder::find(const std::function<std::function<void()>()>& work) {
  std::erase_if(m_threads, [](const auto& thread) { return thread->isFinished(); });
  m_threads.emplace_back(
      QThread::create([this, work] { QMetaObject::invokeMethod(this, work(), Qt::QueuedConnection); }));
  m_threads.back()->start();
}

void DeviceFinder::want() {
  if (!m_devices.empty()) return void(emit known(m_devices));
  if (std::exchange(m_asked, true)) return;
  find([this] {
    return [this, devices = knownDevices()] {
      m_devices = devices;
      emit known(m_devices);
    };
  });
}

void DeviceFinder::wantMemory(Device device) {
  find([this, device] {
    qint64 free = 0;
    try {
      if (const auto memory = deviceMemory(device)) free = memory->freeBytes;
    } catch (const EngineError&) {  // known() tells why
    }
    return [this, device, free] { emit memoryKnown(device, free); };
  });
}

}  // namespace vitrine

#include "moc_device_finder.cpp"

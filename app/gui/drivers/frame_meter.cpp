#include "gui/drivers/frame_meter.h"

#include <QEvent>
#include <QWidget>
#include <ctime>

namespace vitrine {
namespace {

std::int64_t threadNs() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

FrameMeter::FrameMeter(QWidget* window) : QObject(window) {
  window->installEventFilter(this);
  restart();
}

void FrameMeter::restart() {
  m_workMs.clear();
  m_beganNs = threadNs();
}

// Qt paints the whole window in answer to one event; a call posted now comes after it.
bool FrameMeter::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::UpdateRequest && !m_pending) {
    m_pending = true;
    QMetaObject::invokeMethod(this, &FrameMeter::endFrame, Qt::QueuedConnection);
  }
  return QObject::eventFilter(watched, event);
}

void FrameMeter::endFrame() {
  m_pending = false;
  const std::int64_t now = threadNs();
  m_workMs.push_back(static_cast<double>(now - m_beganNs) / 1e6);
  m_beganNs = now;
  emit painted();
}

}  // namespace vitrine

#include "moc_frame_meter.cpp"

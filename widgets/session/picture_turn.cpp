#include "widgets/session/picture_turn.h"

#include <QCoreApplication>
#include <QEvent>

namespace vitrine {

namespace {

// Handled after Qt's request to paint.
constexpr int kAfterPainting = Qt::LowEventPriority - 1;
const auto kFramePainted = static_cast<QEvent::Type>(QEvent::registerEventType());
const auto kCome = static_cast<QEvent::Type>(QEvent::registerEventType());

}  // namespace

// Timers that are due are handled before posted events. So the batch of a timer that is due with this one
// still finds the event, and what the event causes is painted before the next timer.
PictureTurn::PictureTurn(QObject* parent) : QObject(parent) {
  m_afterFrame.setSingleShot(true);
  m_afterFrame.setInterval(0);
  connect(&m_afterFrame, &QTimer::timeout, this, [this] {
    m_coming = true;
    QCoreApplication::postEvent(this, new QEvent(kCome));
  });
}

void PictureTurn::beginBatch() {
  const bool close = m_sinceBatch.isValid() && !m_sinceBatch.hasExpired(kCloseMs);
  m_sinceBatch.start();
  m_awaited = m_awaited || close;
  if (!m_calledOff) callOff();
}

void PictureTurn::callOff() {
  m_calledOff = m_coming || m_afterFrame.isActive();
  m_coming = false;
  m_afterFrame.stop();
  QCoreApplication::removePostedEvents(this, kCome);
}

void PictureTurn::endBatch() {
  if (m_awaited && !m_coming && !m_afterFrame.isActive())
    QCoreApplication::postEvent(this, new QEvent(kFramePainted), kAfterPainting);
}

void PictureTurn::customEvent(QEvent* event) {
  if (event->type() == kFramePainted && !m_coming) {
    m_afterFrame.start();
  } else if (event->type() == kCome) {
    m_awaited = m_coming = m_calledOff = false;
    emit come();
  }
}

}  // namespace vitrine

#include "moc_picture_turn.cpp"

#include "widgets/models/picture_turn.h"

#include <QCoreApplication>
#include <QEvent>

namespace vitrine {

namespace {

// Handled after Qt's request to paint.
constexpr int kAfterPainting = Qt::LowEventPriority - 1;
const auto kFramePainted = static_cast<QEvent::Type>(QEvent::registerEventType());

}  // namespace

PictureTurn::PictureTurn(QObject* parent) : QObject(parent) {
  m_afterFrame.setSingleShot(true);
  m_afterFrame.setInterval(0);
  connect(&m_afterFrame, &QTimer::timeout, this, [this] {
    m_awaited = false;
    emit come();
  });
}

void PictureTurn::beginBatch() {
  const bool close = m_sinceBatch.isValid() && !m_sinceBatch.hasExpired(kCloseMs);
  m_sinceBatch.start();
  m_awaited = m_awaited || close;
}

void PictureTurn::endBatch() {
  if (m_awaited && !m_afterFrame.isActive())
    QCoreApplication::postEvent(this, new QEvent(kFramePainted), kAfterPainting);
}

void PictureTurn::customEvent(QEvent* event) {
  if (event->type() == kFramePainted) m_afterFrame.start();
}

}  // namespace vitrine

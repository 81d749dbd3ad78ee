#include "gui/runs/remote_run.h"

#include <QUrl>
#include <QUrlQuery>
#include <algorithm>
#include <utility>

namespace vitrine {

namespace {

constexpr int kPortionsAhead = 8;  // portions
constexpr int kFirstPatienceMs = 500, kMostPatienceMs = 10000;

}  // namespace

std::optional<watch::ServerPlace> serverPlace(const QString& text) {
  QString address = text.trimmed();
  if (address.isEmpty()) return std::nullopt;
  if (!address.contains(QLatin1String("://"))) address.prepend(QLatin1String("http://"));
  const QUrl url(address, QUrl::StrictMode);
  if (!url.isValid() || url.scheme() != QLatin1String("http") || url.host().isEmpty()) return std::nullopt;
  const QString token = QUrlQuery(url.fragment()).queryItemValue(QStringLiteral("token"), QUrl::FullyDecoded);
  return watch::ServerPlace{url.host().toStdString(), url.port(watch::ServerPlace().port),
                            token.toStdString()};
}

RemoteRun::RemoteRun(Session& session, QObject* parent) : QObject(parent), m_session(session) {
  m_retry.setSingleShot(true);
  connect(&m_retry, &QTimer::timeout, this, &RemoteRun::connectNow);
}

RemoteRun::~RemoteRun() { hangUp(); }

QString RemoteRun::server() const {
  return m_isOpen ? QString::fromStdString(serverText(m_place)) : QString();
}

void RemoteRun::open(const watch::ServerPlace& place) {
  close();
  m_place = place;
  m_isOpen = true;
  m_hasBegun = false;
  m_patienceMs = kFirstPatienceMs;
  connectNow();
  emit changed();
}

void RemoteRun::close() {
  hangUp();
  m_retry.stop();
  if (std::exchange(m_isOpen, false)) emit changed();
}

// Waits for a portion at most: the stream's thread looks up from its waiting.
void RemoteRun::hangUp() {
  ++m_ticket;
  m_isHangingUp = true;
  m_room.release(kPortionsAhead);
  m_stream.reset();
  m_isConnected = false;
}

void RemoteRun::connectNow() {
  hangUp();
  m_isHangingUp = false;
  m_room.acquire(m_room.available());
  m_room.release(kPortionsAhead);
  m_stream = std::make_unique<watch::EventStream>(m_place, static_cast<watch::StreamListener&>(*this));
}

void RemoteRun::came(std::vector<Event> events) {
  m_room.acquire();
  if (m_isHangingUp) return;
  QMetaObject::invokeMethod(
      this,
      [this, ticket = m_ticket.load(), events = std::move(events)]() mutable {
        if (m_ticket != ticket) return;
        m_room.release();
        take(std::move(events));
      },
      Qt::QueuedConnection);
}

void RemoteRun::ended(const EngineError& why) {
  QMetaObject::invokeMethod(
      this,
      [this, ticket = m_ticket.load(), why] {
        if (m_ticket == ticket) onEnded(why);
      },
      Qt::QueuedConnection);
}

void RemoteRun::take(std::vector<Event> events) {
  if (!std::exchange(m_isConnected, true)) {
    m_patienceMs = kFirstPatienceMs;
    emit changed();
    if (m_hasBegun) emit found();
  }
  // A run begins with its own portion, so that what is named and kept of the one before is whole.
  for (auto from = events.begin(); from != events.end();) {
    if (isA<EngineLoaded>(*from)) {
      m_hasBegun = true;
      emit begun();
    }
    const auto to = std::find_if(from + 1, events.end(), [](const Event& e) { return isA<EngineLoaded>(e); });
    m_session.append({std::make_move_iterator(from), std::make_move_iterator(to)});
    from = to;
  }
}

void RemoteRun::onEnded(const EngineError& why) {
  const QString place = server();
  m_isConnected = false;
  if (!m_hasBegun) {
    close();
    return emit failed(noticeOf(why));
  }
  if (why.code() != ErrorCode::kUnavailable) {
    close();
    return emit noticed(noticeOf(why));
  }
  m_retry.start(m_patienceMs);
  m_patienceMs = std::min(2 * m_patienceMs, kMostPatienceMs);
  emit changed();
  emit noticed(Notice::note(tr("The connection to %1 was lost.").arg(place),
                            tr("It is tried again until it is there, or something else is opened.")));
}

}  // namespace vitrine

#include "moc_remote_run.cpp"

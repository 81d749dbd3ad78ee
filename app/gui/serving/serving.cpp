#include "gui/serving/serving.h"

#include <QNetworkInterface>
#include <QRandomGenerator>
#include <QSysInfo>
#include <array>
#include <utility>

#include "server/api_server.h"
#include "widgets/support/formats.h"

namespace vitrine {

namespace {

constexpr int kFollowMs = 250;
constexpr int kReadMs = 3000;  // for clients to read that their requests have failed

std::vector<std::string> namesAt(const std::string& address) {
  if (server::HttpServer::isLoopback(address)) return {};
  const std::string name = QSysInfo::machineHostName().toStdString();
  return {name, name + ".local"};
}

}  // namespace

struct Serving::Server {
  Server(server::Served& served, const std::string& address, const std::string& token,
         const std::string& watchToken)
      : api(served, server::AccessRules::forAddress(address, namesAt(address), token, watchToken),
            server::ApiServer::kUsualMost),
        http(api) {}

  server::ApiServer api;
  server::HttpServer http;
};

Serving::Serving(EngineHost& host) : m_host(host) {
  m_watch.setInterval(kFollowMs);
  connect(&m_watch, &QTimer::timeout, this, &Serving::follow);
  connect(&host, &EngineHost::modeChanged, this, [this] {
    if (m_state != State::kOff) emit changed();
  });
}

Serving::~Serving() = default;

std::optional<Notice> Serving::start(const Place& place) {
  if (m_state != State::kOff) return std::nullopt;
  const QString shown = place.address.trimmed();
  const std::string address = shown == QLatin1String("localhost") ? "127.0.0.1" : shown.toStdString();
  if (!server::HttpServer::isAddress(address))
    return Notice::problem(tr("“%1” is no address.").arg(shown),
                           tr("Write 127.0.0.1 for this computer alone, or choose one of the list."));
  const std::string token = place.token.toStdString(), watchToken = place.watchToken.toStdString();
  if (token.empty() && !server::HttpServer::isLoopback(address))
    return Notice::problem(tr("Other computers can reach %1, so its clients need a token.").arg(shown),
                           tr("Press New token, or choose 127.0.0.1."));
  if (!watchToken.empty() && token.empty())
    return Notice::problem(tr("Without a token every client may make requests, also with a watch token."),
                           tr("Give a token beside it, or no watch token."));
  if (!watchToken.empty() && watchToken == token)
    return Notice::problem(tr("The watch token must be another than the token."), tr("New token makes one."));
  try {
    if (!token.empty()) server::requireToken(token);
    if (!watchToken.empty()) server::requireToken(watchToken);
  } catch (const UsageError& error) {
    return Notice::problem(tr("%1.").arg(QString::fromUtf8(error.what())), tr("New token makes one."));
  }
  auto server = std::make_unique<Server>(m_host.served(), address, token, watchToken);
  m_host.served().setOpen(true);  // before there are clients
  try {
    server->http.listen(address, place.port);
  } catch (const EngineError& error) {
    m_host.served().setOpen(false);
    return noticeOf(error.code(), tr("The server %1.").arg(QString::fromUtf8(error.what())),
                    tr("Choose another port, or 0 for any that is free; or end the program that has it."));
  }
  m_server = std::move(server);
  m_state = State::kOn;
  m_watch.start();
  m_runsNext = m_host.mode() == MachineMode::kEmpty || m_host.mode() == MachineMode::kLoading;
  m_host.letGoOn();
  emit changed();
  return std::nullopt;
}

void Serving::stop() {
  if (m_state != State::kOn) return;
  m_state = State::kEnding;
  m_server->http.stopListening();
  m_host.served().setOpen(false);
  m_ending.start();
  emit changed();
}

void Serving::follow() {
  const bool isOver = m_state == State::kEnding && (connections() == 0 || m_ending.hasExpired(kReadMs));
  if (isOver) {
    m_server.reset();
    m_state = State::kOff;
    m_watch.stop();
  }
  emit changed();
}

void Serving::onLoaded(bool runs) {
  const bool wanted = std::exchange(m_runsNext, false);
  if (m_state != State::kOn || !runs) return;
  if (m_host.wentOn()) return m_host.run();
  if (wanted) m_host.letGoOn();
}

// At "any address" a client names one of this computer's.
QString Serving::place() const {
  if (!m_server) return {};
  QString place = QString::fromStdString(m_server->http.url()).section(QStringLiteral("//"), 1);
  const QStringList own = ownAddresses();
  if (place.startsWith(QLatin1String("0.0.0.0:")) && !own.isEmpty())
    place.replace(0, place.indexOf(u':'), own.front());
  return place;
}

QString Serving::url() const { return m_server ? QStringLiteral("http://%1/v1").arg(place()) : QString(); }

QString Serving::pageUrl() const { return m_server ? QStringLiteral("http://%1/").arg(place()) : QString(); }

int Serving::connections() const { return m_server ? static_cast<int>(m_server->http.connections()) : 0; }

int Serving::underWay() const { return m_host.served().underWay(); }

QString Serving::model() const {
  const auto model = m_host.served().model();
  return model ? windowText(model->name) : QString();
}

bool Serving::isHeld() const {
  const bool stands = m_host.mode() == MachineMode::kPaused || m_host.mode() == MachineMode::kHeld;
  return stands && !m_host.goesOn();
}

QStringList Serving::ownAddresses() {
  QStringList own;
  for (const QHostAddress& address : QNetworkInterface::allAddresses())
    if (!address.isLoopback() && address.protocol() == QAbstractSocket::IPv4Protocol)
      own << address.toString();
  return own;
}

QString Serving::newToken() {
  std::array<quint32, 6> bits{};
  QRandomGenerator::system()->fillRange(bits.data(), static_cast<qsizetype>(bits.size()));
  return QString::fromLatin1(
      QByteArray(reinterpret_cast<const char*>(bits.data()), static_cast<qsizetype>(sizeof bits)).toHex());
}

}  // namespace vitrine

#include "moc_serving.cpp"

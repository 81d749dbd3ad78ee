#include "gui/runs/remote_steering.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QUrl>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/json_files.h"

namespace vitrine {

namespace {

using namespace std::chrono_literals;

constexpr auto kAskEvery = 500ms;
constexpr auto kAskSoon = 50ms;     // behind an order
constexpr int kAskTakesMs = 10000;  // at most
constexpr qint64 kMostBytes = 1 << 20;

// A server may be anything: what is no object is an empty one.
Json objectIn(const QByteArray& body) {
  try {
    Json json = parseJson({body.constData(), static_cast<std::size_t>(body.size())});
    if (json.is_object()) return json;
  } catch (const UsageError&) {
  }
  return Json::object();
}

bool isTrue(const Json& object, const char* key) { return object.value(key, Json()) == true; }

QString wordsOf(const QNetworkReply& reply, const QByteArray& body) {
  const Json error = objectIn(body).value("error", Json());
  const Json message = error.is_object() ? error.value("message", Json()) : Json();
  return message.is_string() ? QString::fromStdString(message.get<std::string>()).left(300)
                             : reply.errorString();
}

}  // namespace

RemoteSteering::RemoteSteering(RemoteRun& run, QObject* parent) : QObject(parent), m_run(run) {
  m_network.setProxy(QNetworkProxy::NoProxy);  // as the run's own connection
  m_network.setRedirectPolicy(QNetworkRequest::ManualRedirectPolicy);
  m_timer.setSingleShot(true);
  connect(&m_timer, &QTimer::timeout, this, &RemoteSteering::ask);
  connect(&run, &RemoteRun::changed, this, &RemoteSteering::follow);
}

void RemoteSteering::follow() {
  if (m_run.isConnected()) return ask();
  m_timer.stop();
  if (m_asked) m_asked->abort();
  setMode(MachineMode::kEmpty);
}

void RemoteSteering::ask() {
  if (m_asked || !m_run.isConnected()) return;
  m_asked = send("/v1/machine", {}, [this](const QByteArray& body) {
    m_asked = nullptr;
    if (!m_run.isConnected()) return;
    const Json machine = objectIn(body);
    if (!isTrue(machine, "may_steer"))
      setMode(MachineMode::kEmpty);
    else
      setMode(isTrue(machine, "paused") ? MachineMode::kPaused : MachineMode::kRunning);
    m_timer.start(kAskEvery);
  });
}

void RemoteSteering::step() { order("step"); }
void RemoteSteering::run() { order("run"); }
void RemoteSteering::pause() { order("pause"); }

void RemoteSteering::order(const char* word) {
  if (!isPossible()) return;
  send("/v1/steer", QByteArray(R"({"do":")") + word + "\"}", [this](const QByteArray&) {
    if (!m_asked) m_timer.start(kAskSoon);
  });
}

void RemoteSteering::submit(const QString& message, int maxTokens) {
  if (!isPossible()) return;
  const QJsonObject asks{{QStringLiteral("role"), QStringLiteral("user")},
                         {QStringLiteral("content"), message}};
  const QJsonObject body{{QStringLiteral("messages"), QJsonArray{asks}},
                         {QStringLiteral("max_tokens"), maxTokens}};
  send("/v1/chat/completions", QJsonDocument(body).toJson(QJsonDocument::Compact), [](const QByteArray&) {});
}

void RemoteSteering::setMode(MachineMode mode) {
  if (std::exchange(m_mode, mode) != mode) emit modeChanged();
}

QNetworkReply* RemoteSteering::send(const char* path, const QByteArray& body, Then then) {
  const watch::ServerPlace& place = m_run.place();
  QUrl url;
  url.setScheme(QStringLiteral("http"));
  url.setHost(QString::fromStdString(place.host));
  url.setPort(place.port);
  url.setPath(QString::fromLatin1(path));
  QNetworkRequest request(url);
  if (!place.token.empty())
    request.setRawHeader("Authorization", "Bearer " + QByteArray::fromStdString(place.token));
  const bool asks = body.isEmpty();
  if (asks) request.setTransferTimeout(kAskTakesMs);
  request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
  QNetworkReply* const reply = asks ? m_network.get(request) : m_network.post(request, body);
  reply->setReadBufferSize(kMostBytes);
  connect(reply, &QNetworkReply::readyRead, this, [reply] {
    if (reply->bytesAvailable() >= kMostBytes) reply->abort();
  });
  connect(reply, &QNetworkReply::finished, this, [this, reply, asks, then = std::move(then)] {
    reply->deleteLater();
    const QByteArray answer = reply->isOpen() ? reply->readAll() : QByteArray();
    const bool failed = reply->error() != QNetworkReply::NoError;
    if (failed && !asks && reply->error() != QNetworkReply::OperationCanceledError) {
      const bool isRefused = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).isValid();
      const QString what = isRefused ? tr("%1 has refused it: %2.") : tr("%1 has not answered: %2.");
      emit noticed(Notice::problem(what.arg(m_run.server(), wordsOf(*reply, answer)), {}));
    }
    then(failed ? QByteArray() : answer);
  });
  return reply;
}

}  // namespace vitrine

#include "moc_remote_steering.cpp"

#include "gui/load/load_watcher.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "connect/metrics_reader.h"
#include "gui/machine/network_reply.h"
#include "vitrine/error.h"

namespace vitrine {

namespace {

using namespace std::chrono_literals;

constexpr auto kLoadEvery = 1s;
constexpr int kByteWithinMs = 3000;   // of an answer
constexpr double kPageWithin = 10.0;  // seconds, of a whole answer
constexpr auto kMostPageBytes = static_cast<qsizetype>(connect::kMostMetricBytes);

bool isOneOf(int status, std::initializer_list<int> statuses) {
  return std::ranges::find(statuses, status) != statuses.end();
}

}  // namespace

LoadWatcher::LoadWatcher(QObject* parent) : QObject(parent) {
  m_clock.start();
  m_every.setInterval(kLoadEvery);
  connect(&m_every, &QTimer::timeout, this, &LoadWatcher::tick);
}

LoadWatcher::~LoadWatcher() {
  for (const auto& watched : m_watched) forget(*watched);
}

double LoadWatcher::now() const { return static_cast<double>(m_clock.nsecsElapsed()) / 1e9; }

int LoadWatcher::rowOf(const Watched& watched) const {
  const auto found =
      std::ranges::find_if(m_watched, [&watched](const auto& one) { return one.get() == &watched; });
  return static_cast<int>(found - m_watched.begin());
}

int LoadWatcher::freeMark() const {
  int mark = 0;
  while (std::ranges::any_of(m_watched, [mark](const auto& one) { return one->mark == mark; })) ++mark;
  return mark;
}

std::vector<ApiAddress> LoadWatcher::servers() const {
  std::vector<ApiAddress> servers;
  for (const auto& watched : m_watched) servers.push_back(watched->server);
  return servers;
}

int LoadWatcher::add(const ApiAddress& server) {
  const auto known =
      std::ranges::find_if(m_watched, [&server](const auto& one) { return one->server.base == server.base; });
  if (known != m_watched.end()) {
    Watched& watched = **known;
    if (!server.key.isEmpty() && watched.server.key != server.key) {
      forget(watched);
      watched.server.key = server.key;
      if (isWatching()) ask(watched);
    }
    return static_cast<int>(known - m_watched.begin());
  }
  if (count() == kMostServers) return -1;
  auto watched = std::make_unique<Watched>();
  watched->server = server;
  watched->mark = freeMark();
  m_watched.push_back(std::move(watched));
  emit reset();
  if (isWatching()) ask(*m_watched.back());
  return count() - 1;
}

void LoadWatcher::remove(int row) {
  if (row < 0 || row >= count()) return;
  forget(*m_watched[static_cast<std::size_t>(row)]);
  m_watched.erase(m_watched.begin() + row);
  emit reset();
}

void LoadWatcher::setWatching(bool watches) {
  if (watches == isWatching()) return;
  if (watches) {
    m_every.start();
    return tick();
  }
  m_every.stop();
  for (const auto& watched : m_watched) {
    forget(*watched);
    watched->history.addGap();
  }
}

// An answer that comes byte by byte would take for ever.
void LoadWatcher::tick() {
  for (const auto& watched : m_watched)
    if (watched->reply == nullptr)
      ask(*watched);
    else if (now() - watched->askedAt > kPageWithin)
      cut(*watched, tr("does not answer in time"));
}

void LoadWatcher::ask(Watched& watched) {
  watched.body.clear();
  watched.cut.clear();
  watched.askedAt = now();
  QNetworkRequest request = watched.server.request("/metrics");
  request.setTransferTimeout(kByteWithinMs);
  watched.reply = m_network.get(request);
  connect(watched.reply, &QNetworkReply::readyRead, this, [this, &watched] { read(watched); });
  connect(watched.reply, &QNetworkReply::finished, this, [this, &watched] { onFinished(watched); });
}

void LoadWatcher::read(Watched& watched) {
  watched.body += watched.reply->readAll();
  if (watched.body.size() > kMostPageBytes) cut(watched, tr("its answer has no end"));
}

// finished() comes of it.
void LoadWatcher::cut(Watched& watched, const QString& why) {
  watched.cut = why;
  watched.reply->abort();
}

void LoadWatcher::forget(Watched& watched) {
  watched.probe.reset();
  if (QNetworkReply* const reply = std::exchange(watched.reply, nullptr)) hangUp(*reply, *this);
}

void LoadWatcher::onFinished(Watched& watched) {
  QNetworkReply* const reply = std::exchange(watched.reply, nullptr);
  reply->deleteLater();
  if (reply->isOpen()) watched.body += reply->readAll();
  watched.trouble = take(watched, *reply);
  watched.body = {};
  watched.isAnswered = true;
  if (!watched.trouble.isEmpty()) watched.history.addGap();
  emit changed(rowOf(watched));
}

// What is wrong with an answer; nothing: it is in the history.
QString LoadWatcher::take(Watched& watched, const QNetworkReply& reply) {
  if (!watched.cut.isEmpty()) return watched.cut;
  const int status = statusOf(reply);
  if (isOneOf(status, {404, 405, 501}))
    return tr(
        "has no metrics: vLLM has them by itself, SGLang with --enable-metrics, llama.cpp with --metrics");
  if (isOneOf(status, {401, 403})) return tr("asks for its key: add its address again, with the key");
  if (reply.error() == QNetworkReply::OperationCanceledError || reply.error() == QNetworkReply::TimeoutError)
    return tr("does not answer in time");
  if (status == 0) return tr("does not answer: %1").arg(reply.errorString());
  if (status != 200 || reply.error() != QNetworkReply::NoError) return failureWords(reply, watched.body);
  try {
    const connect::EngineLoad load = connect::engineLoad(
        connect::readMetrics({watched.body.constData(), static_cast<std::size_t>(watched.body.size())}));
    if (!load.kind) return tr("has metrics, but none of vLLM, SGLang, llama.cpp or Vitrine");
    watched.history.add(now(), load);
    if (load.kind == connect::ServerKind::kVllm) askKind(watched);
    return {};
  } catch (const EngineError& error) {
    return tr("its answer is no metrics in Prometheus' format: %1").arg(QString::fromUtf8(error.what()));
  }
}

// Metrics of a Vitrine have vLLM's names; its models say that they are its own. Asked once.
void LoadWatcher::askKind(Watched& watched) {
  if (watched.probe != nullptr || watched.kind != connect::ServerKind::kUnknown) return;
  watched.probe = std::make_unique<ServerProbe>();
  connect(watched.probe.get(), &ServerProbe::listed, this, [this, &watched](const connect::ModelList& list) {
    watched.kind = list.kind;
    emit changed(rowOf(watched));
  });
  watched.probe->ask(watched.server);
}

QString LoadWatcher::engine(int row) const {
  const Watched& watched = at(row);
  if (watched.history.moments().empty()) return {};
  const bool isVitrine = watched.kind == connect::ServerKind::kVitrine;
  return QLatin1String(
      connect::traitsOf(isVitrine ? watched.kind : *watched.history.moments().back().load.kind).name);
}

}  // namespace vitrine

#include "moc_load_watcher.cpp"

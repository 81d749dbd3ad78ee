#include "gui/machine/connected_engine.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "common/json_files.h"
#include "connect/chat_body.h"
#include "gui/machine/network_reply.h"
#include "vitrine/option_schema.h"
#include "widgets/support/formats.h"
#include "widgets/support/option_text.h"

namespace vitrine {

namespace {

using namespace std::chrono_literals;

constexpr auto kGathering = 33ms;            // events that come within it are told together
constexpr int kAlternativesAsked = 8;        // of each token; OpenAI's own limit is 20
constexpr qint64 kMostComplaint = 64 << 10;  // bytes of a refusal that are read

// In tokens; 0: it tells of no block.
int blockSizeIn(const connect::KvEventBatch& batch) {
  for (const connect::KvEvent& event : batch.events)
    if (const auto* stored = std::get_if<connect::KvStored>(&event)) return stored->blockSize;
  return 0;
}

}  // namespace

ConnectedEngine::ConnectedEngine(ConnectOrder order, QObject* parent)
    : QObject(parent), m_order(std::move(order)), m_run(newRun(0)) {
  m_publishing.setSingleShot(true);
  m_publishing.setInterval(kGathering);
  connect(&m_publishing, &QTimer::timeout, this, &ConnectedEngine::publish);
}

ConnectedEngine::~ConnectedEngine() {
  for (auto& [request, turn] : m_turns) hangUp(*turn.reply, *this);
}

std::unique_ptr<connect::OutsideRun> ConnectedEngine::newRun(int blockSize) {
  m_clock.start();
  const connect::SeenEngine seen{m_order.server.text().toStdString(), connect::traitsOf(m_order.kind).name,
                                 m_order.model, m_order.contextLength, blockSize};
  return std::make_unique<connect::OutsideRun>(seen, [this] { return m_clock.nsecsElapsed(); });
}

void ConnectedEngine::begin() {
  publish();
  if (m_order.kvEvents.empty()) return;
  m_kv = std::make_unique<KvWatcher>();
  connect(m_kv.get(), &KvWatcher::came, this,
          [this](const std::vector<connect::KvEventBatch>& batches) { take(batches); });
  connect(m_kv.get(), &KvWatcher::missed, this, [this](qint64 batches) {
    forgetBlocks();
    emit noticed(Notice::note(tr("Batches of KV events were missed: %1.").arg(formatCount(batches)),
                              tr("The prefix cache is shown as far as later events tell of it.")));
  });
  connect(m_kv.get(), &KvWatcher::restarted, this, &ConnectedEngine::forgetBlocks);
  connect(m_kv.get(), &KvWatcher::noticed, this, &ConnectedEngine::noticed);
  connect(m_kv.get(), &KvWatcher::ended, this, [this](const Notice& why) {
    forgetBlocks();  // they may change unseen
    emit noticed(why);
  });
  try {
    m_kv->open({.endpoint = m_order.kvEvents, .replayEndpoint = m_order.kvReplay, .topic = {}});
  } catch (const EngineError& error) {
    emit noticed(noticeOf(error));
  }
}

void ConnectedEngine::publish() {
  std::vector<Event> events = m_run->take();
  for (const Event& event : events) m_told.note(event);
  if (!events.empty()) emit came(std::move(events));
}

// As with a machine, nothing is told before the caller has gone on.
void ConnectedEngine::submitChat(ChatOrder order) {
  QTimer::singleShot(0, this, [this, order = std::move(order)] { take(order); });
}

void ConnectedEngine::take(const ChatOrder& order) {
  Turn turn;
  try {
    connect::ChatAsked asked{order.dialogue, order.request, m_order.model, m_order.kind, kAlternativesAsked};
    turn.body = QByteArray::fromStdString(chatBody(asked));
    asked.alternatives = -1;
    turn.withoutLogprobs = QByteArray::fromStdString(chatBody(asked));
  } catch (const EngineError& error) {
    emit noticed(noticeOf(error));
    return void(emit chatFailed(QString::fromStdString(order.request.name)));
  } catch (const UsageError& error) {
    emit noticed(Notice::problem(QString::fromUtf8(error.what()), QString::fromStdString(error.hint())));
    return void(emit chatFailed(QString::fromStdString(order.request.name)));
  }
  tellUnsent(order.request.sampling);
  Request shown = order.request;
  if (!order.dialogue.messages.empty()) shown.prompt = order.dialogue.messages.back().text;
  const RequestId request = m_run->submit(std::move(shown));
  Turn& kept = m_turns[request] = std::move(turn);
  send(request, kept, m_tellsLogprobs ? kept.body : std::exchange(kept.withoutLogprobs, {}));
  publish();
}

void ConnectedEngine::send(RequestId request, Turn& turn, const QByteArray& body) {
  turn.stream = {};
  turn.reply = m_network.post(m_order.server.request("/v1/chat/completions"), body);
  connect(turn.reply, &QNetworkReply::readyRead, this, [this, request] { read(request); });
  connect(turn.reply, &QNetworkReply::finished, this, [this, request] { onFinished(request); });
}

void ConnectedEngine::read(RequestId request) {
  const auto found = m_turns.find(request);
  if (found == m_turns.end()) return;
  Turn& turn = found->second;
  if (statusOf(*turn.reply) != 200) {
    if (turn.reply->bytesAvailable() > kMostComplaint) turn.reply->abort();
    return;
  }
  std::vector<connect::ChatChunk> chunks;
  QString fault;
  try {
    turn.stream.take(turn.reply->readAll().toStdString(), chunks);
  } catch (const EngineError& error) {
    fault = QString::fromUtf8(error.what());
  }
  for (const connect::ChatChunk& chunk : chunks) m_run->add(request, chunk);
  if (!fault.isEmpty()) return fail(request, fault);
  if (turn.stream.hasEnded() && m_run->hasEnd(request)) return end(request, std::nullopt);
  if (!m_publishing.isActive()) m_publishing.start();
}

void ConnectedEngine::onFinished(RequestId request) {
  read(request);
  const auto found = m_turns.find(request);
  if (found == m_turns.end()) return;
  Turn& turn = found->second;
  const QByteArray rest = turn.reply->isOpen() ? turn.reply->readAll() : QByteArray();
  const bool isRefused = statusOf(*turn.reply) != 200 || turn.reply->error() != QNetworkReply::NoError;
  if (!isRefused && m_run->hasEnd(request)) return end(request, std::nullopt);
  const QString words =
      isRefused ? failureWords(*turn.reply, rest) : tr("the answer ended before the server said so");
  if (isRefused && asksAgain(request, turn, words)) return;
  fail(request, words);
}

// Some servers know no probabilities, and refuse to be asked for them.
bool ConnectedEngine::asksAgain(RequestId request, Turn& turn, const QString& words) {
  const int status = statusOf(*turn.reply);
  if (status < 400 || status >= 500 || turn.withoutLogprobs.isEmpty() ||
      !words.contains(QLatin1String("logprob"), Qt::CaseInsensitive))
    return false;
  m_tellsLogprobs = false;
  std::exchange(turn.reply, nullptr)->deleteLater();
  send(request, turn, std::exchange(turn.withoutLogprobs, {}));
  emit noticed(Notice::note(tr("%1 tells no probabilities of tokens.").arg(m_order.server.place()),
                            tr("Answers are shown without them.")));
  return true;
}

void ConnectedEngine::fail(RequestId request, const QString& words) {
  end(request, FinishReason::kFailed);
  emit noticed(Notice::problem(tr("%1 did not finish the answer: %2.").arg(m_order.server.place(), words),
                               tr("What had come of it stays in the chat.")));
}

void ConnectedEngine::cancel(RequestId request) {
  if (m_turns.contains(request)) end(request, FinishReason::kCancelled);
}

void ConnectedEngine::end(RequestId request, std::optional<FinishReason> why) {
  const auto found = m_turns.find(request);
  QNetworkReply* const reply = found->second.reply;
  m_turns.erase(found);
  hangUp(*reply, *this);
  m_run->end(request, why);
  publish();
  if (m_turns.empty() && !m_held.empty()) take(std::exchange(m_held, {}));
}

void ConnectedEngine::forgetBlocks() {
  m_held.clear();
  m_run->forgetBlocks();
  publish();
}

// A block's size is a property of the run. It is told with the first block, mostly before there is a request;
// otherwise the run begins anew once no answer is under way.
bool ConnectedEngine::beginsAnew(const connect::KvEventBatch& batch) {
  const int size = blockSizeIn(batch);
  return size > 0 && size != m_run->state().blockSize && m_run->state().blocks.empty();
}

void ConnectedEngine::take(const std::vector<connect::KvEventBatch>& batches) {
  for (const connect::KvEventBatch& batch : batches) {
    const bool isNew = beginsAnew(batch);
    if (!m_held.empty() || (isNew && !m_turns.empty())) {
      m_held.push_back(batch);
      continue;
    }
    if (isNew) {
      publish();
      m_run = newRun(blockSizeIn(batch));
      m_told = {};
      emit begunAnew();
    }
    try {
      m_run->add(batch);
    } catch (const EngineError& error) {
      m_kv->disconnect(this);
      m_kv.release()->deleteLater();  // it is telling of them
      forgetBlocks();
      return void(emit noticed(noticeOf(error)));
    }
  }
  if (!m_publishing.isActive()) m_publishing.start();
}

// Each set of them once.
void ConnectedEngine::tellUnsent(const SamplingOptions& sampling) {
  std::vector<std::string> unsent = connect::unsentOptions(sampling, m_order.kind);
  if (std::exchange(m_unsent, unsent) == unsent || unsent.empty()) return;
  QStringList names;
  forEachOption<SamplingOptions>([&](const auto& info, auto) {
    if (std::ranges::find(unsent, info.key) != unsent.end()) names << plainLabel(info.label);
  });
  emit noticed(Notice::note(
      tr("Not known to %1, and not sent: %2.").arg(m_order.server.place(), names.join(QStringLiteral(", "))),
      tr("Its answers are drawn without.")));
}

}  // namespace vitrine

#include "moc_connected_engine.cpp"

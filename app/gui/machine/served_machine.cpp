#include "gui/machine/served_machine.h"

#include <algorithm>
#include <utility>

#include "server/metrics_text.h"

namespace vitrine {

namespace {

EngineError servedCancelled(const std::string& why) { return {ErrorCode::kCancelled, why}; }

}  // namespace

ServedMachine::ServedMachine(std::function<void(Task)> post, std::function<void(bool came)> changed,
                             std::function<bool()> isPaused)
    : m_post(std::move(post)),
      m_changed(std::move(changed)),
      m_askPaused(std::move(isPaused)),
      m_events(std::make_shared<server::AnswerEvents>()) {}

void ServedMachine::setOpen(bool open) {
  m_isOpen = open;
  if (open) return;
  m_post([this] {
    endAll(servedCancelled("the server was turned off"));
    m_changed(false);
  });
}

std::optional<ServedMachine::Opened> ServedMachine::opened() const {
  const Lock lock(m_mutex);
  return m_opened;
}

std::shared_ptr<const server::ServedModel> ServedMachine::model() const {
  const std::optional<Opened> now = opened();
  return now ? now->model : nullptr;
}

std::string ServedMachine::metrics() const {
  const std::optional<Opened> now = opened();
  return now ? server::metricsText(now->events->metrics().figures(), now->model->name) : std::string();
}

server::ServedId ServedMachine::submit(std::shared_ptr<const server::ServedModel> model,
                                       std::vector<RequestArguments> prompts,
                                       std::shared_ptr<server::AnswerSink> sink) {
  const server::ServedId id = ++m_last;
  ++m_underWay;
  m_post([this, id, model = std::move(model), prompts = std::move(prompts), sink = std::move(sink)] {
    if (m_requests && m_isOpen) {
      m_requests->begin(id, model, prompts, sink);
      return m_changed(true);
    }
    sink->refused(servedCancelled(m_isOpen ? "no model is open" : "the server was turned off"));
    --m_underWay;
  });
  return id;
}

void ServedMachine::cancel(server::ServedId id) {
  m_post([this, id] {
    if (!m_requests) return;
    m_requests->cancel(id);
    m_changed(false);
  });
}

void ServedMachine::encode(RequestArguments prompt, Encoded done) {
  m_post([this, prompt = std::move(prompt), done = std::move(done)] {
    if (m_requests) return m_requests->encode(prompt, done);
    const EngineError error = servedCancelled("no model is open");
    done({}, &error);
  });
}

void ServedMachine::decode(std::vector<TokenId> ids, Decoded done) {
  m_post([this, ids = std::move(ids), done = std::move(done)] {
    if (m_requests) return m_requests->decode(ids, done);
    const EngineError error = servedCancelled("no model is open");
    done({}, &error);
  });
}

void ServedMachine::watch(std::shared_ptr<EventSink> sink) {
  m_post([this, sink = std::move(sink)] {
    if (std::ranges::find(m_watchers, sink) == m_watchers.end()) m_watchers.push_back(sink);
    if (m_requests) m_requests->watch(sink);
  });
}

void ServedMachine::unwatch(std::shared_ptr<EventSink> sink) {
  m_post([this, sink = std::move(sink)] {
    std::erase(m_watchers, sink);
    m_events->removeWatcher(sink);
  });
}

void ServedMachine::renew() { m_events = std::make_shared<server::AnswerEvents>(); }

void ServedMachine::publish(const Event& event) { m_events->publish(event); }

void ServedMachine::open(Engine& engine, const std::filesystem::path& path) {
  auto model = std::make_shared<const server::ServedModel>(server::servedModel(engine, path));
  m_requests.emplace(engine, *m_events, model, server::ServedRequests::Finished::kKept,
                     [this] { --m_underWay; });
  for (const std::shared_ptr<EventSink>& watcher : m_watchers) m_requests->watch(watcher);
  const Lock lock(m_mutex);
  m_opened = {std::move(model), m_events};
}

void ServedMachine::close(const std::string& why) {
  {
    const Lock lock(m_mutex);
    m_opened.reset();
  }
  endAll(servedCancelled(why));
  m_requests.reset();
}

// A held step ends its requests later, and the clients need not wait for that.
void ServedMachine::endAll(const EngineError& why) {
  if (!m_requests) return;
  m_requests->cancelAll();
  m_requests->failAll(why);
}

void ServedMachine::deliver() {
  if (m_requests) m_requests->deliver();
}

}  // namespace vitrine

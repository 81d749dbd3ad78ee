// ServedMachine: the window's engine as a server sees it. What the network asks for joins the requests of
// chats and scenarios in one batch.
//
// The network's thread posts tasks, which the engine's does between two steps, or while one is held; it waits
// for none of them. The window opens and closes models meanwhile: what was under way fails then, and what
// comes is for the model that is open. Thread: as each part says. Read next: engine_worker.h,
// app/server/served_requests.h.
#pragma once

#include <atomic>
#include <optional>

#include "gui/machine/guarded.h"
#include "server/served_requests.h"

namespace vitrine {

class ServedMachine final : public server::Served, public EventSink {
 public:
  using Task = std::function<void()>;
  // `post` has a task done on the engine's thread; `changed` is called there behind one in which a request
  // came, or ended. `isPaused` is asked on any thread.
  ServedMachine(std::function<void(Task)> post, std::function<void(bool came)> changed,
                std::function<bool()> isPaused);
  // Before the server is opened: how the window's machine is steered. Called on any thread.
  using Steer = std::function<void(server::Steering)>;
  void setSteer(Steer steer) { m_steer = std::move(steer); }

  // Any thread. Whether the server takes requests; at first it does not. Turned off, those under way fail.
  void setOpen(bool open);
  std::shared_ptr<const server::ServedModel> model() const override;
  bool isOpen() const override { return m_isOpen; }
  int underWay() const override { return m_underWay; }
  std::string metrics() const override;
  server::ServedId submit(std::shared_ptr<const server::ServedModel> model,
                          std::vector<RequestArguments> prompts,
                          std::shared_ptr<server::AnswerSink> sink) override;
  void cancel(server::ServedId request) override;
  void encode(RequestArguments prompt, Encoded done) override;
  void decode(std::vector<TokenId> ids, Decoded done) override;
  bool isPaused() const override { return m_askPaused(); }
  void steer(server::Steering order) override { m_steer(order); }
  void watch(std::shared_ptr<EventSink> sink) override;
  void unwatch(std::shared_ptr<EventSink> sink) override;

  // The engine's thread. The events of a new engine follow, from EngineLoaded on.
  void renew();
  void publish(const Event& event) override;
  // Requests go to this engine, which was loaded from `path`, until close(). The sinks that watch hear of it
  // as of the one before, from its EngineLoaded and a Snapshot on.
  void open(Engine& engine, const std::filesystem::path& path);
  // The engine may be gone then. What is under way is cancelled there, and its clients hear `why`.
  void close(const std::string& why);
  void deliver();  // behind each step, before the engine forgets a request

 private:
  struct Opened {
    std::shared_ptr<const server::ServedModel> model;
    std::shared_ptr<const server::AnswerEvents> events;
  };

  std::optional<Opened> opened() const VITRINE_EXCLUDES(m_mutex);
  void endAll(const EngineError& why);

  const std::function<void(Task)> m_post;
  const std::function<void(bool came)> m_changed;
  const std::function<bool()> m_askPaused;
  Steer m_steer;
  std::atomic<bool> m_isOpen = false;
  std::atomic<int> m_underWay = 0;
  std::atomic<server::ServedId> m_last = 0;
  mutable Mutex m_mutex;
  std::optional<Opened> m_opened VITRINE_GUARDED_BY(m_mutex);  // what the network's thread sees

  // The engine's thread alone.
  std::shared_ptr<server::AnswerEvents> m_events;
  std::optional<server::ServedRequests> m_requests;
  std::vector<std::shared_ptr<EventSink>> m_watchers;  // of whichever engine is open
};

}  // namespace vitrine

#include "chat_controller.h"

#include <algorithm>

namespace vitrine {

ChatController::ChatController(EngineHost& host, Session& session, ChatView& view, ChatModel& model,
                               const SamplingController& sampling, QObject* parent)
    : QObject(parent), m_host(host), m_session(session), m_view(view), m_model(model), m_sampling(sampling) {
  connect(&view, &ChatView::sendRequested, this, &ChatController::send);
  connect(&view, &ChatView::stopRequested, this, &ChatController::stop);
  connect(&view, &ChatView::newChatRequested, this, &ChatController::startAnew);
  connect(&host, &EngineHost::chatFailed, &view, [&view, &model](const QString& requestName) {
    if (const QString text = model.takeBack(requestName); !text.isEmpty()) view.giveBack(text);
  });
  view.setSuggestions({tr("Tell me a story about a fox and a lighthouse."), tr("What is a KV cache?"),
                       tr("Why does the scheduler preempt a request?"), tr("What can you do?")});
}

std::vector<ChatOrder> ChatController::stagedRequests() const {
  const QStringList questions = {tr("Hello! Please tell me what a KV cache is, and why an engine keeps one."),
                                 tr("Tell me a short story about a fox and a lighthouse."),
                                 tr("Hello! Who are you?")};
  std::vector<ChatOrder> staged;
  for (const QString& question : questions) {
    ChatOrder order;
    order.messages = {{ChatRole::kUser, question.toStdString()}};
    order.request = requestNamed(QStringLiteral("R%1").arg(staged.size() + 1));
    order.request.maxTokens = std::min(order.request.maxTokens, 96);
    staged.push_back(std::move(order));
  }
  return staged;
}

Request ChatController::requestNamed(const QString& name) const {
  Request request;
  request.name = name.toStdString();
  request.sampling = m_sampling.sampling();
  request.maxTokens = m_sampling.maxTokens();
  request.sequences = m_sampling.answers();
  request.beamWidth = m_sampling.beams();
  return request;
}

void ChatController::send(const QString& text) {
  const QString name = QStringLiteral("chat-%1").arg(++m_sent);
  m_model.addUser(text);
  ChatOrder order;
  order.messages = m_model.messages();
  order.thinking = m_thinking;
  order.request = requestNamed(name);
  m_model.addAnswer(name);
  m_session.goLive();
  m_host.submitChat(std::move(order));
  emit sent();
}

void ChatController::stop() {
  if (const RequestId request = m_model.answeringRequest(); request != 0) m_host.cancel(request);
}

void ChatController::startAnew() {
  stop();
  m_model.clear();
  m_view.focusInput();
}

}  // namespace vitrine

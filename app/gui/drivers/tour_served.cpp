// Tour: requests from the network in the window's batch.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <memory>
#include <stdexcept>

#include "gui/drivers/tour.h"
#include "gui/drivers/tour_sizes.h"
#include "widgets/support/notice.h"

namespace vitrine {

namespace {

QByteArray bodyOf(const QString& question, int seed) {
  const QJsonObject message{{"role", "user"}, {"content", question}};
  return QJsonDocument(QJsonObject{{"messages", QJsonArray{message}},
                                   {"stream", true},
                                   {"max_tokens", 200},
                                   {"ignore_eos", true},
                                   {"temperature", 1},
                                   {"seed", seed}})
      .toJson(QJsonDocument::Compact);
}

}  // namespace

// Four clients of the window's own server, on the machine that has answered the chats. It is paused, so that
// their requests wait, and then each step is one of theirs.
void Tour::takeServed() {
  constexpr int kSteps = 20;
  const QStringList questions = {
      QStringLiteral("What is a KV cache?"), QStringLiteral("Tell me a short story about a fox."),
      QStringLiteral("What is continuous batching?"), QStringLiteral("Who are you?")};
  EngineHost& host = m_window.host();
  const auto machine = [this]() -> const MachineState& { return m_window.session().recording().live(); };
  const auto isPaused = [&host] { return host.mode() == MachineMode::kPaused; };
  m_window.showPerspective(Perspective::kStep);
  makeWindow(kTourSizes[1]);
  wait([&] { return machine().running.empty() && machine().waiting.empty(); }, "the chats were not answered");
  if (const auto why = m_window.serving().start({.address = QStringLiteral("127.0.0.1")}))
    throw std::runtime_error(why->message.toStdString());
  host.pause();
  wait(isPaused, "the machine did not pause");
  QNetworkAccessManager network;
  std::vector<std::unique_ptr<QNetworkReply>> replies;
  for (const QString& question : questions) {
    QNetworkRequest request(QUrl(m_window.serving().url() + QStringLiteral("/chat/completions")));
    request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
    replies.emplace_back(network.post(request, bodyOf(question, static_cast<int>(replies.size()))));
    wait([&] { return machine().waiting.size() == replies.size(); }, "a client's request was not taken");
  }
  for (int step = 0; step < kSteps; ++step) {
    const int before = machine().step;
    host.step();
    wait([&] { return machine().step > before && isPaused(); }, "the machine did not step");
  }
  takeSizes(QStringLiteral("window-served"));
  m_window.serving().stop();
  wait([this] { return m_window.serving().state() == Serving::State::kOff; }, "the server did not end");
}

}  // namespace vitrine

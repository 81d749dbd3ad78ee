#include "gui/chat/chat_trace.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QPointer>
#include <QThreadPool>
#include <new>
#include <utility>

namespace vitrine {

ChatTrace::ChatTrace(Desk& desk, const Session& session, const ChatController& controller, QObject* parent)
    : QObject(parent), m_desk(desk), m_session(session), m_controller(controller) {}

void ChatTrace::save(ChatId chat, const QString& file) {
  const auto record = m_desk.history().chat(chat, ChatHistory::Tokens::kRead);
  if (!record) return;
  if (!m_session.engine())
    return end(noticeOf(ErrorCode::kUnavailable,
                        tr("No model is open that could compute the chat's run again."),
                        tr("Open the model that gave the answers, then export the trace again.")));
  try {
    begin(chatRun(*record, *m_session.engine(), m_controller.machineOptions()), file);
  } catch (const EngineError& error) {
    end(noticeOf(error));
  }
}

void ChatTrace::begin(ChatRun run, const QString& file) {
  cancel();
  m_cancelled = std::make_shared<std::atomic<bool>>(false);
  const Order order{std::move(run), file, m_cancelled};
  // An answer to an order that is no longer the newest goes unheard.
  const auto tell = [self = QPointer(this), cancelled = m_cancelled](Answer answer) {
    QMetaObject::invokeMethod(qApp, [self, cancelled, answer = std::move(answer)] {
      if (self && self->m_cancelled == cancelled) answer(*self);
    });
  };
  show(0, 0, 0);
  QThreadPool::globalInstance()->start([order, tell] { tell(compute(order, tell)); });
}

// On a thread of the pool.
ChatTrace::Answer ChatTrace::compute(const Order& order, const std::function<void(Answer)>& tell) {
  const int answers = static_cast<int>(order.run.answers.size());
  int shown = -1;  // percent: the window is told no more often than it can show
  const auto progress = [&](double fraction, int answer) {
    if (const int percent = static_cast<int>(100 * fraction); std::exchange(shown, percent) != percent)
      tell([=](ChatTrace& to) { to.show(fraction, answer, answers); });
    return !order.cancelled->load();
  };
  try {
    const ChatRunReport report = recordChatRun(order.run, order.file.toStdString(), progress);
    return [file = order.file, report](ChatTrace& to) { to.finish(file, report); };
  } catch (const EngineError& error) {
    return [notice = noticeOf(error)](ChatTrace& to) { to.end(notice); };
  } catch (const std::bad_alloc&) {
    const Notice notice =
        noticeOf(ErrorCode::kOutOfMemory, tr("There is not enough memory to load the model once more."),
                 tr("Close other programs, or open the model with fewer KV blocks."));
    return [notice](ChatTrace& to) { to.end(notice); };
  }
}

void ChatTrace::show(double fraction, int answer, int answers) {
  emit progressed(fraction, answer == 0 ? tr("Loading the model once more")
                                        : tr("Computing answer %1 of %2 again").arg(answer).arg(answers));
}

void ChatTrace::cancel() {
  const auto cancelled = std::exchange(m_cancelled, nullptr);
  if (!cancelled) return;
  cancelled->store(true);
  emit ended();
}

void ChatTrace::finish(const QString& file, const ChatRunReport& report) {
  const QString name = QFileInfo(file).fileName();
  const QString how = tr("“Open a trace” in the menu Run shows it step by step.");
  if (report.differsIn == 0)
    end(Notice::note(tr("%1 has the run of this chat, token for token the same.").arg(name), how));
  else
    end(Notice::note(
        tr("%1 has a run of this chat, but answer %2 differs in it from token %3 on: the machine is "
           "not the same as then.")
            .arg(name)
            .arg(report.differsIn)
            .arg(report.differsAt),
        how));
}

void ChatTrace::end(const Notice& notice) {
  cancel();
  emit noticed(notice);
}

}  // namespace vitrine

#include "moc_chat_trace.cpp"

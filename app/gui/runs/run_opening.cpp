#include "gui/runs/run_opening.h"

#include <QFileInfo>
#include <utility>

namespace vitrine {

namespace {

constexpr int kHandedAtOnce = 500;  // events: some milliseconds of the window's time
constexpr int kAhead = 4;           // portions

}  // namespace

RunOpening::RunOpening(Session& session, QObject* parent)
    : QObject(parent), m_session(session), m_pass([this](std::span<const Event> events) {
        take({events.begin(), events.end()});
      }) {
  connect(&m_pass, &RecordingPass::progressed, this,
          [this](double fraction) { emit progressed(fraction, tr("Opening the run")); });
  connect(&m_pass, &RecordingPass::done, this, &RunOpening::finish);
  connect(&m_pass, &RecordingPass::failed, this, [this](const Notice& notice) {
    emit noticed(Notice::note(notice.message, notice.hint));
    finish();
  });
}

// Says nothing: the window around it is going.
RunOpening::~RunOpening() { stop(); }

void RunOpening::cancel() {
  stop();
  if (std::exchange(m_underWay, false)) emit ended();
}

void RunOpening::stop() {
  ++m_ticket;
  m_cancelled = true;
  m_room.release(kAhead);  // a reader that waits looks up
  if (m_reader.joinable()) m_reader.join();
  m_pass.stop();
}

void RunOpening::openTrace(const QString& file) {
  cancel();
  m_file = file;
  m_begun = m_cancelled = false;
  m_underWay = true;
  m_room.acquire(m_room.available());
  m_room.release(kAhead);
  emit progressed(-1, tr("Reading %1").arg(QFileInfo(file).fileName()));
  m_reader = std::thread([this, path = file.toStdString(), ticket = m_ticket.load()] { read(path, ticket); });
}

// The reader's thread. A part that it posts after a later opening has begun is not taken.
void RunOpening::read(const std::string& file, int ticket) {
  auto portion = std::make_shared<std::vector<Event>>();
  const auto post = [&](auto action) {
    QMetaObject::invokeMethod(
        this,
        [this, ticket, action] {
          if (m_ticket == ticket) action();
        },
        Qt::QueuedConnection);
  };
  const auto hand = [&] {
    m_room.acquire();
    if (m_cancelled) throw EngineError(ErrorCode::kCancelled, "opening was cancelled");
    post([this, events = std::exchange(portion, std::make_shared<std::vector<Event>>())] {
      take(std::move(*events));
      m_room.release();
    });
  };
  auto end = std::make_shared<End>();
  try {
    end->reading = readTrace(file, [&](const Event& event) {
      portion->push_back(event);
      if (portion->size() >= kHandedAtOnce) hand();
    });
  } catch (const EngineError& error) {
    end->error = std::make_unique<EngineError>(error);
  } catch (const std::exception& error) {
    end->error = std::make_unique<EngineError>(ErrorCode::kOutOfMemory, error.what());
  }
  if (m_cancelled) return;
  post([this, portion, end] {
    if (!portion->empty()) take(std::move(*portion));
    endOfFile(*end);
  });
}

void RunOpening::take(std::vector<Event> events) {
  if (!std::exchange(m_begun, true)) emit begun();
  m_session.append(std::move(events));
  if (m_session.isLive()) m_session.goToStep(m_session.firstStep());
}

void RunOpening::endOfFile(const End& end) {
  const QString name = QFileInfo(m_file).fileName();
  const int steps = m_session.recording().lastFinishedStep();
  const bool begun = m_begun;
  if (begun) emit bookmarked(end.reading.bookmarks);
  finish();
  const QString upTo = tr("%1 is shown up to step %2, its last whole one.").arg(name).arg(steps);
  if (end.error && !begun) {
    emit failed(noticeOf(*end.error));
  } else if (end.error) {
    emit noticed(Notice::note(upTo, QString::fromUtf8(end.error->what())));
  } else if (end.reading.skipped > 0) {
    emit noticed(Notice::note(tr("%1 has %n event(s) that this program does not know; they are left out.",
                                 nullptr, static_cast<int>(end.reading.skipped))
                                  .arg(name),
                              tr("The program that recorded it shows them.")));
  } else if (!end.reading.whole) {
    emit noticed(Notice::note(upTo, tr("The program that recorded it was interrupted.")));
  }
}

void RunOpening::openRecording(std::shared_ptr<const Recording> recording) {
  cancel();
  m_begun = false;
  m_underWay = true;
  m_pass.begin(std::move(recording));
}

void RunOpening::finish() {
  if (m_reader.joinable()) m_reader.join();
  m_underWay = false;
  if (m_begun && m_session.step() == m_session.firstStep()) {  // it may have got more requests since
    m_session.goLive();
    m_session.goToStep(m_session.firstStep());
  }
  emit ended();
}

}  // namespace vitrine

#include "moc_run_opening.cpp"

#include "page/browser.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <QDeadlineTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QStandardPaths>
#include <QTest>
#include <array>
#include <csignal>
#include <cstring>

namespace vitrine::test {
namespace {

constexpr int kPatience = 20000;  // ms

// The descriptors of a pipe, beyond those that the child's ends become.
std::array<int, 2> highPipe() {
  std::array<int, 2> ends = {-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return ends;
  for (int& end : ends) {
    const int high = fcntl(end, F_DUPFD_CLOEXEC, 10);
    close(end);
    end = high;
  }
  return ends;
}

}  // namespace

Browser::Browser() {
  const QString program = QStandardPaths::findExecutable("chromium");
  if (program.isEmpty()) {
    m_complaint = "there is no chromium";
    return;
  }
  std::signal(SIGPIPE, SIG_IGN);
  const std::array<int, 2> commands = highPipe(), answers = highPipe();
  m_write = commands[1];
  m_read = answers[0];
  // The browser reads from 3 and writes to 4.
  m_process.setChildProcessModifier([commands, answers] {
    dup2(commands[0], 3);
    dup2(answers[1], 4);
  });
  m_process.setStandardErrorFile(QProcess::nullDevice());
  m_process.setStandardOutputFile(QProcess::nullDevice());
  m_process.start(program, {"--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
                            "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
                            "--disable-component-update", "--no-proxy-server", "--hide-scrollbars",
                            "--user-data-dir=" + m_folder.path()});
  close(commands[0]);
  close(answers[1]);
  if (!m_process.waitForStarted(kPatience)) {
    m_complaint = "chromium does not start";
    return;
  }
  const QString target = call("Target.createTarget", {{"url", "about:blank"}})["targetId"].toString();
  m_session =
      call("Target.attachToTarget", {{"targetId", target}, {"flatten", true}})["sessionId"].toString();
  if (m_session.isEmpty()) {
    m_complaint = "chromium does not answer";
    return;
  }
  for (const char* const domain : {"Page.enable", "Network.enable", "Runtime.enable", "Log.enable"})
    call(domain);
}

Browser::~Browser() {
  if (m_write >= 0) close(m_write);  // which ends it
  if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(3000)) m_process.kill();
  m_process.waitForFinished(3000);
  if (m_read >= 0) close(m_read);
}

void Browser::give(const QByteArray& bytes) {
  qsizetype given = 0;
  while (given < bytes.size()) {
    const auto count =
        ::write(m_write, bytes.constData() + given, static_cast<std::size_t>(bytes.size() - given));
    if (count <= 0) return;
    given += count;
  }
}

std::optional<QJsonObject> Browser::message(int patienceMs) {
  const QDeadlineTimer end(patienceMs);
  for (;;) {
    if (const qsizetype at = m_buffer.indexOf('\0'); at >= 0) {
      const QByteArray text = m_buffer.left(at);
      m_buffer.remove(0, at + 1);
      return QJsonDocument::fromJson(text).object();
    }
    pollfd look{m_read, POLLIN, 0};
    if (poll(&look, 1, static_cast<int>(end.remainingTime())) <= 0) return std::nullopt;
    std::array<char, 65536> bytes{};
    const auto count = ::read(m_read, bytes.data(), bytes.size());
    if (count <= 0) return std::nullopt;
    m_buffer.append(bytes.data(), count);
  }
}

void Browser::hear(const QJsonObject& event) {
  const QString method = event["method"].toString();
  const QJsonObject told = event["params"].toObject();
  if (method == QLatin1String("Page.loadEventFired")) m_isLoaded = true;
  if (method == QLatin1String("Network.requestWillBeSent")) m_requests << told["request"]["url"].toString();
  if (method == QLatin1String("Runtime.exceptionThrown"))
    m_faults << told["exceptionDetails"]["exception"]["description"].toString();
  if (method == QLatin1String("Log.entryAdded") &&
      told["entry"]["level"].toString() == QLatin1String("error"))
    m_faults << told["entry"]["text"].toString() + " " + told["entry"]["url"].toString();
}

QJsonObject Browser::call(const QString& method, const QJsonObject& parameters) {
  QJsonObject command = {{"id", ++m_last}, {"method", method}, {"params", parameters}};
  if (!m_session.isEmpty()) command["sessionId"] = m_session;
  give(QJsonDocument(command).toJson(QJsonDocument::Compact) + '\0');
  const QDeadlineTimer end(kPatience);
  while (!end.hasExpired()) {
    const auto answer = message(static_cast<int>(end.remainingTime()));
    if (!answer) break;
    if ((*answer)["id"].toInt() == m_last) return (*answer)["result"].toObject();
    hear(*answer);
  }
  return {};
}

void Browser::waitForLoad() {
  const QDeadlineTimer end(kPatience);
  while (!m_isLoaded && !end.hasExpired())
    if (const auto event = message(static_cast<int>(end.remainingTime()))) hear(*event);
}

bool Browser::open(const QString& url) {
  m_requests.clear();
  m_faults.clear();
  m_isLoaded = false;
  call("Page.navigate", {{"url", url}});
  waitForLoad();
  return m_isLoaded;
}

void Browser::reload() {
  m_isLoaded = false;
  call("Page.reload");
  waitForLoad();
}

void Browser::show(QSize size, bool dark) {
  call("Emulation.setDeviceMetricsOverride",
       {{"width", size.width()}, {"height", size.height()}, {"deviceScaleFactor", 1}, {"mobile", false}});
  call("Emulation.setEmulatedMedia",
       {{"features",
         QJsonArray{QJsonObject{{"name", "prefers-color-scheme"}, {"value", dark ? "dark" : "light"}}}}});
}

void Browser::key(const QString& key) {
  for (const char* const type : {"keyDown", "keyUp"})
    call("Input.dispatchKeyEvent", {{"type", type}, {"key", key}, {"code", key}});
}

void Browser::write(const QString& text) { call("Input.insertText", {{"text", text}}); }

QVariant Browser::value(const QString& script) {
  const QJsonObject answer =
      call("Runtime.evaluate", {{"expression", script}, {"returnByValue", true}, {"awaitPromise", true}});
  return answer.contains("exceptionDetails") ? QVariant() : answer["result"]["value"].toVariant();
}

bool Browser::waitFor(const QString& script) {
  const QDeadlineTimer end(kPatience);
  while (!value(script).toBool()) {
    if (end.hasExpired()) return false;
    QTest::qSleep(20);
  }
  return true;
}

void Browser::saveScreenshot(const QString& file) {
  QFile out(file);
  if (out.open(QIODevice::WriteOnly))
    out.write(QByteArray::fromBase64(call("Page.captureScreenshot")["data"].toString().toLatin1()));
}

}  // namespace vitrine::test

// Browser: a real Chromium without a display, driven over a pipe in the DevTools Protocol, as a person would:
// pages, keys, sizes, light and dark.
//
// Thread: the test's; calls wait for the browser, a while.
#pragma once

#include <QJsonObject>
#include <QProcess>
#include <QSize>
#include <QStringList>
#include <QTemporaryDir>
#include <QVariant>
#include <optional>

namespace vitrine::test {

class Browser {
 public:
  Browser();
  ~Browser();
  bool isThere() const { return !m_session.isEmpty(); }
  QString complaint() const { return m_complaint; }  // why it is not

  bool open(const QString& url);  // and waits until it is loaded
  void reload();
  void show(QSize size, bool dark = false);
  void key(const QString& key);  // "ArrowRight"
  void write(const QString& text);
  QVariant value(const QString& script);  // of an expression; invalid when it throws
  // Whether the expression becomes true before long.
  bool waitFor(const QString& script);
  void saveScreenshot(const QString& file);

  const QStringList& requests() const { return m_requests; }  // addresses that pages asked for
  const QStringList& faults() const { return m_faults; }      // what pages wrote to the console as errors

 private:
  QJsonObject call(const QString& method, const QJsonObject& parameters = {});
  std::optional<QJsonObject> message(int patienceMs);
  void hear(const QJsonObject& event);
  void waitForLoad();
  void give(const QByteArray& bytes);

  QTemporaryDir m_folder;
  QProcess m_process;
  int m_write = -1, m_read = -1;  // our ends of the pipes
  QByteArray m_buffer;
  QString m_session, m_complaint;
  QStringList m_requests, m_faults;
  int m_last = 0;
  bool m_isLoaded = false;
};

}  // namespace vitrine::test

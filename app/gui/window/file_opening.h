// FileOpening: opens files without being told their kind: those named on the command line, dropped on the
// window, or handed over by a later start. Thread: the window's. Read next: file_kind.h.
#pragma once

#include <QObject>
#include <QStringList>
#include <vector>

#include "gui/window/file_kind.h"

namespace vitrine {

class BenchOpening;
class Chats;
class ChatView;
class ModelLoading;
class RunArchive;

class FileOpening : public QObject {
  Q_OBJECT

 public:
  struct Targets {
    ModelLoading& loading;
    RunArchive& archive;
    BenchOpening& bench;
    Chats& chats;
    const ChatView& chat;  // files of no other kind go with its next message; see goesToChat()
  };

  FileOpening(const Targets& targets, QWidget* window);  // which takes drops from now on

  void open(const QStringList& files);

 signals:
  void taking();  // what was said of files before is over
  void modelChosen(const QString& path);
  void lessonChosen(const QString& path);
  void machineWanted();  // what was opened makes no machine, but is used beside one
  void ended();          // each file was opened or refused, with a message

 protected:
  bool eventFilter(QObject* window, QEvent* event) override;

 private:
  void openAs(FileKind kind, const QString& path);
  void import(const QStringList& files);
  void giveToChat(const QStringList& files);
  bool goesToChat(FileKind kind, const QString& path) const;
  bool takesDrop(const QStringList& files) const;

  const Targets m_to;
};

}  // namespace vitrine

#include "gui/window/handed_start.h"

#include <QApplication>
#include <QFile>
#include <QFileInfo>
#include <algorithm>

#include "gui/help/welcome_opening.h"
#include "gui/window/file_opening.h"
#include "gui/window/main_window.h"

namespace vitrine {

namespace {

std::string pathBytes(const QString& path) {
  return path.isEmpty() ? std::string() : QFile::encodeName(QFileInfo(path).absoluteFilePath()).toStdString();
}

QString fromBytes(const std::string& path) { return QFile::decodeName(QByteArray::fromStdString(path)); }

QStringList filesOf(const StartRequest& request) {
  QStringList files;
  for (const std::string& file : request.files) files << fromBytes(file);
  return files;
}

// Else the window comes to the front, and that is all.
bool asksFor(const StartRequest& request) {
  return !request.files.empty() || !request.model.empty() || !request.perspective.empty();
}

// The first page is no question: it goes for what is opened.
QWidget* waitingDialog() {
  QWidget* const dialog = QApplication::activeModalWidget();
  return qobject_cast<WelcomeDialog*>(dialog) ? nullptr : dialog;
}

}  // namespace

StartRequest startRequest(const QStringList& files, const QString& model, const QString& perspective,
                          const QByteArray& activation) {
  StartRequest request{perspective.toStdString(), pathBytes(model), activation.toStdString(), {}};
  for (const QString& file : files) request.files.push_back(pathBytes(file));
  return request;
}

HandedStart::HandedStart(MainWindow& window) : m_window(window) {}

bool HandedStart::takes(const StartRequest& request) const {
  return !asksFor(request) || waitingDialog() == nullptr;
}

void HandedStart::begin(const StartRequest& request) {
  const QStringList files = filesOf(request);
  Perspective first = Perspectives::fromKey(Settings().perspectiveAtStart());
  if (!request.perspective.empty())
    first = Perspectives::fromKey(QString::fromStdString(request.perspective));
  else if (std::ranges::any_of(files, isForChat))
    first = Perspective::kChat;
  m_window.showPerspective(first);
  // After a crash the chat that was cut is in front: a file is no word in it.
  if (m_window.chats().isAlone() && m_window.chats().desk().shown() != 0 &&
      std::ranges::any_of(files, isForChat))
    m_window.chats().beginInFront();
  if (asksFor(request) || !m_window.welcome().openAtFirstStart()) openWhatIsNamed(request, true);
}

void HandedStart::beginAttached(const watch::ServerPlace& server, const StartRequest& request) {
  const QString perspective = QString::fromStdString(request.perspective);
  m_window.showPerspective(perspective.isEmpty() ? Perspective::kStep : Perspectives::fromKey(perspective));
  m_window.attach(server);
}

void HandedStart::open(const StartRequest& request) {
  comeToFront(request);
  const bool wasEmpty = asksFor(request) && m_window.welcome().leave();
  if (!request.perspective.empty())
    m_window.showPerspective(Perspectives::fromKey(QString::fromStdString(request.perspective)));
  openWhatIsNamed(request, wasEmpty);
}

// Files win over a model, except those that the chat asks it about.
void HandedStart::openWhatIsNamed(const StartRequest& request, bool needsModel) {
  const QStringList files = filesOf(request);
  if (std::ranges::all_of(files, isForChat)) {  // none, too
    if (!request.model.empty())
      m_window.openModel(fromBytes(request.model));
    else if (needsModel)
      m_window.openModel(Settings().modelAtStart());
  }
  if (!files.isEmpty()) m_window.files().open(files);
}

void HandedStart::comeToFront(const StartRequest& request) {
  if (!request.activation.empty())  // Wayland lets no window come forward without the start's token
    qputenv("XDG_ACTIVATION_TOKEN", QByteArray::fromStdString(request.activation));
  m_window.setWindowState(m_window.windowState() & ~Qt::WindowMinimized);
  m_window.show();
  QWidget* const dialog = QApplication::activeModalWidget();
  QWidget* const front = dialog ? dialog : &m_window;
  m_window.raise();
  front->raise();
  front->activateWindow();
}

}  // namespace vitrine

#include "moc_handed_start.cpp"

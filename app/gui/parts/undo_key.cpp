#include "gui/parts/undo_key.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextDocument>
#include <QTextEdit>

namespace vitrine {
namespace {

bool hasNothingToUndo(const QWidget* field) {
  if (const auto* line = qobject_cast<const QLineEdit*>(field)) return !line->isUndoAvailable();
  if (const auto* plain = qobject_cast<const QPlainTextEdit*>(field))
    return !plain->document()->isUndoAvailable();
  if (const auto* text = qobject_cast<const QTextEdit*>(field)) return !text->document()->isUndoAvailable();
  return false;
}

}  // namespace

UndoKey::UndoKey(QAction& action, QWidget* window) : QObject(&action), m_action(action), m_window(window) {
  qApp->installEventFilter(this);
}

// A text field claims the key with this event in any case; a key that is not claimed is the action's.
bool UndoKey::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride || !m_action.isEnabled()) return false;
  const auto* field = qobject_cast<QWidget*>(watched);
  if (field == nullptr || field->window() != m_window || !field->hasFocus()) return false;
  if (!static_cast<QKeyEvent*>(event)->matches(QKeySequence::Undo) || !hasNothingToUndo(field)) return false;
  event->ignore();
  return true;
}

}  // namespace vitrine

#include "moc_undo_key.cpp"

// Vitrine, the desktop program.
#include <QApplication>
#include <QCommandLineParser>

#include "main_window.h"
#include "widgets/support/theme.h"
#include "widgets/support/translations.h"

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  QApplication::setOrganizationName(QStringLiteral("Vitrine"));
  QApplication::setApplicationName(QStringLiteral("Vitrine"));
  QApplication::setApplicationVersion(QStringLiteral(VITRINE_VERSION));
  QApplication::setFont(vitrine::readable(QApplication::font()));
  vitrine::installTranslations(app);

  QCommandLineParser parser;
  parser.setApplicationDescription(
      QApplication::translate("main", "Learn how LLM inference works, by looking."));
  parser.addHelpOption();
  parser.addVersionOption();
  const QCommandLineOption model(QStringLiteral("model"),
                                 QApplication::translate("main", "A Hugging Face model folder to open."),
                                 QStringLiteral("folder"));
  const QCommandLineOption perspective(QStringLiteral("perspective"),
                                       QApplication::translate("main", "Start with chat, step or present."),
                                       QStringLiteral("name"));
  parser.addOptions({model, perspective});
  parser.process(app);

  vitrine::MainWindow window;
  vitrine::Settings settings;
  window.show();
  window.showPerspective(vitrine::Perspectives::fromKey(parser.isSet(perspective) ? parser.value(perspective)
                                                                                  : settings.perspective()));
  window.openModel(parser.isSet(model) ? parser.value(model) : settings.lastModel());
  return QApplication::exec();
}

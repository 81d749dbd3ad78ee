// The window of the models on this computer, on a made-up home: the table has what the search and the
// estimate say, a model is opened by keys and by the mouse, one that cannot be opened is a message, and a
// model is downloaded from a hub in this process. Everything is there with the keyboard alone and on small
// screens.
#include "gui/library/models_window.h"

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeWidget>

#include "gui/inspect/inspect_window.h"
#include "gui/library/models_download.h"
#include "gui/library/models_list.h"
#include "gui/library/models_offers.h"
#include "gui/library/models_opening.h"
#include "gui/library/models_table_model.h"
#include "gui/models_home.h"
#include "gui/parts/focus_ring.h"
#include "gui/parts/message_bar.h"
#include "gui/settings/settings.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/support/formats.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

using Column = ModelsTableModel::Column;

void typeInto(QSpinBox* box, int value) {
  box->setFocus();
  box->selectAll();
  QTest::keyClicks(box, QString::number(value));
  QTest::keyClick(box, Qt::Key_Return);
}

void doubleClick(DataTableView* table, int row) {
  const QPoint place = table->visualRect(table->model()->index(row, 0)).center();
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, place);
  QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, place);
}

// A label, button or field that is cut; empty: none is.
QString whatDoesNotFit(ModelsWindow& window) {
  for (const QWidget* part : window.findChildren<QWidget*>()) {
    const auto* label = qobject_cast<const QLabel*>(part);
    const bool counts =
        label || qobject_cast<const QPushButton*>(part) || qobject_cast<const QSpinBox*>(part);
    if (!counts || !part->isVisible() || part->isWindow()) continue;
    const QRect place(part->mapTo(&window, QPoint()), part->size());
    const int needed =
        part->hasHeightForWidth() ? part->heightForWidth(part->width()) : part->minimumSizeHint().height();
    if (!window.rect().contains(place) || part->height() < needed)
      return QStringLiteral("%1 %2: %3 of %4")
          .arg(part->metaObject()->className(), label ? label->text() : part->accessibleName())
          .arg(part->height())
          .arg(needed);
  }
  return {};
}

// The stops of Tab on the page that is shown.
QList<QWidget*> stopsOf(ModelsWindow& window, QString& problem) {
  const auto* ring = window.findChild<FocusRing*>();
  QList<QWidget*> seen;
  window.pages()->tabBar()->setFocus();
  for (int i = 0; i < 40; ++i) {
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QWidget* const now = QApplication::focusWidget();
    if (now == nullptr || seen.contains(now)) break;
    seen << now;
    const auto* button = qobject_cast<QAbstractButton*>(now);
    if (now->accessibleName().isEmpty() && (!button || button->text().isEmpty()))
      problem += QLatin1String(now->metaObject()->className()) + " has no name. ";
    if (!now->isVisible() || ring->around() != now) problem += now->accessibleName() + " is not framed. ";
  }
  return seen;
}

}  // namespace

class TestModelsWindow : public QObject {
  Q_OBJECT

 private:
  WindowSurroundings m_surroundings;

 private slots:
  // What the pool of the selected model would have, before it is opened, and the part of the memory that
  // decides.
  void theKvMemoryIsSaidAndChosen() {
    const Home home;
    Shown shown(home.places());
    QVERIFY(shown.search());
    shown.choose(home.small());
    const FoundModel model = home.model(home.small());
    const auto wordsOf = [&](KvShare share) {
      const KvPool pool = fitKvPool(model, {}, home.available, share);
      return QString("%1, %2 tokens for all chats").arg(dataSizeText(pool.bytes), formatCount(pool.tokens));
    };
    ModelsList& list = shown.window.list();
    QCOMPARE(list.pool()->text(), wordsOf(KvShare::kHalf));
    QSignalSpy chosen(&shown.window, &ModelsWindow::shareChosen);
    list.share()->setFocus();
    QTest::keyClick(list.share(), Qt::Key_Down);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen[0][0].value<KvShare>(), KvShare::kMost);
    QCOMPARE(list.pool()->text(), wordsOf(KvShare::kMost));
    EngineOptions options;
    options.numBlocks = 100;
    shown.window.setPool(options, KvShare::kQuarter);
    QCOMPARE(list.pool()->text(), QString("1,600 tokens, as the machine options say."));
    QVERIFY(!list.share()->isEnabled());
    shown.choose(home.broken());
    QCOMPARE(list.pool()->text(), QString());
  }

  void initTestCase() { QVERIFY(m_surroundings.prepare()); }
  void init() { QSettings().clear(); }

  void theTableHasWhatSearchAndEstimateSay() {
    const Home home;
    Shown shown(home.places());
    shown.window.setFolders({home.at("mine")});
    shown.window.setRoof(20);
    QVERIFY(shown.search());
    const QList<FoundModel> models = home.models({home.at("mine")});
    QCOMPARE(models.size(), 4);
    QCOMPARE(shown.rows().rowCount(), 4);
    for (const int context : {0, 100}) {
      typeInto(shown.window.list().context(), context);
      for (const FoundModel& model : models) {
        const ModelEstimate estimate = estimateModel(model, context, {kPlenty, 20});
        const auto number = [&](Column column) {
          return shown.cell(model.path, column, Qt::EditRole).toDouble();
        };
        QCOMPARE(shown.cell(model.path, Column::kName), model.name);
        QCOMPARE(shown.cell(model.path, Column::kProgram), programName(model.program));
        QCOMPARE(shown.cell(model.path, Column::kFamily), model.family);
        QCOMPARE(shown.cell(model.path, Column::kType), model.quantization);
        QCOMPARE(number(Column::kBytes), double(model.bytes));
        QCOMPARE(number(Column::kContext), double(model.contextLength));
        QCOMPARE(number(Column::kMemory), double(estimate.bytes()));
        QCOMPARE(number(Column::kSpeed), estimate.tokensPerSecond);
        QCOMPARE(shown.cell(model.path, Column::kFit), model.opens ? "yes" : "no");
      }
    }
    QCOMPARE(shown.window.leftOut()->model()->rowCount(), 1);
    QVERIFY(shown.window.leftOut()->csv().contains("mmproj-small.gguf"));
    QCOMPARE(shown.window.pages()->tabText(ModelsWindow::kLeftOut), "Left out (1)");
  }

  void theReasonOfTheSelectedModelIsInWords() {
    Home home;
    const FoundModel small = home.model(home.small());
    // The weights fit, and so does a short context, but not a whole one.
    home.available = small.weightBytes + small.cacheBytesPerToken * 8;
    Shown shown(home.places());
    QVERIFY(shown.search());
    shown.choose(home.small());
    const auto reason = [&] { return shown.window.list().reason()->text(); };
    typeInto(shown.window.list().context(), 8);
    QCOMPARE(shown.cell(home.small(), Column::kFit), "tight");
    QVERIFY2(reason().startsWith("tight: It needs ") && reason().contains("speed follows"),
             qPrintable(reason()));
    typeInto(shown.window.list().context(), 64);
    QCOMPARE(shown.cell(home.small(), Column::kFit), "no");
    QVERIFY2(reason().startsWith("no: It needs ") && reason().contains("with this context"),
             qPrintable(reason()));
    shown.window.setRoof(20);
    QVERIFY2(reason().contains("tok/s when the context is full"), qPrintable(reason()));
    shown.choose(home.broken());
    const QString broken = home.model(home.broken()).reason;
    QVERIFY2(reason().contains(broken) && !broken.isEmpty(), qPrintable(reason()));
  }

  void filterAndOrderKeepTheSelection() {
    const Home home;
    Shown shown(home.places());
    QVERIFY(shown.search());
    shown.choose(home.small());
    shown.window.list().filter()->setFocus();
    QTest::keyClicks(shown.window.list().filter(), "studio SMALL");
    QCOMPARE(shown.rows().rowCount(), 1);
    QCOMPARE(shown.chosen(), home.small());
    shown.window.list().filter()->clear();
    QCOMPARE(shown.rows().rowCount(), 3);
    QHeaderView* const header = shown.table()->horizontalHeader();
    for (int click = 0; click < 2; ++click) {
      QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                        {header->sectionViewportPosition(Column::kName) + 20, header->height() / 2});
      QStringList names, inOrder;
      for (int row = 0; row < 3; ++row) names << shown.rows().at(row).model.name;
      inOrder = names;
      const bool up = header->sortIndicatorOrder() == Qt::AscendingOrder;
      std::ranges::sort(inOrder, [up](const QString& a, const QString& b) { return up ? a < b : b < a; });
      QCOMPARE(names, inOrder);
      QCOMPARE(shown.chosen(), home.small());
    }
    // A new search finds it again.
    press(shown.window.list().again());
    QVERIFY(waitUntil([&] { return !shown.window.isSearching(); }));
    QCOMPARE(shown.chosen(), home.small());
  }

  void keysOpenAModelInTheMainWindow() {
    const Home home;
    ShownWindow w;
    w.window.models().setPlaces(home.places());
    QVERIFY(w.openModel());
    QTest::keyClick(&w.window, Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
    auto* const window = w.window.findChild<ModelsWindow*>();
    QVERIFY(window != nullptr && window->isVisible());
    QVERIFY(waitUntil([&] { return !window->isSearching(); }));
    // Its machine has been measured.
    QVERIFY(waitUntil([&] { return window->list().model().at(0).estimate.tokensPerSecond > 0; }));
    QTest::keyClicks(window->list().filter(), "small");
    window->list().table()->setFocus();
    QTest::keyClick(window->list().table(), Qt::Key_Home);
    QTest::keyClick(window->list().table(), Qt::Key_Return);
    QVERIFY(!window->isVisible());
    QVERIFY(waitUntil([&] { return Settings().lastModel() == home.small(); }));
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));

    w.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&w.window));
    QTest::keyClick(&w.window, Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(w.window.findChildren<ModelsWindow*>().size(), 1);
    QVERIFY(window->isVisible());
    QTest::keyClick(window, Qt::Key_Escape);
    QVERIFY(!window->isVisible());
  }

  void aDoubleClickOpensAndAClickDoesNot() {
    const Home home;
    Shown shown(home.places());
    QVERIFY(shown.search());
    QSignalSpy chosen(&shown.window, &ModelsWindow::modelChosen);
    const int row = shown.rows().rowOf(home.small());
    QTest::mouseClick(shown.table()->viewport(), Qt::LeftButton, {},
                      shown.table()->visualRect(shown.rows().index(row, 0)).center());
    QCOMPARE(shown.chosen(), home.small());
    QCOMPARE(chosen.size(), 0);
    doubleClick(shown.table(), row);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen[0][0].toString(), home.small());
    QVERIFY(!shown.window.isVisible());
  }

  void whatCannotBeOpenedIsAMessage() {
    Home home;
    home.available = 1000;
    Shown shown(home.places());
    QVERIFY(shown.search());
    QSignalSpy chosen(&shown.window, &ModelsWindow::modelChosen);
    const auto message = [&] { return shown.window.messages().text(); };
    shown.choose(home.broken());
    press(shown.window.list().open());
    QVERIFY2(message().contains("cannot be opened"), qPrintable(message()));
    shown.choose(home.small());
    press(shown.window.list().open());
    QVERIFY2(message().contains("weights alone") && message().contains("once more"), qPrintable(message()));
    QVERIFY(QFile::remove(home.small()));
    press(shown.window.list().open());
    QVERIFY2(message().contains("not there any more"), qPrintable(message()));
    QCOMPARE(chosen.size(), 0);
    home.put("lm/owner/small/small.gguf", "back");
    press(shown.window.list().open());
    QCOMPARE(chosen.size(), 1);
  }

  void whatIsInsideIsShown() {
    const Home home;
    ShownWindow w;
    w.window.models().setPlaces(home.places());
    ModelsWindow* const window = w.window.models().open();
    QVERIFY(waitUntil([&] { return !window->isSearching(); }));
    window->list().choose(home.small());
    press(window->list().inside());
    auto* const inside = w.window.findChild<InspectWindow*>();
    QVERIFY(inside != nullptr && inside->isVisible());
    QVERIFY(waitUntil([&] { return inside->model() == home.small(); }));
  }

  void aFolderOfOnesOwnIsSearchedAndForgotten() {
    const Home home;
    ShownWindow w;
    w.window.models().setPlaces(home.places());
    ModelsWindow* const window = w.window.models().open();
    w.window.models().addFolder(home.at("mine"));
    QVERIFY(waitUntil([&] { return !window->isSearching(); }));
    QVERIFY(window->list().model().rowOf(home.at("mine/third.gguf")) >= 0);
    QCOMPARE(Settings().modelFolders(), QStringList{home.at("mine")});
    QAction* const forget = window->list().folders()->menu()->actions().last();
    QCOMPARE(forget->text(), "Forget " + home.at("mine"));
    forget->trigger();
    QVERIFY(waitUntil([&] { return !window->isSearching(); }));
    QVERIFY(window->list().model().rowOf(home.at("mine/third.gguf")) < 0);
    QVERIFY(Settings().modelFolders().isEmpty());
  }

  void aHomeWithoutModelsIsSaidSo() {
    const Home home;
    ModelsPlaces places = home.places();
    places.roots = [&](const QStringList&) { return ModelRoots{{{ModelProgram::kOllama, home.at("none")}}}; };
    Shown shown(places);
    QVERIFY(shown.search());
    QCOMPARE(shown.rows().rowCount(), 0);
    QVERIFY(!shown.window.list().open()->isEnabled() && !shown.window.list().inside()->isEnabled());
    QTest::keyClick(shown.table(), Qt::Key_Return);
    QVERIFY(shown.window.isVisible());
  }

  void aModelIsListedAndDownloaded() {
    const Home home;
    HubServer hub;
    const QByteArray content = contentOf(golden("mistral.gguf"));
    hub.files = {{"m-Q4_K_M.gguf", {content}}, {"m-Q8_0.gguf", {noise(2 * content.size())}}};
    Shown shown(home.places(settingsFor(hub)));
    QVERIFY(shown.download().promise()->text().contains("before you type words or press List"));
    shown.window.pages()->setCurrentIndex(ModelsWindow::kGet);
    QTest::keyClicks(shown.download().address(), "owner/model");
    QCOMPARE(hub.connectionCount() + hub.seen.size(), 0);
    QVERIFY(shown.list());
    QTreeWidget* const choices = shown.download().choices();
    QCOMPARE(choices->topLevelItemCount(), 2);
    QCOMPARE(choices->currentItem()->text(0), "Q4_K_M");
    QCOMPARE(choices->currentItem()->text(1), dataSizeText(content.size()));
    QCOMPARE(choices->currentItem()->text(2), "suggested");
    const QString place = shown.download().place()->text();
    QVERIFY2(place.contains(home.at("vitrine/owner/model")) && place.contains("1.0 TiB are free"),
             qPrintable(place));
    QCOMPARE(hub.seenFor("resolve").size(), 0);
    press(shown.download().start());
    QVERIFY(shown.isAt(DownloadState::kFinished));
    const QString path = home.at("vitrine/owner/model/m-Q4_K_M.gguf");
    QVERIFY(contentOf(path) == content);
    QVERIFY(waitUntil([&] { return shown.chosen() == path; }));
    QVERIFY(shown.window.messages().text().contains("has been downloaded"));
    QCOMPARE(shown.download().progress()->value(), shown.download().progress()->maximum());
  }

  void aDownloadIsPausedGoneOnWithAndCancelled() {
    const Home home;
    HubServer hub;
    const QByteArray content = noise(600'000);
    hub.files = {{"m-Q4_K_M.gguf", {content}}};
    hub.holdAfter = 200'000;
    Shown shown(home.places(settingsFor(hub)));
    QVERIFY(shown.list());
    ModelsDownload& download = shown.download();
    press(download.start());
    const QString part = home.at("vitrine/owner/model/m-Q4_K_M.gguf.part");
    QVERIFY(waitUntil([&] { return QFileInfo(part).size() == 200'000; }));
    QVERIFY(waitUntil([&] { return download.words()->text().contains(dataSizeText(600'000)); }));
    QVERIFY(!download.list()->isEnabled() && !download.start()->isEnabled());
    press(download.pause());
    QVERIFY(shown.isAt(DownloadState::kPaused));
    QCOMPARE(download.pause()->text(), "&Resume");
    QCOMPARE(QFileInfo(part).size(), 200'000);
    hub.holdAfter = 400'000;
    press(download.pause());
    QVERIFY(waitUntil([&] { return QFileInfo(part).size() >= 400'000; }));
    press(download.cancel());
    QVERIFY(shown.isAt(DownloadState::kCancelled));
    QVERIFY(waitUntil([&] { return !QFileInfo::exists(part); }));
    QVERIFY(download.start()->isEnabled() && !download.cancel()->isEnabled());
    hub.holdAfter = -1;
    press(download.start());
    QVERIFY(shown.isAt(DownloadState::kFinished));
    QVERIFY(contentOf(home.at("vitrine/owner/model/m-Q4_K_M.gguf")) == content);
  }

  void failuresAreInWordsAndMended() {
    const Home home;
    HubServer hub;
    const QByteArray content = noise(1000);
    hub.files = {{"m-Q4_K_M.gguf", {content}}};
    Shown shown(home.places(settingsFor(hub)));
    const auto message = [&] { return shown.window.messages().text(); };
    shown.window.pages()->setCurrentIndex(ModelsWindow::kGet);
    QTest::keyClicks(shown.download().address(), "no model");
    QTest::keyClick(shown.download().address(), Qt::Key_Return);
    QVERIFY(shown.window.messages().isVisible() && hub.seen.isEmpty());
    hub.statusAlways = 404;
    QVERIFY(!message().isEmpty());
    shown.download().address()->clear();
    QTest::keyClicks(shown.download().address(), "owner/gone");
    press(shown.download().list());
    QVERIFY(shown.isAt(DownloadState::kFailed));
    QVERIFY(waitUntil([&] { return message().contains("owner/gone"); }));
    QVERIFY(!shown.download().pause()->isEnabled() && shown.download().list()->isEnabled());
    hub.statusAlways = 0;
    QVERIFY(shown.list());
    QVERIFY(!shown.window.messages().isVisible());
    hub.files["m-Q4_K_M.gguf"].content = noise(1000, 2);  // not the bytes that were listed
    press(shown.download().start());
    QVERIFY(shown.isAt(DownloadState::kFailed));
    QVERIFY(waitUntil([&] { return shown.window.messages().isVisible(); }));
    hub.files["m-Q4_K_M.gguf"].content = content;
    QCOMPARE(shown.download().pause()->text(), "&Resume");
    press(shown.download().pause());
    QVERIFY(shown.isAt(DownloadState::kFinished));
  }

  void aDownloadGoesOnWhenTheWindowIsClosed() {
    const Home home;
    HubServer hub;
    hub.files = {{"m-Q4_K_M.gguf", {contentOf(golden("mistral.gguf"))}}};
    ShownWindow w;
    w.window.models().setPlaces(home.places(settingsFor(hub)));
    ModelsWindow* const window = w.window.models().open();
    window->pages()->setCurrentIndex(ModelsWindow::kGet);
    QTest::keyClicks(window->download().address(), "owner/model");
    press(window->download().list());
    QVERIFY(waitUntil([&] { return window->download().start()->isEnabled(); }));
    hub.holdAfter = 100;
    press(window->download().start());
    QVERIFY(waitUntil([&] { return !hub.seenFor("resolve").isEmpty(); }));
    press(window->download().pause());
    QVERIFY(waitUntil([&] { return window->download().state() == DownloadState::kPaused; }));
    hub.holdAfter = -1;
    press(window->download().pause());
    window->close();
    QVERIFY(waitUntil([&] { return w.window.messages().text().contains("has been downloaded"); }));
  }

  void aFinishedDownloadIsOpened_data() {
    QTest::addColumn<bool>("byKeys");
    QTest::newRow("by the button") << false;
    QTest::newRow("by its letter") << true;
  }
  void aFinishedDownloadIsOpened() {
    QFETCH(bool, byKeys);
    const Home home;
    HubServer hub;
    hub.files = {{"m-Q4_K_M.gguf", {contentOf(golden("mistral.gguf"))}}};
    ShownWindow w;
    w.window.models().setPlaces(home.places(settingsFor(hub)));
    QVERIFY(w.openModel());
    ModelsWindow* const window = w.window.models().open();
    window->pages()->setCurrentIndex(ModelsWindow::kGet);
    ModelsDownload& download = window->download();
    QTest::keyClicks(download.address(), "owner/model");
    QTest::keyClick(download.address(), Qt::Key_Return);
    QVERIFY(waitUntil([&] { return download.start()->isEnabled(); }));
    QVERIFY(!download.open()->isVisible());
    press(download.start());
    QVERIFY(waitUntil([&] { return download.open()->isVisible(); }));
    QVERIFY(QTest::qWaitForWindowActive(window));
    // Words that leave it out do not keep it from being opened.
    window->list().filter()->setText("other");
    if (byKeys)
      QTest::keyClick(window, Qt::Key_O, Qt::AltModifier);
    else
      press(download.open());
    const QString path = home.at("vitrine/owner/model/m-Q4_K_M.gguf");
    QVERIFY(waitUntil([&] { return !window->isVisible(); }));
    QVERIFY(waitUntil([&] { return Settings().lastModel() == path; }));
    QVERIFY(waitForMode(w.window, MachineMode::kPaused));
  }

  void theMessageOfAFinishedDownloadOpensIt() {
    const Home home;
    HubServer hub;
    hub.files = {{"m-Q4_K_M.gguf", {contentOf(golden("mistral.gguf"))}}};
    Shown shown(home.places(settingsFor(hub)));
    QSignalSpy chosen(&shown.window, &ModelsWindow::modelChosen);
    QVERIFY(shown.list());
    press(shown.download().start());
    QVERIFY(waitUntil([&] { return shown.window.messages().text().contains("has been downloaded"); }));
    QToolButton* button = nullptr;
    for (auto* one : shown.window.messages().findChildren<QToolButton*>())
      if (one->isVisible() && one->text() == "Open") button = one;
    QVERIFY(button != nullptr);
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(waitUntil([&] { return chosen.size() == 1; }));
    QCOMPARE(chosen[0][0].toString(), home.at("vitrine/owner/model/m-Q4_K_M.gguf"));
  }

  void aDownloadThatIsGoneIsSaid() {
    const Home home;
    HubServer hub;
    hub.files = {{"m-Q4_K_M.gguf", {contentOf(golden("mistral.gguf"))}}};
    Shown shown(home.places(settingsFor(hub)));
    QSignalSpy chosen(&shown.window, &ModelsWindow::modelChosen);
    QVERIFY(shown.list());
    press(shown.download().start());
    QVERIFY(waitUntil([&] { return shown.download().open()->isVisible(); }));
    QVERIFY(waitUntil([&] { return !shown.window.isSearching(); }));
    QVERIFY(QFile::remove(home.at("vitrine/owner/model/m-Q4_K_M.gguf")));
    press(shown.download().open());
    QVERIFY(waitUntil([&] { return shown.window.messages().text().contains("not there any more"); }));
    QVERIFY(shown.search());
    press(shown.download().open());
    QVERIFY(waitUntil([&] { return shown.window.messages().text().contains("Download it again"); }));
    QCOMPARE(chosen.size(), 0);
    // Another list takes the button away.
    QVERIFY(shown.list());
    QVERIFY(!shown.download().open()->isVisible());
  }

  void theKeyboardReachesEverything() {
    const Home home;
    HubServer hub;
    hub.files = {{"m-Q4_K_M.gguf", {noise(1000)}}};
    Shown shown(home.places(settingsFor(hub)));
    QVERIFY(shown.search());
    QVERIFY(QTest::qWaitForWindowActive(&shown.window));
    QString problem;
    ModelsList& list = shown.window.list();
    const QList<QWidget*> here = stopsOf(shown.window, problem);
    QCOMPARE(problem, QString());
    const QList<QWidget*> wanted{list.filter(), list.context(), list.table(), list.open(),
                                 list.inside(), list.folders(), list.again()};
    QList<QWidget*> order;
    for (QWidget* stop : here)
      if (wanted.contains(stop)) order << stop;
    QCOMPARE(order, wanted);
    shown.window.pages()->tabBar()->setFocus();
    QTest::keyClick(shown.window.pages()->tabBar(), Qt::Key_Right);
    QCOMPARE(shown.window.pages()->currentIndex(), int(ModelsWindow::kGet));
    QVERIFY(shown.list());
    ModelsDownload& download = shown.download();
    QVERIFY(waitUntil([&] { return download.list()->isEnabled() && download.start()->isEnabled(); }));
    QVERIFY(QTest::qWaitForWindowActive(&shown.window));
    const QList<QWidget*> get = stopsOf(shown.window, problem);
    QCOMPARE(problem, QString());
    for (QWidget* part :
         QList<QWidget*>{download.offers().words(), download.offers().offers(), download.address(),
                         download.list(), download.choices(), download.start()})
      QVERIFY2(get.contains(part), qPrintable(part->accessibleName()));
    shown.window.pages()->setCurrentIndex(ModelsWindow::kLeftOut);
    QVERIFY(stopsOf(shown.window, problem).contains(shown.window.leftOut()));
    QCOMPARE(problem, QString());
    QTest::keyClick(&shown.window, Qt::Key_Escape);
    QVERIFY(!shown.window.isVisible());
  }

  void everythingFits_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("percent");
    for (const QSize size : {QSize(1024, 700), QSize(1366, 768), QSize(1920, 1080)})
      for (const int percent : {100, 150})
        QTest::newRow(
            qPrintable(QStringLiteral("%1x%2 %3").arg(size.width()).arg(size.height()).arg(percent)))
            << size << percent;
  }
  // No part lies outside, no line of text is cut, and all columns that are shown are in sight.
  void everythingFits() {
    QFETCH(QSize, size);
    QFETCH(int, percent);
    const QFont before = QApplication::font();
    QFont larger = before;
    larger.setPointSizeF(before.pointSizeF() * percent / 100);
    QApplication::setFont(larger);
    {
      const Home home;
      Shown shown(home.places(), size);
      shown.window.setRoof(20);
      QVERIFY(shown.search());
      shown.choose(home.small());
      QTRY_COMPARE_WITH_TIMEOUT(shown.window.size(), size, kPatience);
      QTRY_COMPARE_WITH_TIMEOUT(whatDoesNotFit(shown.window), QString(), kPatience);
      QHeaderView* const header = shown.table()->horizontalHeader();
      QTRY_VERIFY_WITH_TIMEOUT(header->length() <= shown.table()->viewport()->width(), kPatience);
      const int letters = header->sectionSize(Column::kName) / header->fontMetrics().averageCharWidth();
      QVERIFY2(letters > 15, qPrintable(QString::number(letters)));
      shown.window.pages()->setCurrentIndex(ModelsWindow::kGet);
      QTRY_COMPARE_WITH_TIMEOUT(whatDoesNotFit(shown.window), QString(), kPatience);
    }
    QApplication::setFont(before);
  }
};

QTEST_MAIN(TestModelsWindow)
#include "tst_models_window.moc"

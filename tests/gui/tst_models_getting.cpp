// The models that are offered, on the shelf and by words: by mouse and keys, against a hub in this process.
// The hub is asked once when typing pauses; without a network the rest of the page works.
#include <QLabel>
#include <QSpinBox>
#include <QTreeWidget>
#include <atomic>

#include "catalog/hub_shelf.h"
#include "gui/library/models_offers.h"
#include "gui/models_home.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

enum OfferColumn { kModel, kParameters, kFamily, kDownloads, kHere };

QStringList column(const QTreeWidget* tree, int which) {
  QStringList cells;
  for (int row = 0; row < tree->topLevelItemCount(); ++row) cells << tree->topLevelItem(row)->text(which);
  return cells;
}

void clickRow(QTreeWidget* tree, int row) {
  QTest::mouseClick(tree->viewport(), Qt::LeftButton, {},
                    tree->visualItemRect(tree->topLevelItem(row)).center());
}

// The page with the models of a hub.
struct Getting {
  explicit Getting(const Home& home, const DownloadSettings& settings) : shown(home.places(settings)) {
    shown.window.pages()->setCurrentIndex(ModelsWindow::kGet);
  }
  ModelsOffers& offers() { return shown.download().offers(); }
  QTreeWidget* tree() { return offers().offers(); }
  QString about() { return offers().about()->text(); }
  void type(const QString& words) {
    offers().words()->setFocus();
    QTest::keyClicks(offers().words(), words);
  }

  Shown shown;
};

}  // namespace

class TestModelsGetting : public QObject {
  Q_OBJECT

 private:
  WindowSurroundings m_surroundings;

 private slots:
  void initTestCase() { QVERIFY(m_surroundings.prepare()); }
  void init() { QSettings().clear(); }

  void theShelfMarksTheFileThatFits() {
    Home home;
    home.available = qint64{3} << 30;
    HubServer hub;
    Getting getting(home, settingsFor(hub));
    QVERIFY(getting.shown.search());
    const QList<HubOffer> shelf = hubShelf();
    QCOMPARE(getting.tree()->topLevelItemCount(), shelf.size());
    const QStringList here = column(getting.tree(), kHere);
    QVERIFY2(here.front().startsWith("Q4_K_M, ") && here.front().endsWith(", fits"),
             qPrintable(here.front()));
    QVERIFY2(here.back().endsWith(", too large"), qPrintable(here.back()));
    QVERIFY(getting.tree()->isColumnHidden(kDownloads));
    QVERIFY(getting.about().startsWith("Good small models"));
    // A longer context needs more memory.
    const auto fitting = [&] {
      return column(getting.tree(), kHere).filter(QRegularExpression(", fits$")).size();
    };
    const auto before = fitting();
    getting.shown.window.list().context()->setValue(30000);
    QVERIFY(fitting() < before);
    QCOMPARE(hub.seen.size(), 0);
  }

  void aModelOfTheShelfIsChosenAndListed() {
    const Home home;
    HubServer hub;
    hub.repository = "Qwen/Qwen3-0.6B-GGUF";
    hub.files = {{"Qwen3-0.6B-Q8_0.gguf", {noise(1000)}}, {"Qwen3-0.6B-Q4_K_M.gguf", {noise(500)}}};
    Getting getting(home, settingsFor(hub));
    QVERIFY(getting.shown.search());
    ModelsDownload& download = getting.shown.download();
    QTreeWidget* const tree = getting.tree();
    const int row = static_cast<int>(column(tree, kModel).indexOf("Qwen3 0.6B"));
    clickRow(tree, row);
    QCOMPARE(download.address()->text(), "Qwen/Qwen3-0.6B-GGUF:Q8_0");
    QCOMPARE(hub.seen.size(), 0);
    QTest::keyClick(tree, Qt::Key_Return);
    QVERIFY(getting.shown.isAt(DownloadState::kListed));
    QVERIFY(waitUntil([&] { return download.choices()->topLevelItemCount() == 2; }));
    QCOMPARE(download.choices()->currentItem()->text(0), "Q8_0");
    QCOMPARE(download.choices()->currentItem()->text(2), "suggested, fits");
    // By keys the selection goes on, and the address with it.
    tree->setFocus();
    QTest::keyClick(tree, Qt::Key_Home);
    QCOMPARE(download.address()->text(), hubShelf().front().repository + ":Q4_K_M");
  }

  void whatIsTypedStaysWhenTheShelfIsPassed() {
    const Home home;
    HubServer hub;
    Getting getting(home, settingsFor(hub));
    QVERIFY(QTest::qWaitForWindowActive(&getting.shown.window));
    QLineEdit* const address = getting.shown.download().address();
    address->setFocus();
    QTest::keyClicks(address, "owner/mine");
    getting.offers().words()->setFocus();
    QTest::keyClick(getting.offers().words(), Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), getting.tree());
    QCOMPARE(address->text(), "owner/mine");
  }

  void wordsAreSearchedWhenTypingPauses() {
    const Home home;
    HubServer hub;
    hub.searches["qwen3"] = R"([
      {"id":"owner/one","downloads":12345,"gguf":{"total":4022468096,"architecture":"qwen3"}},
      {"id":"owner/two","downloads":7,"gguf":{"architecture":"gemma3"}},
      {"id":"owner/<b>three</b>"},{"id":"owner/four"}])";
    hub.repository = "owner/one";
    hub.files = {{"m-Q4_K_M.gguf", {noise(500)}}};
    Getting getting(home, settingsFor(hub));
    getting.type("qwen3");
    QCOMPARE(hub.seen.size(), 0);
    QVERIFY(waitUntil([&] { return getting.about().contains("most downloaded"); }));
    QCOMPARE(hub.seen.size(), 1);
    QCOMPARE(column(getting.tree(), kModel), (QStringList{"owner/one", "owner/two", "owner/four"}));
    QCOMPARE(column(getting.tree(), kParameters), (QStringList{"4.0 billion", "", ""}));
    QCOMPARE(column(getting.tree(), kFamily), (QStringList{"qwen3", "gemma3", ""}));
    QCOMPARE(column(getting.tree(), kDownloads), (QStringList{"12,345", "7", ""}));
    QCOMPARE(column(getting.tree(), kHere), (QStringList{"opens", "does not open", "not known"}));
    QVERIFY(!getting.tree()->isColumnHidden(kDownloads));
    clickRow(getting.tree(), 0);
    QCOMPARE(getting.shown.download().address()->text(), "owner/one");
    QTest::mouseDClick(getting.tree()->viewport(), Qt::LeftButton, {},
                       getting.tree()->visualItemRect(getting.tree()->topLevelItem(0)).center());
    QVERIFY(getting.shown.isAt(DownloadState::kListed));
    // Without words the shelf is back.
    getting.offers().words()->setFocus();
    QTest::keyClick(getting.offers().words(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(getting.offers().words(), Qt::Key_Delete);
    QCOMPARE(getting.tree()->topLevelItemCount(), hubShelf().size());
    QVERIFY(getting.about().startsWith("Good small models"));
  }

  void nothingFoundIsSaid() {
    const Home home;
    HubServer hub;
    Getting getting(home, settingsFor(hub));
    getting.type("zzz");
    QTest::keyClick(getting.offers().words(), Qt::Key_Return);
    QVERIFY(waitUntil([&] { return getting.about().contains("finds no model"); }));
    QCOMPARE(hub.seen.size(), 1);
    QCOMPARE(getting.tree()->topLevelItemCount(), 0);
  }

  // The sentence stands at once, and the shelf and the address work on.
  void offlineIsSaidAndTheRestWorks() {
    const Home home;
    HubServer hub;
    DownloadSettings settings = settingsFor(hub);
    std::atomic<bool> isOnline = false;
    settings.hasNetwork = [&] { return isOnline.load(); };
    Getting getting(home, settings);
    getting.type("qwen3");
    QTest::keyClick(getting.offers().words(), Qt::Key_Return);
    QVERIFY(waitUntil([&] { return getting.about().contains("no network connection"); }));
    QCOMPARE(hub.seen.size(), 0);
    QCOMPARE(getting.tree()->topLevelItemCount(), hubShelf().size());
    clickRow(getting.tree(), 0);
    QVERIFY(!getting.shown.download().address()->text().isEmpty());
    isOnline = true;
    hub.searches["qwen3"] = R"([{"id":"owner/one"}])";
    getting.offers().words()->setFocus();
    QTest::keyClick(getting.offers().words(), Qt::Key_Return);
    QVERIFY(waitUntil([&] { return getting.tree()->topLevelItemCount() == 1; }));
  }

  // While the hub is silent the window answers, and closing it waits for nothing.
  void aSilentHubHoldsNothingUp() {
    const Home home;
    HubServer hub;
    hub.isSilent = true;
    Getting getting(home, settingsFor(hub));
    getting.type("qwen3");
    QTest::keyClick(getting.offers().words(), Qt::Key_Return);
    QVERIFY(waitUntil([&] { return !hub.seen.isEmpty(); }));
    QVERIFY(getting.about().startsWith("Searching"));
    clickRow(getting.tree(), 1);
    QVERIFY(!getting.shown.download().address()->text().isEmpty());
    QTest::keyClick(&getting.shown.window, Qt::Key_Escape);
    QVERIFY(!getting.shown.window.isVisible());
  }
};

QTEST_MAIN(TestModelsGetting)
#include "tst_models_getting.moc"

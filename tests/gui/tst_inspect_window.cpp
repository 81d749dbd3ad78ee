// What is inside a model, in its window: the figures are those of the functions that vitrine-cli inspect
// prints; of tensors chosen quickly the last one's are shown; a model that is broken or gone is a message;
// everything is there with the keyboard alone and on small screens.
#include "gui/inspect/inspect_window.h"

#include <QApplication>
#include <QComboBox>
#include <QDropEvent>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QSpinBox>
#include <QThreadPool>
#include <QToolButton>

#include "gui/inspect/inspect_list.h"
#include "gui/inspect/inspect_opening.h"
#include "gui/inspect/inspect_summary.h"
#include "gui/inspect/inspect_tensor.h"
#include "gui/inspect/inspect_words.h"
#include "gui/parts/focus_ring.h"
#include "gui/parts/message_bar.h"
#include "support/window_bench.h"
#include "vitrine/convert.h"
#include "vitrine/engine.h"
#include "vitrine/inspected_figures.h"
#include "widgets/painting/data_table_view.h"
#include "widgets/support/formats.h"
#include "widgets/support/table_export.h"
#include "widgets/weights/histogram_view.h"
#include "widgets/weights/packed_group_view.h"
#include "widgets/weights/tensor_table_model.h"
#include "widgets/weights/type_shares_bar.h"

using namespace vitrine;
using namespace vitrine::test;

namespace {

QString golden(const char* name) { return QStringLiteral(VITRINE_SOURCE_DIR "/tests/golden/") + name; }

struct Inside {
  InspectWindow window;

  explicit Inside(QSize size = {1366, 768}) {
    window.setAttribute(Qt::WA_DeleteOnClose, false);
    window.resize(size);
    window.show();
  }
  bool look(const QString& model) {
    window.look(model);
    return waitUntil([&] { return window.model() == model && isRead(); });
  }
  bool isRead() {
    const ModelInspector& inspector = window.inspector();
    return window.tensor().isRead() && !inspector.isReading(ModelInspector::Kind::kWeights) &&
           !inspector.isReading(ModelInspector::Kind::kGroup);
  }
  const TensorTableModel& tensors() {
    return *static_cast<const TensorTableModel*>(window.list().tensors()->model());
  }
  std::string chosen() { return window.tensor().tensor().name; }
};

std::vector<std::int64_t> countsOf(const HistogramView& view) {
  std::vector<std::int64_t> counts;
  for (const QString& line : view.csv().split("\r\n").mid(1))
    if (!line.isEmpty()) counts.push_back(line.section(',', 2, 2).toLongLong());
  return counts;
}

std::vector<float> weightsOf(const PackedGroupView& view) {
  std::vector<float> weights;
  for (const QString& line : view.csv().split("\r\n").mid(1))
    if (!line.isEmpty()) weights.push_back(line.section(',', -1).toFloat());
  return weights;
}

// A label, button or field that is cut; empty: none is. What the facts have more is scrolled to.
QString whatDoesNotFit(InspectWindow& window) {
  for (const QWidget* part : window.findChildren<QWidget*>()) {
    const auto* label = qobject_cast<const QLabel*>(part);
    const bool counts =
        label || qobject_cast<const QAbstractButton*>(part) || qobject_cast<const QSpinBox*>(part);
    if (!counts || !part->isVisible() || part->isWindow() || label == window.summary().facts()) continue;
    if (part->parentWidget()->inherits("QAbstractItemView") || part->inherits("QHeaderView")) continue;
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

void typeInto(QSpinBox* box, int value) {
  box->setFocus();
  box->selectAll();
  QTest::keyClicks(box, QString::number(value));
  QTest::keyClick(box, Qt::Key_Return);
}

}  // namespace

class TestInspectWindow : public QObject {
  Q_OBJECT

 private:
  WindowSurroundings m_surroundings;
  QTemporaryDir m_folder;

 private slots:
  void initTestCase() { QVERIFY(m_surroundings.prepare()); }
  void init() { QSettings().clear(); }

  void theMenuOpensTheModelThatIsLoaded() {
    ShownWindow w;
    QVERIFY(w.openModel());
    QTest::keyClick(&w.window, Qt::Key_I, Qt::ControlModifier);
    auto* const window = w.window.findChild<InspectWindow*>();
    QVERIFY(window != nullptr && window->isVisible());
    QVERIFY(waitUntil([&] { return window->tensor().isRead(); }));
    QCOMPARE(window->model().toStdString(), builtinModelDirectory().string());
    QCOMPARE(window->windowTitle(), QString("What is inside Built-in model"));
    // Its machine has been measured.
    QVERIFY(waitUntil([&] { return window->summary().speed()->text().contains("tok/s"); }));
    QCOMPARE(w.window.host().mode(), MachineMode::kPaused);
    QTest::keyClick(&w.window, Qt::Key_I, Qt::ControlModifier);
    QCOMPARE(w.window.findChildren<InspectWindow*>().size(), 1);
    QTest::keyClick(window, Qt::Key_Escape);
    QVERIFY(!window->isVisible());
  }

  void figuresAreThoseOfTheCommandLine_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("tensor");
    QTest::newRow("packed") << golden("gguf/mistral.gguf") << "blk.1.ffn_up.weight";
    QTest::newRow("mixed") << golden("gguf/qwen3.gguf") << "blk.0.attn_q_norm.weight";
    QTest::newRow("folder") << golden("models/qwen2") << "model.layers.1.mlp.up_proj.weight";
  }
  void figuresAreThoseOfTheCommandLine() {
    QFETCH(QString, model);
    QFETCH(QString, tensor);
    const std::filesystem::path path = model.toStdString();
    const InspectedModel whole = inspectModel(path);
    Inside inside;
    QVERIFY(inside.look(model));
    QCOMPARE(inside.tensors().rowCount(), static_cast<int>(whole.tensors.size()));
    for (int row = 0; row < inside.tensors().rowCount(); ++row) {
      const InspectedTensor& one = whole.tensors[static_cast<std::size_t>(row)];
      const auto cell = [&](int column) { return inside.tensors().index(row, column).data(Qt::EditRole); };
      QCOMPARE(cell(TensorTableModel::kName).toString().toStdString(), one.name);
      QCOMPARE(cell(TensorTableModel::kType).toString().toStdString(), one.type);
      QCOMPARE(cell(TensorTableModel::kBytes).toLongLong(), static_cast<qlonglong>(one.bytes));
    }
    InspectSummary& summary = inside.window.summary();
    QCOMPARE(summary.context()->value(), whole.contextLength);
    typeInto(summary.context(), 100);
    QCOMPARE(summary.memory()->text(), memoryText(whole, 100));
    QVERIFY(summary.memory()->text().contains(formatBytes(100 * whole.kvBytesPerToken)));
    QVERIFY(summary.facts()->text().contains(formatCount(whole.vocabularySize)));
    QCOMPARE(summary.types()->text().split('\n').size(), static_cast<int>(typeShares(whole).size()));
    QCOMPARE(inside.window.list().keys()->csv().count("\r\n"), static_cast<int>(whole.keys.size()) + 1);
    QCOMPARE(inside.window.list().chatTemplate()->toPlainText().toStdString(), whole.chatTemplate);

    inside.window.list().choose(tensor.toStdString());
    QVERIFY(waitUntil([&] { return inside.chosen() == tensor.toStdString() && inside.isRead(); }));
    const InspectedWeights weights = inspectWeights(path, tensor.toStdString(), ModelInspector::kBins);
    QCOMPARE(countsOf(*inside.window.tensor().histogram()), weights.histogram);
    QCOMPARE(inside.window.tensor().statistics()->text(), weightsText(weights));
  }

  void aGroupIsOpenedByItsNumbers() {
    const QString model = golden("gguf/mistral.gguf");
    Inside inside;
    QVERIFY(inside.look(model));
    inside.window.list().choose("blk.1.ffn_up.weight");
    QVERIFY(waitUntil([&] { return inside.chosen() == "blk.1.ffn_up.weight" && inside.isRead(); }));
    InspectTensor& tensor = inside.window.tensor();
    QCOMPARE(tensor.row()->maximum(), static_cast<int>(tensor.tensor().rows()) - 1);
    QCOMPARE(tensor.groupNumber()->maximum(), 1);  // 64 inputs in groups of 32
    typeInto(tensor.row(), 3);
    typeInto(tensor.groupNumber(), 1);
    QVERIFY(waitUntil([&] { return inside.isRead(); }));
    const InspectedGroup group = inspectGroup(model.toStdString(), "blk.1.ffn_up.weight", 3, 1);
    QCOMPARE(weightsOf(*tensor.group()), group.weights);
    QTest::keyClick(tensor.group(), Qt::Key_End);
    QVERIFY(tensor.group()->accessibleDescription().startsWith(
        QStringLiteral("input 63: bits %1").arg(group.bits.back(), 4, 2, QLatin1Char('0'))));
    QCOMPARE(tensor.errors()->model()->rowCount(), static_cast<int>(group.errors.size()));
    QCOMPARE(tensor.errors()->model()->index(0, 1).data(Qt::EditRole).toDouble(), group.errors[0].second);
  }

  void ofTensorsChosenQuicklyTheLastStays() {
    const QString model = golden("gguf/qwen3.gguf");
    Inside inside;
    QVERIFY(inside.look(model));
    int strangers = 0, answers = 0;
    connect(&inside.window.inspector(), &ModelInspector::weightsKnown, this,
            [&](const InspectedWeights& weights) {
              ++answers;
              if (weights.tensor.name != inside.chosen()) ++strangers;
            });
    DataTableView* const table = inside.window.list().tensors();
    table->setFocus();
    for (int round = 0; round < 3; ++round) {
      const Qt::Key away = round == 1 ? Qt::Key_Up : Qt::Key_Down;
      for (int i = 0; i < 9; ++i) QTest::keyClick(table, away);
    }
    const std::string last = inside.tensors().at(table->currentIndex().row()).name;
    QVERIFY(waitUntil([&] { return inside.isRead(); }));
    QCOMPARE(inside.chosen(), last);
    QCOMPARE(countsOf(*inside.window.tensor().histogram()),
             inspectWeights(model.toStdString(), last, ModelInspector::kBins).histogram);
    QVERIFY(QThreadPool::globalInstance()->waitForDone(kPatience));
    QCoreApplication::processEvents();
    QVERIFY(answers >= 1);
    QCOMPARE(strangers, 0);
  }

  void aFilterKeepsTheTensorThatIsOpen() {
    Inside inside;
    QVERIFY(inside.look(golden("gguf/mistral.gguf")));
    InspectList& list = inside.window.list();
    const std::string before = inside.chosen();
    QCOMPARE(before, std::string("blk.0.attn_q.weight"));
    QTest::keyClicks(list.filter(), "attn_q");
    QCOMPARE(inside.tensors().rowCount(), 3);  // of three layers
    QCOMPARE(list.tensors()->currentIndex().row(), 0);
    list.filter()->clear();
    list.layers()->setFocus();
    QTest::keyClick(list.layers(), Qt::Key_End);  // the last layer
    QVERIFY(inside.tensors().rowCount() > 3);
    for (int row = 0; row < inside.tensors().rowCount(); ++row)
      QCOMPARE(layerOf(inside.tensors().at(row).name), 2);
    QCOMPARE(inside.chosen(), before);
    list.layers()->setCurrentIndex(0);
    QHeaderView* const header = list.tensors()->horizontalHeader();
    const int at = header->sectionViewportPosition(TensorTableModel::kBytes) + 8;
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, QPoint(at, header->height() / 2));
    QVERIFY(inside.tensors().at(0).bytes <= inside.tensors().at(1).bytes);
    QCOMPARE(inside.tensors().at(list.tensors()->currentIndex().row()).name, before);
    QCOMPARE(inside.chosen(), before);
  }

  void aFileThatIsGoneIsAMessage() {
    const QString file = m_folder.filePath("gone.gguf");
    QVERIFY(QFile::copy(golden("gguf/mistral.gguf"), file));
    Inside inside;
    QVERIFY(inside.look(file));
    QVERIFY(QFile::remove(file));
    MessageBar& messages = inside.window.messages();
    QTest::keyClick(inside.window.list().tensors(), Qt::Key_Down);
    QVERIFY(waitUntil([&] { return messages.isVisible(); }));
    QVERIFY2(messages.text().contains("gone.gguf"), qPrintable(messages.text()));
    QVERIFY(waitUntil([&] { return !inside.window.inspector().isReading(ModelInspector::Kind::kWeights); }));
    QCOMPARE(inside.tensors().rowCount() > 0, true);  // what was read stays
    inside.window.look(file);
    QVERIFY(!messages.isVisible());
    QVERIFY(waitUntil([&] { return messages.isVisible(); }));
    QCOMPARE(inside.window.model(), file);
    QVERIFY(inside.look(golden("gguf/qwen2.gguf")));
    QVERIFY(!messages.isVisible());
  }

  void brokenFilesAreMessages_data() {
    QTest::addColumn<QByteArray>("bytes");
    QFile whole(golden("gguf/mistral.gguf"));
    QVERIFY(whole.open(QIODevice::ReadOnly));
    const QByteArray all = whole.readAll();
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("no GGUF") << QByteArray("a text");
    QTest::newRow("half a header") << all.left(200);
    QTest::newRow("half the weights") << all.left(all.size() / 2);
  }
  void brokenFilesAreMessages() {
    QFETCH(QByteArray, bytes);
    const QString file = m_folder.filePath("broken.gguf");
    QFile broken(file);
    QVERIFY(broken.open(QIODevice::WriteOnly | QIODevice::Truncate) && broken.write(bytes) == bytes.size());
    broken.close();
    Inside inside;
    QVERIFY(inside.look(golden("gguf/qwen2.gguf")));
    inside.window.look(file);
    QVERIFY(waitUntil([&] { return inside.window.messages().isVisible(); }));
    QVERIFY2(inside.window.messages().text().contains("broken.gguf"),
             qPrintable(inside.window.messages().text()));
    QCOMPARE(inside.window.model(), golden("gguf/qwen2.gguf"));  // nothing is lost
    QVERIFY(inside.tensors().rowCount() > 0);
  }

  // The file's header is whole, so only the tensor says it.
  void aWeightThatIsNoNumberIsAMessage() {
    const QString file = m_folder.filePath("nan.gguf");
    QFile::remove(file);
    convertModel(golden("models/llama").toStdString(), file.toStdString(), ConvertType::kF32);
    QFile spoiled(file);
    QVERIFY(spoiled.open(QIODevice::ReadWrite));
    const QByteArray nan(4, '\xff');  // the last tensor's floats end the file
    QVERIFY(spoiled.seek(spoiled.size() - 4) && spoiled.write(nan) == 4);
    spoiled.close();
    const InspectedModel model = inspectModel(file.toStdString());
    std::string damaged;
    for (const InspectedTensor& tensor : model.tensors) try {
        inspectWeights(file.toStdString(), tensor.name);
      } catch (const EngineError&) {
        damaged = tensor.name;
      }
    QVERIFY(!damaged.empty());
    Inside inside;
    QVERIFY(inside.look(file));
    inside.window.list().choose(damaged);
    MessageBar& messages = inside.window.messages();
    QVERIFY(waitUntil([&] { return messages.isVisible(); }));
    QVERIFY2(messages.text().contains("no finite number"), qPrintable(messages.text()));
    QVERIFY(waitUntil([&] { return !inside.window.inspector().isReading(ModelInspector::Kind::kWeights); }));
    QVERIFY(!inside.window.tensor().isRead());
  }

  void closingWhileReadingWaitsForNothing() {
    QPointer<InspectWindow> window = new InspectWindow;
    window->show();
    window->look(QString::fromStdString(builtinModelDirectory().string()));
    window->close();
    QVERIFY(waitUntil([&] { return window.isNull(); }));
    QVERIFY(QThreadPool::globalInstance()->waitForDone(kPatience));
    QCoreApplication::processEvents();
  }

  void aDroppedModelIsShown() {
    Inside inside;
    inside.window.look({});
    QVERIFY(inside.window.messages().isVisible());
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(golden("gguf/llama-yarn.gguf"))});
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&inside.window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent dropped({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&inside.window, &dropped);
    QVERIFY(waitUntil([&] { return inside.isRead(); }));
    QCOMPARE(inside.window.model(), golden("gguf/llama-yarn.gguf"));
    QVERIFY(!inside.window.messages().isVisible());
  }

  // Tab reaches every part, each in sight, framed and with a name.
  void theKeyboardReachesEverything() {
    Inside inside({1400, 1300});
    QVERIFY(inside.look(golden("gguf/mistral.gguf")));
    QVERIFY(QTest::qWaitForWindowActive(&inside.window));
    QTRY_VERIFY_WITH_TIMEOUT(
        inside.window.tensor().row()->isVisible() && inside.window.tensor().histogram()->isVisible(),
        kPatience);
    const auto* ring = inside.window.findChild<FocusRing*>();
    inside.window.other()->setFocus();
    QList<QWidget*> seen;
    for (int i = 0; i < 60; ++i) {
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
      QWidget* const now = QApplication::focusWidget();
      QVERIFY(now != nullptr);
      if (seen.contains(now)) break;
      seen << now;
      const auto* button = qobject_cast<QAbstractButton*>(now);
      QVERIFY2(!now->accessibleName().isEmpty() || (button && !button->text().isEmpty()),
               now->metaObject()->className());
      QVERIFY2(now->isVisible() &&
                   inside.window.rect().intersects(QRect(now->mapTo(&inside.window, QPoint()), now->size())),
               qPrintable(now->accessibleName()));
      QVERIFY2(ring->around() == now, qPrintable(now->accessibleName()));
    }
    InspectTensor& tensor = inside.window.tensor();
    InspectList& list = inside.window.list();
    QString stops = " is not among";
    for (const QWidget* one : seen) stops += ' ' + one->accessibleName() + ',';
    for (QWidget* part : QList<QWidget*>{inside.window.other(), inside.window.summary().context(),
                                         list.filter(), list.layers(), list.tensors(), tensor.histogram(),
                                         tensor.row(), tensor.groupNumber(), tensor.group(), tensor.errors()})
      QVERIFY2(seen.contains(part), qPrintable(part->accessibleName() + stops));
    QToolButton* const first = list.pageButton(InspectList::Page::kTensors);
    QVERIFY(seen.contains(first));
    first->setFocus();
    QTest::keyClick(first, Qt::Key_Right);  // of several buttons of a choice Tab reaches the chosen one
    QVERIFY(list.keys()->isVisible() && !list.tensors()->isVisible());
    QTest::keyClick(&inside.window, Qt::Key_Escape);
    QVERIFY(!inside.window.isVisible());
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
  // No part is smaller than it must be, none lies outside, and no line of text is cut.
  void everythingFits() {
    QFETCH(QSize, size);
    QFETCH(int, percent);
    const QFont before = QApplication::font();
    QFont larger = before;
    larger.setPointSizeF(before.pointSizeF() * percent / 100);
    QApplication::setFont(larger);
    {
      Inside inside(size);
      QVERIFY(inside.look(golden("gguf/mistral.gguf")));
      QTRY_COMPARE_WITH_TIMEOUT(inside.window.size(), size, kPatience);
      QTRY_COMPARE_WITH_TIMEOUT(whatDoesNotFit(inside.window), QString(), kPatience);
      inside.window.tensor().showPage(InspectTensor::Page::kGroup);
      QTRY_COMPARE_WITH_TIMEOUT(whatDoesNotFit(inside.window), QString(), kPatience);
      QVERIFY(inside.window.tensor().group()->isVisible());
    }
    QApplication::setFont(before);
  }

  // Where there is no room for both, each has a page that a key opens.
  void aLowWindowHasPages() {
    Inside inside({1024, 700});
    QVERIFY(inside.look(golden("gguf/mistral.gguf")));
    InspectTensor& tensor = inside.window.tensor();
    QTRY_VERIFY_WITH_TIMEOUT(tensor.histogram()->isVisible() && !tensor.group()->isVisible(), kPatience);
    QToolButton* const button = tensor.pageButton(InspectTensor::Page::kHistogram);
    button->setFocus();
    QTest::keyClick(button, Qt::Key_Right);
    QVERIFY(!tensor.histogram()->isVisible() && tensor.group()->isVisible());
    inside.window.resize(1400, 1300);
    QTRY_VERIFY_WITH_TIMEOUT(tensor.histogram()->isVisible() && tensor.group()->isVisible(), kPatience);
    QVERIFY(!button->isVisible());
  }
};

QTEST_MAIN(TestInspectWindow)
#include "tst_inspect_window.moc"

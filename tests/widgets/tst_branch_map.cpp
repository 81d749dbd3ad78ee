// The tree of a chat: its rows, what they say, and keys and clicks that ask for a branch.
#include "widgets/chat/branch_map.h"

#include <QImage>
#include <QSignalSpy>
#include <QTest>

using namespace vitrine;

namespace {

// 1 ─ 2 ┬ 3 ─ 4 ┬ 5
//       │       └ 6
//       └ 7 ─ 8          and another root: 9
std::vector<BranchMessage> tree() {
  return {{1, 0, false, true, 0, 0},  {2, 1, true, true, 0, 20},   {3, 2, false, true, 0, 0},
          {4, 3, true, true, 32, 50}, {5, 4, false, false, 0, 0},  {6, 4, false, true, 0, 0},
          {7, 2, false, false, 0, 0}, {8, 7, true, false, 16, 40}, {9, 0, false, false, 0, 0}};
}

BranchContent content(int blockSize = 16) {
  BranchContent all{tree(), {}, blockSize};
  for (const BranchMessage& message : all.messages)
    all.words.push_back(QStringLiteral("%1 %2").arg(message.isAnswer ? "Model:" : "You:").arg(message.id));
  return all;
}

}  // namespace

class TestBranchMap : public QObject {
  Q_OBJECT

 private slots:
  void rowsAreStretches() {
    const std::vector<BranchRow> rows = branchRows(tree());
    std::vector<std::vector<int>> got;
    for (const BranchRow& row : rows)
      got.push_back({int(row.first), int(row.last), row.messages, row.column, row.above, row.isLast,
                     row.isLeaf, row.isOther, row.firstAnswer, row.lastAnswer});
    const std::vector<std::vector<int>> wanted = {
        {0, 1, 2, 0, -1, 0, 0, 0, 1, 1},  {2, 3, 2, 1, 0, 0, 0, 0, 3, 3}, {4, 4, 1, 2, 1, 0, 1, 0, -1, -1},
        {5, 5, 1, 2, 1, 1, 1, 1, -1, -1}, {6, 7, 2, 1, 0, 1, 1, 1, 7, 7}, {8, 8, 1, 0, -1, 1, 1, 1, -1, -1}};
    QCOMPARE(got, wanted);
    QCOMPARE(rows[3].lines, (std::vector<bool>{true, false}));  // to row 4, and none further
    QCOMPARE(sharedTokens(tree(), rows), std::int64_t{16});
    QVERIFY(branchRows({}).empty());
  }

  // A chat without forks is one row, however long; one of forks alone nests as deep.
  void longChatsTakeTheirSize() {
    std::vector<BranchMessage> line, comb;
    for (int i = 1; i <= 20000; ++i) line.push_back({i, i - 1, i % 2 == 0});
    QCOMPARE(branchRows(line).size(), 1u);
    QCOMPARE(branchRows(line)[0].messages, 20000);
    for (int i = 0; i < 500; ++i) {
      comb.push_back({2 * i + 1, i == 0 ? 0 : 2 * i - 1});
      comb.push_back({2 * i + 2, i == 0 ? 0 : 2 * i - 1});
    }
    const std::vector<BranchRow> rows = branchRows(comb);
    QCOMPARE(rows.size(), 1000u);
    QCOMPARE(rows[499].column, 499);
  }

  void rowsSayWhatTheyAre() {
    BranchMap map;
    map.setContent(content());
    QCOMPARE(map.model()->rowCount(), 6);
    QCOMPARE(map.model()->index(4, 0).data().toString(), QString("You: 7"));
    const QString said = map.model()->index(4, 0).data(Qt::AccessibleTextRole).toString();
    QVERIFY2(said.contains("You: 7") && said.contains("16 of 40") && !said.contains("shown"),
             qPrintable(said));
    QVERIFY(map.model()->index(3, 0).data(Qt::AccessibleTextRole).toString().contains("shown"));
    QVERIFY(map.model()->index(4, 0).data(Qt::ToolTipRole).toString().contains("16 of 40"));
    QVERIFY(map.content().summary().contains("16 tokens = 1 block"));
    map.setContent(content(0));
    QVERIFY(!map.content().summary().contains("block"));
    QCOMPARE(map.currentIndex().row(), 3);  // the end of the path that is shown
  }

  void keysAndClicksAskForABranch() {
    BranchMap map;
    map.setContent(content());
    map.resize(300, 300);
    map.show();
    QVERIFY(QTest::qWaitForWindowExposed(&map));
    QSignalSpy asked(&map, &BranchMap::branchRequested);
    QTest::keyClick(&map, Qt::Key_Down);
    QCOMPARE(asked.size(), 0);  // looking round asks for nothing
    QTest::keyClick(&map, Qt::Key_Return);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked[0][0].toLongLong(), 8);
    QTest::mouseClick(map.viewport(), Qt::LeftButton, {}, map.visualRect(map.model()->index(2, 0)).center());
    QCOMPARE(asked.size(), 2);
    QCOMPARE(asked[1][0].toLongLong(), 5);
  }

  // Marks and lines, not colours alone: an answer's mark and a question's differ in black and white.
  void marksDiffer() {
    BranchMap map;
    map.resize(300, 200);
    const auto picture = [&](bool isAnswer, bool isShown) {
      map.setContent({{{1, 0, isAnswer, isShown}}, {QString("words")}, 0});
      map.clearSelection();
      map.setCurrentIndex({});
      const QRect row = map.visualRect(map.model()->index(0, 0));
      return map.viewport()
          ->grab(QRect(row.topLeft(), QSize(row.height(), row.height())))
          .toImage()
          .convertToFormat(QImage::Format_Mono, Qt::ThresholdDither);
    };
    QVERIFY(picture(true, false) != picture(false, false));
    QVERIFY(picture(true, false) == picture(true, false));
  }
};

QTEST_MAIN(TestBranchMap)
#include "tst_branch_map.moc"

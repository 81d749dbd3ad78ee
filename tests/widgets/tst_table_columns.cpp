// The columns of a model as one list: cells of each kind, headings, plain values for CSV.
#include <QTest>

#include <limits>

#include "widgets/session/session_model.h"
#include "widgets/support/table_export.h"

using namespace vitrine;

namespace {

struct Row {
  int step = 0;
  std::int64_t ns = 0;
  double share = 0;
  std::string name;

  bool operator==(const Row&) const = default;
};

class Model : public RowsModel<Row> {
 public:
  using RowsModel::RowsModel;
  using RowsModel::setRows;

  QString rowText(int row) const { return QStringLiteral("row %1").arg(row); }
  QString textOf(const Row& row) const { return QStringLiteral("%1 of %2").arg(row.step).arg(rowCount()); }

 protected:
  const TableColumns& columns() const override {
    static const ColumnsOf<Model> kColumns = {
        {"Step", &Row::step},
        {"Name", &Row::name, {.tip = "Its name"}},
        {"Row", &Model::rowText},
        {"Text", &Model::textOf},
        {"Time",
         [](const Row& row) { return QStringLiteral("%1 ms").arg(row.ns / 1'000'000); },
         &Row::ns,
         {.plainTitle = "ns", .align = kAtRight}},
        {"Share",
         [](const Row& row) { return cellIf(row.share > 0, row.share); },
         {.headingAlign = kAtRight}},
        {"Ratio",
         [](const Model& model, int row) {
           const double share = model.at(row).share;
           return share > 0 ? share : std::numeric_limits<double>::quiet_NaN();
         }},
    };
    return kColumns;
  }
  QVariant otherData(const QModelIndex& index, int role) const override {
    return role == Qt::ToolTipRole ? rowText(index.row()) : QVariant();
  }
  void refresh() override {}
};

}  // namespace

class TestTableColumns : public QObject {
  Q_OBJECT
 private slots:
  void cellsComeFromRowOrModel();
  void anEmptyCellIsNoNumber();
  void headingsHaveTheirRoles();
  void csvHasPlainValues();
  void whatIsNoCellIsEmpty();

 private:
  Session m_session;
};

void TestTableColumns::cellsComeFromRowOrModel() {
  Model model(&m_session);
  model.setRows({{3, 2'000'000, 0.5, "a"}, {4, 0, 0, "b"}});
  QCOMPARE(model.columnCount(), 7);
  QCOMPARE(model.columnCount(model.index(0, 0)), 0);
  QCOMPARE(model.index(0, 0).data(), QVariant(3));
  QCOMPARE(model.index(1, 1).data(), QVariant(QStringLiteral("b")));
  QCOMPARE(model.index(1, 2).data(), QVariant(QStringLiteral("row 1")));
  QCOMPARE(model.index(1, 3).data(), QVariant(QStringLiteral("4 of 2")));
  QCOMPARE(model.index(0, 4).data(), QVariant(QStringLiteral("2 ms")));
  QCOMPARE(model.index(0, 4).data(Qt::EditRole), QVariant(qlonglong{2'000'000}));
  QCOMPARE(model.index(0, 0).data(Qt::EditRole), QVariant(3));
  QCOMPARE(model.index(1, 5).data(Qt::ToolTipRole), QVariant(QStringLiteral("row 1")));
  QCOMPARE(model.index(0, 4).data(Qt::TextAlignmentRole).value<Qt::Alignment>(), kAtRight);
  QVERIFY(!model.index(0, 0).data(Qt::TextAlignmentRole).isValid());
}

void TestTableColumns::anEmptyCellIsNoNumber() {
  Model model(&m_session);
  model.setRows({{3, 0, 0.5, "a"}, {4, 0, 0, "b"}});
  QCOMPARE(model.index(0, 5).data(), QVariant(0.5));
  QVERIFY(!model.index(1, 5).data().isValid());
  QVERIFY(!model.index(1, 6).data().isValid());  // NaN
}

void TestTableColumns::headingsHaveTheirRoles() {
  const Model model(&m_session);
  const auto heading = [&](int column, int role) { return model.headerData(column, Qt::Horizontal, role); };
  QCOMPARE(heading(0, Qt::DisplayRole).toString(), QStringLiteral("Step"));
  QCOMPARE(heading(0, Qt::EditRole).toString(), QStringLiteral("Step"));
  QCOMPARE(heading(1, Qt::ToolTipRole).toString(), QStringLiteral("Its name"));
  QCOMPARE(heading(4, Qt::DisplayRole).toString(), QStringLiteral("Time"));
  QCOMPARE(heading(4, Qt::EditRole).toString(), QStringLiteral("ns"));
  QCOMPARE(heading(5, Qt::TextAlignmentRole).value<Qt::Alignment>(), kAtRight);
  QVERIFY(!heading(4, Qt::TextAlignmentRole).isValid());
}

void TestTableColumns::csvHasPlainValues() {
  Model model(&m_session);
  model.setRows({{3, 2'000'000, 0.5, "a"}, {4, 0, 0, "b"}});
  QCOMPARE(toCsv(model), QStringLiteral("Step,Name,Row,Text,ns,Share,Ratio\r\n"
                                        "3,a,row 0,3 of 2,2000000,0.5,0.5\r\n"
                                        "4,b,row 1,4 of 2,0,,\r\n"));
}

void TestTableColumns::whatIsNoCellIsEmpty() {
  Model model(&m_session);
  model.setRows({{}});
  QVERIFY(!model.data({}).isValid());
  QVERIFY(!model.headerData(7, Qt::Horizontal).isValid());
  QVERIFY(!model.headerData(0, Qt::Vertical).isValid());
  QVERIFY(!model.index(0, 0).data(Qt::AccessibleTextRole).isValid());
}

QTEST_GUILESS_MAIN(TestTableColumns)
#include "tst_table_columns.moc"

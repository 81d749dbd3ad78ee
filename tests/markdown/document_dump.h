// A text document as text: blocks, formats, tables and tints, for tests to compare two of them.
#pragma once

#include <QDebug>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>
#include <QTextTable>

namespace vitrine::test {

inline QString dumped(const QTextFormat& format) {
  QString text;
  const QMap<int, QVariant> properties = format.properties();
  for (auto it = properties.begin(); it != properties.end(); ++it) {
    if (it.key() == QTextFormat::ObjectIndex) continue;  // counts what a document has had
    QString value;
    QDebug(&value).nospace() << it.value();
    text += QString("%1=%2;").arg(it.key(), 0, 16).arg(value);
  }
  return text;
}

inline QString dumped(const QTextDocument& document) {
  QString text;
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    text += QString("%1 [%2]\n").arg(block.position()).arg(dumped(block.blockFormat()));
    for (auto it = block.begin(); !it.atEnd(); ++it)
      text += "  <" + it.fragment().text() + "> " + dumped(it.fragment().charFormat()) + "\n";
    for (const QTextLayout::FormatRange& range : block.layout()->formats())
      text += QString("  tint %1+%2 %3\n").arg(range.start).arg(range.length).arg(dumped(range.format));
  }
  for (QTextFrame* const frame : document.rootFrame()->childFrames()) {
    const auto* const table = qobject_cast<QTextTable*>(frame);
    if (!table) return text + "a frame that is no table\n";
    text += QString("table %1..%2 %3x%4 [%5]\n")
                .arg(table->firstPosition())
                .arg(table->lastPosition())
                .arg(table->rows())
                .arg(table->columns())
                .arg(dumped(table->format()));
    for (int row = 0; row < table->rows(); ++row)
      for (int column = 0; column < table->columns(); ++column)
        text += "  cell " + dumped(table->cellAt(row, column).format()) + "\n";
  }
  return text;
}

// The first line in which two dumps differ; empty: none.
inline QString firstDifference(const QString& actual, const QString& expected) {
  const QStringList a = actual.split('\n'), b = expected.split('\n');
  for (qsizetype i = 0; i < std::max(a.size(), b.size()); ++i)
    if (a.value(i) != b.value(i)) return QString("line %1:\n%2\n%3").arg(i).arg(a.value(i), b.value(i));
  return {};
}

}  // namespace vitrine::test

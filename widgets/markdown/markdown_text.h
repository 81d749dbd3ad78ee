// MarkdownText: a message that grows, rendered into a QTextDocument, with the ways back to its source.
//
//   MarkdownText text(document);        text.setLook(MarkdownLook::of(Theme::of(view)));
//   text.append(utf8);                  as often as text comes; costs a copy
//   if (text.update()) askForAnotherFrame();
//   text.setEnded(true);                no more comes: footnotes get their numbers and their place
//
// update() does a bounded piece of work, so a host calls it once a frame while it returns true. What it made
// depends on the text and on whether it has ended, not on how it came. The document's text is changed by this
// class alone, its undo is off, and it loads nothing: pictures are their words and address. Links are anchors
// of http, https and mailto; a view must not open them by itself (QTextBrowser::setOpenLinks(false)).
// Offsets: `source` is a byte of the UTF-8 text appended, `position` one of the document. Thread: the
// window's.
#pragma once

#include <QString>
#include <optional>

#include "widgets/markdown/document_writer.h"
#include "widgets/markdown/footnotes.h"
#include "widgets/markdown/markdown_stream.h"

namespace vitrine {

struct CodePlace {
  int begin = 0, end = 0;           // document positions: of the first line's begin, of the last one's end
  QString language;                 // as the message names it; may be empty
  std::size_t first = 0, last = 0;  // its blocks of those that are shown
};

struct NotePlace {
  int position = 0;  // of the number
  QString text;      // of the note; of a reference, empty
};

// A range of the source, coloured by a value of 0 to 1 ("how surprising was this token").
struct Tint {
  std::size_t begin = 0, end = 0;
  float value = 0;

  bool operator==(const Tint&) const = default;
};

class MarkdownText {
 public:
  // Bytes of text for one update(), and what the writer may spend on it.
  static constexpr std::size_t kBytesAFrame = 16 * 1024;
  static constexpr long kWorkAFrame = 24 * 1024;

  explicit MarkdownText(QTextDocument* document) : m_writer(document) {}

  void setLook(const MarkdownLook& look);  // written anew by the next updates, in place
  const MarkdownLook& look() const { return m_writer.look(); }

  void append(std::string_view utf8);
  // Until it has ended, footnotes stand as they are written, where they are written.
  void setEnded(bool ended);
  bool ended() const { return m_ended; }
  void clear();
  bool update();  // returns whether there is more to do
  bool pending() const { return m_stream.pending() || m_isSettled != m_ended || m_next < blocks().size(); }
  void finish();  // updates until there is nothing more to do

  const std::string& source() const { return m_stream.source(); }
  const MarkdownStream& stream() const { return m_stream; }

  // The blocks that the document has, when nothing is pending.
  const std::vector<Block>& blocks() const { return m_settled ? m_settled->blocks : m_stream.blocks(); }

  // Where a byte of the source is shown, or, of markup, the text after it in its block; 0 in an empty
  // document.
  int positionAt(std::size_t source) const;
  // Where a range of the source ends that begins at `begin`: with its block, if what follows stands
  // elsewhere.
  int endPositionAt(std::size_t begin, std::size_t end) const;
  // The byte of the source that is shown at a position.
  std::size_t sourceAt(int position) const;
  QString addressAt(int position) const;  // of the link there; empty: none

  // What is shown between two positions, as plain text: paragraphs apart, cells apart by tabs.
  QString plainText(int begin, int end) const;
  QString plainText() const { return plainText(0, m_writer.document()->characterCount()); }
  // The same as Markdown, in the order of the source: whole blocks as it has them, parts of blocks with the
  // markup of their runs.
  QString markdown(int begin, int end) const;

  std::vector<CodePlace> codeBlocks() const;
  QString codeText(const CodePlace& place) const;  // lines with their ends between them

  // A footnote's first reference, or its note; none: it is not in the document.
  std::optional<NotePlace> footnote(const QString& number, NoteMark mark) const;

  // Ascending, without overlaps. Later calls cost what differs. Text that comes later is tinted as it comes.
  void setTints(std::vector<Tint> tints);
  // The first bytes of the source are underlined, quietly: the model was given them.
  void setGiven(std::size_t bytes);

 private:
  void settle();
  void unsettle();
  void writeDifferent();
  void tintBlock(std::size_t block);
  void tintSource(std::size_t begin, std::size_t end);
  // Indices of the stream's blocks, and of those that are shown.
  std::size_t blockAtSource(std::size_t source) const;
  std::size_t placeOf(std::size_t ofStream) const;
  std::size_t originOf(std::size_t shown) const;

  MarkdownStream m_stream;
  DocumentWriter m_writer;
  bool m_ended = false;
  bool m_isSettled = false;                // which may have left the stream's blocks as they are
  std::optional<SettledBlocks> m_settled;  // none: the stream's blocks are shown
  std::size_t m_next = 0;                  // the first block shown that may not stand in the document
  std::vector<Tint> m_tints;
  std::size_t m_given = 0;
};

}  // namespace vitrine

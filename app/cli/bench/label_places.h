// LabelPlaces: where the labels of a picture stand, so that none covers another or a mark.
//
// A greedy search: each label takes the first free place on rings around its mark. Labels placed first stand
// nearest, so the most important ones come first. Thread: a value. Read next: roofline_plot.h.
#pragma once

#include <string>
#include <vector>

#include "bench/canvas.h"

namespace vitrine::cli {

struct Box {
  double left, top, right, bottom;
  bool meets(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

// About the width of the words in a sans serif of that size, rather more than less.
double widthOf(const std::string& words, double size);

struct LabelPlace {
  Point start;  // of the words, on their base line
  Box box;
  bool isApart = false;  // so far from its mark that a line should lead to it
};

class LabelPlaces {
 public:
  explicit LabelPlaces(const Box& area) : m_area(area) {}

  void avoid(const Box& box) { m_taken.push_back(box); }
  // What no label may cross: boxes along the line.
  void avoidLine(Point from, Point to);
  // Beside a disc that was avoided. When nothing is free, right of it.
  LabelPlace place(Point centre, double radius, const std::string& words, double size);

 private:
  bool isFree(const Box& box) const;

  Box m_area;
  std::vector<Box> m_taken;
};

}  // namespace vitrine::cli

// scrollable: a panel's page of fields that scrolls, and keeps the field with the focus in sight.
// Thread: the window's.
#pragma once

class QWidget;

namespace vitrine {

QWidget* scrollable(QWidget* page);  // takes the page; the result has no parent yet

}  // namespace vitrine

// A run as the server, or the file, tells it: entries of steps, and the machine at each of them.
//
// An entry has the whole machine, or a patch on the machine of the entry before (app/page/page_patch.h). Machines share
// what did not change, so two of them can be compared part by part with ===.
'use strict';

const Vitrine = {};

// A patch is a JSON merge patch (RFC 7396), where {"+": text} is added to a text.
Vitrine.patched = function (before, patch) {
  if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) return patch;
  if (typeof patch['+'] === 'string') return String(before) + patch['+'];
  const isObject = before !== null && typeof before === 'object' && !Array.isArray(before);
  const after = isObject ? Object.assign({}, before) : {};
  for (const [name, value] of Object.entries(patch)) {
    if (name === '__proto__') continue;
    if (value === null) delete after[name];
    else after[name] = Vitrine.patched(after[name], value);
  }
  return after;
};

Vitrine.Run = class {
  static most = 5000;  // entries that are kept

  constructor(begin) {
    if (!begin || begin.format !== 'vitrine-page') throw new Error('This is no run of Vitrine.');
    if (begin.version !== 1) throw new Error(`This run has version ${begin.version} of its form, and this page knows version 1.`);
    this.begin = begin;
    this.entries = [];
    this.machines = [];
    this.glance = null;  // of a step that is under way: {entry, machine}
  }

  get length() { return this.entries.length; }

  // Returns how many of the oldest entries it gave up.
  add(entry) {
    this.machines.push(this.machineOf(entry));
    this.entries.push(entry);
    this.glance = null;
    if (this.length <= Vitrine.Run.most + 500) return 0;
    this.entries.splice(0, 500);
    this.machines.splice(0, 500);
    return 500;
  }

  look(entry) { this.glance = {entry, machine: this.machineOf(entry)}; }

  machineOf(entry) {
    if (entry.machine) return entry.machine;
    if (!entry.patch || this.length === 0) throw new Error(`Step ${entry.step} lacks the state of the machine.`);
    return Vitrine.patched(this.machines[this.length - 1], entry.patch);
  }

  // What is shown at a place; behind the last entry: the step that is under way.
  at(place) {
    if (place >= this.length && this.glance) return this.glance;
    const i = Math.max(0, Math.min(place, this.length - 1));
    return {entry: this.entries[i], machine: this.machines[i]};
  }
  machineBefore(place) {
    const i = Math.min(place, this.length) - 1;
    return i >= 0 ? this.machines[i] : null;
  }
  lastPlace() { return this.length - 1 + (this.glance ? 1 : 0); }
  // The place of a step, or of the last one before it.
  placeOf(step) {
    let place = 0;
    for (let i = 0; i < this.length && this.entries[i].step <= step; ++i) place = i;
    return place;
  }
};

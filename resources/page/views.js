// The views: each shows one part of a moment of the run. They lay out what they are given, and compute nothing of it.
//
// A moment is {entry, machine}; `before` is the machine one entry earlier, or null. Texts are set as text, never as HTML.
'use strict';

Vitrine.byId = id => document.getElementById(id);

// An element: attributes, "on..." listeners, and children, which are elements or texts.
Vitrine.element = function (tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children.filter(child => child !== null && child !== undefined));
  return made;
};

Vitrine.counted = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

// A request's letter on its colour and hatch.
Vitrine.markOf = request => request ? `c${request.colour % 8} h${request.hatch % 5} filled` : '';
Vitrine.chip = (letter, request) => Vitrine.element('span', {class: `chip ${Vitrine.markOf(request)}`}, letter);

Vitrine.ofRequest = (machine, id) => Object.values(machine.requests).find(one => one.request === id);

// A sentence of parts: texts, and [words, kind, id] for what it names. `go` is told of a step that is chosen.
Vitrine.sentence = function (parts, machine, go) {
  return (parts || []).map(part => {
    if (!Array.isArray(part)) return String(part);
    const [words, kind, id, last] = part;
    if (kind === 'q') return Vitrine.chip(words, machine.requests[id]);
    if (kind === 'r') return Vitrine.chip(words, Vitrine.ofRequest(machine, id));
    if (kind === 's') return Vitrine.element('button', {class: 'link', onclick: () => go(id)}, String(words));
    const point = shown => () => Vitrine.pointAtBlocks(shown ? id : -1, last);
    return Vitrine.element('span', {onmouseenter: point(true), onmouseleave: point(false)}, String(words));
  });
};

Vitrine.showHeadline = function (moment, go) {
  Vitrine.byId('headline').replaceChildren(...Vitrine.sentence(moment.entry.headline, moment.machine, go));
};

Vitrine.showPhases = function (moment, names) {
  const {phase, figures} = moment.entry;
  Vitrine.byId('phases').replaceChildren(...names.map((name, i) => {
    const took = figures.phases ? `${figures.phases[i]} µs` : '';
    return Vitrine.element('li', {class: i === phase ? 'now' : null, title: took, 'aria-label': took ? `${name}: ${took}` : name,
                                  'aria-current': i === phase ? 'step' : null}, name);
  }));
};

// The newest words of a request: the end of its prompt, its answer, and in a frame what this step added.
Vitrine.words = function (request, earlier) {
  const old = earlier && request.text.startsWith(earlier.text) ? earlier.text : request.text;
  const fresh = request.text.slice(old.length);
  const tail = (text, most) => text.length > most ? `…${text.slice(-most)}` : text;
  const prompt = request.text ? tail(request.prompt, 40) : tail(request.prompt, 140);
  return [Vitrine.element('span', {class: 'dim prompt'}, prompt), tail(old, 220),
          fresh ? Vitrine.element('span', {class: 'fresh'}, fresh) : null].filter(part => part !== null);
};

Vitrine.openCards = new Set();

Vitrine.cardOf = function (id, request, earlier) {
  const toggle = () => {
    if (!Vitrine.openCards.delete(id)) Vitrine.openCards.add(id);
    Vitrine.redraw();
  };
  const isOpen = Vitrine.openCards.has(id);
  const words = isOpen ? [Vitrine.element('span', {class: 'dim prompt'}, request.prompt), request.text]
                       : Vitrine.words(request, earlier);
  const place = request.place ? `${request.place}. in the queue · ` : '';
  return Vitrine.element('li', {class: `group${request.group}`, title: request.status},
    Vitrine.element('div', {class: 'top'}, Vitrine.chip(request.letter, request), Vitrine.element('b', {title: request.name}, request.name),
      Vitrine.element('span', {class: 'dim'}, `${request.progress} · ${Vitrine.counted(request.blocks, 'block')}`)),
    Vitrine.element('button', {class: isOpen ? 'words open' : 'words', onclick: toggle, 'aria-expanded': isOpen,
                               id: `card-${id}`}, ...words),
    request.group === 1 ? Vitrine.element('p', {class: 'reason'}, `${place}${request.status}`) : null);
};

Vitrine.showRequests = function (moment, before) {
  const requests = Object.entries(moment.machine.requests);
  requests.sort(([a, x], [b, y]) => x.group - y.group || (x.place || 0) - (y.place || 0) ||
                                    (x.group === 2 ? Number(b) - Number(a) : Number(a) - Number(b)));
  const focused = document.activeElement && document.activeElement.id;
  Vitrine.byId('cards').replaceChildren(...requests.slice(0, 100).map(
    ([id, request]) => Vitrine.cardOf(id, request, before && before.requests[id])));
  if (focused && focused.startsWith('card-')) Vitrine.byId(focused)?.focus();
  const {running, waiting} = moment.entry.figures;
  const more = requests.length > 100 ? ` · 100 of ${requests.length} shown` : '';
  Vitrine.byId('requests-sum').textContent = `${running} run · ${waiting} wait${more}`;
};

// What a step did with one sequence.
Vitrine.cell = function (cell, request) {
  if (!cell) return [];
  const end = cell.end ? Vitrine.element('span', {class: 'dim token'}, cell.end) : null;
  if (cell.kind === 'waits') return [Vitrine.element('span', {class: 'waits', title: cell.text}, cell.text || 'waits')];
  if (cell.kind === 'preempted') return [Vitrine.element('span', {class: 'preempted'}, `preempted, ${cell.tokens || 0} lost`)];
  if (cell.kind === 'swapped') return [Vitrine.element('span', {class: 'swapped'}, 'swapped out')];
  if (cell.kind === 'finished') return [end];
  const band = Vitrine.element('span', {class: `band ${cell.kind} ${Vitrine.markOf(request)}`});
  const read = cell.kind === 'prefill' ? `${cell.tokens}${cell.cached ? ` + ${cell.cached} cached` : ''}` : null;
  return [band, read ? Vitrine.element('span', {class: 'token dim', title: 'prefill: tokens of the prompt'}, read) : null,
          cell.text ? Vitrine.element('span', {class: 'token', title: cell.text}, cell.text) : null, end].filter(Boolean);
};

// As many steps as there is room for, the one shown at the right.
Vitrine.showLanes = function (run, place) {
  const room = Vitrine.byId('lanes-room');
  const columns = Math.max(2, Math.floor((room.clientWidth - 92) / 62));
  const moments = [];
  for (let i = Math.max(0, place - columns + 1); i <= place; ++i) moments.push(run.at(i));
  const now = moments[moments.length - 1];
  const lives = id => moments.some(({entry}) => entry.lanes[id]) || (now.machine.requests[id] && now.machine.requests[id].group < 2);
  const rows = [...new Set(moments.flatMap(({entry}) => Object.keys(entry.lanes)).concat(Object.keys(now.machine.requests)))]
    .filter(lives).sort((a, b) => a - b);
  const requestOf = id => (moments.findLast(({machine}) => machine.requests[id]) || now).machine.requests[id];
  // Steps that came faster than the page is told of them are missing between two columns.
  const missing = i => i > 0 ? moments[i].entry.step - moments[i - 1].entry.step - 1 : 0;
  const classOf = i => [moments[i] === now ? 'now' : '', missing(i) > 0 ? 'gap-before' : ''].join(' ');
  const head = moments.map((moment, i) => Vitrine.element('th', {scope: 'col', class: classOf(i),
    title: missing(i) > 0 ? `${Vitrine.counted(missing(i), 'step')} before this one came too fast to be shown` : null}, String(moment.entry.step)));
  while (head.length < columns) head.push(Vitrine.element('td', {}));
  const lines = rows.map(id => {
    const request = requestOf(id);
    const cells = moments.map((moment, i) => Vitrine.element('td', {class: classOf(i)},
                                                        ...Vitrine.cell(moment.entry.lanes[id], request)));
    while (cells.length < columns) cells.push(Vitrine.element('td', {}));
    return Vitrine.element('tr', {}, Vitrine.element('th', {scope: 'row', title: request && request.name},
      Vitrine.chip(request ? request.letter : '?', request), ` ${request ? request.name : ''}`), ...cells);
  });
  room.replaceChildren(Vitrine.element('table', {},
    Vitrine.element('thead', {}, Vitrine.element('tr', {}, Vitrine.element('th', {}, 'step'), ...head)),
    Vitrine.element('tbody', {}, ...lines)));
  Vitrine.byId('lanes-sum').textContent = `steps ${moments[0].entry.step} to ${now.entry.step}`;
};

Vitrine.ownersOf = (block, machine) => block ? block.slice(3).map(id => machine.requests[id]).filter(Boolean) : [];

Vitrine.blockWords = function (id, block, machine, size) {
  if (!block) return `Block ${id}: free`;
  const owners = Vitrine.ownersOf(block, machine);
  const filled = `${block[0]} of ${size} tokens`;
  if (!owners.length) return `Block ${id}: free, but the prefix index still knows its ${Vitrine.counted(block[0], 'token')}`;
  const shared = owners.length > 1 ? `, shared by ${block[1]}` : '';
  return `Block ${id}: ${owners.map(one => one.letter).join(', ')}${shared}, ${filled}${block[2] ? ', in the prefix index' : ''}`;
};

Vitrine.fillBlock = function (cell, id, block, machine, size) {
  const owners = Vitrine.ownersOf(block, machine);
  const words = Vitrine.blockWords(id, block, machine, size);
  cell.className = block && !owners.length ? 'cached' : '';
  cell.dataset.words = words;
  cell.setAttribute('aria-label', words);
  cell.title = words;
  if (!block || !owners.length) return cell.replaceChildren(block ? 'cached' : '');
  // Owners stand side by side, each in its colour.
  const fills = owners.slice(0, 4).map((owner, i, all) => {
    const fill = Vitrine.element('span', {class: `fill ${Vitrine.markOf(owner)}`});
    fill.style.height = `${100 * block[0] / size}%`;
    fill.style.left = `${100 * i / all.length}%`;
    fill.style.right = `${100 * (all.length - i - 1) / all.length}%`;
    return fill;
  });
  const most = block[0] * 2 > size ? Vitrine.markOf(owners[0]).replace('filled', '') : '';
  const letter = Vitrine.element('span', {class: `letter ${most}`}, owners.length > 1 ? `×${owners.length}` : owners[0].letter);
  if (most) letter.style.color = 'var(--ink)';
  cell.replaceChildren(...fills, letter);
};

Vitrine.blockCells = [];
Vitrine.shownMachine = null;

// A cell is drawn again where its block is another.
Vitrine.showBlocks = function (moment, before, begin) {
  const list = Vitrine.byId('blocks'), cells = Vitrine.blockCells, count = Math.min(begin.blocks, 4096);
  const machine = moment.machine, shown = Vitrine.shownMachine;
  if (cells.length !== count || !shown) {
    cells.length = 0;
    for (let i = 0; i < count; ++i) cells.push(Vitrine.element('li', {}));
    list.replaceChildren(...cells);
    list.className = count > 256 ? 'small' : '';
    list.style.setProperty('--block', count > 256 ? '14px' : '58px');
    cells.forEach((cell, i) => Vitrine.fillBlock(cell, i, machine.blocks[i], machine, begin.block_size));
  } else {
    cells.forEach((cell, i) => {
      if (shown.blocks[i] !== machine.blocks[i])
        Vitrine.fillBlock(cell, i, machine.blocks[i], machine, begin.block_size);
    });
  }
  cells.forEach((cell, i) => cell.classList.toggle(
    'changed', before !== null && !Vitrine.sameBlock(before.blocks[i], machine.blocks[i])));
  Vitrine.shownMachine = machine;
  const {used, cached, held} = machine.pool;
  Vitrine.byId('memory-sum').textContent =
    `${used} of ${begin.blocks} blocks in use${cached ? `, ${cached} cached` : ''} · ${held} tokens · ${begin.block_size} a block` +
    (begin.blocks > count ? ` · the first ${count} are drawn` : '');
};

Vitrine.sameBlock = (a, b) => a === b || (a && b && a.length === b.length && a.every((value, i) => value === b[i]));

Vitrine.pointAtBlocks = function (first, last) {
  Vitrine.blockCells.forEach((cell, i) => { cell.style.outline = first >= 0 && i >= first && i <= last ? '3px solid var(--accent)' : ''; });
};

Vitrine.showShelves = function (moment) {
  const {machine} = moment;
  Vitrine.byId('shelves').replaceChildren(...Object.entries(machine.swap).map(([tier, shelf]) => {
    const cells = shelf.held.slice(0, 64).map(([slot, id]) => Vitrine.element('li',
      {class: Vitrine.markOf(machine.requests[id]), 'aria-label': `slot ${slot}`}, machine.requests[id] ? machine.requests[id].letter : '?'));
    return Vitrine.element('div', {class: 'shelf'}, Vitrine.element('span', {class: 'dim'}, tier), Vitrine.element('ul', {}, ...cells),
                           Vitrine.element('span', {class: 'dim'}, `${shelf.held.length} of ${shelf.size}`));
  }));
};

Vitrine.showWhy = function (moment, names, go) {
  const parts = [];
  let section = null, list = null;
  for (const row of moment.entry.why) {
    if (row.section !== section) {
      section = row.section;
      list = Vitrine.element('ul', {});
      parts.push(Vitrine.element('h3', {}, names[section] || (section < 0 ? 'Before the step' : 'After the step')), list);
    }
    const rules = row.rules ? Vitrine.element('details', {}, Vitrine.element('summary', {}, 'What decided'),
      ...row.rules.map(rule => Vitrine.element('code', {class: 'rule'}, rule))) : null;
    list.append(Vitrine.element('li', {class: row.warning ? 'warning' : null}, ...Vitrine.sentence(row.text, moment.machine, go),
                                ...(rules ? [rules] : [])));
  }
  if (!parts.length) parts.push(Vitrine.element('p', {class: 'dim'}, 'Nothing was decided yet.'));
  Vitrine.byId('reasons').replaceChildren(...parts);
  const took = moment.entry.figures.took;
  Vitrine.byId('why-sum').textContent = `step ${moment.entry.step}${took ? ` · ${took}` : ''}`;
};

Vitrine.svg = function (tag, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
};

// A line through a value an entry, in a box of n by 100.
Vitrine.linePath = (values, most) => values.map((value, i) => `${i ? 'L' : 'M'}${i} ${100 - 96 * value / most}`).join('');

Vitrine.charts = [
  {name: 'KV blocks', series: [['in use', m => m.machine.pool.used], ['cached', m => m.machine.pool.cached]]},
  {name: 'Sequences', series: [['run', m => m.entry.figures.running], ['wait', m => m.entry.figures.waiting]]},
  {name: 'Tokens', series: [['computed', m => m.entry.figures.tokens || 0], ['sampled', m => m.entry.figures.sampled || 0]]},
];

Vitrine.showCharts = function (run, place) {
  const moments = [];
  for (let i = 0; i <= run.lastPlace(); ++i) moments.push(run.at(i));
  const now = moments[Math.min(place, moments.length - 1)];
  Vitrine.byId('charts').replaceChildren(...Vitrine.charts.map(chart => {
    const lines = chart.series.map(([, value]) => moments.map(value));
    const most = Math.max(1, ...lines.map(line => line.reduce((a, b) => Math.max(a, b), 0)));
    const said = `${chart.series.map(([name, value], i) => `${i ? '- -' : '—'} ${name} ${value(now)}`).join(' · ')} · most ${most}`;
    const box = Vitrine.svg('svg', {viewBox: `0 0 ${Math.max(1, moments.length - 1)} 100`, preserveAspectRatio: 'none', role: 'img',
                                    'aria-label': `${chart.name}: ${said}`});
    lines.forEach((line, i) => box.append(Vitrine.svg('path', {class: i ? 'two' : 'one', d: Vitrine.linePath(line, most)})));
    box.append(Vitrine.svg('path', {class: 'cursor', d: `M${place} 0L${place} 100`}));
    return Vitrine.element('figure', {}, Vitrine.element('figcaption', {}, Vitrine.element('span', {}, chart.name),
                                                         Vitrine.element('span', {class: 'dim'}, said)), box);
  }));
};

// The pool over the run, with marks where something was lost.
Vitrine.showAxis = function (run, place) {
  const last = run.lastPlace(), values = [], marks = [];
  for (let i = 0; i <= last; ++i) {
    const {entry, machine} = run.at(i);
    values.push(machine.pool.used);
    if (entry.warning) marks.push(`M${i} 0L${i} 22`);
  }
  const box = Vitrine.byId('used'), most = Math.max(1, run.begin.blocks);
  box.setAttribute('viewBox', `0 0 ${Math.max(1, last)} 100`);
  box.replaceChildren(Vitrine.svg('path', {class: 'area', d: `${Vitrine.linePath(values, most)}L${last} 100L0 100Z`}),
                      Vitrine.svg('path', {class: 'mark', d: marks.join('')}),
                      Vitrine.svg('path', {class: 'cursor', d: `M${place} 0L${place} 100`}));
  const scrub = Vitrine.byId('scrub');
  scrub.max = last;
  scrub.value = place;
  scrub.setAttribute('aria-valuetext', `step ${run.at(place).entry.step}`);
};

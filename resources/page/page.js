// The page: which moment of the run is shown, where the run comes from, keys and buttons.
//
// A file holds its run in the element #run. Without one the page asks the server that it came from, over a WebSocket, and follows
// the machine as it goes: {"begin": header}, then {"steps": [entries]} and {"now": entry} for a step that is under way. A reader that
// goes back stays there, and the machine goes on.
'use strict';

(() => {
  const {byId, Run} = Vitrine;
  let run = null, place = 0, follows = true, timer = 0, isLive = false, connection = 'connecting', socket = null, patience = 1000;

  const notice = text => {
    byId('notice').hidden = !text;
    byId('notice').textContent = text || '';
  };

  // One drawing a frame, however many messages came.
  let isDue = false;
  Vitrine.redraw = () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      draw();
    });
  };

  function draw() {
    if (run && run.lastPlace() >= 0) drawMoment();
    showMode();
  }

  function drawMoment() {
    const last = run.lastPlace();
    if (follows) place = last;
    place = Math.max(0, Math.min(place, last));
    const moment = run.at(place), before = run.machineBefore(place), names = run.begin.phases;
    Vitrine.showHeadline(moment, go);
    Vitrine.showPhases(moment, names);
    Vitrine.showRequests(moment, before);
    Vitrine.showLanes(run, place);
    Vitrine.showBlocks(moment, before, run.begin);
    Vitrine.showShelves(moment);
    Vitrine.showWhy(moment, names, go);
    Vitrine.showCharts(run, place);
    Vitrine.showAxis(run, place);
    byId('model').textContent = run.begin.model;
    byId('where').textContent = `Step ${moment.entry.step} of ${run.at(last).entry.step} · ${run.begin.model} · ${run.begin.device}`;
    byId('digest').textContent = `state ${moment.entry.digest.slice(0, 8)}`;
    byId('digest').dataset.whole = moment.entry.digest;
    byId('first').disabled = byId('back').disabled = place === 0;
    byId('step').disabled = byId('last').disabled = place === last;
    byId('next').disabled = nextWarning() < 0;
  }

  function showMode() {
    const mode = byId('mode');
    mode.classList.toggle('lost', connection === 'lost');
    const step = run && run.lastPlace() >= 0 ? ` · step ${run.at(place).entry.step}` : '';
    if (connection === 'lost') mode.textContent = 'Connection lost, trying again …';
    else if (connection === 'connecting') mode.textContent = 'Connecting …';
    else if (isLive && !run) mode.textContent = 'No model is open yet';
    else if (isLive && follows) mode.textContent = `LIVE${step}`;
    else mode.textContent = `${isLive ? 'BACK' : 'REPLAY'}${step}`;
  }

  // ---- Steps ----

  function show(next) {
    if (!run) return;
    place = Math.max(0, Math.min(next, run.lastPlace()));
    follows = isLive && place === run.lastPlace();
    Vitrine.redraw();
  }
  const go = step => show(run.placeOf(step));

  function nextWarning() {
    for (let i = place + 1; run && i < run.length; ++i) if (run.entries[i].warning) return i;
    return -1;
  }

  function play(starts) {
    clearInterval(timer);
    timer = 0;
    if (starts && run) {
      if (place >= run.lastPlace()) place = 0;
      timer = setInterval(() => {
        if (place >= run.lastPlace()) return play(false);
        show(place + 1);
      }, 1000 / Number(byId('speed').value));
    }
    byId('play').textContent = timer ? '❚❚ Pause' : '▶ Play';
    byId('play').setAttribute('aria-pressed', timer ? 'true' : 'false');
  }

  const actions = {
    first: () => show(0),
    back: () => show(place - 1),
    step: () => show(place + 1),
    last: () => show(run ? run.lastPlace() : 0),
    next: () => { if (nextWarning() >= 0) show(nextWarning()); },
    play: () => play(!timer),
  };
  for (const [name, action] of Object.entries(actions))
    byId(name).addEventListener('click', () => {
      if (name !== 'play') play(false);
      action();
    });
  byId('speed').addEventListener('change', () => { if (timer) play(true); });
  byId('scrub').addEventListener('input', event => {
    play(false);
    show(Number(event.target.value));
  });

  const keys = {ArrowLeft: 'back', PageUp: 'back', ArrowRight: 'step', PageDown: 'step', Home: 'first', End: 'last', n: 'next', N: 'next', ' ': 'play'};
  document.addEventListener('keydown', event => {
    const name = keys[event.key], inside = event.target;
    if (!name || event.ctrlKey || event.altKey || event.metaKey) return;
    if (inside.matches('input[type="password"], select')) return;
    if (inside.matches('input[type="range"]') && name !== 'next' && name !== 'play') return;
    if (event.key === ' ' && inside.matches('button, summary')) return;
    event.preventDefault();
    byId(name).click();
  });

  byId('blocks').addEventListener('mouseover', event => {
    const cell = event.target.closest('li');
    byId('block-words').textContent = cell ? cell.dataset.words : '';
  });

  // ---- Light and dark ----

  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const keep = {
    get: name => { try { return sessionStorage.getItem(name); } catch { return null; } },
    set: (name, value) => { try { sessionStorage.setItem(name, value); } catch { /* a browser that keeps nothing */ } },
  };
  const paint = () => { document.documentElement.dataset.theme = keep.get('theme') || (prefersDark.matches ? 'dark' : 'light'); };
  byId('theme').addEventListener('click', () => {
    keep.set('theme', document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
    paint();
  });
  prefersDark.addEventListener('change', paint);
  paint();
  new ResizeObserver(Vitrine.redraw).observe(byId('lanes'));

  // ---- A run within the page ----

  function openFile(text) {
    connection = 'none';
    try {
      const {begin, steps} = JSON.parse(text);
      run = new Run(begin);
      Run.most = Infinity;
      for (const entry of steps) run.add(entry);
      follows = false;
      document.title = begin.title ? `${begin.title} · Vitrine` : 'Vitrine';
    } catch (error) {
      notice(`This page holds a run that cannot be shown: ${error.message}`);
    }
    Vitrine.redraw();
  }

  // ---- The server's run ----

  function take(message) {
    if (message.begin) {
      const shown = run && !follows && run.begin.run === message.begin.run ? run.at(place).entry.step : -1;
      run = new Run(message.begin);
      run.wanted = shown;
      Vitrine.shownMachine = null;
      follows = shown < 0;
    }
    for (const entry of message.steps || []) place -= run.add(entry);  // the step shown stays the one shown
    if (message.now) run.look(message.now);
    if (run && run.wanted >= 0 && run.length > 0) {
      place = run.placeOf(run.wanted);
      run.wanted = -1;
    }
  }

  // A token of the address never leaves the page: a fragment is not sent.
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given) keep.set('token', given);

  async function connect() {
    const token = keep.get('token');
    connection = run ? 'lost' : 'connecting';
    showMode();
    try {
      const answer = await fetch('v1/models', token ? {headers: {Authorization: `Bearer ${token}`}} : {});
      if (answer.status === 401 || answer.status === 403) return askForToken(token !== null);
    } catch {
      return retry();
    }
    const url = new URL('v1/page', location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    url.hash = '';
    socket = new WebSocket(url, token ? ['vitrine.v1', `vitrine.token.${token}`] : ['vitrine.v1']);
    socket.onopen = () => {
      connection = 'open';
      patience = 1000;
      Vitrine.redraw();
    };
    socket.onmessage = event => {
      try {
        take(JSON.parse(event.data));
        notice('');
      } catch (error) {
        notice(`The server sent what this page cannot show: ${error.message}`);
        socket.close();
      }
      Vitrine.redraw();
    };
    socket.onclose = retry;
  }

  function retry() {
    socket = null;
    connection = 'lost';
    Vitrine.redraw();
    setTimeout(connect, patience);
    patience = Math.min(2 * patience, 10000);
  }

  function askForToken(wasWrong) {
    connection = 'connecting';
    byId('token').hidden = false;
    byId('token-fault').textContent = wasWrong ? 'This is not the token of the server.' : '';
    byId('token-text').focus();
  }
  byId('token').addEventListener('submit', event => {
    event.preventDefault();
    keep.set('token', byId('token-text').value);
    byId('token').hidden = true;
    connect();
  });

  const held = byId('run');
  if (held) {
    openFile(held.textContent);
  } else {
    isLive = true;
    connect();
  }
})();

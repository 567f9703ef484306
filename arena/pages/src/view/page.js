'use strict';
// Shows one turn of one game, or a step of a line from it: the board, the charts, the turn's panel. What is shown follows
// from the address alone (#turn=37, #game=2&turn=37, #turn=37&line=0&step=2), so that all can be linked to. Without this script
// the page is a list of turns.
(() => {
  const games = JSON.parse(document.getElementById('data').textContent);
  const articles = [...document.querySelectorAll('article.game')];
  const PAINTS = ['board', 'shade', 'grid', 'last', 'hint', 'ground', 'text', 'faint',
    'back', 'black', 'white', 'felt', 'sky', 'flame', 'shadow',
    's0', 's1', 's2', 's3', 's4', 's5', 's6', 's7'];
  const colour = (paint) => (PAINTS.includes(paint) ? `var(--${paint})` : paint);
  // r3: what seat 3 reaches, in its colour, pale.
  const ink = (paint, part = 'fill') => {
    if (/^r\d$/.test(paint)) return { [part]: `var(--s${paint[1]})`, [`${part}-opacity`]: 0.3 };
    if (paint === 'shadow') return { [part]: 'var(--shadow)', [`${part}-opacity`]: 0.15 };
    return { [part]: colour(paint) };
  };
  // Black and white discs stand out from any ground.
  const rim = (paint, r) => (/^(black|white)$/.test(paint) ? { stroke: 'var(--grid)', 'stroke-width': r * 0.08 } : {});
  const PLAY_MS = 700;
  let game = 0;
  let turn = 1;
  // The step of the turn's line that is on the board, from 1; 0 for the game itself.
  let line = 0;
  let step = 0;
  let timer = null;
  let isFlipped = false;

  // Positions come as differences, see view/packed.rs.
  function unpack({ shapes, positions }) {
    let before = [];
    return positions.map((parts) => {
      if (!parts) return null;
      before = parts.flatMap((part) => (Array.isArray(part) ? before.slice(part[0], part[0] + part[1]) : [shapes[part]]));
      return before;
    });
  }
  games.forEach((data) => {
    // The positions of the lines come after those of the turns.
    const all = unpack(data.drawn);
    data.positions = all.slice(0, data.turns + 1);
    let next = data.turns + 1;
    data.lines = data.lines.map((lengths) => lengths.map((length) => all.slice(next, next += length)));
    data.moves.forEach(([played], i) => { played[1] ??= data.moves[i - 1][0][1]; });
  });

  function add(parent, name, attributes = {}, text) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  }

  const pairs = (flat) => flat.reduce((all, x, i) => all + (i % 2 ? ',' : ' ') + x, '').trim();

  // The shapes of view/shapes.rs (small letters) and of view/overlay.rs (capital letters and x).
  function draw(svg, [kind, ...a]) {
    const text = (x, y, size, words, fill, more) =>
      add(svg, 'text', { x, y, 'font-size': size, fill, ...more }, words);
    switch (kind) {
      case 'r': return add(svg, 'rect', { x: a[0], y: a[1], width: a[2], height: a[3], ...ink(a[4]) });
      case 'd': return add(svg, 'circle', { cx: a[0], cy: a[1], r: a[2], ...ink(a[3]), ...rim(a[3], a[2]) });
      case 'o': return add(svg, 'circle',
        { cx: a[0], cy: a[1], r: a[2] * 0.87, fill: 'none', stroke: colour(a[3]), 'stroke-width': a[2] * 0.26 });
      case 'l': return add(svg, 'polyline',
        { points: pairs(a[0]), fill: 'none', ...ink(a[2], 'stroke'), 'stroke-width': a[1], 'stroke-linecap': 'round', 'stroke-linejoin': 'round' });
      case 'a': return add(svg, 'polygon', { points: pairs(a[0]), ...ink(a[1]) });
      case 't': return text(a[0], a[1], a[2], a[3], colour(a[4]),
        { 'text-anchor': 'middle', 'dominant-baseline': 'central' });
      case 'n': return text(a[0], a[1], a[2], games[game].names[a[3]], 'var(--text)',
        { 'text-anchor': 'middle', 'dominant-baseline': 'central' });
      case 'p': return a[0].split('\n').forEach((line, i) => text(0, 2 * i + 1.5, 1.66, line, 'var(--text)',
        { 'font-family': 'ui-monospace, monospace', 'xml:space': 'preserve' }));
      case 'A': return add(svg, 'polygon', { points: pairs(a[0]), fill: a[1], opacity: a[2] });
      case 'O': return add(svg, 'polygon', { points: pairs(a[0]), ...outline(a[1], a[2]) });
      case 'L': return add(svg, 'polyline', { points: pairs(a[0]), ...outline(a[1], a[2]) });
      case 'C': return add(svg, 'circle', { cx: a[0], cy: a[1], r: a[2], fill: a[3], opacity: a[4] });
      case 'Q': return add(svg, 'circle', { cx: a[0], cy: a[1], r: a[2], ...outline(a[3], a[4]) });
      case 'x': return text(a[0], a[1], a[2], a[3], a[4], { opacity: a[5] });
      default: return null;
    }
  }

  // The outline of a shape of view/shapes.rs.
  function drawOutline(svg, [kind, ...a], name) {
    const drawn = draw(svg, [kind, ...a]);
    if (!drawn || kind === 't') return drawn?.remove();
    ['fill', 'fill-opacity', 'stroke', 'stroke-opacity', 'stroke-width'].forEach((attribute) => drawn.removeAttribute(attribute));
    drawn.setAttribute('class', name);
    return null;
  }

  const outline = (stroke, opacity) =>
    ({ fill: 'none', stroke, opacity, 'stroke-width': 2, 'vector-effect': 'non-scaling-stroke' });

  const lineOf = (data) => (step > 0 ? data.lines[turn - 1][line] : []);

  function showBoard(article, data) {
    const svg = article.querySelector('svg.board');
    const shapes = lineOf(data)[step - 1] || data.positions[turn - 1];
    svg.replaceChildren();
    svg.classList.toggle('line', step > 0);
    svg.toggleAttribute('hidden', !shapes);
    if (shapes) {
      const [width, height, edge] = data.size;
      svg.setAttribute('viewBox', `${-edge} ${-edge} ${width + edge} ${height + edge}`);
      const turned = flipping(data);
      shapes.forEach((shape) => draw(svg, turned(shape)));
      if (step === 0) {
        // The move that was played, and the one that the other bot would play.
        (data.moves[turn - 1] || []).forEach(([, marks], i) =>
          marks.forEach((shape) => drawOutline(svg, turned(shape), ['played', 'preferred'][i])));
        (data.shares[turn - 1] || []).forEach(([part, marks]) => drawShare(svg, part, marks.map(turned)));
      }
    }
    const told = step > 0 ? [`; a line, after ${currentStep(article)?.textContent}`]
      : (data.moves[turn - 1] || []).map(([move], i) => `; ${i ? 'the search would play' : 'played:'} ${move}`);
    svg.setAttribute('aria-label', `The position, ${labelOf(article, data)}${told.join('')}`);
    article.querySelectorAll('.line a').forEach((link) => link.classList.remove('now'));
    currentStep(article)?.classList.add('now');
    article.querySelectorAll('.stage .legend [data-key]').forEach((key) => {
      const move = (data.moves[turn - 1] || [])[key.dataset.key];
      const hasLast = (shapes || []).some((shape) => shape[shape.length - 1] === 'last');
      const isShown = { last: hasLast, shares: step === 0 && (data.shares[turn - 1] || []).length > 0 };
      key.hidden = !(isShown[key.dataset.key] ?? move);
      if (move) key.querySelector('b').textContent = move[0];
    });
    const drawn = article.querySelector('svg.drawn');
    const overlay = data.overlays[turn - 1] || [];
    drawn.replaceChildren();
    drawn.toggleAttribute('hidden', overlay.length === 0);
    if (overlay.length > 0) {
      overlay.forEach((shape) => draw(drawn, shape));
      const [left, top, right, bottom] = data.viewport || box(drawn);
      drawn.setAttribute('viewBox', `${left} ${top} ${right - left || 1} ${bottom - top || 1}`);
    }
  }

  const currentStep = (article) =>
    article.querySelector(`.turn.now .line[data-line="${line}"] a:nth-of-type(${step || 'n+9999'})`);

  // Shapes of a board that is turned by half; what stands below it stays.
  function flipping({ flip, size: [, , edge] }) {
    if (!isFlipped || !flip) return (shape) => shape;
    const [width, below] = flip.map((far) => far - edge);
    const across = (x) => width - x;
    const down = (y) => (y > below ? y : below - y);
    const both = (flat) => flat.map((x, i) => (i % 2 ? down(x) : across(x)));
    return ([kind, ...a]) => {
      if (kind === 'p') return [kind, ...a];
      if (kind === 'r') return a[1] > below ? [kind, ...a] : [kind, across(a[0] + a[2]), down(a[1] + a[3]), ...a.slice(2)];
      if (kind === 'l' || kind === 'a') return [kind, both(a[0]), ...a.slice(1)];
      return a[1] > below ? [kind, ...a] : [kind, across(a[0]), down(a[1]), ...a.slice(2)];
    };
  }

  // A bar as long as a move's share, at the top of where it ends: pieces are in the middle.
  function drawShare(svg, part, marks) {
    const group = add(svg, 'g');
    const places = marks.filter(([kind]) => kind !== 'l');
    const last = [...marks, ...places].pop();
    if (!last) return;
    draw(group, last);
    const [left, top, right, bottom] = box(group);
    group.replaceChildren();
    group.setAttribute('class', 'share');
    const unit = svg.viewBox.baseVal.height / 100;
    const [x, y] = [(left + right) / 2, top + Math.max(2.4 * unit, 0.28 * (bottom - top))];
    const bar = (width, fill) =>
      add(group, 'rect', { x: x - 5 * unit, y: y - 2.4 * unit, width: width * unit, height: 4.8 * unit, fill });
    bar(10, 'var(--back)');
    bar(10 * part, 'var(--edge)');
    add(group, 'text', { x, y, 'font-size': 3.4 * unit, fill: 'var(--text)', 'text-anchor': 'middle', 'dominant-baseline': 'central' },
      `${Math.round(100 * part)} %`);
  }

  function box(svg) {
    const { x, y, width, height } = svg.getBBox();
    return [x, y, x + width, y + height];
  }

  // The board is as high as the window leaves room for, below what stands above it.
  const fit = () => {
    const screen = articles[game].querySelector('.screen');
    screen.style.setProperty('--top', `${Math.round(screen.getBoundingClientRect().top + scrollY)}px`);
  };

  // Charts come with the page; here they get a line at the turn that is shown, and clicks.
  const chartsOf = (article) => [...article.querySelectorAll('svg[data-step]')];

  function prepareCharts(article, data) {
    chartsOf(article).forEach((svg) => {
      const [, , width, height] = svg.getAttribute('viewBox').split(' ').map(Number);
      add(svg, 'line', { class: 'at', y1: 16, y2: height, stroke: 'var(--text)', 'stroke-width': 1.5, 'pointer-events': 'none' });
      svg.addEventListener('click', (event) => {
        if (event.target.closest('a')) return;
        const box = svg.getBoundingClientRect();
        const place = ((event.clientX - box.left) / box.width) * width;
        go(Math.min(Math.round((place - svg.dataset.left) / svg.dataset.step + 0.5), data.turns));
      });
    });
  }

  // Of more than two bots the one whose turns are open stands out in the charts.
  function choose(article) {
    const chosen = article.querySelector('.look details[open]')?.dataset.bot;
    article.querySelectorAll('.chart [data-bot]').forEach((drawn) =>
      drawn.classList.toggle('faded', chosen !== undefined && drawn.dataset.bot !== chosen));
  }

  function mark(article, data) {
    chartsOf(article).forEach((svg) => {
      const at = Number(svg.dataset.left) + (Math.min(turn, data.turns) - 0.5) * svg.dataset.step;
      const line = svg.querySelector('.at');
      line.setAttribute('x1', at);
      line.setAttribute('x2', at);
    });
    const moves = [...article.querySelectorAll('.moves a')];
    // One of them is reached by the tabulator, as one thing.
    moves.forEach((move, i) => {
      move.classList.toggle('now', i === turn - 1);
      move.tabIndex = i === turn - 1 ? 0 : -1;
    });
    // Only the list scrolls, not the page.
    const [move, list] = [moves[turn - 1], article.querySelector('.moves ol')];
    if (move) list.scrollTop = move.offsetTop - list.offsetTop - list.clientHeight / 2;
  }

  const labelOf = (article, data) =>
    (turn > data.turns ? 'final position' : article.querySelector('.turn.now h3 a').textContent);

  const flipButton = (article) => article.querySelector('[data-go=flip]');

  function show() {
    const article = articles[game];
    const data = games[game];
    articles.forEach((other) => other.classList.toggle('now', other === article));
    if (!article.dataset.ready) {
      article.dataset.ready = 'yes';
      article.querySelector('.stage').hidden = false;
      prepareCharts(article, data);
      article.querySelectorAll('.look details').forEach((looks) => {
        looks.addEventListener('toggle', () => choose(article));
        looks.querySelector('summary').addEventListener('click', () => looks.open || go(Number(looks.dataset.turn)));
      });
      choose(article);
      article.querySelectorAll('.turn').forEach((element, i) => {
        const text = element.querySelector('.position') || element.querySelector('.text');
        if (data.positions[i]) text?.classList.add('drawn');
        else if (text) text.open = true;
      });
    }
    article.querySelectorAll('.turn').forEach((element, i) => element.classList.toggle('now', i === turn - 1));
    const label = labelOf(article, data);
    const slider = article.querySelector('.controls input');
    slider.max = data.turns + 1;
    slider.value = turn;
    slider.setAttribute('aria-valuetext', label);
    article.querySelector('output').value = turn > data.turns ? label : `${label} of ${data.turns}`;
    flipButton(article).hidden = !data.flip;
    showBoard(article, data);
    fit();
    mark(article, data);
    copyButtons(article.querySelector('.turn.now'));
    article.querySelectorAll('.top > .command').forEach(copyCommand);
  }

  function copyButton(text, from) {
    const made = document.createElement('button');
    made.type = 'button';
    made.textContent = text;
    made.addEventListener('click', async () => {
      await copy(from.textContent + (from.matches('pre') ? '\n' : ''));
      made.textContent = 'copied';
      setTimeout(() => { made.textContent = text; }, 1500);
    });
    return made;
  }

  function copyCommand(place) {
    if (!place.querySelector('button')) place.append(copyButton('copy command', place.querySelector('code')));
  }

  function copyButtons(element) {
    if (element.dataset.ready) return;
    element.dataset.ready = 'yes';
    const sent = element.querySelector('.sent');
    if (sent) sent.closest('.input').append(copyButton('copy input', sent));
    // Long games have what their commands share once: view/shared.rs.
    const templates = articles[game].querySelectorAll('.templates code');
    element.querySelectorAll('[data-template]').forEach((code) => {
      const [before, , after] = templates[code.dataset.template].childNodes;
      code.textContent = before.textContent + code.textContent + (after?.textContent || '');
    });
    element.querySelectorAll('.command').forEach(copyCommand);
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Pages from a file have no clipboard in some browsers.
      const area = document.createElement('textarea');
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
    }
  }

  function readAddress() {
    const words = new URLSearchParams(location.hash.slice(1));
    const within = (value, most) => Math.min(Math.max(parseInt(value, 10) || 1, 1), most);
    game = within(words.get('game'), games.length) - 1;
    // Without a turn, where to look first.
    turn = within(words.get('turn') || games[game].opens, games[game].turns + 1);
    line = Math.max(parseInt(words.get('line'), 10) || 0, 0);
    const steps = games[game].lines[turn - 1]?.[line]?.length || 0;
    step = Math.min(Math.max(parseInt(words.get('step'), 10) || 0, 0), steps);
    show();
  }

  const addressOf = (at) => (games.length > 1 ? `#game=${game + 1}&` : '#') + `turn=${at}`;

  function go(to) {
    const most = games[game].turns + 1;
    const at = Math.min(Math.max(to, 1), most);
    history.replaceState(null, '', addressOf(at));
    readAddress();
    if (at === most) stop();
  }

  // Within a line its steps, else turns.
  function move(by) {
    if (step === 0) return go(turn + by);
    const to = Math.min(step + by, lineOf(games[game]).length);
    if (to < 1) return go(turn);
    history.replaceState(null, '', `${addressOf(turn)}&line=${line}&step=${to}`);
    return readAddress();
  }

  // The next turn that fits; from the last one on again from the first.
  function goToNext(fits) {
    const found = Array.from({ length: games[game].turns }, (_, i) => i + 1).filter(fits);
    const next = found.find((number) => number > turn) ?? found[0];
    if (next) go(next);
  }

  function otherGame(by) {
    if (games.length > 1) {
      location.hash = `game=${(game + by + games.length) % games.length + 1}`;
    } else {
      document.querySelector(`a[rel=${by > 0 ? 'next' : 'prev'}]`)?.click();
    }
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    document.querySelectorAll('[data-go=play]').forEach((b) => b.setAttribute('aria-pressed', 'false'));
  }

  // Of seats that are asked together all turns are one step.
  function playOn() {
    const { rounds, turns } = games[game];
    let next = turn + 1;
    while (next <= turns && rounds[next - 1] > 0 && rounds[next - 1] === rounds[turn - 1]) next += 1;
    go(next);
  }

  const speed = () => articles[game].querySelector('.controls select');

  function play() {
    if (timer) return stop();
    if (turn > games[game].turns) go(1);
    timer = setInterval(playOn, PLAY_MS / Number(speed().value));
    document.querySelectorAll('[data-go=play]').forEach((b) => b.setAttribute('aria-pressed', 'true'));
    return null;
  }

  function setSpeed(index) {
    const list = speed();
    list.selectedIndex = Math.min(Math.max(index, 0), list.options.length - 1);
    articles.forEach((article) => { article.querySelector('.controls select').selectedIndex = list.selectedIndex; });
    if (timer) {
      stop();
      play();
    }
  }

  const mistakes = () => [...articles[game].querySelectorAll('.moves a')].map((a) => a.matches('.costly, .lost, .failed'));

  const moves = {
    first: () => go(1), back: () => move(-1), play, on: () => move(1), last: () => go(Infinity), leave: () => go(turn),
    mistake: () => goToNext((number) => mistakes()[number - 1]),
    own: () => goToNext((number) => games[game].seats[number - 1] === games[game].viewpoint),
    flip: () => { isFlipped = !isFlipped; show(); },
    help: () => articles[game].querySelector('dialog').showModal(),
    gameBefore: () => otherGame(-1), gameAfter: () => otherGame(1),
    faster: () => setSpeed(speed().selectedIndex + 1), slower: () => setSpeed(speed().selectedIndex - 1),
  };
  const keys = {
    ArrowLeft: 'back', ArrowRight: 'on', Home: 'first', End: 'last', ' ': 'play', n: 'mistake', o: 'own', f: 'flip',
    '[': 'gameBefore', ']': 'gameAfter', '?': 'help', Escape: 'leave', '+': 'faster', '-': 'slower',
  };

  document.addEventListener('click', (event) => {
    const name = event.target.closest('[data-go]')?.dataset.go;
    if (name) moves[name]();
  });
  document.addEventListener('input', (event) => {
    if (event.target.matches('.controls input')) go(Number(event.target.value));
    if (event.target.matches('.controls select')) setSpeed(event.target.selectedIndex);
  });
  document.addEventListener('keydown', (event) => {
    const busy = event.target.matches('select, textarea, summary, dialog, dialog *, input:not([type=range])')
      || (event.key === ' ' && event.target.matches('button, a'));
    if (!busy && keys[event.key] && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      moves[keys[event.key]]();
    }
  });
  // The addresses of turns are this script's now: the browser must not scroll to them.
  document.querySelectorAll('.turn').forEach((element) => element.removeAttribute('id'));
  addEventListener('load', () => scrollTo(0, 0));
  addEventListener('hashchange', readAddress);
  addEventListener('resize', fit);
  document.body.classList.add('scripted');
  readAddress();
})();

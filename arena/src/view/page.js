'use strict';
// Shows one turn of one game: the board, the charts, the turn's panel. What is shown follows from the address alone
// (#turn=37, or #game=2&turn=37), so that every turn can be linked to. Without this script the page is a list of turns.
(() => {
  const games = JSON.parse(document.getElementById('data').textContent);
  const articles = [...document.querySelectorAll('article.game')];
  const PAINTS = ['board', 'shade', 'grid', 'last', 'hint', 'ground', 'text', 'faint',
    'p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7'];
  const colour = (paint) => (PAINTS.includes(paint) ? `var(--${paint})` : paint);
  const PLAY_MS = 700;
  let game = 0;
  let turn = 1;
  let timer = null;

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
      case 'r': return add(svg, 'rect', { x: a[0], y: a[1], width: a[2], height: a[3], fill: colour(a[4]) });
      case 'd': return add(svg, 'circle', { cx: a[0], cy: a[1], r: a[2], fill: colour(a[3]) });
      case 'o': return add(svg, 'circle',
        { cx: a[0], cy: a[1], r: a[2] * 0.87, fill: 'none', stroke: colour(a[3]), 'stroke-width': a[2] * 0.26 });
      case 'l': return add(svg, 'polyline',
        { points: pairs(a[0]), fill: 'none', stroke: colour(a[2]), 'stroke-width': a[1] });
      case 'a': return add(svg, 'polygon', { points: pairs(a[0]), fill: colour(a[1]) });
      case 't': return text(a[0], a[1], a[2], a[3], colour(a[4]),
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

  const outline = (stroke, opacity) =>
    ({ fill: 'none', stroke, opacity, 'stroke-width': 2, 'vector-effect': 'non-scaling-stroke' });

  function showBoard(article, data) {
    const svg = article.querySelector('svg.board');
    const shapes = data.positions[turn - 1];
    svg.replaceChildren();
    svg.toggleAttribute('hidden', !shapes);
    if (shapes) {
      svg.setAttribute('viewBox', `0 0 ${data.size[0]} ${data.size[1]}`);
      [...data.base, ...shapes].forEach((shape) => draw(svg, shape));
    }
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

  function box(svg) {
    const { x, y, width, height } = svg.getBBox();
    return [x, y, x + width, y + height];
  }

  // Charts: a line or bars for each seat, a mark where another bot would have played something else.
  const WIDTH = 600;
  const HEIGHT = 120;
  const x = (data, number) => 8 + ((number - 0.5) * (WIDTH - 16)) / data.turns.length;

  function chart(parent, data, label, paint) {
    const svg = add(parent, 'svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label });
    paint(svg);
    add(svg, 'line', { class: 'at', y1: 0, y2: HEIGHT, stroke: 'var(--text)', 'stroke-width': 1.5 });
    svg.addEventListener('click', (event) => {
      const place = (event.clientX - svg.getBoundingClientRect().left) / svg.getBoundingClientRect().width;
      go(Math.round((place * WIDTH - 8) / ((WIDTH - 16) / data.turns.length) + 0.5));
    });
  }

  function numberChart(parent, data, name) {
    const two = data.bots.length === 2 && name === 'score';
    const value = ([seat, , numbers]) => (name in numbers ? (two && seat === 1 ? -1 : 1) * numbers[name] : null);
    const all = data.turns.map(value).filter((v) => v !== null && Math.abs(v) < 9e5).map(Math.abs).filter((v) => v > 0);
    const scale = all.sort((a, b) => a - b)[all.length >> 1] || 1;
    const largest = all.length > 0 ? Math.asinh(all[all.length - 1] / scale) : 1;
    // Certain wins and losses are a little beyond all others.
    const bent = (v) => (Math.abs(v) < 9e5 ? Math.asinh(v / scale) : Math.sign(v) * (largest * 1.2));
    const most = Math.max(1, ...data.turns.map(value).filter((v) => v !== null).map((v) => Math.abs(bent(v))));
    const least = data.turns.map(value).some((v) => v < 0) ? -most : 0;
    const y = (v) => HEIGHT - 6 - ((bent(v) - least) / (most - least)) * (HEIGHT - 12);
    chart(parent, data, `${name} by turn`, (svg) => {
      add(svg, 'line', { x1: 0, x2: WIDTH, y1: y(0), y2: y(0), stroke: 'var(--edge)' });
      data.bots.forEach((bot, seat) => {
        const points = data.turns.map((t, i) => [t, i]).filter(([t]) => t[0] === seat && value(t) !== null);
        const line = points.map(([t, i]) => `${x(data, i + 1)},${y(value(t))}`).join(' ');
        add(svg, 'polyline', { points: line, fill: 'none', stroke: `var(--p${seat % 8})`, 'stroke-width': 2 });
        points.forEach(([t, i]) => {
          const dot = { cx: x(data, i + 1), cy: y(value(t)), r: 3, fill: `var(--p${seat % 8})` };
          add(add(svg, 'circle', dot), 'title', {}, `turn ${i + 1}, ${bot}: ${t[2][name]}`);
        });
      });
      data.turns.forEach((t, i) => {
        if (t[3]) {
          const at = x(data, i + 1);
          const mark = add(svg, 'polygon', { points: `${at - 4},0 ${at + 4},0 ${at},8`, fill: 'var(--text)' });
          add(mark, 'title', {}, `turn ${i + 1}: the other bot would not play this`);
        }
      });
    });
  }

  function timeChart(parent, data) {
    // With limits, the whole height is the limit; short answers are enlarged, and it is said by how much.
    const longest = Math.max(...data.turns.map((t) => t[1] || 0));
    const most = data.limits && longest > 0.25 ? Math.max(1, longest) : longest;
    if (data.limits) {
      parent.append(paragraph(`The longest took ${(100 * longest).toFixed(longest < 0.1 ? 2 : 0)} % of its limit${
        most === longest && longest < 1 ? '; the bars are drawn larger' : ''}.`));
    }
    chart(parent, data, 'time by turn', (svg) => {
      data.turns.forEach(([seat, share], i) => {
        const height = ((share || 0) / most) * (HEIGHT - 8);
        const width = Math.max(1.5, (WIDTH - 16) / data.turns.length - 1);
        add(svg, 'rect', { x: x(data, i + 1) - width / 2, y: HEIGHT - height, width, height, fill: `var(--p${seat % 8})` });
      });
      if (data.limits && most >= 1) {
        const y = HEIGHT - (HEIGHT - 8) / most;
        add(svg, 'line', { x1: 0, x2: WIDTH, y1: y, y2: y, stroke: 'var(--text)', 'stroke-dasharray': '4 3' });
      }
    });
  }

  function charts(article, data) {
    const place = article.querySelector('.charts');
    const names = [...new Set(data.turns.flatMap((t) => Object.keys(t[2])))];
    if (names.length > 0) {
      const label = document.createElement('label');
      const select = document.createElement('select');
      const first = names.includes('score') ? 'score' : names[0];
      names.forEach((name) => select.append(new Option(name, name, name === first, name === first)));
      const chosen = document.createElement('div');
      const redraw = () => {
        chosen.replaceChildren();
        numberChart(chosen, data, select.value);
        mark(article, data);
      };
      select.addEventListener('change', redraw);
      label.append('Chart: ', select);
      place.append(label);
      if (data.bots.length === 2 && first === 'score') {
        place.append(paragraph(`The score is drawn as ${data.bots[0]} sees it: above the line it is ahead.`));
      }
      place.append(chosen);
      redraw();
    } else if (data.turns.some((t) => t[3])) {
      numberChart(place, data, '');
    }
    if (data.turns.some((t) => t[1])) {
      place.append(paragraph(data.limits ? 'Share of the time limit' : 'Time of each answer'));
      timeChart(place, data);
    }
  }

  function paragraph(text) {
    const p = document.createElement('p');
    p.textContent = text;
    return p;
  }

  function mark(article, data) {
    article.querySelectorAll('.at').forEach((line) => {
      const at = x(data, Math.min(turn, data.turns.length));
      line.setAttribute('x1', at);
      line.setAttribute('x2', at);
    });
  }

  function show() {
    const article = articles[game];
    const data = games[game];
    articles.forEach((other) => other.classList.toggle('now', other === article));
    if (!article.dataset.ready) {
      article.dataset.ready = 'yes';
      article.querySelector('.stage').hidden = false;
      charts(article, data);
      article.querySelectorAll('.turn').forEach((element, i) => {
        if (data.positions[i]) element.querySelector('.text')?.classList.add('drawn');
      });
    }
    article.querySelectorAll('.turn').forEach((element, i) => element.classList.toggle('now', i === turn - 1));
    const slider = article.querySelector('.controls input');
    slider.max = data.turns.length + 1;
    slider.value = turn;
    slider.setAttribute('aria-valuetext', turn > data.turns.length ? 'end' : `turn ${turn}`);
    article.querySelector('output').value =
      turn > data.turns.length ? 'end' : `turn ${turn} of ${data.turns.length}`;
    showBoard(article, data);
    mark(article, data);
    copyButtons(article.querySelector('.turn.now'));
  }

  function copyButtons(element) {
    if (element.dataset.ready) return;
    element.dataset.ready = 'yes';
    const button = (text, from) => {
      const made = document.createElement('button');
      made.type = 'button';
      made.textContent = text;
      made.addEventListener('click', async () => {
        await copy(from.textContent + (from.matches('pre') ? '\n' : ''));
        made.textContent = 'copied';
        setTimeout(() => { made.textContent = text; }, 1500);
      });
      return made;
    };
    const sent = element.querySelector('.sent');
    if (sent) sent.closest('details').before(button('copy input', sent));
    element.querySelectorAll('.command').forEach((place) =>
      place.append(' ', button('copy command', place.querySelector('code'))));
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
    turn = within(words.get('turn'), games[game].turns.length + 1);
    show();
  }

  function go(to) {
    const most = games[game].turns.length + 1;
    const at = Math.min(Math.max(to, 1), most);
    const hash = (games.length > 1 ? `#game=${game + 1}&` : '#') + `turn=${at}`;
    history.replaceState(null, '', hash);
    readAddress();
    if (at === most) stop();
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    document.querySelectorAll('[data-go=play]').forEach((b) => b.setAttribute('aria-pressed', 'false'));
  }

  function play() {
    if (timer) return stop();
    if (turn > games[game].turns.length) go(1);
    timer = setInterval(() => go(turn + 1), PLAY_MS);
    document.querySelectorAll('[data-go=play]').forEach((b) => b.setAttribute('aria-pressed', 'true'));
    return null;
  }

  const moves = {
    first: () => go(1), back: () => go(turn - 1), play, on: () => go(turn + 1), last: () => go(Infinity),
  };
  const keys = { ArrowLeft: 'back', ArrowRight: 'on', Home: 'first', End: 'last', ' ': 'play' };

  document.addEventListener('click', (event) => {
    const name = event.target.closest('[data-go]')?.dataset.go;
    if (name) moves[name]();
  });
  document.addEventListener('input', (event) => {
    if (event.target.matches('.controls input')) go(Number(event.target.value));
  });
  document.addEventListener('keydown', (event) => {
    const busy = event.target.matches('select, textarea, summary, input:not([type=range])')
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
  document.body.classList.add('scripted');
  readAddress();
})();

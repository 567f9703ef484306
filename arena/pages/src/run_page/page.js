'use strict';
// Sorts and filters the games, copies a command, and renews the page of a run that is being played. Without this script the
// games stay in the page's order.
(() => {
  const WORDS = [['lost', 'bad'], ['drawn', ''], ['won', 'good']];
  const [RESULT, ENDING] = [1, 3];
  const NAMES = ['bot', 'opponent', 'result', 'ending'];
  const compare = new Intl.Collator(undefined, { numeric: true }).compare;
  const numbers = (text) => (text ? text.split(' ').map(Number) : []);
  // The column by which the games are sorted; 1 up, -1 down, 0 in the page's order.
  let [sorted, direction] = [-1, 0];

  function install() {
    const table = document.querySelector('table.games');
    if (!table) return;
    const form = document.querySelector('form.filter');
    const heads = [...table.tHead.rows[0].cells];
    const first = heads[RESULT].textContent;
    const games = [...table.tBodies[0].rows].map((row, order) => {
      const { b, r, e, f } = row.dataset;
      return { row, order, bots: numbers(b), ends: numbers(r), ending: Number(e), failed: numbers(f) };
    });
    // How a game ended for a bot; undefined if it didn't play.
    const endOf = (game, bot) => game.ends[game.bots.indexOf(bot)];
    const chosen = (name) => (form[name].value === '' ? null : Number(form[name].value));

    function filter() {
      const [bot, opponent, result, ending] = NAMES.map(chosen);
      const seen = bot ?? 0;
      heads[RESULT].firstChild.textContent = bot === null ? first : form.bot.selectedOptions[0].text;
      let count = 0;
      for (const game of games) {
        const end = endOf(game, seen);
        const own = game.failed.includes(seen);
        const isShown = (bot === null || end !== undefined)
          && (opponent === null || (opponent !== bot && game.bots.includes(opponent)))
          && (result === null || end === result)
          && (ending === null || (ending < 0 ? own : game.ending === ending));
        game.row.hidden = !isShown;
        count += isShown;
        const [word, colour] = WORDS[end] ?? ['–', ''];
        game.row.cells[RESULT].textContent = word;
        game.row.cells[RESULT].className = colour;
        const name = [...form.ending.options].find((option) => option.value === String(game.ending)).text;
        game.row.cells[ENDING].textContent = own ? `${name} (its own fault)` : name;
      }
      form.querySelector('output').textContent = `${count} of ${games.length} games`;
      sort();
    }

    function sort() {
      heads.forEach((head, column) => {
        const is = column === sorted && direction !== 0;
        head.ariaSort = is ? (direction > 0 ? 'ascending' : 'descending') : null;
      });
      const seen = chosen('bot') ?? 0;
      const key = (game) => (sorted === RESULT ? String(endOf(game, seen) ?? '–') : game.row.cells[sorted].textContent);
      // What is empty stands last in both directions.
      const by = (a, b) => (a === '–') - (b === '–') || direction * compare(a, b);
      const list = direction === 0 ? games
        : games.map((game) => [key(game), game]).sort(([a, x], [b, y]) => by(a, b) || x.order - y.order).map(([, game]) => game);
      table.tBodies[0].append(...list.map((game) => game.row));
    }

    heads.forEach((head, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener('click', () => {
        direction = column !== sorted || direction === 0 ? 1 : direction === 1 ? -1 : 0;
        sorted = column;
        sort();
      });
    });
    form.hidden = false;
    form.addEventListener('input', filter);
    form.addEventListener('submit', (event) => event.preventDefault());
    filter();
  }
  install();

  const proof = document.querySelector('.proof');
  if (proof) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'copy';
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(proof.textContent);
      } catch {
        getSelection().selectAllChildren(proof);
        document.execCommand('copy');
      }
      button.textContent = 'copied';
    });
    proof.after(button);
  }

  // The last page that came while a list was open, which renewal would close.
  let held = null;
  const list = (name) => document.querySelector(`form.filter [name=${name}]`);
  function renew(html) {
    held = document.activeElement?.form ? html : null;
    if (held !== null) return;
    const next = new DOMParser().parseFromString(html, 'text/html');
    // By name: other bots may stand before one now.
    const chosen = NAMES.map((name) => list(name)?.selectedOptions[0].text);
    const focus = document.activeElement?.closest('th')?.cellIndex;
    document.title = next.title;
    ['header', 'main', 'footer'].forEach((part) => document.querySelector(part).replaceWith(next.querySelector(part)));
    NAMES.forEach((name, i) => {
      const option = [...(list(name)?.options ?? [])].find(({ text }) => text === chosen[i]);
      if (option) option.selected = true;
    });
    install();
    if (focus !== undefined) document.querySelector('table.games')?.tHead.rows[0].cells[focus]?.firstChild.focus();
  }
  const { live } = document.querySelector('main').dataset;
  if (live !== undefined) {
    const events = new EventSource(`events?v=${live}`);
    events.addEventListener('page', (event) => renew(event.data));
    events.addEventListener('end', () => events.close());
    document.addEventListener('focusout', () => setTimeout(() => held !== null && renew(held)));
  }
})();

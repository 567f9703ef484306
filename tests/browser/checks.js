(() => {
  // Faults of the page as it is shown: what is below the fold, too small, too pale, over another text or cut off. Returns a
  // list of sentences, empty for a good page.
  const faults = [];
  const isPhone = innerWidth < 700;
  const article = document.querySelector('.game.now');
  const find = (what) => [...article.querySelectorAll(what)].find((e) => e.getBoundingClientRect().height > 0);
  const place = (e) => e.getBoundingClientRect();
  scrollTo(0, 0);

  if (document.documentElement.scrollWidth > innerWidth) faults.push('wider than the window');
  const board = find('svg.board');
  const controls = find('.controls');
  const parts = isPhone ? ['svg.board', '.controls'] : ['svg.board', '.controls', '.moves', '.chart svg', '.look'];
  for (const what of parts) {
    const part = find(what);
    if (part && place(part).bottom > innerHeight) faults.push(`${what} ends at ${Math.round(place(part).bottom)}`);
  }
  const gap = place(controls).top - place(board).bottom;
  if (gap < -1 || gap > 40) faults.push(`controls ${Math.round(gap)} px under the board`);
  if (!isPhone) {
    for (const column of ['.left', '.side']) {
      const bottom = Math.max(...[...find(column).querySelectorAll('*')].map((e) => place(e).bottom));
      if (bottom < 0.48 * innerHeight) faults.push(`${column} is empty below ${Math.round(bottom)}`);
    }
  }

  // Colours.
  const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
  const over = (front, back) => {
    const alpha = front[3] ?? 1;
    return [0, 1, 2].map((i) => alpha * front[i] + (1 - alpha) * back[i]);
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((x) => x / 255).map((x) => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  const fillOf = (e) => {
    const style = getComputedStyle(e);
    if (e instanceof SVGElement && !(e instanceof SVGSVGElement)) {
      if (style.fill === 'none' || e.tagName === 'text') return null;
      const rgb = channels(style.fill);
      return [...rgb.slice(0, 3), (rgb[3] ?? 1) * Number(style.fillOpacity) * Number(style.opacity)];
    }
    const rgb = channels(style.backgroundColor);
    return (rgb[3] ?? 1) === 0 ? null : rgb;
  };
  // The colours behind the middle of an element's own text, mixed; null where it can't be seen.
  const behind = (e) => {
    const range = document.createRange();
    range.selectNodeContents([...e.childNodes].find((node) => node.nodeType === 3 && node.textContent.trim()));
    const { left, top, width, height } = e instanceof SVGElement ? place(e) : range.getClientRects()[0];
    const all = document.elementsFromPoint(left + width / 2, top + height / 2);
    // What a list has scrolled away isn't seen.
    if (!all.includes(e)) return null;
    const stack = all.slice(all.indexOf(e) + 1);
    const fills = [];
    for (const other of stack) {
      const fill = fillOf(other);
      if (fill) fills.push(fill);
      if (fill && (fill[3] ?? 1) === 1) break;
    }
    return fills.reverse().reduce((back, front) => over(front, back), channels(getComputedStyle(document.body).backgroundColor).slice(0, 3));
  };

  const isShown = (e) => e.checkVisibility({ visibilityProperty: true }) && place(e).width > 0 && place(e).height > 0;
  const inWindow = (e) => {
    const { left, top, right, bottom } = place(e);
    return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  };
  const hasText = (e) => [...e.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  const texts = [...article.querySelectorAll('*')].filter((e) => hasText(e) && isShown(e) && !e.closest('dialog, option, title'));
  for (const e of texts) {
    const style = getComputedStyle(e);
    const scale = e instanceof SVGElement ? Math.abs(e.getScreenCTM().d) : 1;
    const told = `“${e.textContent.trim().slice(0, 30)}” (${e.closest('svg')?.getAttribute('class') ?? e.className ?? e.tagName})`;
    const size = parseFloat(style.fontSize) * scale;
    if (size < 10.95) faults.push(`${told} is ${size.toFixed(1)} px high`);
    if (!inWindow(e) || e.closest('.faded')) continue;
    const ink = e instanceof SVGElement ? style.fill : style.color;
    const back = behind(e);
    if (!back) continue;
    const seen = contrast(over(channels(ink), back), back);
    if (seen < 4.45) faults.push(`${told} has a contrast of ${seen.toFixed(2)}`);
  }
  for (const svg of article.querySelectorAll('svg')) {
    if (!isShown(svg)) continue;
    const frame = place(svg);
    const words = [...svg.querySelectorAll('text')].filter((e) => e.textContent.trim() && isShown(e));
    words.forEach((e, i) => {
      const a = place(e);
      const told = `“${e.textContent.slice(0, 30)}” (${svg.getAttribute('class')})`;
      if (a.left < frame.left - 2 || a.right > frame.right + 2 || a.top < frame.top - 3 || a.bottom > frame.bottom + 3) {
        faults.push(`${told} is cut off`);
      }
      for (const other of words.slice(i + 1)) {
        const b = place(other);
        const [wide, high] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
        // The box of a text is a third higher than its letters.
        if (wide > 1 && high > 0.35 * Math.min(a.height, b.height)) faults.push(`${told} is over “${other.textContent.slice(0, 30)}”`);
      }
    });
  }
  return [...new Set(faults)];
})()

// The number or letter that a browser shows before an item of an ordered list, and the name of its kind.
const LETTERS = {lower: 96, upper: 64};
const ROMAN = {m: 1000, cm: 900, d: 500, cd: 400, c: 100, xc: 90, l: 50, xl: 40, x: 10, ix: 9, v: 5, iv: 4, i: 1};
const roman = (number) => {
  let text = '';
  for (const [letters, value] of Object.entries(ROMAN)) {
    text += letters.repeat(Math.floor(number / value));
    number %= value;
  }
  return text;
};
const inStyle = (number, type) => {
  if (/(alpha|latin)$/u.test(type)) return String.fromCharCode(LETTERS[type.slice(0, 5)] + number);
  if (type === 'lower-roman') return roman(number);
  if (type === 'upper-roman') return roman(number).toUpperCase();
  return type === 'decimal-leading-zero' ? String(number).padStart(2, '0') : String(number);
};
const createMarkers = () => {
  const next = new Map();
  const firstOf = (list) => {
    if (list.hasAttribute('start') || !list.reversed) return list.start;
    return [...list.children].filter((child) => child.tagName === 'LI').length;
  };
  return (item, style) => {
    const list = item.parentElement;
    if (list?.tagName !== 'OL') return null;
    const number = item.hasAttribute('value') ? item.value : (next.get(list) ?? firstOf(list));
    next.set(list, number + (list.reversed ? -1 : 1));
    if (style.display !== 'list-item' || style.listStyleType === 'none') return [String(number), 'list number'];
    const text = inStyle(number, style.listStyleType);
    const isInMarkup = text === String(number) || list.hasAttribute('type');
    return isInMarkup ? [text, ''] : [`${text} ${number}`, 'list number'];
  };
};

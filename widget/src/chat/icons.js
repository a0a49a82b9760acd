/** Line icons on a 24 by 24 grid, as path data. */
export const CLOSE = 'M6 6l12 12M18 6L6 18';
export const PLUS = 'M12 5v14M5 12h14';
export const CLOCK = 'M12 7v5l3.2 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z';
export const BACK = 'M15 6l-6 6 6 6';
export const SEND = 'M12 19V5M6 11l6-6 6 6';
export const STOP = 'M8 8h8v8H8z';
export const COPY = 'M9 9h10v11H9zM5 15V4h10';
export const PAGE = 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6';
export const CHECK = 'M5 12.5l4.5 4.5L19 7.5';
export const UP = 'M7 21V11l4.5-7.5c1.6 0 2.5 1 2 3L13 10h5.5c1.3 0 2.2 1.2 1.8 2.5l-2 7c-.3.9-1 1.5-2 1.5zM7 11H3.5v10H7';
export const DOWN = 'M17 3v10l-4.5 7.5c-1.6 0-2.5-1-2-3L11 14H5.5c-1.3 0-2.2-1.2-1.8-2.5l2-7C6 3.6 6.7 3 7.7 3zM17 13h3.5V3H17';
export const TRASH = 'M5 7h14M10 11v6M14 11v6M6.5 7l1 13h9l1-13M9 7V4h6v3';
export const SAVE = 'M12 4v11M7 10.5l5 5 5-5M5 20h14';
export const CHEVRON = 'M7 10l5 5 5-5';
export const QUOTE = 'M4 7h16M4 12h16M4 17h9';
export const LINK = 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.700-5.700l-1.300 1.300M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.700 5.700l1.300-1.300';
export const DOCK = 'M4 5h16v14H4zM14 5v14';

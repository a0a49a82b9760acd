/*! Includes wink-porter2-stemmer (c) GRAYPE Systems; MIT licence. */
/** What the chat loads to answer from static files. */
export { answer, localeOf, questionOf } from './answer.js';
export { openLibrary } from './library.js';
export { parseQuery } from './query.js';
export { search } from './ranking.js';
export { createSiteFiles } from './site-files.js';

import { FAILED } from '../launcher/labels.js';
import chat from './en/chat.js';
import consent from './en/consent.js';
import details from './en/details.js';
import earlier from './en/earlier.js';
import encoder from './en/encoder.js';
import frame from './en/frame.js';
import search from './en/search.js';
import status from './en/status.js';
import vote from './en/vote.js';

/**
 * Everything the chat says, in English; the other languages have the same keys. What only a part says that is loaded when it is
 * used comes with that part.
 */
export default { ...chat, ...consent, ...details, ...earlier, ...encoder, ...frame, ...search, ...status, ...vote, failed: FAILED };

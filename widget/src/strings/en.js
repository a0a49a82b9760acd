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

/** All English texts; the other languages have the same keys. The parts that are loaded on demand include their own texts. */
export default { ...chat, ...consent, ...details, ...earlier, ...encoder, ...frame, ...search, ...status, ...vote, failed: FAILED };

/** What is said where questions are embedded in the browser, in English. Megabytes are `MB` everywhere: their sign. */
export default {
  encoderStarting: 'Initializing AI…',
  encoderLoading: 'Initializing AI… {loaded} of {total} MB',
  encoderTimeout: 'Connection Timed Out',
  encoderWithout: 'Answer without it',
  encoderAsk: 'To read questions on this device, {total} MB are loaded once. Your connection may be billed by what is loaded.',
  encoderAgree: 'Load {total} MB',
  encoderUnsupported: 'This browser cannot run the AI.',
  encoderBlocked: 'This site’s settings keep the AI from running in the browser.',
  encoderBroken: 'The AI could not be loaded: a file is missing or damaged.',
  encoderServer: 'The site’s server reads your questions instead.',
  encoderPrivate: 'Your words stay on this device: only their meaning is sent, as numbers. Exact names, codes and follow-up questions are not understood.',
  encoderWords: 'Your words would have to be sent.',
  encoderPassage: 'A question about a passage is answered by its words: they and the passage would have to be sent.',
  encoderSendWords: 'Send the words',
  encoderDecline: 'Not now',
};

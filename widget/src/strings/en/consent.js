/** English texts of the request for consent. */
export default {
  consentText: 'Your questions are sent to the chat server of {site}.',
  consentAgree: 'Agree and ask',
  consentDecline: 'Not now',
  consentMore: 'More about it',
};

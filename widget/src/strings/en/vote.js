/** English texts of the form after a vote against a reply. */
export default {
  whyNot: 'What was wrong?',
  reason_wrong: 'It is wrong',
  reason_incomplete: 'Something is missing',
  reason_misunderstood: 'Not what I asked',
  reason_in_docs: 'The docs do say it',
  comment: 'Comment (optional)',
  commentNote: 'Goes to those who run these docs, with your question and without your name.',
};

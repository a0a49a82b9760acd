/** English texts of the list of conversations. */
export default {
  historyNote: 'Kept in this browser only: 20 questions, 7 days.',
  historyEmpty: 'No conversations yet.',
  deleteOne: 'Delete “{title}”',
  export: 'Save as Markdown',
  exportOne: 'Save “{title}” as Markdown',
  clearAll: 'Delete all',
  nearlyFull: {
    one: '{n} question is kept in this browser. After {most} the oldest go.',
    other: '{n} questions are kept in this browser. After {most} the oldest go.',
  },
  copyConversation: 'Copy “{title}”',
};

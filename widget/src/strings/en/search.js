/** English texts of the search. */
export default {
  searchPlaceholder: 'Search {site}…',
  searchHint: 'Type a word or a question: sections of {site} are found as you type.',
  searchResults: 'Sections found',
  searchFound: { one: '{n} section found.', other: '{n} sections found.' },
  searchNone: 'No section has these words.',
  searchUnavailable: 'The search could not be loaded. You can still ask.',
  searchAsk: 'Ask: {query}',
  searchRecent: 'Recent searches',
  searchForget: 'Forget recent searches',
};

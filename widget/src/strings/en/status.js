/** The status line of an answer, in English. */
export default {
  status_searching: 'Searching for: {list}',
  status_reading: 'Reading: {list}',
  status_checking: 'Checking the last sentences…',
  statusMore: { one: 'and {n} more', other: 'and {n} more' },
};

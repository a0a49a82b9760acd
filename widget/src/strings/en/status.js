/** English texts of an answer's status line. */
export default {
  status_searching: 'Searching for: {list}',
  status_reading: 'Reading: {list}',
  status_checking: 'Checking the last sentences…',
  statusMore: { one: 'and {n} more', other: 'and {n} more' },
};

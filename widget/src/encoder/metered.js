/** Connections on which a reader pays by the megabyte, or waits for each. */
const SLOW = ['slow-2g', '2g', '3g'];

/** Whether the reader is asked before megabytes are fetched; browsers that do not tell their connection count as free. */
export function isMetered() {
  const { connection } = /** @type {{connection?: {saveData?: boolean, type?: string, effectiveType?: string}}} */ (navigator);
  return !!connection && (connection.saveData || connection.type === 'cellular' || SLOW.includes(connection.effectiveType ?? ''));
}

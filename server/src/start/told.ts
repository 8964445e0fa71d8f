/**
 * Errors whose message is a whole sentence for who started us: what is wrong, and what to do. They go by their names, so
 * that none of their modules is loaded for it.
 */
const SENTENCES: ReadonlySet<string> = new Set([
  'CommandError',
  'ConfigError',
  'DataInUse',
  'NewerDatabase',
  'NoBackup',
  'NoDatabase',
  'PortTaken',
  'SharedSessions',
  'UnusableKey',
  'WrongUsage',
])

/** Returns an expected error as its sentence; for the rest the stack is worth more. */
export function told(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return SENTENCES.has(error.name) ? error.message : (error.stack ?? error.message)
}

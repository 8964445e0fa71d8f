/**
 * Errors whose message is a complete sentence that says what is wrong and what to do. Identified by name, so that their
 * modules need not be loaded.
 */
const EXPECTED_ERRORS: ReadonlySet<string> = new Set([
  'CommandError',
  'ConfigError',
  'DataInUse',
  'NewerDatabase',
  'NoBackup',
  'NoDatabase',
  'OlderDatabase',
  'PortTaken',
  'SharedSessions',
  'UnusableKey',
  'WrongUsage',
])

/** Returns the message of an expected error, and the stack trace of any other. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return EXPECTED_ERRORS.has(error.name) ? error.message : (error.stack ?? error.message)
}

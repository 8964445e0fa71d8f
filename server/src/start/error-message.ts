/** Errors with a message for the operator. They are recognised by name, so that their modules need not be imported. */
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

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return EXPECTED_ERRORS.has(error.name) ? error.message : (error.stack ?? error.message)
}

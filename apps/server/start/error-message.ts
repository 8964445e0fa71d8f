/** Errors with a message for the operator. They are recognised by name, so that their modules need not be imported. */
const EXPECTED_ERRORS: ReadonlySet<string> = new Set([
  'CommandError',
  'ConfigError',
  'DataInUse',
  'NewerDatabase',
  'UnreleasedDatabase',
  'UpgradeFailed',
  'NoBackup',
  'NoDatabase',
  'OlderDatabase',
  'PortTaken',
  'SharedDatabaseSessions',
  'UnusableKey',
  'WrongUsage',
])

/** Without control characters, because messages quote servers, which could otherwise change the terminal. */
export const messageOf = (error: unknown): string => fullMessageOf(error).replaceAll(/[^\P{Cc}\n\t]/gu, '')

function fullMessageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return EXPECTED_ERRORS.has(error.name) ? error.message : (error.stack ?? error.message)
}

import { isDatabaseLost } from './lost.ts'

export class NoDatabase extends Error {
  override readonly name = 'NoDatabase'
}

/** Advice to the operator about an error of PostgreSQL, by its code. */
const ADVICE = new Map([
  ['25006', 'DATABASE_URL must name the primary server, and the database must not be read-only.'],
  ['42501', 'The login must own the database and its tables. If an upgrade stops changes, wait for its end.'],
  ['53100', 'Free space on the disk of the database.'],
  ['55P03', 'Other programs use the table. Run the command again.'],
])

/** @throws NoDatabase instead of the driver's errors for an unreachable database or one that refuses the operator */
export async function explainDatabaseErrors<T>(otherwise: string, callback: () => Promise<T>): Promise<T> {
  try {
    return await callback()
  } catch (error) {
    if (!(error instanceof Error) || error instanceof NoDatabase) throw error
    const output = error instanceof AggregateError ? error.errors.map(String).join('; ') : error.message
    if (isLoginRejected(error)) {
      throw new NoDatabase(
        `The database rejects the connection (${output}). Set DATABASE_URL to an existing database and login.`,
        { cause: error },
      )
    }
    const advice = ADVICE.get('code' in error ? String(error.code) : '')
    if (advice !== undefined) throw new NoDatabase(`The database refuses: ${output}. ${advice}`, { cause: error })
    if (!isDatabaseLost(error) && !isUnreachable(error)) throw error
    throw new NoDatabase(`The database does not answer (${output}). ${otherwise}`, { cause: error })
  }
}

/**
 * Returns true for invalid_authorization, invalid_catalog_name, or the driver's error for a missing password, which has
 * no code.
 */
export function isLoginRejected(error: Error): boolean {
  return ('code' in error && /^(28|3D000)/.test(String(error.code))) || error.message.startsWith('SASL: ')
}

/** Returns true if the host cannot be reached. A host name with several addresses causes one error per address. */
function isUnreachable(error: Error): boolean {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  return first instanceof Error && 'syscall' in first && ['connect', 'getaddrinfo'].includes(String(first.syscall))
}

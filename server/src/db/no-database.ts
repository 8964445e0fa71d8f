import { isDatabaseLost } from './lost.ts'

/** The database can't be had: a sentence for people, with what to do. */
export class NoDatabase extends Error {
  override readonly name = 'NoDatabase'
}

/**
 * Does something with a database that may lead nowhere, break off, or not let us in.
 * @param otherwise a sentence for people: what to do where it does not answer
 * @throws NoDatabase in place of the driver's own errors on that
 */
export async function orNoDatabase<T>(otherwise: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error) || error instanceof NoDatabase) throw error
    const said = error instanceof AggregateError ? error.errors.map(String).join('; ') : error.message
    if (isRefusal(error)) {
      throw new NoDatabase(
        `The database does not let us in (${said}). Let DATABASE_URL name a login and a database that it knows.`,
        { cause: error },
      )
    }
    if (!isDatabaseLost(error) && !isUnreachable(error)) throw error
    throw new NoDatabase(`The database does not answer (${said}). ${otherwise}`, { cause: error })
  }
}

/** PostgreSQL's invalid_authorization and invalid_catalog_name; the driver's, which has no code, where there is no password. */
function isRefusal(error: Error): boolean {
  return ('code' in error && /^(28|3D000)/.test(String(error.code))) || error.message.startsWith('SASL: ')
}

/** Its host is not known, or there is no way to it. Several addresses of one name have an error each. */
function isUnreachable(error: Error): boolean {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  return first instanceof Error && 'syscall' in first && ['connect', 'getaddrinfo'].includes(String(first.syscall))
}

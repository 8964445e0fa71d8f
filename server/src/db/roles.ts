import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

/**
 * The role that API and worker log in as. It owns nothing, so that no `set role` makes history changeable: it can add
 * to the audit and the ledger, and never change them. The owner's role is for migrations alone.
 */
export const APP_ROLE = 'trainyard_app'

/** A role to log in as. */
export interface Login {
  readonly role: string
  /** null: none is needed, or it is not ours to set. */
  readonly password: string | null
}

const USER_INFO = /^(?<scheme>[a-z]+:\/\/)(?:(?<user>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?/

/** Reads the login out of a connection string. */
export function loginIn(connectionString: string): { readonly role: string | null; readonly password: string | null } {
  const { user, password } = USER_INFO.exec(connectionString)?.groups ?? {}
  const query = new URLSearchParams(connectionString.split('?')[1])
  return {
    role: query.get('user') ?? (user ? decodeURIComponent(user) : null),
    password: query.get('password') ?? (password ? decodeURIComponent(password) : null),
  }
}

/**
 * Makes the app's login out of the owner's. Its password is derived from the owner's, so that every process that is
 * given the one connection string knows it, on whichever machine; without an owner's password there is none.
 */
export function appLoginOf(ownerUrl: string): Login {
  const { password } = loginIn(ownerUrl)
  return {
    role: APP_ROLE,
    password: password === null ? null : createHmac('sha256', password).update(APP_ROLE).digest('base64url'),
  }
}

/** The same database, as another login. */
export function urlAs(connectionString: string, { role, password }: Login): string {
  const login = [role, ...(password === null ? [] : [password])].map(encodeURIComponent).join(':')
  const [address, query] = connectionString.replace(USER_INFO, `$<scheme>${login}@`).split('?') as [string, string?]
  const settings = new URLSearchParams(query)
  settings.delete('user')
  settings.delete('password')
  return settings.size === 0 ? address : `${address}?${settings.toString()}`
}

const ITERATIONS = 4_096

/**
 * Makes what PostgreSQL stores of a password, so that the password itself stands in no statement, and so in no log.
 * Source: https://www.postgresql.org/docs/current/catalog-pg-authid.html
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256')
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`
}

import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

/** PostgreSQL's limit for names is 63 bytes. */
const MAX_OWNER = 59

/**
 * Returns the role that the app logs in as. It owns nothing, so that no `set role` lets the app change history. Each owner
 * has its own, because roles belong to the whole server, which may have databases of other portals.
 */
const appRoleOf = (owner: string): string => `${owner.slice(0, MAX_OWNER)}_app`

/** SQL of the name of the app's role, which is that of the owner of the portal's tables. */
export const APP_ROLE = `(select left(pg_get_userbyid(relowner), ${MAX_OWNER}) || '_app' from pg_class
  where oid = 'public.applied_area'::regclass)`

export interface Login {
  readonly role: string
  /** null: the role needs no password, or the operator manages the role. */
  readonly password: string | null
  /** True: by `appLoginOf`; otherwise the operator chose the login. */
  readonly isDerived?: boolean
}

const USER_INFO = /^(?<scheme>[a-z]+:\/\/)(?:(?<user>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?/

export function loginIn(connectionString: string): { readonly role: string | null; readonly password: string | null } {
  const { user, password } = USER_INFO.exec(connectionString)?.groups ?? {}
  const query = new URLSearchParams(connectionString.split('?')[1])
  return {
    role: query.get('user') ?? (user ? decodeURIComponent(user) : null),
    password: query.get('password') ?? (password ? decodeURIComponent(password) : null),
  }
}

/**
 * Returns the login of the app. Its password is derived from the owner's password, so that every process with the
 * owner's connection string can compute it.
 */
export function appLoginOf(ownerUrl: string): Login {
  const { role: owner, password } = loginIn(ownerUrl)
  const role = appRoleOf(owner ?? 'trainyard')
  return {
    role,
    password: password === null ? null : createHmac('sha256', password).update(role).digest('base64url'),
    isDerived: true,
  }
}

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
 * Returns the SCRAM verifier of a password, which keeps the password out of logs.
 * https://www.postgresql.org/docs/current/catalog-pg-authid.html
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256')
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`
}

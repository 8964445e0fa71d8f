/** The hosts that a connection string names, as libpq writes them: several are separated by commas. */
export interface Hosts {
  /** A connection string for each, in their order. */
  readonly urls: readonly string[]
  /** libpq's target_session_attrs, or null where the string says nothing of it. */
  readonly attributes: string | null
}

const PARTS = /^(?<login>[a-z]+:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#]*)(?<rest>.*)$/s
const ATTRIBUTES = 'target_session_attrs'
/** Those that the portal, which writes, can be given. */
export const WRITING_ATTRIBUTES: readonly string[] = ['any', 'primary', 'read-write']

/** Source: https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS */
export function hostsIn(connectionString: string): Hosts {
  const parts = PARTS.exec(connectionString)?.groups
  const query = new URLSearchParams(connectionString.split('?')[1])
  const attributes = query.get(ATTRIBUTES)
  if (parts === undefined || (attributes === null && !parts['hosts']!.includes(','))) {
    return { urls: [connectionString], attributes: null }
  }
  query.delete(ATTRIBUTES)
  const path = parts['rest']!.split('?')[0]!
  const rest = query.size === 0 ? path : `${path}?${query.toString()}`
  return { urls: parts['hosts']!.split(',').map((host) => `${parts['login']!}${host}${rest}`), attributes }
}

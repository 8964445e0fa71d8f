export interface Hosts {
  readonly urls: readonly string[]
  /** Value of libpq's target_session_attrs. */
  readonly attributes: string | null
}

const PARTS = /^(?<login>[a-z]+:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#]*)(?<rest>.*)$/s
const ATTRIBUTES = 'target_session_attrs'
/** Values of target_session_attrs that the portal accepts. The others may select a read-only server. */
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

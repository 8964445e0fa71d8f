import { type LmsClient, LmsError, type LtiClaims } from './lms-provider.ts'
import { type LmsFetch, objectIn } from './fetch.ts'
import { type AccessTokens, ROSTER_SCOPE } from './token.ts'

const TYPE = 'application/vnd.ims.lti-nrps.v2.membershipcontainer+json'
const PAGE_SIZE = 200
const PAGES_MAX = 500
/** Maximum number of pages without members, which an LMS with many hidden users may send. */
const EMPTY_PAGES_MAX = 3
const MEMBERS_MAX = 20_000

/**
 * Reads all pages of a course's roster (Names and Role Provisioning 2.0).
 * @param deadline deadline of the whole roster. Each page also has a timeout
 */
export async function readMembers(
  fetch: LmsFetch,
  tokens: AccessTokens,
  client: LmsClient,
  membershipsUrl: string,
  deadline: AbortSignal,
): Promise<readonly LtiClaims[]> {
  const first = URL.parse(membershipsUrl)
  if (first === null) throw new LmsError('invalid', 'The LMS named an address of its roster that is not valid.')
  // Moodle sends pages only if a limit is requested.
  first.searchParams.set('limit', String(PAGE_SIZE))
  const authorization = `Bearer ${await tokens.get(client, [ROSTER_SCOPE])}`
  const found: LtiClaims[] = []
  const { host, origin } = first
  let next: string | null = first.href
  let empty = 0
  for (let page = 0; next !== null; page += 1) {
    if (deadline.aborted) throw new LmsError('unreachable', `${host} did not send all members of the course in time.`)
    const reply = await fetch(next, { method: 'GET', headers: { accept: TYPE, authorization }, signal: deadline })
    if (reply.status !== 200) {
      if (reply.status === 401) tokens.forget(client, [ROSTER_SCOPE])
      const kind = reply.status >= 500 || reply.status === 401 || reply.status === 429 ? 'unreachable' : 'refused'
      throw new LmsError(kind, `${host} answers ${reply.status} to the request for the members of the course.`)
    }
    const { members } = objectIn(reply, 'the members of the course', host)
    if (!Array.isArray(members)) throw new LmsError('invalid', `${host} sent no list of members.`)
    for (const member of members as unknown[]) if (isObject(member)) found.push(member)
    empty = members.length === 0 ? empty + 1 : 0
    if (empty > EMPTY_PAGES_MAX) throw new LmsError('invalid', `${host} sends pages without members.`)
    if (found.length > MEMBERS_MAX || page >= PAGES_MAX) {
      throw new LmsError('invalid', `The course has more than ${MEMBERS_MAX} members.`)
    }
    next = nextIn(reply.link, next)
    // The access token must not be sent to another site.
    if (next !== null && URL.parse(next)?.origin !== origin) {
      throw new LmsError('invalid', `${host} named a page of the roster at another site.`)
    }
  }
  return found
}

const isObject = (value: unknown): value is LtiClaims =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the address of the next page (rfc-editor.org/rfc/rfc8288); null: there is none. Linear in the length. */
export function nextIn(link: string | null, base: string): string | null {
  for (const part of (link ?? '').split('<').slice(1)) {
    const end = part.indexOf('>')
    if (end === -1) continue
    const parameters = part
      .slice(end + 1)
      .split(',', 1)[0]!
      .split(';')
      .slice(1)
    if (parameters.some(isNext)) return URL.parse(part.slice(0, end), base)?.href ?? null
  }
  return null
}

function isNext(parameter: string): boolean {
  const [name, ...value] = parameter.split('=')
  if (name!.trim().toLowerCase() !== 'rel') return false
  const relations = value.join('=').trim().replace(/^"/, '').replace(/"$/, '')
  return relations.toLowerCase().split(/\s/).includes('next')
}

import { type LmsClient, LmsError, type LtiClaims } from '../lms.ts'
import { type LmsFetch, objectIn } from './fetch.ts'
import { type AccessTokens, ROSTER_SCOPE } from './token.ts'

const TYPE = 'application/vnd.ims.lti-nrps.v2.membershipcontainer+json'
const PAGE_SIZE = 200
const PAGES_MAX = 500
const MEMBERS_MAX = 20_000

/** Reads all pages of a course's roster (Names and Role Provisioning 2.0). */
export async function readMembers(
  fetch: LmsFetch,
  tokens: AccessTokens,
  client: LmsClient,
  membershipsUrl: string,
): Promise<readonly LtiClaims[]> {
  const first = URL.parse(membershipsUrl)
  if (first === null) throw new LmsError('invalid', 'The LMS named an address of its roster that is not valid.')
  // Moodle sends pages only if a limit is requested.
  first.searchParams.set('limit', String(PAGE_SIZE))
  const authorization = `Bearer ${await tokens.get(client, [ROSTER_SCOPE])}`
  const found: LtiClaims[] = []
  const { host, origin } = first
  let next: string | null = first.href
  for (let page = 0; next !== null; page += 1) {
    const reply = await fetch(next, { method: 'GET', headers: { accept: TYPE, authorization } })
    if (reply.status !== 200) {
      if (reply.status === 401) tokens.forget(client, [ROSTER_SCOPE])
      const kind = reply.status >= 500 || reply.status === 401 || reply.status === 429 ? 'unreachable' : 'refused'
      throw new LmsError(kind, `${host} answers ${reply.status} to the request for the members of the course.`)
    }
    const { members } = objectIn(reply, 'the members of the course', host)
    if (!Array.isArray(members)) throw new LmsError('invalid', `${host} sent no list of members.`)
    found.push(...(members as LtiClaims[]).filter((member) => typeof member === 'object' && member !== null))
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

/** Returns the address of the next page (rfc-editor.org/rfc/rfc8288); null: there is none. */
export function nextIn(link: string | null, base: string): string | null {
  for (const [, target, parameters] of (link ?? '').matchAll(/<([^>]*)>((?:\s*;\s*[^,;]+)*)/g)) {
    if (/;\s*rel\s*=\s*"?(?:[^"]*\s)?next(?:\s[^"]*)?"?\s*(?:;|$)/i.test(parameters!)) {
      return URL.parse(target!, base)?.href ?? null
    }
  }
  return null
}

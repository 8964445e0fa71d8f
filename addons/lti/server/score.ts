import { type LmsClient, LmsError, type Score } from './lms-provider.ts'
import type { LmsFetch } from './fetch.ts'
import { type AccessTokens, SCORE_SCOPES } from './token.ts'

/** Sends one score (Assignment and Grade Services 2.0, section 3.4). @throws LmsError */
export async function writeScore(
  fetch: LmsFetch,
  tokens: AccessTokens,
  client: LmsClient,
  lineItemUrl: string,
  { subject, at, given, maximum, comment }: Score,
): Promise<void> {
  const address = scoresOf(lineItemUrl)
  if (address === null) throw new LmsError('invalid', 'The LMS named an address of its gradebook that is not valid.')
  const reply = await fetch(address.href, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await tokens.get(client, SCORE_SCOPES)}`,
      'content-type': 'application/vnd.ims.lis.v1.score+json',
    },
    body: JSON.stringify({
      userId: subject,
      timestamp: at.toISOString(),
      scoreGiven: given,
      scoreMaximum: maximum,
      comment,
      activityProgress: given >= maximum ? 'Completed' : 'InProgress',
      // Moodle writes only these scores to its gradebook.
      gradingProgress: 'FullyGraded',
    }),
  })
  if (reply.status >= 200 && reply.status < 300) return
  if (reply.status === 401) tokens.forget(client, SCORE_SCOPES)
  throw new LmsError(
    reply.status >= 500 || reply.status === 401 || reply.status === 429 ? 'unreachable' : 'refused',
    `${address.host} answers ${reply.status} to a score.`,
  )
}

/**
 * Returns the address of scores: inserts the last part of the path before the query, which Moodle's addresses have.
 * Null if the address is not valid.
 */
export function scoresOf(lineItemUrl: string): URL | null {
  const url = URL.parse(lineItemUrl)
  if (url !== null) url.pathname = `${url.pathname.replace(/\/$/, '')}/scores`
  return url
}

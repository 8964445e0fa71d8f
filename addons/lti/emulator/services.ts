import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { consumeFault, type LmsDependencies } from './parts.ts'
import type { LineItem, Score } from './records.ts'
import { LmsRefusal, readToolToken } from './tokens.ts'

const AGS = 'https://purl.imsglobal.org/spec/lti-ags/scope/'
export const ROSTER_SCOPE = 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly'
export const SCOPES = [
  ROSTER_SCOPE,
  `${AGS}lineitem`,
  `${AGS}lineitem.readonly`,
  `${AGS}result.readonly`,
  `${AGS}score`,
]

const MEMBERSHIPS = 'application/vnd.ims.lti-nrps.v2.membershipcontainer+json'
const TOKEN_SECONDS = 3_600

/** Token endpoint, Names and Role Provisioning 2.0, and Assignment and Grade Services 2.0. */
export function mountServices(server: FastifyInstance, parts: LmsDependencies): void {
  const { records, origin } = parts
  const tokens = new Map<
    string,
    { readonly clientId: string; readonly scopes: readonly string[]; readonly until: number }
  >()
  const usedIds = new Set<string>()

  server.post('/lms/token', async (request, reply) => {
    const faulty = consumeFault(parts, 'Lti_Token', reply)
    if (faulty !== undefined) return faulty
    const form = (request.body ?? {}) as Record<string, string>
    if (form['grant_type'] !== 'client_credentials')
      throw new LmsRefusal(400, 'unsupported_grant_type', 'Not supported.')
    if (form['client_assertion_type'] !== 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
      throw new LmsRefusal(400, 'invalid_request', 'A JWT assertion is required.')
    const assertion = form['client_assertion'] ?? ''
    const clientId = subjectOf(assertion)
    const tool = clientId === undefined ? undefined : records.tool(clientId)
    if (tool === undefined || !tool.isActive) throw new LmsRefusal(400, 'invalid_client', 'Unknown client.')
    const claims = await readToolToken(assertion, tool.keySetUrl)
    const { aud, jti } = claims
    if (claims['iss'] !== clientId) throw new LmsRefusal(400, 'invalid_client', 'The issuer must be the client.')
    if (!(Array.isArray(aud) ? aud : [aud]).includes(`${origin()}/lms/token`))
      throw new LmsRefusal(400, 'invalid_client', 'The audience must be this endpoint.')
    if (typeof jti !== 'string' || usedIds.has(jti))
      throw new LmsRefusal(400, 'invalid_client', 'The jti was used before.')
    usedIds.add(jti)
    const scopes = (form['scope'] ?? '').split(' ').filter((scope) => tool.scopes.includes(scope))
    if (scopes.length === 0) throw new LmsRefusal(400, 'invalid_scope', 'No scope is granted.')
    const token = randomBytes(24).toString('base64url')
    tokens.set(token, { clientId: clientId!, scopes, until: Date.now() + TOKEN_SECONDS * 1_000 })
    // Moodle 4.5.6 sends JSON with PHP's default content type.
    return send(reply, 'text/html; charset=utf-8', {
      access_token: token,
      token_type: 'Bearer',
      expires_in: TOKEN_SECONDS,
      scope: scopes.join(' '),
    })
  })

  /** Returns the client of an access token with one of the scopes. */
  const clientOf = (request: FastifyRequest, ...scopes: string[]): string => {
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
    const found = token === undefined ? undefined : tokens.get(token)
    if (found === undefined || found.until < Date.now())
      throw new LmsRefusal(401, 'invalid_token', 'The token is not valid.')
    if (!scopes.some((scope) => found.scopes.includes(scope)))
      throw new LmsRefusal(403, 'insufficient_scope', 'The token lacks the scope.')
    return found.clientId
  }

  server.get('/lms/courses/:course/members', (request, reply) => {
    const faulty = consumeFault(parts, 'Lti_Members', reply)
    if (faulty !== undefined) return faulty
    clientOf(request, ROSTER_SCOPE)
    const { course } = request.params as { course: string }
    const found = records.course(course)
    if (found === undefined) throw new LmsRefusal(404, 'not_found', 'There is no such course.')
    if (!(request.headers.accept ?? '').includes(MEMBERSHIPS))
      throw new LmsRefusal(406, 'not_acceptable', 'The media type is not supported.')
    const url = `${origin()}/lms/courses/${encodeURIComponent(course)}/members`
    const { limit: requestedLimit, from: requestedFrom } = request.query as { limit?: string; from?: string }
    const members = records.members(course)
    const from = Number(requestedFrom ?? 0)
    const limit = requestedLimit === undefined ? members.length : Math.min(Number(requestedLimit), parts.pageSize())
    const page = members.slice(from, from + limit)
    if (from + limit < members.length) {
      const next = `${url}?limit=${limit}&from=${from + limit}`
      void reply.header('link', `<${next}>; rel="next"`)
    }
    return reply.type(MEMBERSHIPS).send(
      JSON.stringify({
        id: url,
        context: { id: found.id, title: found.title },
        members: page.map(({ id, name, email, roles, status }) => ({
          user_id: id,
          roles,
          // An absent status means Active.
          ...(status !== 'Active' && { status }),
          ...(name !== null && { name }),
          ...(email !== null && { email }),
        })),
      }),
    )
  })

  const itemsUrl = (course: string) => `${origin()}/lms/courses/${encodeURIComponent(course)}/lineitems`
  const itemView = ({ id, course, label, maximum, link }: LineItem) => ({
    id: `${itemsUrl(course)}/${id}?type_id=1`,
    label,
    scoreMaximum: maximum,
    ...(link !== null && { resourceLinkId: link }),
  })

  server.post('/lms/courses/:course/lineitems', (request, reply) => {
    const faulty = consumeFault(parts, 'Lti_LineItems', reply)
    if (faulty !== undefined) return faulty
    const clientId = clientOf(request, `${AGS}lineitem`)
    requireType(request, 'application/vnd.ims.lis.v2.lineitem+json')
    const { course } = request.params as { course: string }
    const { label, scoreMaximum, resourceLinkId } = request.body as Record<string, unknown>
    if (typeof label !== 'string' || typeof scoreMaximum !== 'number' || scoreMaximum <= 0)
      throw new LmsRefusal(400, 'invalid_request', 'label and scoreMaximum are required.')
    const link = typeof resourceLinkId === 'string' ? resourceLinkId : null
    if (link !== null && records.link(link)?.course !== course)
      throw new LmsRefusal(404, 'not_found', 'There is no such resource link.')
    const item = { id: randomBytes(6).toString('hex'), course, clientId, link, label, maximum: scoreMaximum }
    records.putItem(item)
    return send(reply.code(201), 'application/vnd.ims.lis.v2.lineitem+json', itemView(item))
  })

  server.get('/lms/courses/:course/lineitems', (request, reply) => {
    const clientId = clientOf(request, `${AGS}lineitem`, `${AGS}lineitem.readonly`)
    const { course } = request.params as { course: string }
    const found = records.items().filter((item) => item.course === course && item.clientId === clientId)
    return send(reply, 'application/vnd.ims.lis.v2.lineitemcontainer+json', found.map(itemView))
  })

  server.post('/lms/courses/:course/lineitems/:item/scores', (request, reply) => {
    const faulty = consumeFault(parts, 'Lti_Score', reply)
    if (faulty !== undefined) return faulty
    const clientId = clientOf(request, `${AGS}score`)
    requireType(request, 'application/vnd.ims.lis.v1.score+json')
    const { course, item: id } = request.params as { course: string; item: string }
    const item = records.item(id)
    if (item?.course !== course || item.clientId !== clientId)
      throw new LmsRefusal(404, 'not_found', 'There is no such line item.')
    const score = scoreIn(request.body as Record<string, unknown>, item, records.scores(id))
    if (records.member(course, score.user) === undefined)
      throw new LmsRefusal(404, 'not_found', 'There is no such user.')
    records.putScore(score)
    return reply.code(200).send()
  })
}

const send = (reply: FastifyReply, type: string, body: object): FastifyReply =>
  reply.type(type).send(JSON.stringify(body))

function requireType(request: FastifyRequest, type: string): void {
  if (!(request.headers['content-type'] ?? '').startsWith(type))
    throw new LmsRefusal(415, 'unsupported_media_type', `The media type must be ${type}.`)
}

function scoreIn(body: Record<string, unknown>, item: LineItem, earlier: readonly Score[]): Score {
  const { userId, timestamp, scoreGiven, scoreMaximum, activityProgress, gradingProgress, comment } = body
  const refuse = (message: string) => new LmsRefusal(400, 'invalid_request', message)
  if (typeof userId !== 'string') throw refuse('userId is required.')
  if (typeof timestamp !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(?:Z|[+-]\d\d:\d\d)$/.test(timestamp))
    throw refuse('timestamp must have fractions of a second and a zone.')
  if (!['Initialized', 'Started', 'InProgress', 'Submitted', 'Completed'].includes(String(activityProgress)))
    throw refuse('activityProgress is not valid.')
  if (!['FullyGraded', 'Pending', 'PendingManual', 'Failed', 'NotReady'].includes(String(gradingProgress)))
    throw refuse('gradingProgress is not valid.')
  if (scoreGiven !== undefined && (typeof scoreGiven !== 'number' || typeof scoreMaximum !== 'number'))
    throw refuse('scoreGiven needs scoreMaximum.')
  const before = earlier.find(({ user }) => user === userId)
  if (before !== undefined && Date.parse(before.at) >= Date.parse(timestamp))
    throw new LmsRefusal(409, 'conflict', 'A score with this or a later timestamp exists.')
  return {
    item: item.id,
    user: userId,
    given: scoreGiven ?? null,
    maximum: (scoreMaximum as number | undefined) ?? null,
    activity: String(activityProgress),
    grading: String(gradingProgress),
    comment: typeof comment === 'string' ? comment : null,
    at: timestamp,
  }
}

function subjectOf(token: string): string | undefined {
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub?: unknown }
    return typeof claims.sub === 'string' ? claims.sub : undefined
  } catch {
    return undefined
  }
}

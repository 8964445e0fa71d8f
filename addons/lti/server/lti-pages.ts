import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LMS, LTI_PAGE } from '../contract/lms-words.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import type { AdmissionControl } from '@trainyard/platform/server/http/admission/admission.ts'
import type { DiskState } from '@trainyard/platform/server/http/disk-state.ts'
import { handleErrors, sendProblem } from '@trainyard/platform/server/http/errors.ts'
import { launches } from '../contract/lms.ts'
import type { RateLimits } from '@trainyard/platform/server/http/rate-limits.ts'
import type { Web } from '@trainyard/platform/server/http/web.ts'

/**
 * Returns the origins whose pages may contain the portal's page for an LMS, and the origin that stores values for this
 * page.
 */
type LmsOriginsOf = (
  platform: string,
) => Promise<{ readonly origins: readonly string[]; readonly storageOrigin: string | undefined }>

/** Returns the origins whose pages may contain the page of a registration. */
type RegistrationOriginsOf = (registration: {
  readonly code: string
  readonly configuration: string
}) => Promise<readonly string[]>

/** An ID token has at most some ten kilobytes. */
const BODY_BYTES = 64 * 1024
/** Maximum number of fields of a form. Thousands of short fields take far more CPU time than their size suggests. */
const FIELDS_MAX = 100
const HINT_LENGTH = 4_000
/** Fields that the page reads, with the maximum length of their values. Other fields do not become part of the page. */
const LENGTHS: Readonly<Record<string, number>> = {
  iss: HINT_LENGTH,
  login_hint: HINT_LENGTH,
  lti_message_hint: HINT_LENGTH,
  client_id: HINT_LENGTH,
  lti_deployment_id: HINT_LENGTH,
  lti_storage_target: HINT_LENGTH,
  state: HINT_LENGTH,
  error: HINT_LENGTH,
  error_description: HINT_LENGTH,
  id_token: 40_000,
  openid_configuration: HINT_LENGTH,
  registration_token: 8_000,
}
/** IDs and codes in an address. Text that was copied with the address may follow. */
const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-z])/
const CODE = /^[\w-]{43}(?![\w-])/
/** Not compressed, because that takes most of the CPU time of a page with a long token. */
const OPTIONS = { schema: { hide: true }, config: { callClass: 'read' }, compress: false } as const

type Values = Readonly<Record<string, string>>

interface LtiPageDependencies {
  readonly web: Web
  readonly limits: RateLimits
  readonly disk: DiskState
  readonly originsOf: LmsOriginsOf
  readonly registrationOriginsOf: RegistrationOriginsOf
  readonly admission: AdmissionControl
}

/**
 * Pages that an LMS opens, partly in a frame and partly by a form. The page makes the calls (`ltiLaunch`) itself with
 * the posted values, so that cookies and checks are those of a request of the portal's own page. Errors are shown on the
 * page.
 */
export function serveLtiPages(
  outer: FastifyInstance,
  { web, limits, disk, originsOf, registrationOriginsOf, admission }: LtiPageDependencies,
): void {
  void outer.register(async (server) => {
    handleErrors(server, disk, null, (problem, request, reply) => {
      const html = web.ltiPage({ page: 'refused', message: problem.message, values: {} })
      if (html === null) return sendProblem(problem, request, reply)
      if (problem.retryAfter !== null) void reply.header('retry-after', problem.retryAfter)
      return sendPage(reply.code(problem.status), html, [])
    })
    server.addHook('onRequest', (request, reply) =>
      limits.count(request, reply, [launches], { actor: null, apiKey: null }),
    )
    server.removeAllContentTypeParsers()
    server.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: BODY_BYTES },
      (_request, body, done) => {
        const text = String(body)
        if (text.split('&', FIELDS_MAX + 1).length > FIELDS_MAX) done(tooLarge())
        else done(null, Object.fromEntries(new URLSearchParams(text)))
      },
    )

    const send = (reply: FastifyReply, posted: object, origins: readonly string[]) => {
      const html = web.ltiPage(posted)
      if (html === null) throw new Problem('unavailable', 'The web app is not built.')
      return sendPage(reply, html, origins)
    }

    for (const page of ['login', 'launch'] as const) {
      server.route<{ Params: { platform: string } }>({
        ...OPTIONS,
        method: ['GET', 'POST'],
        url: `${LTI_PAGE}/${page}/:platform`,
        handler: async (request, reply) => {
          const platform = ID.exec(request.params.platform)?.[0]
          if (platform === undefined) throw unknownAddress()
          const { storageOrigin, origins } = await originsOf(platform)
          // Replaces values of this name that the request contains.
          const values = { ...valuesIn(request), storage_origin: storageOrigin }
          return send(reply, { page, platform, values }, origins)
        },
      })
    }

    server.get(`${LTI_PAGE}/open`, OPTIONS, (_request, reply) => send(reply, { page: 'open', values: {} }, []))

    server.get<{ Params: { code: string } }>(`${LTI_PAGE}/register/:code`, OPTIONS, async (request, reply) => {
      const code = CODE.exec(request.params.code)?.[0]
      if (code === undefined) throw new Problem('notFound', LMS.registrationIncomplete)
      const values = valuesIn(request)
      const configuration = values['openid_configuration'] ?? ''
      admission.waitFor(code, reply)
      // The LMS may answer slowly, so the request occupies no place meanwhile.
      const origins = await admission.outside(request, () => registrationOriginsOf({ code, configuration }))
      return send(reply, { page: 'register', code, values }, origins)
    })

    server.route({
      ...OPTIONS,
      method: ['GET', 'POST'],
      url: `${LTI_PAGE}/*`,
      handler: () => {
        throw unknownAddress()
      },
    })
  })
}

const sendPage = (reply: FastifyReply, html: string, origins: readonly string[]): FastifyReply =>
  reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('content-security-policy', policyFor(String(reply.getHeader('content-security-policy')), origins))
    // Other browsers use frame-ancestors. The new tab requests the launch from the frame that opened it.
    .removeHeader('x-frame-options')
    .header('cross-origin-opener-policy', 'unsafe-none')
    .send(html)

const unknownAddress = () => new Problem('notFound', LMS.unknownAddress)

const tooLarge = () => new Problem('tooLarge', 'The request of the LMS is too large.')

/**
 * Returns the values of a form or a query that the page reads; of a repeated one, the first.
 * @throws Problem tooLarge or malformed
 */
function valuesIn({ method, body, query }: FastifyRequest): Values {
  const provided = Object.entries((method === 'POST' ? body : query) ?? {})
  const values = provided
    .filter(([name]) => Object.hasOwn(LENGTHS, name))
    .map(([name, value]) => [name, String(Array.isArray(value) ? value[0] : value)] as const)
  if (values.some(([name, value]) => value.length > LENGTHS[name]!)) throw tooLarge()
  const read = Object.fromEntries(values)
  // The page escapes other characters, which makes it six times as long.
  if (!/^[\w.-]*$/.test(read['id_token'] ?? '')) throw new Problem('malformed', 'The token of the LMS cannot be read.')
  return read
}

/**
 * Matches origins of plain hosts. The host of a URL may contain `;`, `,` and `$`, which have a meaning in a policy or
 * in `replace` below.
 */
const PLAIN = /^https?:\/\/(?:(?:\*\.)?[\w-][\w.-]*|\[[\da-f:.]+\])(?::\d+)?$/

/** Returns the content security policy of a page that other origins may contain in a frame. */
export function policyFor(policy: string, origins: readonly string[]): string {
  const httpOrigins = origins.filter((origin) => PLAIN.test(origin))
  const sources = httpOrigins.length === 0 ? "'none'" : httpOrigins.join(' ')
  return policy
    .replace("frame-ancestors 'none'", `frame-ancestors ${sources}`)
    .replace("form-action 'self'", ["form-action 'self'", ...httpOrigins].join(' '))
    .replace(';upgrade-insecure-requests', '')
}

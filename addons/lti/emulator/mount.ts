import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { parseInput } from '@trainyard/platform/emulator/control/parse-input.ts'
import { mountLmsPages } from './lms-pages.ts'
import type { LmsDependencies, Opened } from './parts.ts'
import { type Link, LmsRecords, type Member, memberShape, type Tool } from './records.ts'
import { mountServices, ROSTER_SCOPE, SCOPES } from './services.ts'
import { lmsKey, LmsRefusal, readToolToken, rotateLmsKey, signToken } from './tokens.ts'
import type { Emulated } from '@trainyard/platform/emulator/part.ts'

const CLAIM = 'https://purl.imsglobal.org/spec/lti/claim/'
const AGS_SCOPE = 'https://purl.imsglobal.org/spec/lti-ags/scope/'
const TOOL_CONFIGURATION = 'https://purl.imsglobal.org/spec/lti-tool-configuration'

/** Lifetime of an ID token, as in Moodle 4.3. */
const TOKEN_SECONDS = 60
const PAGE_SIZE = 50

/** A small LMS at /lms: an LTI 1.3 Advantage platform with a course, its members and a gradebook. */
export function mountLti(emulated: Emulated): void {
  const { server, database, settings, faults } = emulated
  const records = new LmsRecords(database)
  const opened = new Map<string, Opened>()
  const registrationTokens = new Set<string>()
  let host = '127.0.0.1'
  const origin = () => `http://${host}:${(server.server.address() as AddressInfo).port}`
  const issuer = () => `${origin()}/lms`
  let pageSize = PAGE_SIZE
  const parts: LmsDependencies = { records, settings, faults, origin, pageSize: () => pageSize }

  /** Returns the parameters of a login request. Its hint can be used once, as in Moodle. */
  const begin = (
    launch: Opened,
    storageTarget: string | null,
  ): { readonly address: string; readonly values: object } => {
    const tool = activeTool(launch.clientId)
    const hint = randomBytes(9).toString('base64url')
    opened.set(hint, launch)
    return {
      address: tool.loginUrl,
      values: {
        iss: issuer(),
        target_link_uri: launch.link?.url ?? tool.targetUrl,
        login_hint: launch.user,
        // JSON with characters that must be encoded, as Moodle sends it.
        lti_message_hint: JSON.stringify({ cmid: 2, launchid: `launch ${hint}+&` }),
        client_id: tool.clientId,
        lti_deployment_id: tool.deployment,
        ...(storageTarget !== null && { lti_storage_target: storageTarget }),
      },
    }
  }

  const activeTool = (clientId: string): Tool => {
    const tool = records.tool(clientId)
    if (tool === undefined) throw new LmsRefusal(404, 'invalid_client', 'There is no such tool.')
    if (!tool.isActive) throw new LmsRefusal(403, 'invalid_client', 'The administrator has not activated the tool.')
    return tool
  }

  const startRegistration = (): { readonly openid_configuration: string; readonly registration_token: string } => {
    const token = randomBytes(18).toString('base64url')
    registrationTokens.add(token)
    return { openid_configuration: `${issuer()}/.well-known/openid-configuration`, registration_token: token }
  }

  void server.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(text)))),
    )
    scope.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof LmsRefusal)) throw error
      if (error.code === 'html') return reply.code(404).type('text/html').send('<!DOCTYPE html><html></html>')
      return reply.code(error.status).send({ error: error.code, error_description: error.message })
    })

    scope.get('/lms/.well-known/openid-configuration', () => ({
      issuer: issuer(),
      authorization_endpoint: `${issuer()}/auth`,
      token_endpoint: `${issuer()}/token`,
      jwks_uri: `${issuer()}/keys`,
      registration_endpoint: `${issuer()}/registrations`,
      scopes_supported: ['openid', ...SCOPES],
      response_types_supported: ['id_token'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ['RS256'],
      'https://purl.imsglobal.org/spec/lti-platform-configuration': {
        product_family_code: 'trainyard-emulator',
        version: '1',
        messages_supported: [{ type: 'LtiResourceLinkRequest' }, { type: 'LtiDeepLinkingRequest' }],
      },
    }))

    scope.get('/lms/keys', () => {
      const { kty, kid, n, e } = lmsKey(settings)
      return { keys: [{ kty, kid, n, e, use: 'sig', alg: 'RS256' }] }
    })

    scope.post('/lms/registrations', (request, reply) => {
      const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
      if (token === undefined || !registrationTokens.has(token))
        throw new LmsRefusal(401, 'invalid_token', 'The registration token is not valid.')
      const tool = toolOf(request.body)
      registrationTokens.delete(token)
      records.putTool(tool)
      const { clientId: client_id, deployment: deployment_id } = tool
      return reply.send({
        ...(request.body as object),
        client_id,
        [TOOL_CONFIGURATION]: { ...(request.body as Record<string, object>)[TOOL_CONFIGURATION], deployment_id },
      })
    })

    const authorize = (request: FastifyRequest, reply: FastifyReply) => {
      const parameters = (request.method === 'POST' ? request.body : request.query) as Record<
        string,
        string | undefined
      >
      const refuse = (code: string, message: string) => new LmsRefusal(400, code, message)
      const tool = activeTool(parameters['client_id'] ?? '')
      if (!tool.redirectUrls.includes(parameters['redirect_uri'] ?? ''))
        throw refuse('invalid_request', 'The redirect_uri is not registered.')
      const { state, nonce } = parameters
      for (const [name, value] of [
        ['scope', 'openid'],
        ['response_type', 'id_token'],
        ['response_mode', 'form_post'],
        ['prompt', 'none'],
      ] as const) {
        if (parameters[name] !== value) throw refuse('invalid_request', `${name} must be ${value}.`)
      }
      if (state === undefined || nonce === undefined) throw refuse('invalid_request', 'state and nonce are required.')
      const hint = hintIn(parameters['lti_message_hint'])
      const launch = hint === null ? undefined : opened.get(hint)
      if (hint === null || launch === undefined) throw new LmsRefusal(404, 'html', 'The hint was used before.')
      opened.delete(hint)
      const user = records.member(launch.course, launch.user)
      if (user === undefined || parameters['login_hint'] !== launch.user || launch.clientId !== tool.clientId)
        throw refuse('invalid_request', 'The hints do not belong together.')
      const id_token = signToken(lmsKey(settings), claimsOf(launch, tool, user, nonce))
      return sendForm(reply, parameters['redirect_uri']!, { id_token, state })
    }
    scope.get('/lms/auth', authorize)
    scope.post('/lms/auth', authorize)

    const claimsOf = (launch: Opened, tool: Tool, user: Member, nonce: string): Readonly<Record<string, unknown>> => {
      const now = Math.floor(Date.now() / 1_000)
      const { id, title } = records.course(launch.course)!
      const course = `${issuer()}/courses/${encodeURIComponent(id)}`
      const { link } = launch
      return {
        iss: issuer(),
        aud: tool.clientId,
        sub: user.id,
        iat: now,
        exp: now + TOKEN_SECONDS,
        nonce,
        ...(user.name !== null && { name: user.name }),
        ...(user.email !== null && { email: user.email }),
        [`${CLAIM}version`]: '1.3.0',
        [`${CLAIM}deployment_id`]: tool.deployment,
        [`${CLAIM}target_link_uri`]: link?.url ?? tool.targetUrl,
        [`${CLAIM}roles`]: user.roles,
        [`${CLAIM}context`]: { id, title, label: id, type: ['CourseSection'] },
        [`${CLAIM}tool_platform`]: { guid: 'emulator', product_family_code: 'trainyard-emulator' },
        [`${CLAIM}launch_presentation`]: {
          document_target: launch.target,
          locale: 'en',
          return_url: `${course}?as=${user.id}`,
        },
        ...(tool.scopes.includes(ROSTER_SCOPE) && {
          'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice': {
            context_memberships_url: `${course}/members`,
            service_versions: ['2.0'],
          },
        }),
        ...(tool.scopes.includes(`${AGS_SCOPE}score`) && {
          'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint': {
            scope: tool.scopes.filter((each) => each.startsWith(AGS_SCOPE)),
            lineitems: `${course}/lineitems?type_id=1`,
            ...(link?.item != null && { lineitem: `${course}/lineitems/${link.item}?type_id=1` }),
          },
        }),
        ...(link === null
          ? {
              [`${CLAIM}message_type`]: 'LtiDeepLinkingRequest',
              'https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings': {
                deep_link_return_url: `${course}/content`,
                accept_types: ['ltiResourceLink'],
                accept_presentation_document_targets: ['window', 'iframe'],
                accept_multiple: false,
                data: JSON.stringify({ as: user.id }),
              },
            }
          : {
              [`${CLAIM}message_type`]: 'LtiResourceLinkRequest',
              [`${CLAIM}resource_link`]: { id: link.id, title: link.title },
              [`${CLAIM}custom`]: link.custom,
            }),
      }
    }

    scope.post('/lms/courses/:course/content', async (request, reply) => {
      const { course } = request.params as { course: string }
      const token = (request.body as { JWT?: string }).JWT ?? ''
      const unverified = JSON.parse(Buffer.from(token.split('.')[1] ?? 'e30', 'base64url').toString()) as {
        iss?: string
      }
      const tool = activeTool(unverified.iss ?? '')
      const claims = await readToolToken(token, tool.keySetUrl)
      const dl = 'https://purl.imsglobal.org/spec/lti-dl/claim/'
      const refuse = (message: string) => new LmsRefusal(400, 'invalid_request', message)
      if (claims['aud'] !== issuer()) throw refuse('The audience must be the issuer of the LMS.')
      if (claims[`${CLAIM}message_type`] !== 'LtiDeepLinkingResponse') throw refuse('message_type is not valid.')
      if (claims[`${CLAIM}version`] !== '1.3.0') throw refuse('version is not valid.')
      if (claims[`${CLAIM}deployment_id`] !== tool.deployment) throw refuse('deployment_id is not valid.')
      if (typeof claims['nonce'] !== 'string') throw refuse('nonce is required.')
      const data = JSON.parse((claims[`${dl}data`] as string | undefined) ?? 'null') as { as?: string } | null
      if (data?.as === undefined) throw refuse('data must be returned unchanged.')
      const items = claims[`${dl}content_items`] as Record<string, unknown>[] | undefined
      if (!Array.isArray(items) || items.length > 1) throw refuse('content_items must have at most one item.')
      for (const item of items) {
        if (item['type'] !== 'ltiResourceLink') throw refuse('The type of the item is not accepted.')
        addLink({
          course,
          clientId: tool.clientId,
          title: (item['title'] as string | undefined) ?? tool.name,
          url: (item['url'] as string | undefined) ?? tool.targetUrl,
          custom: (item['custom'] ?? {}) as Record<string, string>,
          lineItem: (item['lineItem'] as { label?: string; scoreMaximum: number } | undefined) ?? null,
        })
      }
      return reply.redirect(`/lms/courses/${encodeURIComponent(course)}?as=${encodeURIComponent(data.as)}`, 303)
    })

    mountServices(scope, parts)
    mountLmsPages(scope, { ...parts, emulated, begin, startRegistration, addLink, sendForm })
  })

  const addLink = (newLink: {
    course: string
    clientId: string
    title: string
    url: string
    custom: Readonly<Record<string, string>>
    lineItem: { label?: string; scoreMaximum: number } | null
  }): Link => {
    const { course, clientId, title, url, custom, lineItem } = newLink
    const id = randomBytes(6).toString('hex')
    const item = lineItem === null ? null : randomBytes(6).toString('hex')
    if (item !== null) {
      const { label = title, scoreMaximum: maximum } = lineItem!
      records.putItem({ id: item, course, clientId, link: id, label, maximum })
    }
    const link = { id, course, clientId, title, url, custom, item }
    records.putLink(link)
    return link
  }

  mountControl()

  /** Calls with which tests do what users and administrators of the LMS do on its pages. */
  function mountControl(): void {
    const text = z.string().min(1).max(500)
    server.post('/_lti/members', (request, reply) => {
      const shape = z.strictObject({ course: text, title: text.optional(), members: z.array(memberShape).max(10_000) })
      const { course, title, members } = parseInput(shape, request.body)
      if (title !== undefined || records.course(course) === undefined)
        records.putCourse({ id: course, title: title ?? course })
      records.putMembers(course, members)
      return reply.code(204).send()
    })
    server.get('/_lti/members/:course', (request) => records.members((request.params as { course: string }).course))
    server.post('/_lti/keys', (_request, reply) => reply.code(201).send({ kid: rotateLmsKey(settings).kid }))
    server.post('/_lti/registrations', (_request, reply) => reply.code(201).send(startRegistration()))
    // Changes the host of the LMS. With localhost, the LMS and a portal at 127.0.0.1 are different sites, which matters
    // for third-party cookies.
    server.post('/_lti/host', (request, reply) => {
      host = parseInput(z.strictObject({ host: z.enum(['127.0.0.1', 'localhost']) }), request.body).host
      return reply.code(204).send()
    })
    // A repeated request replaces the tool and its activity.
    server.post('/_lti/tools', (request, reply) => {
      const tool = z.strictObject({
        clientId: text,
        deployment: text,
        name: text,
        loginUrl: text,
        redirectUrls: z.array(text),
        keySetUrl: text,
        targetUrl: text,
      })
      const activity = z.strictObject({ id: text, course: text, title: text, maximum: z.number() })
      const input = parseInput(z.strictObject({ tool, activity }), request.body)
      const { clientId, targetUrl: url } = input.tool
      const { id, course, title, maximum } = input.activity
      records.putTool({ ...input.tool, scopes: SCOPES, isActive: true })
      records.putItem({ id, course, clientId, link: id, label: title, maximum })
      records.putLink({ id, course, clientId, title, url, custom: {}, item: id })
      return reply
        .code(201)
        .send({ lineItem: `${issuer()}/courses/${encodeURIComponent(course)}/lineitems/${id}?type_id=1` })
    })
    server.post('/_lti/page-size', (request, reply) => {
      pageSize = parseInput(z.strictObject({ size: z.int().min(1).max(10_000) }), request.body).size
      return reply.code(204).send()
    })
    server.post('/_lti/activate', (request, reply) => {
      const { clientId } = parseInput(z.strictObject({ clientId: text }), request.body)
      const tool = records.tool(clientId)
      if (tool === undefined) return reply.code(404).send({ error: 'There is no such tool.' })
      records.putTool({ ...tool, isActive: true })
      return reply.code(204).send()
    })
    server.post('/_lti/links', (request, reply) => {
      const shape = z.strictObject({
        course: text,
        clientId: text,
        title: text,
        custom: z.record(text, text).default({}),
        maximum: z.number().nullable().default(null),
      })
      const { course, clientId, title, custom, maximum } = parseInput(shape, request.body)
      const url = records.tool(clientId)!.targetUrl
      const lineItem = maximum === null ? null : { scoreMaximum: maximum }
      return reply.code(201).send(addLink({ course, clientId, title, url, custom, lineItem }))
    })
    server.post('/_lti/launches', (request, reply) => {
      const shape = z.strictObject({ course: text, clientId: text, user: text, link: text.nullable() })
      const { course, clientId, user, link } = parseInput(shape, request.body)
      const launch = {
        course,
        clientId,
        user,
        link: link === null ? null : records.link(link)!,
        target: 'window',
      } as const
      return reply.code(201).send(begin(launch, null))
    })
    server.get('/_lti/grades/:course', (request) => {
      const { course } = request.params as { course: string }
      return records
        .items()
        .filter((item) => item.course === course)
        .map((item) => ({ ...item, scores: records.scores(item.id) }))
    })
  }
}

/** Returns the random part of a hint; null if it is not one of this LMS, or was changed. */
function hintIn(text: string | undefined): string | null {
  try {
    const { launchid } = JSON.parse(text ?? '') as { launchid: string }
    return text === JSON.stringify({ cmid: 2, launchid }) ? (/^launch ([\w-]+)\+&$/.exec(launchid)?.[1] ?? null) : null
  } catch {
    return null
  }
}

/** Sends a form that the browser posts at once, as LMSs do for messages of the user's browser. */
function sendForm(reply: FastifyReply, address: string, values: object): FastifyReply {
  const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  const fields = Object.entries(values).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escape(String(value))}">`,
  )
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(
      `<!doctype html><html lang="en"><title>Opening</title><form method="post" action="${escape(address)}">${fields.join('')}<noscript><button>Continue</button></noscript></form><script>document.forms[0].submit()</script></html>`,
    )
}

/** Checks a registration as Moodle does. @throws LmsRefusal */
function toolOf(body: unknown): Tool {
  const registration = (body ?? {}) as Record<string, unknown>
  const refuse = (code: string) => new LmsRefusal(400, code, code)
  const list = (name: string): string[] => (Array.isArray(registration[name]) ? (registration[name] as string[]) : [])
  const configuration = (registration[TOOL_CONFIGURATION] ?? {}) as Record<string, string>
  if (registration['application_type'] !== 'web') throw refuse('invalid_application_type')
  if (!list('response_types').includes('id_token')) throw refuse('invalid_response_types')
  if (!['implicit', 'client_credentials'].every((type) => list('grant_types').includes(type)))
    throw refuse('invalid_grant_types')
  if (list('redirect_uris').length === 0) throw refuse('invalid_redirect_uris')
  if (registration['token_endpoint_auth_method'] !== 'private_key_jwt')
    throw refuse('invalid_token_endpoint_auth_method')
  const { domain, target_link_uri: targetUrl } = configuration
  if (domain === undefined) throw refuse('missing_domain')
  if (targetUrl === undefined || URL.parse(targetUrl)?.host !== domain) throw refuse('domain_targetlinkuri_mismatch')
  for (const name of ['client_name', 'initiate_login_uri', 'jwks_uri'])
    if (typeof registration[name] !== 'string') throw refuse(`missing_${name}`)
  const scopes = ((registration['scope'] as string | undefined) ?? '').split(' ')
  return {
    clientId: randomBytes(12).toString('base64url').replaceAll(/\W/g, 'x').slice(0, 15),
    deployment: String(Math.floor(Date.now() / 1_000) % 100_000),
    name: registration['client_name'] as string,
    loginUrl: registration['initiate_login_uri'] as string,
    redirectUrls: list('redirect_uris'),
    keySetUrl: registration['jwks_uri'] as string,
    targetUrl,
    scopes: scopes.filter((scope) => SCOPES.includes(scope)),
    isActive: false,
  }
}

import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { default as Provider, InteractionResults } from 'oidc-provider'
import { parseInput } from '@trainyard/platform/emulator/control/parse-input.ts'
import { dropConnection } from '@trainyard/platform/emulator/faults/drop-connection.ts'
import type { Fault } from '@trainyard/platform/emulator/faults/fault.ts'
import { OpenIdPeople, personShape } from './people.ts'
import { html } from '@trainyard/platform/emulator/pages/html.ts'
import { sendPage } from '@trainyard/platform/emulator/pages/send-page.ts'
import type { Emulated } from '@trainyard/platform/emulator/part.ts'

const ROOT = '/openid'

const OPERATIONS: readonly (readonly [RegExp, string])[] = [
  [/^\/\.well-known\//, 'OpenId_Discovery'],
  [/^\/jwks/, 'OpenId_Keys'],
  [/^\/token/, 'OpenId_Token'],
  [/^\/auth/, 'OpenId_Authorize'],
]

export function mountOpenId(emulated: Emulated): void {
  const { server, database, settings, faults } = emulated
  const people = new OpenIdPeople(database)
  const faultByRequest = new WeakMap<IncomingMessage, Fault>()
  let providerPromise: Promise<Provider> | undefined
  const provider = (): Promise<Provider> => {
    const { port } = server.server.address() as AddressInfo
    return (providerPromise ??= import('./provider.ts').then(({ createProvider }) =>
      createProvider({
        issuer: `http://127.0.0.1:${port}${ROOT}`,
        people,
        settings,
        faultOf: (request) => faultByRequest.get(request),
      }),
    ))
  }

  server.post('/_openid/people', (request, reply) => {
    const person = parseInput(personShape, request.body)
    people.put(person)
    return reply.code(201).send(person)
  })

  void server.register(async (scope) => {
    // The provider parses bodies itself.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))

    scope.get(`${ROOT}/choose/:uid`, async (request, reply) => {
      const openId = await provider()
      const { prompt, params } = await openId.interactionDetails(request.raw, reply.raw)
      if (prompt.name === 'consent') return finish(openId, request, reply, { consent: {} })
      const hint = params['login_hint']
      const listed = people.all().toSorted((a, b) => Number(b.email === hint) - Number(a.email === hint))
      const choose = listed.map(
        ({ subject, email, name }) =>
          html`<li><a href="${request.url}/${subject}">${name}</a> <span class="quiet">${email}</span></li>`,
      )
      return sendPage(
        reply,
        emulated,
        'Choose who signs in',
        html`<ul>
          ${choose}
        </ul>`,
      )
    })
    scope.get(`${ROOT}/choose/:uid/:subject`, async (request, reply) => {
      const { subject } = request.params as { subject: string }
      const amr = people.find(subject)?.amr ?? []
      // The library forwards the claim unchanged, also as a text.
      const login = { accountId: subject, ...(amr.length > 0 && { amr: amr as string[] }) }
      return finish(await provider(), request, reply, { login })
    })
    scope.all(`${ROOT}/*`, async (request, reply) => {
      const path = request.url.slice(ROOT.length)
      const operation = OPERATIONS.find(([pattern]) => pattern.test(path))?.[1]
      const fault = operation === undefined ? undefined : faults.consume(operation, '')
      if (fault !== undefined) {
        const refused = refusal(fault, reply)
        if (refused !== undefined) return refused
        faultByRequest.set(request.raw, fault)
      }
      return forward(request, reply, path, await provider())
    })
  })
}

/** Returns undefined for a fault that does not keep the provider from answering. */
function refusal(fault: Fault, reply: FastifyReply): FastifyReply | undefined {
  switch (fault.kind) {
    case 'serverError':
      return reply.code(500).send({ error: 'server_error' })
    case 'malformed':
      return reply.code(200).type('application/json').send('{"issuer":')
    case 'dropConnection':
      return dropConnection(reply)
    case 'hang':
      return reply.hijack()
    default:
      return undefined
  }
}

async function finish(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
  result: InteractionResults,
): Promise<FastifyReply> {
  void reply.hijack()
  await provider.interactionFinished(request.raw, reply.raw, result)
  return reply
}

function forward(request: FastifyRequest, reply: FastifyReply, path: string, provider: Provider): FastifyReply {
  void reply.hijack()
  const raw: IncomingMessage & { originalUrl?: string } = request.raw
  raw.originalUrl = request.url
  raw.url = path
  void provider.callback()(raw, reply.raw)
  return reply
}

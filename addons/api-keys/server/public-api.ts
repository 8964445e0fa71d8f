import { z } from 'zod'
import { type Call, methodOf, pathOf, replyOf } from '@trainyard/platform/contract/call.ts'
import { connectedContract } from '@trainyard/platform/contract/contract.ts'
import { PROBLEMS } from '@trainyard/platform/contract/words/problems.ts'
import { KEY_PREFIX, type Scope } from '@trainyard/platform/contract/scope.ts'
import { publishedBody } from '@trainyard/platform/contract/published.ts'
import { connectedModules } from '@trainyard/platform/server/core/events.ts'

/** A part of an OpenAPI description or of a JSON schema. */
export type Part = { [name: string]: unknown }

interface JsonSchema {
  readonly type?: string
  readonly examples?: readonly unknown[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Part[]
  readonly oneOf?: readonly Part[]
  readonly properties?: Readonly<Record<string, Part>>
  readonly prefixItems?: readonly Part[]
  readonly items?: Part
}

/** Chapters of the API reference, by module of the contract. */
const TAGS: Readonly<Record<string, { readonly name: string; readonly description: string }>> = {
  training: { name: 'Trainings', description: 'Trainings of an organisation.' },
  template: { name: 'Templates', description: 'Templates that machines are ordered from.' },
  machine: { name: 'Machines', description: 'Orders, machines and their power.' },
  readyPool: { name: 'Ready machines', description: 'Machines that are ready before they are ordered.' },
  remote: { name: 'Connections', description: 'SSH connections to machines through the portal.' },
  schedule: { name: 'Schedules', description: 'Single starts and stops at a date and time.' },
  classSession: { name: 'Class sessions', description: 'Sessions of a class: ready times, power and access in one.' },
  recurrence: { name: 'Weekly schedules', description: 'Starts and stops on days of the week.' },
  ready: { name: 'Ready times', description: 'Times by which all machines of a training must be usable.' },
  port: { name: 'Ports', description: 'Ports that are open on the machines of a training.' },
  classroom: { name: 'Class', description: 'Learners, raised hands and announcements of a running class.' },
  guide: { name: 'Lab guides', description: 'Versions of lab guides, and the results of learners.' },
  proof: { name: 'Proofs of lab guides', description: 'Tests of lab guides on fresh machines.' },
  meter: { name: 'Usage', description: 'Run times and bills.' },
  budget: { name: 'Budgets', description: 'Budgets of organisations and trainings.' },
  invoice: { name: 'Invoices', description: 'Issued tax documents.' },
  ledger: { name: 'Account', description: 'The account of an organisation: invoices, payments and balance.' },
  people: { name: 'People', description: 'Users of an organisation.' },
  organisation: { name: 'Organisations', description: 'All organisations, for superadmins.' },
  apiKey: { name: 'API keys', description: 'The API key of the request.' },
  audit: { name: 'Audit', description: 'Record of changes and refusals.' },
  webhook: { name: 'Webhooks', description: 'Endpoints that receive events, and the log of deliveries.' },
}

/** Statuses of refusals, with the condition. Clients must expect other statuses too. */
const REFUSALS: Readonly<Record<string, readonly [component: string, description: string]>> = {
  400: ['Malformed', 'The request is not valid. The message names the field.'],
  401: ['SignedOut', 'The API key is missing, unknown, expired or used from an address that it does not allow.'],
  403: ['Forbidden', 'The API key lacks the scope of the call, or its maker may not make it.'],
  404: ['NotFound', 'There is no such resource, or it belongs to another organisation.'],
  409: ['Conflict', 'The state of the resource does not allow the call. The message states why.'],
  429: ['TooManyRequests', 'A rate limit is reached. Retry after the seconds of the header Retry-After.'],
  503: ['Unavailable', 'The portal is busy. Retry after the seconds of the header Retry-After.'],
}

const DESCRIPTION = `Everything that an organisation does in Trainyard, for programs: order machines, start and stop them, run a class, read usage and invoices.

# Quick start

1. Create an API key on the page *API Keys*. It is shown once.
2. Send it with each request. Each operation names the scope that the key needs.

\`\`\`
curl -H "Authorization: Bearer $TRAINYARD_KEY" "$TRAINYARD_URL/api/user/key"
\`\`\`

3. Generate a client from this description, for example with openapi-typescript:

\`\`\`
npx openapi-typescript $TRAINYARD_URL/api/public/openapi.json -o trainyard.d.ts
\`\`\`

From a terminal, use the command line \`trainyard\`: it orders a class from a YAML file, and connects by SSH.

# Conventions

- *Compatibility.* Operations and fields are added, never renamed or removed. Ignore fields that you do not know.
- *Retries.* Send an Idempotency-Key with operations that accept it, and repeat a request with the same key and body after a timeout: it has one effect. Wait for the seconds of Retry-After after 429 and 503.
- *Limits.* The headers RateLimit-Policy and RateLimit state the limits of the call and what is left.
- *Money* is in rupees with two decimals, except fields that end in Paise. *Times* are RFC 3339 in UTC, except fields that state the organisation's time zone.
- *Pages.* Long lists contain the newest entries and \`earlier\`. Send its value as \`before\` to read older ones; null is the last page.
- *Errors.* A refusal has \`code\`, \`message\` (what happened and what to do next) and \`requestId\`. After 403 the header WWW-Authenticate names a missing scope. Resources of other organisations answer 404.

# Changes

- *1.5.0.* Lab guides: upload, proofs, publication, results and webhook events.
- *1.4.0.* Ready machines.
- *1.3.0.* Webhook events of registrations.
- *1.2.0.* Webhooks.
- *1.1.0.* Class sessions, getKey, SSH connections (connectMachine), and examples.
- *1.0.0.* First version.`

interface PublicOperation {
  readonly module: string
  readonly call: Call
  readonly scope: Scope | null
  readonly operation: string
}

const publicOperations = (): PublicOperation[] =>
  Object.entries(connectedContract()).flatMap(([module, calls]) =>
    Object.values(calls as Record<string, Call>).flatMap((call) =>
      call.public === undefined ? [] : [{ module, call, ...call.public }],
    ),
  )

/**
 * Returns the OpenAPI 3.1 description of the public API: the operations with `public`, with names, scopes, refusals
 * and reusable components, from which client generators make readable code.
 * @param all the description of all calls, as `@fastify/swagger` returns it
 * @param url public base URL of the portal
 */
export function publicDescription(all: Part, url: string): Part {
  const schemas: Part = { Problem: PROBLEM }
  const paths: Part = {}
  const operations = publicOperations()
  for (const described of operations) {
    const path = `/api${pathOf(described.call)}`
    const method = methodOf(described.call).toLowerCase()
    const currentPart = partAt(all, 'paths', path, method)
    paths[path] = { ...(paths[path] as Part | undefined), [method]: operationOf(described, currentPart, schemas) }
  }
  const used = new Set(operations.map(({ module }) => module))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trainyard API',
      version: '1.5.0',
      description: DESCRIPTION,
      contact: { name: 'Support', url: `${url}/contact` },
      license: { name: 'Proprietary', url: `${url}/welcome` },
    },
    servers: [{ url }],
    tags: Object.entries(TAGS).flatMap(([module, tag]) => (used.has(module) ? [tag] : [])),
    paths,
    webhooks: webhooksSent(),
    components: {
      schemas,
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY, ...WEBHOOK_HEADERS },
      headers: HEADERS,
      responses: Object.fromEntries(
        Object.entries(REFUSALS).map(([status, [name, description]]) => [name, refusalOf(status, description)]),
      ),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', bearerFormat: `${KEY_PREFIX}...`, description: 'An API key.' },
      },
    },
  }
}

/** Describes each event that the portal sends to webhook endpoints. */
function webhooksSent(): Part {
  const events = connectedModules().flatMap(({ publishes }) => Object.entries(publishes ?? {}))
  const sent = events.map(([type, { does, data }]): [string, Part] => [
    type,
    {
      post: {
        operationId: `on${type.replaceAll(/(?:^|[._])([a-z])/g, (_, first: string) => first.toUpperCase())}`,
        summary: does,
        description: `${does}. Signed by Standard Webhooks with the secret of the endpoint.`,
        tags: [TAGS['webhook']!.name],
        security: [],
        parameters: Object.keys(WEBHOOK_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
        requestBody: {
          required: true,
          content: { 'application/json': { schema: openObjects(jsonSchemaOf(publishedBody(type, data))) } },
        },
        responses: { '2XX': { description: 'The event was accepted. Any other reply is retried for three days.' } },
      },
    },
  ])
  return Object.fromEntries(sent)
}

/** Returns the JSON schema without the patterns of formats and the bounds of safe integers, which are implied. */
function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output' = 'output'): Part {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema }) {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
        delete jsonSchema.maximum
        delete jsonSchema.minimum
      }
    },
  })
  return described
}

const headerOfWebhook = (name: string, description: string): Part => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const WEBHOOK_HEADERS = {
  WebhookId: headerOfWebhook('webhook-id', 'Identifies the event. It is the same in every attempt.'),
  WebhookTimestamp: headerOfWebhook('webhook-timestamp', 'Time of the attempt, in seconds since 1970.'),
  WebhookSignature: headerOfWebhook(
    'webhook-signature',
    'Signatures of `id.timestamp.body`, separated by spaces, each as `v1,` and base64.',
  ),
}

const PROBLEM = {
  type: 'object',
  description: 'A refused request.',
  properties: {
    code: { type: 'string', description: 'Stable code of the refusal.', examples: Object.keys(PROBLEMS).slice(0, 3) },
    message: { type: 'string', description: 'What happened and what to do next.' },
    error: { type: 'string', description: 'Same as message.' },
    requestId: { type: 'string', description: 'Identifies the request in the logs. Name it to support.' },
  },
  required: ['code', 'message', 'error', 'requestId'],
}

const HEADERS = {
  RateLimitPolicy: {
    description: 'Limits of the call, each with its quota and its window in seconds.',
    schema: { type: 'string' },
    example: '"key";q=600;w=60',
  },
  RateLimit: {
    description: 'Requests that are left, and the seconds until the window ends.',
    schema: { type: 'string' },
    example: '"key";r=598;t=42',
  },
  RetryAfter: {
    description: 'Seconds after which to repeat the request.',
    schema: { type: 'integer' },
    example: 5,
  },
}
const LIMIT_HEADERS = {
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
}

function refusalOf(status: string, description: string): Part {
  const [code, message] = REFUSAL_EXAMPLES[status]!
  const example = { code, message, error: message, requestId: '5d0e3b1c-6a52-4f0e-9d4e-8f2f6a7f9b10' }
  return {
    description,
    ...(LATER.has(status) && { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' }, example } },
  }
}

/** Statuses with the header Retry-After. */
const LATER = new Set(['429', '503'])

const REFUSAL_EXAMPLES: Readonly<Record<string, readonly [code: keyof typeof PROBLEMS, message: string]>> = {
  400: ['malformed', 'port must be at most 65535.'],
  401: ['signedOut', 'Please log in.'],
  403: ['forbidden', 'This API key lacks the scope machine:power.'],
  404: ['notFound', 'There is no such machine.'],
  409: ['conflict', 'python-a is already running.'],
  429: ['tooMany', 'Too many requests. Try again in 5 seconds.'],
  503: ['unavailable', 'The portal is busy. Please try again shortly.'],
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Repeating the key with the same body returns the first reply again, without a second effect.',
  schema: { type: 'string', minLength: 1, maxLength: 128 },
  example: 'order-2026-12-01',
}

function operationOf({ module, call, scope, operation }: PublicOperation, options: Part, schemas: Part): Part {
  const name = operation[0]!.toUpperCase() + operation.slice(1)
  const component = (suffix: string, schema: Part): Part => {
    schemas[name + suffix] = schema
    return { $ref: `#/components/schemas/${name}${suffix}` }
  }
  const parameters = [
    ...((options['parameters'] as Part[] | undefined) ?? []).map((parameter) => ({
      ...parameter,
      // @fastify/swagger moves the first example of a schema here.
      example: parameter['example'] ?? exampleOf(parameter['schema'] as Part),
    })),
    ...(call.once ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ]
  const body = options['requestBody'] as Part | undefined
  const produces = call.public!.produces
  const reply = partAt(options, 'responses', '200')
  return {
    operationId: operation,
    summary: firstSentence(call.does),
    description: `${call.does}\n\n${scope === null ? 'Every API key may make this call.' : `Scope: \`${scope}\`.`}`,
    tags: [TAGS[module]!.name],
    security: [{ apiKey: [] }],
    ...(scope !== null && { 'x-scope': scope }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        // Calls without a body also accept an empty object.
        required: call.body !== undefined,
        content: {
          'application/json': {
            schema: component('Request', withoutTuple(schemaIn(body))),
            example: exampleOf(jsonSchemaOf(call.body ?? z.object(), 'input')),
          },
        },
      },
    }),
    responses: {
      200: {
        description: 'Done.',
        headers: LIMIT_HEADERS,
        content:
          produces === undefined
            ? {
                'application/json': {
                  schema: component('Reply', openObjects(schemaIn(reply))),
                  example: exampleOf(jsonSchemaOf(replyOf(call))),
                },
              }
            : { [produces]: { schema: { type: 'string', format: 'binary' } } },
      },
      ...Object.fromEntries(
        Object.entries(REFUSALS).map(([status, [named]]) => [status, { $ref: `#/components/responses/${named}` }]),
      ),
    },
  }
}

const EXAMPLES_OF_FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-12-01T03:30:00Z',
  date: '2026-12-01',
  uuid: '0193c6a2-7b1e-4c55-9d3e-2f7a5b1c0d9e',
}

/**
 * Returns an example of a JSON schema: its own, or one made of the examples of its parts. A text without an example is
 * undefined. A part that can be null is null unless it has an example.
 */
function exampleOf(part: Part): unknown {
  const { examples, type, enum: values, anyOf, oneOf, properties, prefixItems = [], items } = part as JsonSchema
  if (examples !== undefined) return examples[0]
  if ('const' in part) return part['const']
  if (values !== undefined) return values[0]
  const [alternative] = anyOf ?? oneOf ?? []
  if (alternative !== undefined) {
    const isNullable = anyOf?.some((each) => each['type'] === 'null') ?? false
    return isNullable && !JSON.stringify(alternative).includes('"examples"') ? null : exampleOf(alternative)
  }
  switch (type) {
    case 'object':
      return Object.fromEntries(Object.entries(properties ?? {}).map(([name, each]) => [name, exampleOf(each)]))
    case 'array':
      return [...prefixItems, ...(items === undefined ? [] : [items])].map(exampleOf)
    case 'string':
      return EXAMPLES_OF_FORMATS[String(part['format'])]
    case 'integer':
    case 'number':
      return Math.max(1, Number(part['minimum'] ?? 1))
    case 'boolean':
      return true
    default:
      return null
  }
}

const firstSentence = (text: string): string => /^.*?\.(?= |$)/.exec(text)?.[0] ?? text

function partAt(part: Part, ...path: readonly string[]): Part {
  return path.reduce((at, name) => (at[name] ?? {}) as Part, part)
}

const schemaIn = (part: Part): Part => partAt(part, 'content', 'application/json', 'schema')

/** Describes a tuple as a list of its elements, because openapi-typescript ignores the elements after `prefixItems`. */
function withoutTuple({ prefixItems, items, ...schema }: Part): Part {
  if (!Array.isArray(prefixItems)) return { ...schema, ...(items !== undefined && { items }) }
  return { ...schema, items: { anyOf: [...(prefixItems as Part[]), items] } }
}

/** Allows further fields in a reply, so that a new field does not break strict clients. */
function openObjects<T>(part: T): T {
  if (Array.isArray(part)) return part.map(openObjects) as T
  if (typeof part !== 'object' || part === null) return part
  const entries = Object.entries(part).filter(([name, value]) => name !== 'additionalProperties' || value !== false)
  return Object.fromEntries(entries.map(([name, value]) => [name, openObjects(value)])) as T
}

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, inject, test } from 'vitest'
import { breakingChanges } from '@trainyard/platform/test/breaking-changes.ts'
import { startTestPortal } from '@trainyard/platform/test/portal.ts'
import type { Part } from './public-api.ts'

const portal = await startTestPortal(inject('testCluster'))
const described = (await (await portal.request('GET', '/public/openapi.json')).json()) as Part & {
  servers: { url: string }[]
}
await portal.close()
const example = JSON.parse(
  JSON.stringify(described).replaceAll(described.servers[0]!.url, 'https://portal.university.example'),
) as Part

interface Content {
  readonly content: Readonly<Record<string, { readonly schema: Part; readonly example?: unknown }>>
}
interface Operation {
  readonly parameters?: readonly { readonly name?: string; readonly schema?: Part; readonly example?: unknown }[]
  readonly requestBody?: Content
  readonly operationId: string
  readonly description: string
  readonly tags: readonly string[]
  readonly responses: Part
  readonly 'x-scope'?: string
}
const operations = Object.values(described['paths'] as Record<string, Record<string, Operation>>).flatMap((path) =>
  Object.values(path),
)

test('describes each operation with name, chapter, scope and refusals', () => {
  expect(operations.length).toBeGreaterThan(40)
  const tags = (described['tags'] as { name: string }[]).map(({ name }) => name)
  for (const operation of operations) {
    expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/)
    expect(tags).toContain(operation.tags[0])
    const scope = operation['x-scope']
    expect(operation.description).toContain(
      scope === undefined ? 'Every API key may make this call.' : `Scope: \`${scope}\`.`,
    )
    expect(Object.keys(operation.responses)).toEqual(['200', '400', '401', '403', '404', '409', '429', '503'])
  }
  expect(new Set(tags)).toEqual(new Set(operations.flatMap((operation) => operation.tags)))
})

test('has no dangling reference, and only objects of requests refuse further fields', () => {
  const schemas = (described['components'] as { schemas: Record<string, unknown> }).schemas
  const references = [...JSON.stringify(described).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name!,
  )
  expect(new Set(references)).toEqual(new Set(Object.keys(schemas)))
  const closed = Object.entries(schemas).filter(([, schema]) =>
    JSON.stringify(schema).includes('"additionalProperties":false'),
  )
  expect(closed.filter(([name]) => name.endsWith('Reply'))).toEqual([])
})

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ $id: 'description', components: described['components'] })

test('has an example of each request, reply and parameter, and its schema accepts the example', () => {
  const invalid: string[] = []
  const check = (description: string, schema: Part, value: unknown) => {
    const reference = schema['$ref']
    const validate = ajv.compile(typeof reference === 'string' ? { $ref: `description${reference}` } : schema)
    if (value === undefined || !validate(value)) invalid.push(`${description}: ${ajv.errorsText(validate.errors)}`)
  }
  for (const { operationId, parameters = [], requestBody, responses } of operations) {
    const contents = [requestBody, responses['200'] as Content].flatMap(
      (each) => each?.content['application/json'] ?? [],
    )
    for (const { schema, example: value } of contents) {
      if (schema['format'] !== 'binary') check(operationId, schema, value)
    }
    for (const { name, schema, example: value } of parameters) {
      if (name !== undefined) check(`${operationId}?${name}`, schema!, value)
    }
  }
  expect(invalid).toEqual([])
})

const DESCRIPTION = fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url))

const stored = existsSync(DESCRIPTION) ? (JSON.parse(readFileSync(DESCRIPTION, 'utf8')) as Part) : example

// This test is before the next one, so that `-u` does not store a description that breaks clients.
test('stays compatible with docs/openapi.json; update: `npx vitest run addons/api-keys -u`', async () => {
  expect(breakingChanges(stored, example)).toEqual([])
  await expect(`${JSON.stringify(example, null, 1)}\n`).toMatchFileSnapshot(DESCRIPTION)
})

/** Returns the description with another value at the path, or without it if the value is undefined. */
function withValue(path: string, value: unknown): Part {
  const copy = structuredClone(example)
  const names = path.split(' ')
  const last = names.pop()!
  const at = names.reduce((part, name) => part[name] as Part, copy)
  if (value === undefined) delete at[last]
  else at[last] = value
  return copy
}

const LIST = 'paths /api/azure/trainingName get'
const REPLY = 'components schemas ListTrainingsReply'

test.each([
  ['listTrainings: removed', LIST, undefined],
  ['listTrainings: renamed', `${LIST} operationId`, 'getTrainings'],
  ['listTrainings: other scope', `${LIST} x-scope`, 'audit:read'],
  ['listTrainings?organization: removed', `${LIST} parameters`, []],
  ['listTrainings?organization: stricter maxLength', `${LIST} parameters 0 schema maxLength`, 5],
  ['listTrainings reply.trainingNames: now optional', `${REPLY} required`, []],
  ['listTrainings reply.trainingNames: removed', `${REPLY} properties trainingNames`, undefined],
  ['listTrainings reply.trainingNames[]: other type', `${REPLY} properties trainingNames items type`, 'number'],
  ['openPort request.comment: now required', 'components schemas OpenPortRequest required', ['comment']],
])('recognises a breaking change: %s', (expected, path, value) => {
  expect(breakingChanges(example, withValue(path, value))).toContain(expected)
})

test.each([
  ['operations', 'paths /api/new', { get: { operationId: 'getNew', responses: { 200: {} } } }],
  ['fields of replies', `${REPLY} properties total`, { type: 'number' }],
  ['optional fields of requests', 'components schemas OpenPortRequest properties comment', { type: 'string' }],
])('accepts new %s', (_what, path, value) => {
  expect(breakingChanges(example, withValue(path, value))).toEqual([])
})

import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Call, methodOf, sizeOf } from '../../contract/call.ts'
import { contract } from '@trainyard/modules/contract.ts'
import { MACHINES_PER_CALL } from '../../contract/words/limits.ts'
import { Problem } from '../core/errors.ts'
import { sharedPortal } from '../../test/shared.ts'
import { refuseCostlyJson } from './body-limits.ts'

const portal = await sharedPortal()
const calls = Object.values(contract).flatMap((module) => Object.values(module as Record<string, Call>))
const withBody = calls.filter((call) => methodOf(call) !== 'GET' && call.body !== undefined)

/** Parts of JSON Schema that limit the size of a value. */
interface Schema {
  readonly type?: string
  readonly maxLength?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

interface Size {
  readonly values: number
  readonly characters: number
}

/**
 * Returns the largest number of values, and of characters of JSON, that a schema accepts. A list without a maximum is
 * limited to the number of machines of a call.
 */
function largest({ type, maxLength = 128, maxItems = MACHINES_PER_CALL, ...schema }: Schema): Size {
  const choices = (schema.anyOf ?? schema.oneOf ?? []).map(largest)
  const parts = [
    ...(schema.prefixItems ?? []).map(largest),
    ...Object.entries(schema.properties ?? {}).map(([key, part]) => {
      const { values, characters } = largest(part)
      return { values, characters: characters + key.length + 4 }
    }),
  ]
  const item = schema.items === undefined ? { values: 0, characters: 0 } : largest(schema.items)
  const sum = (of: keyof Size): number => parts.reduce((total, part) => total + part[of], maxItems * item[of])
  return {
    values: Math.max(1 + sum('values'), ...choices.map(({ values }) => values)),
    characters: Math.max(
      2 + sum('characters') + (type === 'string' ? maxLength : 24),
      ...choices.map(({ characters }) => characters),
    ),
  }
}

const largestBody = ({ body }: Call) =>
  largest(z.toJSONSchema(body!, { io: 'input', unrepresentable: 'any' }) as unknown as Schema)

/** The import of labs sends one lab at a time, and accepts as many as fit. */
const FEWER_VALUES = 'POST /labImports/apply'

test('no call refuses a body as too large that its schema accepts', () => {
  const tooSmall = withBody.filter((call) => {
    const { values, characters } = largestBody(call)
    const { bytes, values: valuesMax } = sizeOf(call)
    // Ordinary text has less than two bytes per character. The maximum of all bodies is 1 MiB.
    const isAnonymous = call.for === 'anyone'
    const isTooLong = !isAnonymous && characters * 1.2 > bytes && bytes < 1024 * 1024
    return (values > valuesMax && call.route !== FEWER_VALUES) || isTooLong
  })
  expect(tooSmall.map(({ route }) => route)).toEqual([])
})

/** Returns the code of the problem that a check throws; null without one. */
function codeOf(check: () => void): string | null {
  try {
    check()
    return null
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem
    return problem.code
  }
}

test.each([
  ['marks in texts are not counted', `["[[[{{,,,,\\"[[,,\\\\", ",,,,"]`, null],
  ['a text without an end', `["abc`, null],
  ['four values', '[1,2,3]', null],
  ['five values', '[1,2,3,4]', 'tooLarge'],
  ['values of fields', '{"a":1,"b":2,"c":[]}', 'tooLarge'],
  ['depth', '['.repeat(40), 'tooLarge'],
])('%s', (_what, json, code) => {
  expect(codeOf(() => refuseCostlyJson(json, 4))).toBe(code)
})

test('32 levels are accepted, 33 are refused', () => {
  expect(() => refuseCostlyJson('['.repeat(32), 1_000)).not.toThrow()
  expect(() => refuseCostlyJson('['.repeat(33), 1_000)).toThrow('nested too deeply')
})

test('a signed-in learner cannot make the portal validate a large number of values', async () => {
  const { id: organisation_id } = await portal.owner
    .insertInto('organisation')
    .values({ name: 'Acme', logo: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  const email = 'learner@portal.test'
  await portal.owner.insertInto('portal_user').values({ email, role: 'user', organisation_id }).execute()
  const uid = await portal.sessionOf(email)
  const many = `[${Array.from({ length: 20_000 }, () => '{}').join(',')}]`
  const send = async (method: string, path: string, body: string) =>
    (await portal.request(method, path, { uid, body })).status
  expect(await send('PATCH', '/azure/machines', many)).toBe(413)
  expect(await send('POST', '/notifications/read', `{"ids":${many}}`)).toBe(413)
  expect(await send('POST', '/notifications/read', `{"ids":"${'x'.repeat(70_000)}"}`)).toBe(413)
  expect(await send('POST', '/notifications/read', `{"ids":${'['.repeat(100)}${']'.repeat(100)}}`)).toBe(400)
})

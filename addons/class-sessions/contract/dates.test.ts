import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Call } from '@trainyard/platform/contract/call.ts'
import { contract } from '@trainyard/modules/contract.ts'

/** Yields the path and the schema of each date, timestamp and cursor of a request. */
function* datesIn(schema: z.core.$ZodType, path: string): Generator<[path: string, schema: z.core.$ZodType]> {
  const { def } = schema._zod
  switch (def.type) {
    case 'string': {
      const pattern = z.toJSONSchema(schema as z.ZodType, { io: 'input' }).pattern ?? ''
      if (schema instanceof z.ZodISODate || schema instanceof z.ZodISODateTime || pattern.includes('\\d{4}-')) {
        yield [path, schema]
      }
      return
    }
    default:
      for (const [field, part] of partsOf(def)) yield* datesIn(part, `${path}.${field}`)
  }
}

/** Returns the schemas that a definition contains: fields of an object, items, options, and wrapped schemas. */
function partsOf(def: object): [string, z.core.$ZodType][] {
  return Object.entries(def).flatMap(([field, value]): [string, z.core.$ZodType][] => {
    if (value instanceof z.ZodType) return [[field, value]]
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([key, part]): [string, z.core.$ZodType][] =>
      part instanceof z.ZodType ? [[key, part]] : [],
    )
  })
}

const dates = Object.entries(contract).flatMap(([module, calls]) =>
  Object.entries(calls as Record<string, Call>).flatMap(([name, { query, body }]) =>
    [query, body].flatMap((schema) => (schema === undefined ? [] : [...datesIn(schema, `${module}.${name}`)])),
  ),
)

const accepted = (schema: z.core.$ZodType) => {
  const forms = (day: string) => [day, `${day}T00:00:00Z`, `${day}T00:00:00.000000Z`, `${day}T00:00:00.000000Z.1`]
  return (days: readonly string[]) => days.flatMap(forms).filter((text) => z.safeParse(schema, text).success)
}

test('the search finds the dates of requests', () => {
  expect(dates.map(([path]) => path)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^audit\.list\..*from/),
      expect.stringMatching(/^ledger\.add\..*date/),
    ]),
  )
  expect(dates.length).toBeGreaterThan(15)
})

describe.each(dates)('%s', (_path, schema) => {
  test('accepts only years that the database and JavaScript can calculate with', () => {
    const accepts = accepted(schema)
    expect(accepts(['2026-01-31'])).not.toEqual([])
    expect(accepts(['0000-01-01', '0001-01-01', '0999-12-31', '9999-12-31', '3000-01-01'])).toEqual([])
  })

  test('rejects a fraction of a second that is longer than a timestamp can store', () => {
    expect(z.safeParse(schema, `2026-01-31T00:00:00.${'0'.repeat(200)}Z`).success).toBe(false)
  })
})

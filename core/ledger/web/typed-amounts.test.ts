import { expect, test } from 'vitest'
import { increaseOf } from '@trainyard/machines/web/increase.ts'
import { allottedOf } from '@trainyard/trainings/web/allotted.ts'

/** The reader of each field: returns the problem, the read amount, or null for a refused amount without a sentence. */
const FIELDS: Readonly<Record<string, (text: string) => unknown>> = {
  'allocated hours': (hours) => Object.values(allottedOf(hours))[0],
  'increase of the quota': (hours) => increaseOf(hours)?.hours ?? null,
}

test.each(Object.entries(FIELDS))('refuses a comma that does not group and reads 1,000 in the field %s', (_, read) => {
  const refused = [null, 'Use commas only as in 1,00,000 or 100,000, and a point before decimals.']
  for (const text of ['800,00', '1,0', '12,34,5']) expect(refused).toContain(read(text))
  expect(read('1,000')).toEqual(read('1000'))
  expect(refused).not.toContain(read('1,000'))
})

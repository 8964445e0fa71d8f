import { expect, test } from 'vitest'

/**
 * Declares a test of each field.
 * @param fields reader of each field: returns the problem, the read amount, or null for a refused amount without a
 * sentence
 */
export function testTypedAmounts(fields: Readonly<Record<string, (text: string) => unknown>>): void {
  test.each(Object.entries(fields))(
    'refuses a comma that does not group and reads 1,000 in the field %s',
    (_, read) => {
      const refused = [false, null, 'Use commas only as in 1,00,000 or 100,000, and a point before decimals.']
      for (const text of ['800,00', '1,0', '12,34,5']) expect(refused).toContain(read(text))
      expect(read('1,000')).toEqual(read('1000'))
      expect(refused).not.toContain(read('1,000'))
    },
  )
}

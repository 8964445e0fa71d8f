import { expect, test } from 'vitest'
import { problemsIn } from '@trainyard/platform/web/forms/problems.ts'
import { invoice } from '../contract/invoice.ts'
import { readLine } from './LineFields.tsx'

test('refuses an amount of a line that may mean a thousand times as much', () => {
  const line = { description: 'Set-up', amount: '2.500', discount: '1.000', sac: '' }
  const body = { organization: 'Acme', lines: [readLine(line)] }
  expect(problemsIn(invoice.draftOneOff.body, body, { lines: [line] })).toMatchObject({
    'lines.0.amount': 'Enter rupees with at most two decimals.',
    'lines.0.discount': 'Enter rupees with at most two decimals.',
  })
})

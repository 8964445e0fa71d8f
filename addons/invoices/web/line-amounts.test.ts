import { testTypedAmounts } from '@trainyard/platform/web/forms/test-typed-amounts.ts'
import { areValid, BLANK_LINE, readLine } from './LineFields.tsx'

const line = { ...BLANK_LINE, description: 'Training room', amount: '900000' }

testTypedAmounts({
  'amount of a line': (amount) => areValid([{ ...line, amount }]) && readLine({ ...line, amount }).amount,
  'discount of a line': (discount) => areValid([{ ...line, discount }]) && readLine({ ...line, discount }).discount,
})

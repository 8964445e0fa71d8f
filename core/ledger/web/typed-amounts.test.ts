import { testTypedAmounts } from '@trainyard/platform/web/forms/test-typed-amounts.ts'
import { increaseOf } from '@trainyard/machines/web/increase.ts'
import { allottedOf } from '@trainyard/trainings/web/allotted.ts'

/** The reader of each field: returns the problem, the read amount, or null for a refused amount without a sentence. */
const FIELDS: Readonly<Record<string, (text: string) => unknown>> = {
  'allocated hours': (hours) => Object.values(allottedOf(hours))[0],
  'increase of the quota': (hours) => increaseOf(hours)?.hours ?? null,
}

testTypedAmounts(FIELDS)

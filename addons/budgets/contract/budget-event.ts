import { z } from 'zod'
import { common, published, reference } from '@trainyard/platform/contract/published.ts'

const thresholdData = {
  ...common,
  /** The training to which the budget or quota belongs. Null for the organisation's monthly budget. */
  training: reference.nullable(),
  percent: z.int(),
}

export const budgetEvents = {
  'budget.reached': published(
    'A budget reached a threshold',
    z.strictObject({ ...thresholdData, usedPaise: z.int(), budgetPaise: z.int() }),
  ),
  'budget.cap_reached': published(
    'A budget is used up and its machines are stopped',
    z.strictObject({ ...common, training: reference.nullable(), budgetPaise: z.int() }),
  ),
  'quota.reached': published(
    'The allocated hours of a training reached a threshold',
    z.strictObject({ ...thresholdData, usedMinutes: z.int(), allottedMinutes: z.int() }),
  ),
}

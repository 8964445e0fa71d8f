import { hook } from '../../../core/events.ts'

/** Legal name of the company that runs the portal; null if it is unknown. */
export const operatorName = hook<null, string | null>(
  'organisations.operatorName',
  null,
  (first, second) => first ?? second,
)

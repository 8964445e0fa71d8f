import { useQuery } from '@tanstack/react-query'
import { formatAbout } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { creditWords } from './credit-words.ts'

interface AheadProps {
  organization?: string | undefined
  /** Without a training, only the credit of the organisation counts. */
  trainingName?: string | undefined
  /** Cost that the user is about to add, in paise. */
  adds?: number
  /** Budget that the user is about to save, in paise. */
  budgetPaise?: number
}

/** Says what is planned for a training and which credit is left, before the user confirms what costs money. */
export function Ahead({ organization, trainingName, adds = 0, budgetPaise }: AheadProps) {
  const { data } = useQuery(
    query(api.meter.outlook, {
      ...(organization !== undefined && { organization }),
      ...(trainingName !== undefined && { trainingName }),
    }),
  )
  if (data === undefined) return null
  const { credit, training } = data
  const planned = (training?.plannedPaise ?? 0) + adds
  const budget = budgetPaise ?? training?.budgetPaise ?? null
  const over = budget === null ? 0 : (training?.spentPaise ?? 0) + planned - budget
  const parts = [`${formatAbout(planned)} planned`, ...(credit === null ? [] : [creditWords(credit).join(' ')])]
  return (
    <output>
      {parts.join(', ')}.{' '}
      {over > 0 && budget !== null && (
        <strong>
          With {formatAbout(training?.spentPaise ?? 0)} spent, this is {formatAbout(over)} over the budget of{' '}
          {formatAbout(budget)}.
        </strong>
      )}
    </output>
  )
}

import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { Choice } from '@trainyard/platform/web/navigation/selection.ts'
import { creditWords, usageWords } from './credit-words.ts'
import type { Outlook } from './money-days.ts'

interface CreditLeftProps {
  whose: Pick<Choice, 'organization'>
  /** Without it, credit of each kind is shown. */
  only?: NonNullable<Outlook['credit']>['kind']
  className?: string | undefined
}

/** Credit that is left to an organisation, and what it counts, in the same words on every screen. */
export function CreditLeft({ whose, only, className }: CreditLeftProps) {
  const { data: credit } = useQuery({ ...query(api.meter.outlook, whose), select: (outlook) => outlook.credit })
  if (!credit || (only ?? credit.kind) !== credit.kind) return null
  const [amount, words] = creditWords(credit)
  return (
    <p data-warns={credit.leftPaise <= 0 || undefined} className={className}>
      {amount}{' '}
      <span className="dim">
        {words} {usageWords(credit)}
      </span>
    </p>
  )
}

import { useQuery } from '@tanstack/react-query'
import { formatAbout } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { Choice } from '@trainyard/platform/web/navigation/selection.ts'

interface CreditLeftProps {
  whose: Pick<Choice, 'organization'>
  className?: string | undefined
}

/** Credit that is left to an organisation, and what it counts, in the same words on every screen. */
export function CreditLeft({ whose, className }: CreditLeftProps) {
  const { data } = useQuery({ ...query(api.meter.outlook, whose), select: ({ creditLeftPaise }) => creditLeftPaise })
  if (data == null) return null
  return (
    <p data-warns={data <= 0 || undefined} className={className}>
      {formatAbout(Math.abs(data))}{' '}
      <span className="dim">{data < 0 ? 'over the credit limit' : 'credit left'} after the usage so far</span>
    </p>
  )
}

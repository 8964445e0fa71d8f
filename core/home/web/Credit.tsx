import { useQuery } from '@tanstack/react-query'
import { formatAbout, paise } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { Choice } from '@trainyard/platform/web/navigation/selection.ts'
import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'
import attention from './Attention.module.css'
import styles from './Trainings.module.css'

interface CreditProps {
  balancePaise: number
  whose: Choice
}

/** Balance and remaining credit of the organisation. */
export function Credit({ balancePaise, whose }: CreditProps) {
  const credit = useQuery({ ...query(api.meter.outlook, whose), select: ({ creditLeftPaise }) => creditLeftPaise })
  return (
    <section className={`panel ${styles.credit}`} aria-labelledby="credit">
      <h2 id="credit">Account</h2>
      {credit.data != null && (
        <p data-warns={credit.data <= 0 || undefined} className={styles.figure}>
          {formatAbout(credit.data)} <span className="dim">credit left after the usage so far</span>
        </p>
      )}
      <p>
        <strong>
          <Rupees paise={paise(Math.abs(balancePaise))} />
        </strong>{' '}
        <span className="dim">{balancePaise < 0 ? 'paid ahead' : balancePaise === 0 ? 'settled' : 'to be paid'}</span>
      </p>
      <ScreenLink to="/ledger/account" search={whose} className={attention.action}>
        Open the account
      </ScreenLink>
    </section>
  )
}

import { paise } from '@trainyard/platform/contract/words/money.ts'
import type { Choice } from '@trainyard/platform/web/navigation/selection.ts'
import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'
import { CreditLeft } from '@trainyard/usage/web/CreditLeft.tsx'
import attention from './Attention.module.css'
import styles from './Trainings.module.css'

interface CreditProps {
  balancePaise: number
  whose: Choice
}

/** Balance and remaining credit of the organisation. */
export function Credit({ balancePaise, whose }: CreditProps) {
  return (
    <section className={`panel ${styles.credit}`} aria-labelledby="credit">
      <h2 id="credit">Account</h2>
      <CreditLeft whose={whose} className={styles.figure} />
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

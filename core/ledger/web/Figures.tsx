import type { Page } from './statement.ts'
import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import styles from './Account.module.css'

export function Figures({ legal }: { legal: Page['legal'] }) {
  const { name, gst, balance, limit } = legal
  const available = limit - balance
  return (
    <section className={`panel ${styles.figures} no-print`} aria-labelledby="legal">
      <div className={styles.who}>
        <h2 id="legal">{name}</h2>
        <dl>
          <dt>GST number</dt>
          <dd className={gst === null ? 'dim' : 'mono'}>{gst ?? 'none on record'}</dd>
        </dl>
      </div>
      <dl>
        <dt>Overall Balance</dt>
        <dd className={styles.figure}>
          <Rupees amount={balance} />
        </dd>
        <dd className="dim">{balance > 0 ? 'to be paid' : balance < 0 ? 'paid ahead' : 'settled'}</dd>
      </dl>
      <dl>
        <dt>Credit Limit</dt>
        <dd className={styles.figure}>
          <Rupees amount={limit} />
        </dd>
        <dd className={available < 0 ? styles.over : 'dim'}>
          {available < 0 ? `exceeded by ${formatRupees(-available)}` : `${formatRupees(available)} left`}
        </dd>
      </dl>
    </section>
  )
}

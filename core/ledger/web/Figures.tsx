import type { Choice } from '@trainyard/platform/web/navigation/selection.ts'
import type { Page } from './statement.ts'
import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { CreditLeft } from '@trainyard/usage/web/CreditLeft.tsx'
import styles from './Account.module.css'

export function Figures({ legal, whose }: { legal: Page['legal']; whose: Choice }) {
  const { name, gst, balance, limit } = legal
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
        <dd>
          <CreditLeft whose={whose} only="prepaid" className={styles.left} />
        </dd>
      </dl>
      <dl>
        <dt>Credit Limit</dt>
        <dd className={styles.figure}>
          <Rupees amount={limit} />
        </dd>
        <dd>
          <CreditLeft whose={whose} only="limit" className={styles.left} />
        </dd>
      </dl>
    </section>
  )
}

import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { Fact } from '@trainyard/platform/web/ui/Fact.tsx'
import type { Summary } from './ClientLedger.tsx'
import styles from './Ledger.module.css'

export function Totals({ summary }: { summary: Summary }) {
  const owing = summary.ledger.filter(({ balance }) => balance > 0).length
  return (
    <dl className={`panel ${styles.totals}`}>
      <Fact term="Invoice Value">
        <Rupees amount={summary.totalInvoice} />
      </Fact>
      <Fact term="Payment Received">
        <Rupees amount={summary.totalPayment} />
      </Fact>
      <div>
        <dt>Balance</dt>
        <dd>
          <Rupees amount={summary.totalBalance} />
        </dd>
        <dd className={styles.note}>
          {owing === 0
            ? 'no customer owes anything'
            : owing === 1
              ? 'owed by 1 customer'
              : `owed by ${owing} customers`}
        </dd>
      </div>
    </dl>
  )
}

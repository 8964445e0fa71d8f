import { useQuery } from '@tanstack/react-query'
import { formatRupees } from '@trainyard/contract/words/money.ts'
import { api } from '#src/api.ts'
import { useMe } from '#src/me.ts'
import { allottedPrice, hourlyPrice } from './price.ts'
import styles from './Quote.module.css'

interface QuoteProps {
  rate: number
  machines: number
  browserAccess: boolean
  /** Of each machine; null: no limit. */
  minutes: number | null
  organization: string
}

/** What an order will cost, and what the organisation's account has left for it. */
export function Quote({ rate, machines, browserAccess, minutes, organization }: QuoteProps) {
  const { role } = useMe()
  const account = useQuery({
    queryKey: ['account', organization],
    queryFn: ({ signal }) => api.account.read(role === 'superadmin' ? { organization } : {}, { signal }),
    select: ({ legal }) => legal,
  })
  const total = minutes === null ? null : allottedPrice(rate, machines, browserAccess, minutes)
  const left = account.data === undefined ? null : account.data.limit - account.data.balance
  return (
    <section aria-label="What this order costs" className={styles.quote}>
      <dl>
        <div>
          <dt>{machines === 1 ? '1 VM' : `${machines} VMs`}, an hour while running</dt>
          <dd>
            <strong>{formatRupees(hourlyPrice(rate, machines, browserAccess))}</strong>
          </dd>
        </div>
        <div>
          <dt>{minutes === null ? 'For the hours allotted' : `For the ${minutes / 60} hours allotted to each`}</dt>
          <dd>{total === null ? 'no limit' : <strong>{formatRupees(total)}</strong>}</dd>
        </div>
        {account.data !== undefined && left !== null && (
          <>
            <div>
              <dt>{account.data.balance < 0 ? 'Paid ahead' : 'Balance owed'}</dt>
              <dd>{formatRupees(Math.abs(account.data.balance))}</dd>
            </div>
            <div>
              <dt>Left of the credit limit of {formatRupees(account.data.limit)}</dt>
              <dd>{formatRupees(left)}</dd>
            </div>
          </>
        )}
      </dl>
      {left !== null && total !== null && total > left && machines > 0 && (
        <output className={styles.over}>
          This is {formatRupees(total - left)} more than {organization} has left.
        </output>
      )}
    </section>
  )
}

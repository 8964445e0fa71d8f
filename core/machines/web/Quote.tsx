import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { creditWords } from '@trainyard/usage/web/credit-words.ts'
import { hoursText } from '@trainyard/platform/web/ui/hours.ts'
import { Fact } from '@trainyard/platform/web/ui/Fact.tsx'
import { beyondCreditLimit } from './order-checks.ts'
import { allottedPrice, hourlyPrice } from './price.ts'
import styles from './Quote.module.css'
import { useCreditLimit } from './useCreditLimit.ts'

interface QuoteProps {
  rate: number
  machines: number
  browserAccess: boolean
  /** Per machine; null for no limit. */
  minutes: number | null
  organization: string
  /** Empty for a new training. */
  trainingName: string
}

export function Quote({ rate, machines, browserAccess, minutes, organization, trainingName }: QuoteProps) {
  const { data: credit } = useCreditLimit(organization, trainingName)
  const total = minutes === null ? null : allottedPrice(rate, machines, browserAccess, minutes)
  const warning = credit === undefined ? null : beyondCreditLimit(organization, total, credit)
  return (
    <section aria-label="Cost of this order" className={styles.inBar}>
      <dl>
        <div>
          <dt>{machines === 1 ? '1 VM' : `${machines} VMs`}, per hour while running</dt>
          <dd>
            <strong>{formatRupees(hourlyPrice(rate, machines, browserAccess))}</strong>
          </dd>
        </div>
        <Fact term={minutes === null ? 'For the allocated hours' : `For the ${hoursText(minutes)} allocated to each`}>
          {total === null ? 'no limit' : <strong>{formatRupees(total)}</strong>}
        </Fact>
        {credit?.credit && <CreditFact credit={credit.credit} />}
      </dl>
      {warning !== null && machines > 0 && <output className={styles.over}>{warning}</output>}
    </section>
  )
}

function CreditFact({ credit }: { credit: Parameters<typeof creditWords>[0] }) {
  const [amount, words] = creditWords(credit)
  return <Fact term={words.replace(/^./, (first) => first.toUpperCase())}>{amount}</Fact>
}

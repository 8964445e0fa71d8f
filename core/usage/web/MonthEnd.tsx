import { formatAbout } from '@trainyard/platform/contract/words/money.ts'
import styles from './Billing.module.css'
import { creditWords } from './credit-words.ts'
import { atMonthEnd, type Outlook, restOfToday } from './money-days.ts'

/** Card that says what the training will have cost at the end of the month. */
export function MonthEnd({ outlook }: { outlook: Outlook }) {
  const { training, credit } = outlook
  if (training === null) return null
  const { plannedPaise, budgetPaise } = training
  const expected = atMonthEnd(outlook, training)
  const rest = restOfToday(outlook, training)
  const over = budgetPaise === null ? null : expected - budgetPaise
  const laterOver = budgetPaise === null ? 0 : training.spentPaise + plannedPaise - budgetPaise
  return (
    <section className={`panel ${styles.card}`} aria-labelledby="month-end">
      <h2 id="month-end">Until the end of the month</h2>
      <p className={`figure ${styles.figure}`}>
        {formatAbout(expected)}
        {over !== null && (
          <span className={styles.note} data-over={laterOver > 0 || undefined}>
            {over > 0
              ? `${formatAbout(over)} over the budget`
              : laterOver > 0
                ? `${formatAbout(laterOver)} over the budget with all plans`
                : `${formatAbout(-over)} of the budget left`}
          </span>
        )}
        <span className={styles.note}>
          {rest > 0 && `${formatAbout(rest)} if all run until midnight, `}
          {formatAbout(plannedPaise)} planned
          {credit !== null && `, ${creditWords(credit).join(' ')}`}
        </span>
      </p>
    </section>
  )
}

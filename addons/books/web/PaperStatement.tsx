import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import { Fact } from '@trainyard/platform/web/ui/Fact.tsx'
import styles from '@trainyard/ledger/web/Account.module.css'
import type { Period } from '@trainyard/ledger/web/periods.ts'
import type { Page, Statement } from '@trainyard/ledger/web/statement.ts'

interface PaperStatementProps {
  legal: Page['legal']
  statement: Statement
  period: Period
  today: string
}

export default function PaperStatement({ legal, statement, period, today }: PaperStatementProps) {
  const { lines, opening, closing, invoiced, paid } = statement
  const from = period.from ?? lines[0]?.date ?? today
  const to = period.to === null || period.to > today ? today : period.to
  return (
    <section className={styles.statement} aria-label="Statement">
      <h2>{legal.name}</h2>
      <dl className={styles.facts}>
        <Fact term="GST number">{legal.gst ?? 'none on record'}</Fact>
        <Fact term="Period">
          {formatDate(from)} to {formatDate(to)}
        </Fact>
        <Fact term="Printed on">{formatDate(today)}</Fact>
        <Fact term="Opening balance">
          <Rupees amount={opening} />
        </Fact>
        <Fact term="Closing balance">
          <Rupees amount={closing} />
        </Fact>
        <Fact term="Credit Limit">
          <Rupees amount={legal.limit} />
        </Fact>
      </dl>
      <table className={styles.paper}>
        <thead>
          <tr>
            <th scope="col">Sl</th>
            <th scope="col">Date</th>
            <th scope="col">Particular</th>
            <th scope="col">ID</th>
            <th scope="col" data-align="end">
              Invoice
            </th>
            <th scope="col" data-align="end">
              Payment
            </th>
            <th scope="col" data-align="end">
              Balance
            </th>
          </tr>
        </thead>
        <tbody>
          <tr className={styles.sum}>
            <td colSpan={6}>Opening balance</td>
            <td data-align="end">
              <Rupees amount={opening} />
            </td>
          </tr>
          {lines.map(({ order, date, particular, invoice, payment, id, balance }, index) => (
            <tr key={order}>
              <td>{index + 1}</td>
              <td>{formatDate(date)}</td>
              <td>{particular}</td>
              <td className={`mono ${styles.id}`}>{id}</td>
              <td data-align="end">{invoice !== null && <Rupees amount={invoice} />}</td>
              <td data-align="end">{payment !== null && <Rupees amount={payment} />}</td>
              <td data-align="end">
                <Rupees amount={balance} />
              </td>
            </tr>
          ))}
          <tr className={styles.sum}>
            <td colSpan={4}>Closing balance</td>
            <td data-align="end">
              <Rupees amount={invoiced} />
            </td>
            <td data-align="end">
              <Rupees amount={paid} />
            </td>
            <td data-align="end">
              <Rupees amount={closing} />
            </td>
          </tr>
        </tbody>
      </table>
    </section>
  )
}

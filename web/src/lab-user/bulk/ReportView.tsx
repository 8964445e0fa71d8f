import { Button } from '@mantine/core'
import { ALERTS } from '@trainyard/contract/words/problems.ts'
import { countOf } from '#src/ui/count-of.ts'
import { saveCsv } from '#src/ui/saveCsv.ts'
import { Icon } from '#src/ui/Icon.tsx'
import styles from './Bulk.module.css'
import { RefusedTable } from './RefusedTable.tsx'
import { refusedRows, reportOf } from './report.ts'
import type { Bulk } from './useBulk.ts'

/** The result of a list: the number of users made, and each row that made none, with its reason. */
export function ReportView({ bulk, name }: { bulk: Bulk; name: string }) {
  const { made, madeBefore, there, failed, undone } = reportOf(bulk.plan, bulk.outcomes)
  const without = [...bulk.plan.bad, ...there, ...failed, ...undone].toSorted((a, b) => a.row.line - b.row.line)
  return (
    <section className="stack" aria-label="Report">
      {bulk.error !== null && (
        <p role="alert" className={styles.problem}>
          {bulk.error}
        </p>
      )}
      <ul className={styles.counts}>
        <li>
          {countOf(made, 'user')} created{madeBefore > 0 && `, ${madeBefore} of them by an earlier run of this list`}
        </li>
        {failed.length > 0 && (
          <li className={styles.problem}>
            {ALERTS.bulkUserFailed}: {countOf(failed.length, 'user')}
          </li>
        )}
        {there.length > 0 && <li>{countOf(there.length, 'user')} there before, left as they are</li>}
        {bulk.plan.bad.length > 0 && <li>{countOf(bulk.plan.bad.length, 'row')} left out from the start</li>}
        {undone.length > 0 && <li>{countOf(undone.length, 'user')} not done yet</li>}
      </ul>
      {without.length > 0 && (
        <div className={styles.part}>
          <div className={`ends ${styles.over}`}>
            <h3>Rows that made no user</h3>
            <Button
              variant="default"
              size="sm"
              leftSection={<Icon name="download" size={15} />}
              onClick={() => void saveCsv(`${name.replace(/\.\w+$/, '')}-not-created`, refusedRows(without))}
            >
              Download as CSV
            </Button>
          </div>
          <RefusedTable label="Rows that made no user" rows={without} />
        </div>
      )}
    </section>
  )
}

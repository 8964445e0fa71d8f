import IconDownload from '@tabler/icons-react/icons/IconDownload'
import { Button } from '@mantine/core'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { saveCsv } from '@trainyard/platform/web/ui/saveCsv.ts'
import styles from './Bulk.module.css'
import { RefusedTable } from './RefusedTable.tsx'
import { refusedRows, reportOf } from './report.ts'
import type { Bulk } from './useBulk.ts'

export function ReportView({ bulk, name }: { bulk: Bulk; name: string }) {
  const { created, createdEarlier, existing, failed, pending } = reportOf(bulk.plan, bulk.outcomes)
  const without = [...bulk.plan.invalid, ...existing, ...failed, ...pending].toSorted((a, b) => a.row.line - b.row.line)
  return (
    <section className="stack" aria-label="Report">
      {bulk.error !== null && (
        <p role="alert" className={styles.problem}>
          {bulk.error}
        </p>
      )}
      <ul className={styles.counts}>
        <li>
          {countOf(created, 'user')} created
          {createdEarlier > 0 && `, ${createdEarlier} of them by an earlier run of this file`}
        </li>
        {failed.length > 0 && (
          <li className={styles.problem}>
            {ALERTS.bulkUserFailed}: {countOf(failed.length, 'user')}
          </li>
        )}
        {existing.length > 0 && <li>{countOf(existing.length, 'user')} already existed and were not changed</li>}
        {bulk.plan.invalid.length > 0 && <li>{countOf(bulk.plan.invalid.length, 'row')} skipped</li>}
        {pending.length > 0 && <li>{countOf(pending.length, 'user')} not processed yet</li>}
      </ul>
      {without.length > 0 && (
        <div className={styles.part}>
          <div className={`ends ${styles.over}`}>
            <h3>Rows not created</h3>
            <Button
              variant="default"
              size="sm"
              leftSection={<IconDownload size={15} aria-hidden />}
              onClick={() => saveCsv(`${name.replace(/\.\w+$/, '')}-not-created`, refusedRows(without))}
            >
              Export CSV
            </Button>
          </div>
          <RefusedTable label="Rows not created" rows={without} />
        </div>
      )}
    </section>
  )
}

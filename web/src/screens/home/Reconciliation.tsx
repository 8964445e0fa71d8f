import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { formatDate, formatSeconds } from '#src/ui/time.ts'
import type { Kind } from './AttentionList.tsx'
import styles from './Home.module.css'

/** A day is compared once, after it is over. */
const REFRESH_MS = 600_000
const DAYS_SHOWN = 5
const MACHINES_SHOWN = 3

/**
 * Returns the days whose run time differs from the provider's own record: a person must decide, nothing corrects it. null:
 * it is not known yet.
 */
export function useReconciliation(): Kind | null {
  const { data } = useQuery({
    ...query(api.meter.reconciliation),
    select: ({ days }) => days,
    refetchInterval: REFRESH_MS,
  })
  if (data === undefined) return null
  const differing = data.filter(({ differences }) => differences.length > 0)
  return {
    id: 'reconciliation',
    title: 'Days that differ from the provider',
    count: differing.length,
    none:
      data.length === 0
        ? 'no day compared with the provider’s record yet'
        : data.length === 1
          ? `${formatDate(data[0]!.date)} agrees with the provider to the second`
          : `the last ${data.length} days agree with the provider to the second`,
    rows: differing.slice(0, DAYS_SHOWN).map(({ date, differences }) => (
      <li key={date}>
        <span className={styles.name}>{formatDate(date)}</span>
        {differences.slice(0, MACHINES_SHOWN).map(({ machine, organization, secondsHere, secondsThere }) => (
          <span key={machine}>
            <span className="mono">{machine}</span>
            <span className="dim">
              {organization !== null && `, ${organization}`}: {formatSeconds(secondsHere)} here,{' '}
              {formatSeconds(secondsThere)} there
            </span>
          </span>
        ))}
        {differences.length > MACHINES_SHOWN && (
          <span className="dim">and {differences.length - MACHINES_SHOWN} more machines</span>
        )}
      </li>
    )),
  }
}

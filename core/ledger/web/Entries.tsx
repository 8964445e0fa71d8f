import { Button } from '@mantine/core'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { today } from '@trainyard/platform/web/ui/time.ts'
import { usePrinting } from '@trainyard/platform/web/ui/usePrinting.ts'
import styles from './Account.module.css'
import { accountPaper } from './slots.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { ALWAYS, periodsAt } from './periods.ts'
import { linesOf, statementOf, type Page } from './statement.ts'
import { Transactions } from './Transactions.tsx'

const BalanceChart = lazy(() => import('./BalanceChart.tsx'))

interface EntriesProps {
  /** Newest first; at least one. */
  pages: readonly Page[]
  more: boolean
  fetching: boolean
  fetchMore: () => void
}

export function Entries({ pages, more, fetching, fetchMore }: EntriesProps) {
  const { timeZone } = useMe()
  const printing = usePrinting()
  const [now] = useState(() => today(new Date(), timeZone))
  const periods = useMemo(() => periodsAt(now), [now])
  const [chosen, setChosen] = useState('')
  const period = periods.find(({ name }) => name === chosen) ?? ALWAYS
  const lines = useMemo(() => linesOf(pages), [pages])
  const statement = useMemo(() => statementOf(lines, pages.at(-1)!.opening, period), [lines, pages, period])
  const [oldest] = lines
  // Load earlier entries until the start of the period is covered.
  const lacks = more && oldest !== undefined && period.from !== null && oldest.date >= period.from
  useEffect(() => {
    if (lacks && !fetching) fetchMore()
  }, [lacks, fetching, fetchMore])

  const { legal } = pages[0]!
  return (
    <>
      {printing && <Fills of={accountPaper} props={{ legal, statement, period, today: now }} />}
      {lines.length > 0 && (
        <div className="no-print">
          <Suspense fallback={<Skeleton rows={1} height="19rem" />}>
            <BalanceChart statement={statement} until={period.to !== null && period.to < now ? period.to : now} />
          </Suspense>
        </div>
      )}
      <section className="stack no-print" aria-labelledby="transactions">
        <h2 id="transactions">Transactions</h2>
        <Transactions
          name={legal.name}
          statement={statement}
          periods={periods}
          period={chosen}
          choosePeriod={setChosen}
        />
        {more && (
          <Button variant="default" className={styles.earlier} disabled={fetching} onClick={fetchMore}>
            {fetching ? 'Loading...' : 'Show earlier entries'}
          </Button>
        )}
      </section>
    </>
  )
}

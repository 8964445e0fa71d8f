import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { useQuery } from '@tanstack/react-query'
import { lazy, useId, useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { secondFactor } from '../contract/second-factor.ts'
import { EMPTY } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { instantColumn } from '@trainyard/platform/web/ui/Instant.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import styles from '@trainyard/platform/web/ui/AdminList.module.css'
import { EndReset } from './EndReset.tsx'

const AskReset = lazy(() => import('./AskReset.tsx'))

type Reset = ReplyOf<typeof secondFactor.resets>['resets'][number]

const rowId = ({ email }: Reset) => email

/** Second Factor Resets for users who lost all their factors. One superadmin requests, another confirms. */
export default function FactorResets() {
  const heading = useId()
  const me = useMe()
  const resets = useQuery(query(api.secondFactor.resets))
  const [toEnd, setToEnd] = useState<Reset | null>(null)
  const columns: readonly Column<Reset>[] = [
    { id: 'email', header: 'Email', value: rowId },
    { id: 'by', header: 'Requested by', value: ({ askedBy }) => askedBy },
    instantColumn('until', 'Until'),
    {
      id: 'end',
      header: 'Action',
      cell: (row) => {
        const verb = row.askedBy === me.email ? 'Withdraw' : 'Confirm'
        return (
          <TextButton label={`${verb} the reset for ${row.email}`} onClick={() => setToEnd(row)}>
            {verb}
          </TextButton>
        )
      },
    },
  ]
  return (
    <section className={styles.list} aria-labelledby={heading}>
      <div className={`row ${styles.head}`}>
        <h2 id={heading}>Second Factor Resets</h2>
        <DialogButton variant="default" size="sm" icon={IconPlus} dialog={(close) => <AskReset close={close} />}>
          Request a reset
        </DialogButton>
      </div>
      <Fetched query={resets} loading={<Skeleton rows={2} height="2.25rem" />}>
        {(data) => (
          <DataTable
            label="Second Factor Resets"
            rows={data.resets}
            rowId={rowId}
            columns={columns}
            empty={EMPTY.list('Reset')}
            stacks
          />
        )}
      </Fetched>
      {toEnd && <EndReset reset={toEnd} own={toEnd.askedBy === me.email} close={() => setToEnd(null)} />}
    </section>
  )
}

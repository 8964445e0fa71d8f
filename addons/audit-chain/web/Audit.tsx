import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { AuditRow } from '../contract/audit.ts'
import { auditResult, auditText } from '@trainyard/platform/contract/audit.ts'
import { auditLabels } from 'virtual:audit-labels'
import { useSaveFile } from '@trainyard/platform/web/api/file.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import styles from './Audit.module.css'
import { Details } from './Details.tsx'
import { Filters } from './Filters.tsx'
import { useAudit } from './useAudit.ts'

export default function Audit() {
  const { role } = useMe()
  const { fields, filter, pages, apply } = useAudit()
  const [opened, setOpened] = useState<AuditRow | null>(null)
  const { saving, save } = useSaveFile()
  const columns = useMemo(() => columnsFor(role === 'superadmin', setOpened), [role])
  const rows = useMemo(() => pages.data?.pages.flatMap((page) => page.rows) ?? [], [pages.data])
  const saveAs = (format: 'csv' | 'jsonl') => void save(['audit', 'export'], { ...filter, format })
  return (
    <Screen
      actions={
        <>
          <Button variant="default" loading={saving} onClick={() => saveAs('csv')}>
            Export CSV
          </Button>
          <Button variant="default" loading={saving} onClick={() => saveAs('jsonl')}>
            Export JSON lines
          </Button>
        </>
      }
    >
      <Filters key={JSON.stringify(fields)} fields={fields} apply={apply} />
      <Fetched query={pages} loading={<Skeleton rows={10} height="2rem" />}>
        {() => (
          <>
            <DataTable
              label="Audit rows"
              rows={rows}
              rowId={({ id }) => String(id)}
              columns={columns}
              empty="No matching rows."
              stacks
              onRowClick={setOpened}
            />
            {pages.hasNextPage && (
              <Button
                variant="default"
                className={styles.more}
                loading={pages.isFetchingNextPage}
                onClick={() => void pages.fetchNextPage()}
              >
                Show earlier rows
              </Button>
            )}
          </>
        )}
      </Fetched>
      {opened !== null && <Details row={opened} close={() => setOpened(null)} />}
    </Screen>
  )
}

const columnsFor = (withOrganisation: boolean, open: (row: AuditRow) => void): readonly Column<AuditRow>[] => [
  {
    id: 'at',
    header: 'Time',
    sortable: false,
    value: ({ at }) => at,
    cell: (row) => (
      <button
        type="button"
        className="text-button"
        onClick={(event) => {
          event.stopPropagation()
          open(row)
        }}
      >
        <Instant at={row.at} />
      </button>
    ),
  },
  { id: 'person', header: 'Person', sortable: false, value: ({ person }) => person ?? 'Automatic' },
  { id: 'call', header: 'Action', sortable: false, value: ({ call }) => auditText(call, auditLabels[call]) },
  { id: 'result', header: 'Result', sortable: false, value: ({ refused }) => auditResult(refused) },
  ...(withOrganisation
    ? [
        {
          id: 'organization',
          header: 'Organisation',
          sortable: false,
          value: ({ organization }: AuditRow) => organization,
        },
      ]
    : []),
  { id: 'address', header: 'Address', sortable: false, value: ({ address }) => address },
]

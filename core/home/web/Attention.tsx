import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { AttentionList, type ProblemKind } from './AttentionList.tsx'
import { FailingRow, OrphanRow, TaskRow, UncreditedRow, UnpaidRow, UpdateRow, UsedUpRow } from './AttentionRows.tsx'

const REFRESH_MS = 30_000

export function Attention() {
  const attention = useQuery({ ...query(api.home.attention), refetchInterval: REFRESH_MS })
  if (!attention.data) return <Fetched query={attention} loading={<Skeleton rows={4} height="4rem" />} />
  const { failing, quotaUsedUp, unpaid, uncredited, orphans, tasks, update } = attention.data
  const kinds: ProblemKind[] = [
    {
      id: 'failing',
      title: 'Failing machines',
      none: 'No failing machines',
      count: failing.count,
      shown: failing.first.reduce((sum, { machines }) => sum + machines, 0),
      rows: failing.first.map((at) => <FailingRow key={`${at.reason} ${String(at.refused)}`} at={at} />),
    },
    {
      id: 'used-up',
      title: 'Quotas used up',
      none: 'All machines have hours left',
      count: quotaUsedUp.count,
      rows: quotaUsedUp.first.map((at) => <UsedUpRow key={at.machine} at={at} />),
    },
    {
      id: 'uncredited',
      title: 'Payments not credited',
      none: 'All payments credited',
      count: uncredited.count,
      rows: uncredited.first.map((at) => <UncreditedRow key={at.order} at={at} />),
    },
    {
      id: 'orphans',
      title: 'Unclaimed cloud resources',
      none: 'No unclaimed cloud resources',
      count: orphans.count,
      rows: orphans.first.map((at) => <OrphanRow key={`${at.group} ${at.name}`} at={at} />),
    },
    {
      id: 'tasks',
      title: 'Failing background tasks',
      none: 'No failing background tasks',
      count: tasks.count,
      rows: tasks.first.map((at) => <TaskRow key={at.name} at={at} />),
    },
    {
      id: 'unpaid',
      title: 'Unpaid',
      none: 'No unpaid balances',
      count: unpaid.count,
      rows: unpaid.first.map((at) => <UnpaidRow key={at.organization} at={at} />),
    },
    ...(update === null
      ? []
      : [{ id: 'update', title: 'New version', none: '', count: 1, rows: [<UpdateRow key="update" {...update} />] }]),
  ]
  return <AttentionList kinds={kinds} />
}

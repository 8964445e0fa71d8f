import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { StatusRequest } from '../contract/tax-status.ts'
import { STATUS_REQUEST_LABELS } from '../contract/tax-status-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useSaveFile } from '@trainyard/platform/web/api/file.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { Section } from '@trainyard/platform/web/forms/Section.tsx'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Reason } from '@trainyard/platform/web/ui/Reason.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import { statusWords } from './status-words.ts'

const ChangeStatus = lazy(() => import('./ChangeStatus.tsx'))
const DecideRequest = lazy(() => import('./DecideRequest.tsx'))

export default function TaxStatus({ organization }: { organization: string }) {
  const { role } = useMe()
  const isSuperadmin = role === 'superadmin'
  const status = useQuery(query(api.taxStatus.read, isSuperadmin ? { organization } : {}))
  const [changing, setChanging] = useState(false)
  const [decided, setDecided] = useState<StatusRequest | null>(null)
  return (
    <Section
      title="Tax Status"
      text="The place and the GST number decide the tax on invoices. The supplier changes them from a day on; issued documents do not change."
    >
      <Fetched query={status} loading={<Skeleton rows={1} height="4rem" />}>
        {({ current, changes, requests }) => (
          <div className="stack">
            <p>{statusWords(current)}</p>
            {changes.length > 0 && (
              <ul aria-label="Changes">
                {changes.map((change) => (
                  <li key={change.from}>
                    From {formatDate(change.from)}: {statusWords(change)}. {change.reason}
                  </li>
                ))}
              </ul>
            )}
            {requests.length > 0 && (
              <DataTable
                label="Requests"
                rows={requests}
                rowId={({ id }) => id}
                columns={columnsFor(isSuperadmin, setDecided)}
                empty=""
                stacks
              />
            )}
            <div className="row">
              <Button variant="default" onClick={() => setChanging(true)}>
                {isSuperadmin ? 'Change Tax Status' : 'Request Change'}
              </Button>
            </div>
            <Suspense>
              {changing && (
                <ChangeStatus organization={organization} current={current} close={() => setChanging(false)} />
              )}
              {decided !== null && <DecideRequest request={decided} close={() => setDecided(null)} />}
            </Suspense>
          </div>
        )}
      </Fetched>
    </Section>
  )
}

const columnsFor = (
  isSuperadmin: boolean,
  decide: (request: StatusRequest) => void,
): readonly Column<StatusRequest>[] => [
  { id: 'status', header: 'Requested', value: statusWords },
  { id: 'from', header: 'From', value: ({ from }) => formatDate(from), sortBy: ({ from }) => from },
  { id: 'reason', header: 'Reason', value: ({ reason }) => reason },
  { id: 'by', header: 'By', value: ({ by }) => by },
  {
    id: 'state',
    header: 'State',
    value: ({ state }) => STATUS_REQUEST_LABELS[state],
    cell: ({ state, answer }) => (
      <>
        {STATUS_REQUEST_LABELS[state]}
        {answer !== null && <Reason text={answer} />}
      </>
    ),
  },
  {
    id: 'actions',
    header: 'Actions',
    value: () => null,
    cell: (request) => <Actions request={request} isSuperadmin={isSuperadmin} decide={() => decide(request)} />,
  },
]

function Actions(props: { request: StatusRequest; isSuperadmin: boolean; decide: () => void }) {
  const { id, document, state } = props.request
  const { saving, save } = useSaveFile()
  const withdrawing = useAction(() => api.taxStatus.withdraw({ id }), {
    invalidates: ['taxStatus'],
    refetchesOnFailure: true,
  })
  return (
    <span className="row">
      <Button
        size="compact-sm"
        variant="default"
        disabled={saving}
        aria-label={`Save document ${document}`}
        onClick={() => void save(['taxStatus', 'document'], { id })}
      >
        Save Document
      </Button>
      {state === 'open' && (
        <Button
          size="compact-sm"
          disabled={withdrawing.isPending}
          onClick={() => (props.isSuperadmin ? props.decide() : withdrawing.mutate())}
        >
          {props.isSuperadmin ? 'Decide' : 'Withdraw'}
        </Button>
      )}
    </span>
  )
}

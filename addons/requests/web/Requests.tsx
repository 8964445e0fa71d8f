import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { useQuery } from '@tanstack/react-query'
import { lazy, useMemo, useState } from 'react'
import type { ChangeRequest } from '../contract/change-request.ts'
import { CHANGE_REQUEST_LABELS, type ChangeRequestState, requestText } from '../contract/change-request-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { instantColumn } from '@trainyard/platform/web/ui/Instant.tsx'
import { Lamp, type Signal } from '@trainyard/platform/web/ui/Lamp.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import { Decide } from './Decide.tsx'

const AskHours = lazy(() => import('./AskHours.tsx'))
const AskQuota = lazy(() => import('./AskQuota.tsx'))
const AskAdmin = lazy(() => import('./AskAdmin.tsx'))

/** Poll interval in ms: other users send and decide requests. */
const REFRESH_MS = 30_000

const SIGNALS: Readonly<Record<ChangeRequestState, Signal>> = {
  open: 'moving',
  approved: 'clear',
  refused: 'danger',
  withdrawn: 'gone',
}

const rowId = ({ id }: ChangeRequest) => id

const WHAT: readonly Column<ChangeRequest>[] = [
  { id: 'what', header: 'Request', value: ({ subject }) => requestText(subject) },
  { id: 'reason', header: 'Reason', value: ({ reason }) => reason },
  instantColumn('at', 'Sent'),
]

export default function Requests() {
  const { role } = useMe()
  const requests = useQuery({ ...query(api.changeRequest.list), refetchInterval: REFRESH_MS })
  const machines = requests.data?.machines ?? []
  return (
    <Screen
      actions={
        <>
          {role === 'user' && machines.length > 0 && (
            <DialogButton icon={IconPlus} dialog={(close) => <AskHours machines={machines} close={close} />}>
              Request Hours
            </DialogButton>
          )}
          {role === 'admin' && (
            <>
              <DialogButton icon={IconPlus} dialog={(close) => <AskQuota close={close} />}>
                Request Quota
              </DialogButton>
              <DialogButton icon={IconPlus} variant="default" dialog={(close) => <AskAdmin close={close} />}>
                Request an Admin
              </DialogButton>
            </>
          )}
        </>
      }
    >
      <p>{EXPLANATIONS[role === 'user' || role === 'admin' ? role : 'superadmin']}</p>
      <Fetched query={requests} loading={<Skeleton rows={4} height="2.25rem" />}>
        {({ mine, toDecide }) => (
          <>
            {(role !== 'user' || toDecide.length > 0) && <ToDecide rows={toDecide} />}
            {role !== 'superadmin' && <Mine rows={mine} />}
          </>
        )}
      </Fetched>
    </Screen>
  )
}

const EXPLANATIONS = {
  user: 'Request more hours for your machine. An instructor of the training or an admin decides, and you receive an e-mail.',
  admin:
    'Decide about the hours of your learners’ machines. The supplier decides about quotas and admins, and you receive an e-mail.',
  superadmin: 'Admins request more quota and other admins here. They receive an e-mail with your decision.',
} as const

function ToDecide({ rows }: { rows: readonly ChangeRequest[] }) {
  const { role } = useMe()
  const [deciding, setDeciding] = useState<ChangeRequest | null>(null)
  const columns = useMemo<readonly Column<ChangeRequest>[]>(
    () => [
      ...(role === 'superadmin'
        ? [{ id: 'organization', header: 'Organisation', value: ({ organization }: ChangeRequest) => organization }]
        : []),
      ...WHAT,
      { id: 'by', header: 'From', value: ({ by }) => by },
      {
        id: 'decide',
        header: 'Decide',
        cell: (request) => (
          <TextButton
            label={`Decide the request of ${request.by}: ${requestText(request.subject)}`}
            onClick={() => setDeciding(request)}
          >
            Decide
          </TextButton>
        ),
      },
    ],
    [role],
  )
  return (
    <section className="stack" aria-labelledby="to-decide">
      <h2 id="to-decide">Waiting for Your Decision</h2>
      <DataTable
        label="Waiting for Your Decision"
        rows={rows}
        rowId={rowId}
        columns={columns}
        empty="No request waits for your decision."
        stacks
      />
      {deciding !== null && <Decide request={deciding} close={() => setDeciding(null)} />}
    </section>
  )
}

function Mine({ rows }: { rows: readonly ChangeRequest[] }) {
  const { mutate: withdraw } = useAction(api.changeRequest.withdraw, {
    invalidates: ['changeRequest'],
    refetchesOnFailure: true,
  })
  const columns = useMemo<readonly Column<ChangeRequest>[]>(
    () => [
      ...WHAT,
      {
        id: 'state',
        header: 'State',
        value: ({ state }) => CHANGE_REQUEST_LABELS[state],
        cell: ({ state, answer, decidedBy }) => (
          <>
            <Lamp signal={SIGNALS[state]}>{CHANGE_REQUEST_LABELS[state]}</Lamp>
            {(state === 'approved' || state === 'refused') && ` by ${decidedBy}`}
            {answer !== null && `: ${answer}`}
          </>
        ),
      },
      {
        id: 'withdraw',
        header: 'Withdraw',
        cell: ({ id, state, subject }) =>
          state === 'open' && (
            <TextButton label={`Withdraw the request: ${requestText(subject)}`} onClick={() => withdraw({ id })}>
              Withdraw
            </TextButton>
          ),
      },
    ],
    [withdraw],
  )
  return (
    <section className="stack" aria-labelledby="mine">
      <h2 id="mine">Your Requests</h2>
      <DataTable
        label="Your Requests"
        rows={rows}
        rowId={rowId}
        columns={columns}
        empty="You have sent no requests."
        stacks
      />
    </section>
  )
}

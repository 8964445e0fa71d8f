import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { useQuery } from '@tanstack/react-query'
import { lazy, useMemo, useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { port } from '../contract/port.ts'
import { EMPTY } from '@trainyard/platform/contract/words/problems.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { deleteColumn } from '@trainyard/platform/web/ui/IconButtons.tsx'
import { WithoutTraining } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { SyncStatus } from './SyncStatus.tsx'
import { serviceAt } from './openPorts.ts'
import styles from './Ports.module.css'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { DeleteDialog } from '@trainyard/platform/web/forms/DeleteDialog.tsx'

const OpenPort = lazy(() => import('./OpenPort.tsx'))

/** Poll intervals in ms: while a change is being applied, and otherwise. */
const PENDING_MS = 2_000
const REFRESH_MS = 20_000

/** Stable reference, as table rows require. */
const NO_PORTS: readonly Row[] = []

type Row = ReplyOf<typeof port.list>['rules'][number]

export default function Ports() {
  const { trainingQuery } = useSelection()
  const [toDelete, setToDelete] = useState<number | null>(null)
  const ports = useQuery({
    ...query(api.port.list, trainingQuery),
    refetchInterval: ({ state }) => (state.data?.pending ? PENDING_MS : REFRESH_MS),
  })
  const rows = ports.data?.rules ?? NO_PORTS
  const columns = useMemo<readonly Column<Row>[]>(
    () => [
      {
        id: 'port',
        header: 'Port Number',
        value: ({ port }) => port,
        cell: ({ port }) => <span className={styles.number}>{port}</span>,
      },
      { id: 'service', header: 'Usually', value: ({ port }) => serviceAt(port) },
      { id: 'protocol', header: 'Protocol', value: ({ protocol }) => protocol },
      { id: 'source', header: 'From', value: ({ source }) => source ?? 'Anywhere' },
      deleteColumn(
        ({ port }) => `port ${port}`,
        ({ port }) => setToDelete(port),
      ),
    ],
    [],
  )
  if (trainingQuery === null) return <WithoutTraining />
  return (
    <Screen
      actions={
        <DialogButton
          icon={IconPlus}
          disabled={!ports.data}
          dialog={(close) => <OpenPort training={trainingQuery} open={ports.data?.ports ?? []} close={close} />}
        >
          Open Port
        </DialogButton>
      }
    >
      <section className={`stack ${styles.list}`} aria-labelledby="ports">
        <h2 id="ports">Existing Ports</h2>
        <Fetched query={ports} loading={<Skeleton rows={4} height="2.25rem" />}>
          {(data) => (
            <>
              <SyncStatus {...data} />
              <DataTable
                label="Existing Ports"
                rows={rows}
                rowId={({ port }) => String(port)}
                columns={columns}
                empty={EMPTY.ports}
              />
            </>
          )}
        </Fetched>
      </section>
      {toDelete !== null && <ClosePort training={trainingQuery} port={toDelete} close={() => setToDelete(null)} />}
    </Screen>
  )
}

interface ClosePortProps {
  training: TrainingQuery
  port: number
  close: () => void
}

function ClosePort({ training, port, close }: ClosePortProps) {
  return (
    <DeleteDialog
      name={`port ${port}`}
      remove={() => api.port.close({ ...training, port })}
      invalidates={['port']}
      close={close}
    >
      <p>
        Port {port} is closed on every machine of <strong>{training.trainingName}</strong>. New connections are refused;
        open connections continue until they end.
      </p>
    </DeleteDialog>
  )
}

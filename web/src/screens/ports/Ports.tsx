import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { port } from '@trainyard/contract/calls/port.ts'
import { EMPTY } from '@trainyard/contract/words/problems.ts'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { useSelection } from '#src/navigation/useSelection.ts'
import { deleteColumn } from '#src/ui/IconButtons.tsx'
import { WithoutTraining } from '#src/ui/SelectTraining.tsx'
import { Fetched } from '#src/ui/Fetched.tsx'
import { Screen } from '#src/ui/Screen.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { DataTable, type Column } from '#src/ui/table/DataTable.tsx'
import { SyncStatus } from './SyncStatus.tsx'
import { serviceAt } from './openPorts.ts'
import styles from './Ports.module.css'
import type { TrainingQuery } from '#src/navigation/selection.ts'
import { DialogButton } from '#src/ui/DialogButton.tsx'
import { preloadable } from '#src/ui/preloadable.ts'
import { DeleteDialog } from '#src/forms/DeleteDialog.tsx'

const OpenPort = preloadable(() => import('./OpenPort.tsx'))

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
          icon="plus"
          load={OpenPort.load}
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

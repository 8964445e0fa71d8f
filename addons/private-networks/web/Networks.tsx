import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { Network } from '../contract/network.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { DeleteDialog } from '@trainyard/platform/web/forms/DeleteDialog.tsx'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { DeleteButton, EditButton } from '@trainyard/platform/web/ui/IconButtons.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { Lamp, type Signal } from '@trainyard/platform/web/ui/Lamp.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { Gateway } from './Gateway.tsx'

const CreateNetwork = lazy(() => import('./CreateNetwork.tsx'))
const EditRanges = lazy(() => import('./EditRanges.tsx'))

/** Poll interval in ms of the state of the gateways. */
const REFRESH_MS = 5_000

type Agent = NonNullable<Network['agent']>

const STATES: Readonly<Record<Agent['state'], readonly [Signal, string]>> = {
  connected: ['clear', 'Connected'],
  disconnected: ['danger', 'Not connected'],
  never: ['still', 'No gateway'],
}

export default function Networks() {
  const networks = useQuery({ ...query(api.network.list), refetchInterval: REFRESH_MS })
  const [toEdit, setToEdit] = useState<Network | null>(null)
  const [toDelete, setToDelete] = useState<Network | null>(null)
  const [opened, setOpened] = useState<string | null>(null)
  const columns = useMemo<readonly Column<Network>[]>(
    () => [
      { id: 'name', header: 'Network', value: ({ name }) => name },
      { id: 'ranges', header: 'Address Ranges', value: ({ ranges }) => ranges.join(', ') },
      {
        id: 'state',
        header: 'Gateway',
        value: ({ agent }) => (agent === null ? 'Peered' : STATES[agent.state][1]),
        cell: ({ agent }) => (agent === null ? 'Peered, without gateway' : <AgentState agent={agent} />),
      },
      {
        id: 'uses',
        header: 'Used By',
        value: ({ templates, machines }) => `${countOf(templates, 'template')}, ${countOf(machines, 'machine')}`,
      },
      {
        id: 'change',
        header: 'Change',
        width: '15rem',
        cell: (row) => (
          <div className="row">
            {row.agent !== null && (
              <Button size="xs" variant="default" onClick={() => setOpened(row.name)}>
                Gateway
                <span className="visually-hidden"> of {row.name}</span>
              </Button>
            )}
            <EditButton name={row.name} onClick={() => setToEdit(row)} />
            <DeleteButton name={row.name} onClick={() => setToDelete(row)} />
          </div>
        ),
      },
    ],
    [],
  )
  const shown = networks.data?.networks.find(({ name }) => name === opened)
  return (
    <Screen
      actions={
        <DialogButton icon={IconPlus} dialog={(close) => <CreateNetwork close={close} />}>
          Create Network
        </DialogButton>
      }
    >
      <section className="stack" aria-labelledby="networks">
        <h2 id="networks">Networks</h2>
        <p className="dim">
          Machines in a private network have no public address. The portal reaches them over a peered network, or
          through a gateway: an agent inside the network, which connects to the portal. Choose the network in a VM card.
        </p>
        <Fetched query={networks} loading={<Skeleton rows={3} height="2.5rem" />}>
          {(data) => (
            <DataTable
              label="Networks"
              rows={data.networks}
              rowId={({ name }) => name}
              columns={columns}
              empty="No private network. All machines have public addresses."
              stacks
            />
          )}
        </Fetched>
      </section>
      {toEdit !== null && (
        <Suspense>
          <EditRanges network={toEdit} close={() => setToEdit(null)} />
        </Suspense>
      )}
      {shown?.agent != null && <Gateway network={shown.name} agent={shown.agent} close={() => setOpened(null)} />}
      {toDelete !== null && (
        <DeleteDialog
          name={toDelete.name}
          remove={() => api.network.remove({ network: toDelete.name })}
          invalidates={['network']}
          close={() => setToDelete(null)}
        >
          <p>
            The gateway of <strong>{toDelete.name}</strong> is disconnected for good. A network that a VM card or a
            machine uses cannot be deleted.
          </p>
        </DeleteDialog>
      )}
    </Screen>
  )
}

function AgentState({ agent: { state, connectedAt, seenAt, duplicate } }: { agent: Agent }) {
  const [signal, text] = STATES[state]
  const at = state === 'connected' ? connectedAt : seenAt
  return (
    <>
      <Lamp signal={signal}>{text}</Lamp>
      {duplicate !== null && <Lamp signal="danger">Two gateways with one identity</Lamp>}
      {state !== 'never' && at !== null && (
        <div className="dim">
          {state === 'connected' ? 'Since ' : 'Last seen '}
          <Instant at={at} />
        </div>
      )}
    </>
  )
}

import IconPencil from '@tabler/icons-react/icons/IconPencil'
import IconPlus from '@tabler/icons-react/icons/IconPlus'
import IconTrash from '@tabler/icons-react/icons/IconTrash'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import type { Pool } from '../contract/ready-pool.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { DeleteDialog } from '@trainyard/platform/web/forms/DeleteDialog.tsx'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Lamp, type Signal } from '@trainyard/platform/web/ui/Lamp.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { WithoutTraining } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import styles from './ReadyMachines.module.css'
import { WaitingCost } from './WaitingCost.tsx'

const PoolDialog = lazy(() => import('./PoolDialog.tsx'))

/** Poll intervals in ms: while machines become ready, and otherwise. */
const PREPARING_MS = 3_000
const REFRESH_MS = 15_000

export default function ReadyMachines() {
  const { trainingQuery: training } = useSelection()
  const pool = useQuery({
    ...query(api.readyPool.read, training),
    refetchInterval: ({ state }) => (state.data?.pool && isFilling(state.data.pool) ? PREPARING_MS : REFRESH_MS),
  })
  if (training === null) return <WithoutTraining />
  return (
    <Screen
      actions={
        pool.data && (
          <>
            {pool.data.pool && (
              <DialogButton
                icon={IconTrash}
                variant="default"
                c="var(--danger)"
                dialog={(close) => <RemovePool training={training} close={close} />}
              >
                Keep none
              </DialogButton>
            )}
            <DialogButton
              icon={pool.data.pool ? IconPencil : IconPlus}
              dialog={(close) => <PoolDialog training={training} pool={pool.data.pool} close={close} />}
            >
              {pool.data.pool ? 'Change' : 'Keep machines ready'}
            </DialogButton>
          </>
        )
      }
    >
      <p className="dim">
        Who orders, registers by a link, or comes from a learning platform gets a machine that waits here, at once.
        Another one then takes its place.
      </p>
      <Fetched query={pool} loading={<Skeleton rows={1} height="10rem" />}>
        {(data) => (data.pool === null ? <p>No machines are kept ready.</p> : <State pool={data.pool} />)}
      </Fetched>
    </Screen>
  )
}

const isFilling = ({ machines, ready, paused }: Pool): boolean => ready < machines && paused === null

function State({ pool }: { pool: Pool }) {
  const { templateName, machines, power, guacamole, ready, failing, failure, paused, paisePerHour } = pool
  return (
    <section className={`panel ${styles.pool}`} aria-label="Machines that are kept ready">
      <p className={styles.state}>
        <Lamp signal={signalOf(pool)}>{`${ready} of ${countOf(machines, 'machine')} ready`}</Lamp>
        <span className="dim">
          {templateName ?? 'Template deleted'}, {power}, {guacamole ? 'with' : 'without'} access in the browser
        </span>
      </p>
      {paused && <output>{paused}</output>}
      {failing > 0 && (
        <p role="alert">
          {countOf(failing, 'machine')} failing: {failure}
        </p>
      )}
      <WaitingCost paisePerHour={power === 'running' ? paisePerHour * machines : 0} />
    </section>
  )
}

function signalOf({ ready, machines, failing, paused }: Pool): Signal {
  if (failing > 0) return 'danger'
  if (paused !== null) return 'still'
  return ready < machines ? 'moving' : 'clear'
}

function RemovePool({ training, close }: { training: TrainingQuery; close: () => void }) {
  return (
    <DeleteDialog
      name="the machines that wait"
      remove={() => api.readyPool.remove(training)}
      invalidates={['readyPool']}
      close={close}
    >
      <p>No more machines are kept ready for {training.trainingName}. Machines of learners stay.</p>
    </DeleteDialog>
  )
}

import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { ClassView } from '@trainyard/contract/calls/classroom.ts'
import { CLASS } from '@trainyard/contract/words/classroom.ts'
import { can } from '@trainyard/contract/words/machine.ts'
import { api } from '#src/api/client.ts'
import { newId } from '#src/api/new-id.ts'
import type { TrainingQuery } from '#src/navigation/selection.ts'
import { useMe } from '#src/session/me.ts'
import { DialogButton } from '#src/ui/DialogButton.tsx'
import { Icon } from '#src/ui/Icon.tsx'
import { ReasonButton } from '#src/ui/ReasonButton.tsx'
import { preloadable } from '#src/ui/preloadable.ts'
import { countsOf } from './seats.ts'
import styles from './Class.module.css'
import { useClassAction } from '#src/training/useClassAction.ts'

const Instructors = preloadable(() => import('./Instructors.tsx'))
const FilesAllowed = preloadable(() => import('./FilesAllowed.tsx'))
const Invitations = preloadable(() => import('./Invitations.tsx'))
const StopAll = lazy(() => import('#src/training/StopAll.tsx'))
const EarlyStart = preloadable(() => import('./EarlyStart.tsx'))
const Announce = preloadable(() => import('#src/training/Announce.tsx'))
const IdleStop = preloadable(() => import('./IdleStop.tsx'))
const Watching = preloadable(() => import('./Watching.tsx'))

export function Actions({ training, view: { room, seats } }: { training: TrainingQuery; view: ClassView }) {
  const running = countsOf(seats, 0).running
  const [isStopping, setIsStopping] = useState(false)
  const isAdmin = useMe().role !== 'user'
  // Each press has a new key, so that a retry after a lost reply does not extend the window twice.
  const [key, setKey] = useState(newId)
  const extend = useClassAction(
    () => api.classroom.extend(training, { idempotencyKey: key }),
    () => setKey(newId()),
  )
  const start = useClassAction(() => api.classroom.power({ ...training, operation: 1 }))
  return (
    <div className={styles.actions}>
      <DialogButton
        icon="pencil"
        load={Announce.load}
        dialog={(close) => <Announce training={training} close={close} />}
      >
        Announce
      </DialogButton>
      <ReasonButton
        variant="default"
        may={room.window === null ? CLASS.openAtAllTimes : !extend.isPending || 'It is being extended.'}
        onClick={() => extend.mutate()}
      >
        Extend by 15 minutes
      </ReasonButton>
      <Button
        variant="default"
        leftSection={<Icon name="power" size={16} />}
        disabled={start.isPending}
        onClick={() => start.mutate()}
      >
        Start all stopped
      </Button>
      <ReasonButton
        variant="default"
        leftSection={<Icon name="power" size={16} />}
        may={seats.some(({ machine }) => can.powerOff(machine) === true) || CLASS.noneToStop}
        onClick={() => setIsStopping(true)}
      >
        Stop all
      </ReasonButton>
      {isStopping && (
        <Suspense>
          <StopAll training={training} running={running} close={() => setIsStopping(false)} />
        </Suspense>
      )}
      <DialogButton
        variant="default"
        icon="power"
        load={IdleStop.load}
        dialog={(close) => <IdleStop training={training} minutes={room.idleStopMinutes} close={close} />}
      >
        Idle machines
      </DialogButton>
      {(room.earlyStart || seats.some(({ machine }) => machine.status === 'Planned')) && (
        <DialogButton
          variant="default"
          icon="power"
          load={EarlyStart.load}
          dialog={(close) => <EarlyStart training={training} allowed={room.earlyStart} close={close} />}
        >
          Early start
        </DialogButton>
      )}
      <DialogButton
        variant="default"
        icon="person"
        load={Invitations.load}
        dialog={(close) => <Invitations training={training} close={close} />}
      >
        Invitations
      </DialogButton>
      {isAdmin && (
        <>
          <DialogButton
            variant="default"
            icon="person"
            load={Watching.load}
            dialog={(close) => <Watching training={training} withoutAsking={room.watchedWithoutAsking} close={close} />}
          >
            Watching
          </DialogButton>
          <DialogButton
            variant="default"
            icon="upload"
            load={FilesAllowed.load}
            dialog={(close) => <FilesAllowed training={training} close={close} />}
          >
            Files
          </DialogButton>
          <DialogButton
            variant="default"
            icon="person"
            load={Instructors.load}
            dialog={(close) => <Instructors training={training} close={close} />}
          >
            Instructors
          </DialogButton>
        </>
      )}
    </div>
  )
}

import { Button } from '@mantine/core'
import { lazy, useState } from 'react'
import type { ClassView } from '@trainyard/contract/calls/classroom.ts'
import { CLASS } from '@trainyard/contract/words/classroom.ts'
import { api } from '#src/api/client.ts'
import type { TrainingQuery } from '#src/navigation/selection.ts'
import { DialogButton } from '#src/ui/DialogButton.tsx'
import { Icon } from '#src/ui/Icon.tsx'
import { ReasonButton } from '#src/ui/ReasonButton.tsx'
import { useClassAction } from './useClassAction.ts'

const loadAnnounce = () => import('./Announce.tsx')
const loadIdle = () => import('./IdleStop.tsx')
const loadWatching = () => import('./Watching.tsx')
const loadFiles = () => import('./FilesAllowed.tsx')
const FilesAllowed = lazy(loadFiles)
const Announce = lazy(loadAnnounce)
const IdleStop = lazy(loadIdle)
const Watching = lazy(loadWatching)

export function Actions({ of, view: { room } }: { of: TrainingQuery; view: ClassView }) {
  // A new idempotency key per press, so that a retry after a lost reply does not extend twice.
  const [key, setKey] = useState(() => crypto.randomUUID())
  const extend = useClassAction(
    () => api.classroom.extend(of, { idempotencyKey: key }),
    () => setKey(crypto.randomUUID()),
  )
  const start = useClassAction(() => api.classroom.power({ ...of, operation: 1 }))
  return (
    <>
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
      <DialogButton
        variant="default"
        icon="power"
        load={loadIdle}
        dialog={(close) => <IdleStop of={of} minutes={room.idleStopMinutes} close={close} />}
      >
        Idle machines
      </DialogButton>
      <DialogButton
        variant="default"
        icon="person"
        load={loadWatching}
        dialog={(close) => <Watching of={of} withoutAsking={room.watchedWithoutAsking} close={close} />}
      >
        Watching
      </DialogButton>
      <DialogButton
        variant="default"
        icon="upload"
        load={loadFiles}
        dialog={(close) => <FilesAllowed of={of} close={close} />}
      >
        Files
      </DialogButton>
      <DialogButton icon="pencil" load={loadAnnounce} dialog={(close) => <Announce of={of} close={close} />}>
        Announce
      </DialogButton>
    </>
  )
}

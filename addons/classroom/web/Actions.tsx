import IconAdjustmentsHorizontal from '@tabler/icons-react/icons/IconAdjustmentsHorizontal'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { ClassView } from '../contract/classroom.ts'
import { CLASS } from '../contract/classroom-words.ts'
import { START_UNDO_SECONDS } from '@trainyard/platform/contract/words/limits.ts'
import { can } from '@trainyard/machines/contract/machine-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { newId } from '@trainyard/platform/web/api/new-id.ts'
import { offerUndo } from '@trainyard/machines/web/commands.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { Icon } from '@trainyard/platform/web/ui/Icon.tsx'
import { MenuItem, PopoverMenu } from '@trainyard/platform/web/ui/PopoverMenu.tsx'
import { ReasonButton } from '@trainyard/platform/web/ui/ReasonButton.tsx'
import { countOfSeats } from './seats.ts'
import styles from './Class.module.css'
import { useClassAction } from './useClassAction.ts'

const Instructors = lazy(() => import('./Instructors.tsx'))
const FilesAllowed = lazy(() => import('./FilesAllowed.tsx'))
const Invitations = lazy(() => import('./Invitations.tsx'))
const StopAll = lazy(() => import('./StopAll.tsx'))
const StartMachines = lazy(() => import('./StartMachines.tsx'))
const OpenTraining = lazy(() => import('./OpenTraining.tsx'))
const EarlyStart = lazy(() => import('./EarlyStart.tsx'))
const Announce = lazy(() => import('./Announce.tsx'))
const IdleStop = lazy(() => import('./IdleStop.tsx'))
const Watching = lazy(() => import('./Watching.tsx'))

interface ActionsProps {
  training: TrainingQuery
  view: ClassView
}

export function Actions({ training, view }: ActionsProps) {
  const { room, seats } = view
  const running = countOfSeats(seats, 'running', 0)
  const hands = new Set(seats.flatMap(({ machine, handRaisedAt }) => (handRaisedAt === null ? [] : machine.email))).size
  const [asked, setAsked] = useState<'open' | 'start' | 'stop' | null>(null)
  const close = () => setAsked(null)
  // Each press has a new key, so that a retry after a lost reply does not extend the window twice.
  const [key, setKey] = useState(newId)
  const extend = useClassAction(
    (opens: { open?: true }) => api.classroom.extend({ ...training, ...opens }, { idempotencyKey: key }),
    () => {
      setKey(newId())
      close()
    },
  )
  const start = useClassAction(
    () => api.classroom.power({ ...training, operation: 1 }),
    (reply) => {
      offerUndo(reply, START_UNDO_SECONDS)
      close()
    },
  )
  const isExtendable = room.window?.extendable !== false
  return (
    <div className={styles.actions}>
      <DialogButton
        variant="default"
        icon="announce"
        dialog={(close) => <Announce training={training} close={close} />}
      >
        Announce
      </DialogButton>
      <ReasonButton
        variant="default"
        leftSection={<Icon name="extend" size={16} />}
        may={room.window === null ? CLASS.openAtAllTimes : !extend.isPending || 'It is being extended.'}
        onClick={() => (isExtendable ? extend.mutate({}) : setAsked('open'))}
      >
        {isExtendable ? CLASS.extend : CLASS.open}
      </ReasonButton>
      <ReasonButton
        variant="default"
        leftSection={<Icon name="play" size={16} />}
        may={seats.some(({ machine }) => can.powerOn(machine) === true) || CLASS.noneToStart}
        onClick={() => setAsked('start')}
      >
        Start all stopped
      </ReasonButton>
      <ReasonButton
        variant="default"
        leftSection={<Icon name="stop" size={16} />}
        may={seats.some(({ machine }) => can.powerOff(machine) === true) || CLASS.noneToStop}
        onClick={() => setAsked('stop')}
      >
        Stop all
      </ReasonButton>
      <Suspense>
        {asked === 'open' && room.window !== null && (
          <OpenTraining
            room={room}
            learners={seats.length}
            busy={extend.isPending}
            open={() => extend.mutate({ open: true })}
            close={close}
          />
        )}
        {asked === 'start' && (
          <StartMachines
            training={training}
            title="Start all stopped"
            names={null}
            busy={start.isPending}
            start={() => start.mutate()}
            close={close}
          />
        )}
        {asked === 'stop' && <StopAll training={training} running={running} hands={hands} close={close} />}
      </Suspense>
      <Settings training={training} view={view} />
    </div>
  )
}

/** Menu of the settings of a class. */
function Settings({ training, view: { room, seats } }: ActionsProps) {
  const isAdmin = useMe().role !== 'user'
  const [shown, setShown] = useState<string | null>(null)
  const close = () => setShown(null)
  const mayStartEarly = room.earlyStart || seats.some(({ machine }) => machine.status === 'Planned')
  const settings: readonly { label: string; dialog: () => ReactNode }[] = [
    {
      label: 'Idle machines',
      dialog: () => <IdleStop training={training} minutes={room.idleStopMinutes} close={close} />,
    },
    ...(mayStartEarly
      ? [
          {
            label: 'Early start',
            dialog: () => <EarlyStart training={training} allowed={room.earlyStart} close={close} />,
          },
        ]
      : []),
    { label: 'Invitations', dialog: () => <Invitations training={training} close={close} /> },
    ...(isAdmin
      ? [
          {
            label: 'Watching',
            dialog: () => <Watching training={training} withoutAsking={room.watchedWithoutAsking} close={close} />,
          },
          { label: 'Files', dialog: () => <FilesAllowed training={training} close={close} /> },
          { label: 'Instructors', dialog: () => <Instructors training={training} close={close} /> },
        ]
      : []),
  ]
  return (
    <>
      <PopoverMenu
        label="Class settings"
        className={styles.settings!}
        button={
          <>
            <IconAdjustmentsHorizontal size={16} aria-hidden />
            Class settings
          </>
        }
      >
        {(closeMenu) =>
          settings.map(({ label }, index) => (
            <MenuItem
              key={label}
              label={label}
              may={true}
              isFirst={index === 0}
              onClick={() => {
                closeMenu()
                setShown(label)
              }}
            />
          ))
        }
      </PopoverMenu>
      <Suspense>{settings.find(({ label }) => label === shown)?.dialog()}</Suspense>
    </>
  )
}

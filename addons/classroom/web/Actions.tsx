import IconClockPlus from '@tabler/icons-react/icons/IconClockPlus'
import IconPlayerPlay from '@tabler/icons-react/icons/IconPlayerPlay'
import IconPlayerStop from '@tabler/icons-react/icons/IconPlayerStop'
import IconSpeakerphone from '@tabler/icons-react/icons/IconSpeakerphone'
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
import type { TrueOrReason } from '@trainyard/platform/contract/words/true-or-reason.ts'
import type { Icon as TablerIcon } from '@tabler/icons-react'
import { MenuItem, PopoverMenu } from '@trainyard/platform/web/ui/PopoverMenu.tsx'
import { ReasonButton } from '@trainyard/platform/web/ui/ReasonButton.tsx'
import { countOfSeats } from './seats.ts'
import styles from './Class.module.css'
import { useClassAction } from './useClassAction.ts'
import { useIsNarrow } from './useIsNarrow.ts'

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

interface Item {
  readonly label: string
  readonly may: TrueOrReason
  readonly act: () => void
}
interface ClassAction extends Item {
  readonly icon: TablerIcon
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
  const isNarrow = useIsNarrow()
  const actions: readonly ClassAction[] = [
    {
      label: isExtendable ? CLASS.extend : CLASS.open,
      icon: IconClockPlus,
      may: room.window === null ? CLASS.openAtAllTimes : !extend.isPending || 'It is being extended.',
      act: () => (isExtendable ? extend.mutate({}) : setAsked('open')),
    },
    {
      label: 'Start all stopped',
      icon: IconPlayerPlay,
      may: seats.some(({ machine }) => can.powerOn(machine) === true) || CLASS.noneToStart,
      act: () => setAsked('start'),
    },
    {
      label: 'Stop all',
      icon: IconPlayerStop,
      may: seats.some(({ machine }) => can.powerOff(machine) === true) || CLASS.noneToStop,
      act: () => setAsked('stop'),
    },
  ]
  return (
    <div className={styles.actions}>
      <DialogButton
        variant="default"
        icon={IconSpeakerphone}
        dialog={(close) => <Announce training={training} close={close} />}
      >
        Announce
      </DialogButton>
      {!isNarrow &&
        actions.map(({ label, icon: Icon, may, act }) => (
          <ReasonButton
            key={label}
            variant="default"
            leftSection={<Icon size={16} aria-hidden />}
            may={may}
            onClick={act}
          >
            {label}
          </ReasonButton>
        ))}
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
      <Settings training={training} view={view} actions={isNarrow ? actions : []} />
    </div>
  )
}

/** Menu of the settings of a class, on narrow pages after its actions. */
function Settings({ training, view: { room, seats }, actions }: ActionsProps & { actions: readonly ClassAction[] }) {
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
          [...actions, ...settings.map(({ label }): Item => ({ label, may: true, act: () => setShown(label) }))].map(
            ({ label, may, act }, index) => (
              <MenuItem
                key={label}
                label={label}
                may={may}
                isFirst={index === 0}
                onClick={() => {
                  closeMenu()
                  act()
                }}
              />
            ),
          )
        }
      </PopoverMenu>
      <Suspense>{settings.find(({ label }) => label === shown)?.dialog()}</Suspense>
    </>
  )
}

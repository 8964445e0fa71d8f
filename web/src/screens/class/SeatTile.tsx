import { memo, useId } from 'react'
import type { Seat } from '@trainyard/contract/calls/classroom.ts'
import { can, type May } from '@trainyard/contract/words/machine.ts'
import { WATCHING } from '@trainyard/contract/words/watching.ts'
import { api } from '#src/api/client.ts'
import type { OfTraining } from '#src/navigation/selection.ts'
import { hoursUsed } from '#src/ui/hours.ts'
import { Reason } from '#src/ui/Reason.tsx'
import { StatusBadge } from '#src/ui/StatusBadge.tsx'
import { MachineMenu } from '#src/machine/MachineMenu.tsx'
import { watchInBrowser } from '#src/machine/open-in-browser.ts'
import styles from './Class.module.css'
import { minutesSince, needOf, spoken } from './seats.ts'
import { useTell } from './useTell.ts'

interface SeatTileProps {
  of: OfTraining
  seat: Seat
  /** The minute that it is. */
  now: number
  /** Shown in place of who it is, and of what might tell that; null: names are shown. */
  hiddenAs: string | null
  /** Its place among all, from 1, for screen readers: only the rows in sight are drawn. */
  place: number
  count: number
}

/** One learner at their machine. */
export const SeatTile = memo(function SeatTile({ of, seat, now, hiddenAs, place, count }: SeatTileProps) {
  const id = useId()
  const { machine, handRaisedAt, stopsAt, cpu } = seat
  const who = hiddenAs ?? machine.email
  return (
    <div
      className={styles.seat}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- its row stands between it and the list
      role="listitem"
      aria-labelledby={id}
      aria-posinset={place}
      aria-setsize={count}
      data-need={needOf(seat, now)}
    >
      <div className={styles.head}>
        <h3 id={id} title={who}>
          {who}
        </h3>
        {hiddenAs === null && <MachineMenu machine={machine} />}
      </div>
      <p className={styles.state}>
        <StatusBadge status={machine.status} />
        {hiddenAs === null && <span className={`mono dim ${styles.machine}`}>{machine.name}</span>}
      </p>
      {handRaisedAt !== null && <Hand of={of} email={machine.email} who={who} since={agoOf(handRaisedAt, now)} />}
      {machine.statusReason !== null && hiddenAs === null && (
        <Reason text={machine.statusReason} calm={machine.status !== 'Failing'} />
      )}
      {stopsAt !== null && (
        <p className={styles.warned}>
          Idle: stops in {Math.max(1, Math.ceil((Date.parse(stopsAt) - now) / 60_000))} min
        </p>
      )}
      <dl className={styles.facts}>
        <dt>Connected</dt>
        <dd>{connectionOf(seat, now)}</dd>
        <dt>Idle</dt>
        <dd>{idleOf(seat, now)}</dd>
        <dt>Processor</dt>
        <dd>{cpu === null || !machine.isRunning ? '–' : `${cpu.percent}%`}</dd>
        <dt>Hours left</dt>
        <dd>
          {machine.quota.total === null
            ? 'No limit'
            : `${hoursUsed(Math.max(0, machine.quota.total - machine.quota.consumed))} h`}
        </dd>
      </dl>
      <SeatButtons seat={seat} who={who} hidden={hiddenAs !== null} />
    </div>
  )
})

function connectionOf({ connectedSince, disconnectedSince }: Seat, now: number): string {
  if (connectedSince !== null) return `For ${spoken(minutesSince(connectedSince, now)!)}`
  return disconnectedSince === null ? 'Not yet' : `Left ${agoOf(disconnectedSince, now)}`
}

function idleOf({ machine, idleSince }: Seat, now: number): string {
  if (!machine.isRunning) return '–'
  return idleSince === null ? 'Not measured' : spoken(minutesSince(idleSince, now)!)
}

const agoOf = (instant: string, now: number): string => {
  const minutes = minutesSince(instant, now)!
  return minutes === 0 ? 'just now' : `${spoken(minutes)} ago`
}

/** A raised hand, and the button that takes it down once it was answered. */
function Hand({ of, email, who, since }: { of: OfTraining; email: string; who: string; since: string }) {
  const lower = useTell(() => api.classroom.lowerHand({ ...of, email }))
  return (
    <div className={styles.hand}>
      <strong>Hand raised {since}</strong>
      <TileButton
        may={!lower.isPending || 'It is being taken down.'}
        name={`Take down the hand of ${who}`}
        act={() => lower.mutate(undefined)}
      >
        Take down
      </TileButton>
    </div>
  )
}

/** Power and restart of the learner's machine. */
function SeatButtons({ seat: { machine, connectedSince }, who, hidden }: { seat: Seat; who: string; hidden: boolean }) {
  const place = { name: machine.name, resourceGroup: machine.resourceGroup }
  const power = useTell((operation: 0 | 1) => api.machine.power([{ operation }, place]))
  const restart = useTell(() => api.machine.restart([place]))
  const stops = can.powerOff(machine) === true && !(machine.status === 'Failing' && machine.refused)
  const label = stops ? 'Power Off' : 'Power On'
  // A reason names the machine: hidden names stay so.
  const told = (may: May): May => (may !== true && hidden ? 'Not possible now.' : may)
  return (
    <div className={`no-print ${styles.buttons}`}>
      <TileButton
        may={stops ? true : told(can.powerOn(machine))}
        name={`${label} the machine of ${who}`}
        act={() => power.mutate(stops ? 0 : 1)}
      >
        {label}
      </TileButton>
      <TileButton
        may={told(can.restart(machine))}
        name={`Restart the machine of ${who}`}
        act={() => restart.mutate(undefined)}
      >
        Restart
      </TileButton>
      <TileButton
        may={connectedSince !== null || (hidden ? 'Not connected.' : WATCHING.notConnected(machine.email))}
        name={`Watch the screen of ${who}`}
        act={() => void watchInBrowser(machine.name)}
      >
        Watch
      </TileButton>
    </div>
  )
}

interface TileButtonProps {
  may: May
  name: string
  act: () => void
  children: string
}

/** A plain button: four hundred tiles have hundreds of them. Without effect it stays focusable, and says so. */
const TileButton = ({ may, name, act, children }: TileButtonProps) => (
  <button
    type="button"
    className={styles.button}
    aria-label={name}
    aria-disabled={may !== true || undefined}
    title={may === true ? undefined : may}
    onClick={() => {
      if (may === true) act()
    }}
  >
    {children}
  </button>
)

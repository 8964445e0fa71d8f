import { useEffect, useRef } from 'react'
import styles from './Remote.module.css'
import type { ConnectionState } from './useTerminal.ts'
import type { WatchState } from './watch/useWatch.ts'

interface NotConnectedProps {
  machine: string | null
  state: ConnectionState | WatchState
  reconnect: () => Promise<void>
  /** Other texts, for the page of a watcher. */
  words?: { waiting: string; connect: string; again: string }
}

/** Shown while no terminal is open: why, and a button to connect. */
export function NotConnected({ machine, state, reconnect, words }: NotConnectedProps) {
  if (machine === null) {
    return (
      <section className={styles.ending}>
        <p>
          No machine is selected. Open one with Web-based access in the <a href="/vm/vmdetails">Virtual Lab Console</a>.
        </p>
      </section>
    )
  }
  if (state.kind === 'waiting' || state.kind === 'ended') {
    const ended = state.kind === 'ended'
    return (
      <section className={styles.ending}>
        <p role={ended ? 'alert' : undefined}>
          {ended ? state.sentence : (words?.waiting ?? `This tab is not connected to ${machine}.`)}
        </p>
        <OnlyButton
          label={ended ? (words?.again ?? 'Reconnect') : (words?.connect ?? 'Connect')}
          go={() => void reconnect()}
        />
      </section>
    )
  }
  return null
}

function OnlyButton({ label, go }: { label: string; go: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <button ref={button} type="button" className={styles.primary} onClick={go}>
      {label}
    </button>
  )
}

import { useEffect, useRef } from 'react'
import styles from './Remote.module.css'
import type { ConnectionState } from './useTerminal.ts'
import type { WatchState } from './watch/useWatch.ts'

interface WithoutTerminalProps {
  machine: string | null
  state: ConnectionState | WatchState
  reconnect: () => Promise<void>
  /** Of somebody who watches. */
  words?: { waiting: string; connect: string; again: string }
}

/** The page's sentence while there is no terminal, or none any more, and the way on from there. */
export function WithoutTerminal({ machine, state, reconnect, words }: WithoutTerminalProps) {
  if (machine === null) {
    return (
      <section className={styles.ending}>
        <p>
          This address names no machine. Open one with Web-based access in the{' '}
          <a href="/vm/vmdetails">Virtual Lab Console</a>.
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

/** A button that takes the focus: there is nothing else to do here. */
function OnlyButton({ label, go }: { label: string; go: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <button ref={button} type="button" className={styles.primary} onClick={go}>
      {label}
    </button>
  )
}

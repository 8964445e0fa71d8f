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
  if (state.kind === 'file') return <RdpFile machine={machine} name={state.name} text={state.text} />
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

function RdpFile({ machine, name, text }: { machine: string; name: string; text: string }) {
  const save = () => {
    const url = URL.createObjectURL(new Blob([text], { type: 'application/x-rdp' }))
    Object.assign(document.createElement('a'), { href: url, download: name }).click()
    URL.revokeObjectURL(url)
  }
  return (
    <section className={styles.file}>
      <h2>{machine} is a Windows machine</h2>
      <p>
        Your computer&apos;s own remote desktop opens it: save this file, open it, and sign in with the password that
        the Virtual Lab Console shows.
      </p>
      <OnlyButton label={`Save ${name}`} go={save} />
    </section>
  )
}

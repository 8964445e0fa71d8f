import { type ReactNode, type RefObject, useEffect } from 'react'
import { Mark } from '@trainyard/platform/web/shell/Logo.tsx'
import { Ending } from './Ending.tsx'
import { Notices } from './Notices.tsx'
import styles from './Remote.module.css'
import type { ConnectionState } from './useTerminal.ts'
import type { WatchState } from './watch/useWatch.ts'

interface RemotePageProps {
  machine: string | null
  state: ConnectionState | WatchState
  label: string
  tools: ReactNode
  /** Element of the terminal, which is hidden while a desktop is shown. */
  place: RefObject<HTMLDivElement | null>
  hasDesktop: boolean
  className?: string
  words: { readonly waiting: string; readonly connect: string; readonly again: string }
  reconnect: () => Promise<void>
  children: ReactNode
}

export function RemotePage(props: RemotePageProps) {
  const { machine, state, label, tools, place, hasDesktop, className = '', words, reconnect, children } = props
  useEffect(() => {
    document.title = machine === null ? 'Remote access · Trainyard' : `${machine} · ${label}`
  }, [machine, label])
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <Mark size={24} />
        <h1 className={styles.machine}>{machine ?? 'Remote access'}</h1>
        <output className={styles.state} data-state={'isLost' in state && state.isLost ? 'connecting' : state.kind}>
          {machine !== null && state.kind !== 'desktop' && label}
        </output>
        {tools}
      </header>
      <main className={styles.main}>
        {machine === null ? (
          <section className={styles.ending}>
            <p>
              No machine is selected. Open one with Web-based access in the{' '}
              <a href="/vm/vmdetails">Virtual Lab Console</a>.
            </p>
          </section>
        ) : (
          <section
            className={`${styles.terminal} ${className}`}
            aria-label={`Terminal of ${machine}`}
            hidden={hasDesktop}
          >
            <div ref={place} className={styles.screen} />
          </section>
        )}
        {children}
        {machine !== null && state.kind === 'waiting' && (
          <Ending machine={machine} label={words.connect} reconnect={() => void reconnect()}>
            <p>{words.waiting}</p>
          </Ending>
        )}
        {machine !== null && state.kind === 'ended' && (
          <Ending machine={machine} label={words.again} reconnect={() => void reconnect()}>
            <p role="alert">{state.sentence}</p>
          </Ending>
        )}
      </main>
      <Notices />
    </div>
  )
}

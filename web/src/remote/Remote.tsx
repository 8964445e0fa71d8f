import { lazy, Suspense, useEffect, useState } from 'react'
import { Mark } from '#src/shell/Logo.tsx'
import { readSession } from '#src/session/session.ts'
import { NoticeBoard } from '#src/ui/NoticeBoard.tsx'
import type { RemoteAddress } from './address.ts'
import { NotConnected } from './NotConnected.tsx'
import { Keys } from './Keys.tsx'
import styles from './Remote.module.css'
import { type ConnectionState, useTerminal } from './useTerminal.ts'
import { Watchers } from './Watchers.tsx'

const Desktop = lazy(() => import('./desktop/Desktop.tsx'))
const ClassBar = lazy(() => import('#src/training/ClassBar.tsx'))
const HandButton = lazy(() => import('#src/training/HandButton.tsx').then((it) => ({ default: it.HandButton })))

const Files = lazy(() => import('./files/Files.tsx'))

/** Remote access page: the terminal or desktop of one machine in the whole window. */
export function Remote({ address }: { address: RemoteAddress }) {
  const { machine } = address
  const { place, state, selected, watchers, answer, reconnect, usable, press, selection, paste } = useTerminal(address)
  const label = labelOf(state)
  const [files, showFiles] = useState(false)
  const [hasTerminal, setHasTerminal] = useState(false)
  const isLearner = readSession()?.role === 'user'
  const openDesktop = () => {
    setHasTerminal(true)
    void reconnect({ desktop: true })
  }
  useEffect(() => {
    document.title = machine === null ? 'Remote access · Trainyard' : `${machine} · ${label}`
  }, [machine, label])
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <Mark size={24} />
        <h1 className={styles.machine}>{machine ?? 'Remote access'}</h1>
        <output className={styles.state} data-state={state.kind}>
          {machine !== null && state.kind !== 'desktop' && label}
        </output>
        {isLearner && machine !== null && (
          <Suspense>
            <HandButton of={{ vmName: machine }} />
          </Suspense>
        )}
        {state.kind === 'open' && (
          <button
            type="button"
            className={styles.plain}
            aria-expanded={files}
            onClick={() => showFiles((shown) => !shown)}
          >
            Files
          </button>
        )}
        {state.kind === 'open' && (
          <button type="button" className={styles.plain} onClick={openDesktop}>
            Open desktop
          </button>
        )}
        {state.kind === 'open' && <Keys canCopy={selected} press={press} selection={selection} paste={paste} />}
        {state.kind === 'open' && state.watching !== null && (
          <Watchers watchers={watchers} watching={state.watching} answer={answer} />
        )}
        {isLearner && (
          <Suspense>
            <ClassBar />
          </Suspense>
        )}
      </header>
      <main className={styles.main}>
        {machine !== null && (
          <section className={styles.terminal} aria-label={`Terminal of ${machine}`} hidden={state.kind === 'desktop'}>
            <div ref={place} className={styles.screen} />
          </section>
        )}
        {files && machine !== null && state.kind !== 'desktop' && (
          <Suspense>
            <Files machine={machine} />
          </Suspense>
        )}
        {state.kind === 'desktop' && (
          <Suspense>
            <Desktop
              key={state.offer.ticket}
              offer={state.offer}
              reconnect={(as) => void reconnect({ desktop: true, as })}
              leave={hasTerminal ? () => void reconnect() : null}
              usable={usable}
            />
          </Suspense>
        )}
        <NotConnected machine={machine} state={state} reconnect={reconnect} />
      </main>
      <NoticeBoard />
    </div>
  )
}

function labelOf(state: ConnectionState): string {
  switch (state.kind) {
    case 'waiting':
      return 'Not connected'
    case 'connecting':
      return 'Connecting...'
    case 'open':
      return `Connected as ${state.account}`
    case 'desktop':
      return 'Desktop'
    case 'ended':
      return 'Ended'
  }
}

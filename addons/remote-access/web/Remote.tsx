import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { readSession } from '@trainyard/platform/web/session/session.ts'
import { FillsOf } from '@trainyard/platform/web/shell/FillsOf.tsx'
import { WATCHING } from '../contract/watching.ts'
import type { RemoteAddress } from './address.ts'
import { Keys } from './Keys.tsx'
import { RemotePage } from './RemotePage.tsx'
import styles from './Remote.module.css'
import { remoteAside, remoteBars, remoteTools } from './slots.ts'
import { type ConnectionState, useTerminal } from './useTerminal.ts'
import { Watchers } from './Watchers.tsx'

const Desktop = lazy(() => import('./desktop/Desktop.tsx'))
const Files = lazy(() => import('./files/Files.tsx'))

/** Makes the browser ask before the tab is closed: Ctrl+W deletes a word in a shell. */
function useAskBeforeClosing(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined
    const confirmLeaving = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', confirmLeaving)
    return () => window.removeEventListener('beforeunload', confirmLeaving)
  }, [active])
}

export function Remote({ address }: { address: RemoteAddress }) {
  const { machine } = address
  const { place, state, selected, watchers, answer, reconnect, usable, press, type, selection, paste, focus, scale } =
    useTerminal(address)
  const [isBarHidden, setBarHidden] = useState(false)
  const [files, showFiles] = useState(false)
  const [bar, setBar] = useState<HTMLElement | null>(null)
  const [strip, setStrip] = useState<HTMLElement | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const [hasTerminal, setHasTerminal] = useState(false)
  useAskBeforeClosing(state.kind === 'open')
  const role = readSession()?.role
  const openDesktop = () => {
    setHasTerminal(true)
    void reconnect({ desktop: true })
  }
  return (
    <RemotePage
      machine={machine}
      state={state}
      label={labelOf(state)}
      tools={
        <>
          {role && machine !== null && <FillsOf role={role} of={remoteTools} props={{ target: { vmName: machine } }} />}
          {state.kind === 'desktop' && <div ref={setBar} className={styles.parts} />}
          {state.kind === 'open' && (
            <>
              <button
                type="button"
                className={styles.plain}
                aria-expanded={files}
                onClick={() => showFiles((shown) => !shown)}
              >
                Files
              </button>
              <button type="button" className={styles.plain} onClick={openDesktop}>
                Open desktop
              </button>
              <p className={styles.note}>{state.watching !== null && WATCHING[state.watching]}</p>
              <Keys canCopy={selected} press={press} selection={selection} paste={paste} scale={scale} />
            </>
          )}
        </>
      }
      strip={
        <>
          {state.kind === 'desktop' && <div ref={setStrip} className={styles.parts} />}
          {state.kind === 'open' && state.watching !== null && (
            <Watchers watchers={watchers} watching={null} answer={answer} />
          )}
          {role && <FillsOf role={role} of={remoteBars} props={{}} />}
        </>
      }
      aside={
        role &&
        machine !== null && (
          <FillsOf
            role={role}
            of={remoteAside}
            props={{ target: { vmName: machine }, terminal: state.kind === 'open' ? { type, focus } : null }}
          />
        )
      }
      focusMachine={
        state.kind === 'open'
          ? focus
          : state.kind === 'desktop'
            ? () => field.current?.focus({ preventScroll: true })
            : undefined
      }
      place={place}
      hasDesktop={state.kind === 'desktop'}
      words={{
        waiting: `This tab is not connected to ${machine}.`,
        connect: 'Connect',
        again: 'Reconnect',
      }}
      reconnect={reconnect}
      isBarHidden={isBarHidden}
      setBarHidden={setBarHidden}
    >
      {files && machine !== null && state.kind !== 'desktop' && (
        <Suspense>
          <Files machine={machine} />
        </Suspense>
      )}
      {state.kind === 'desktop' && bar && strip && (
        <Suspense>
          <Desktop
            key={state.offer.ticket}
            offer={state.offer}
            reconnect={(as) => void reconnect({ desktop: true, as })}
            leave={hasTerminal ? () => void reconnect() : null}
            usable={usable}
            field={field}
            bar={bar}
            strip={strip}
            setBarHidden={setBarHidden}
          />
        </Suspense>
      )}
    </RemotePage>
  )
}

function labelOf(state: ConnectionState): string {
  switch (state.kind) {
    case 'waiting':
      return 'Not connected'
    case 'connecting':
      return 'Connecting...'
    case 'open':
      return state.isLost ? 'Reconnecting...' : `Connected as ${state.account}`
    case 'desktop':
      return 'Desktop'
    case 'ended':
      return 'Ended'
  }
}

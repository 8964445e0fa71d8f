import IconChevronDown from '@tabler/icons-react/icons/IconChevronDown'
import IconChevronUp from '@tabler/icons-react/icons/IconChevronUp'
import { type MouseEvent, type ReactNode, type RefObject, useEffect } from 'react'
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
  /** Below the bar, also while the bar is hidden: who watches, and announcements to the class. */
  strip?: ReactNode
  /** Beside the machine. */
  aside?: ReactNode
  /** Element of the terminal, which is hidden while a desktop is shown. */
  place: RefObject<HTMLDivElement | null>
  hasDesktop: boolean
  className?: string
  words: { readonly waiting: string; readonly connect: string; readonly again: string }
  reconnect: () => Promise<void>
  isBarHidden: boolean
  setBarHidden: (isHidden: boolean) => void
  /** Returns the focus after a click, so that typed characters press no button. */
  focusMachine?: (() => void) | undefined
  children: ReactNode
}

export function RemotePage(props: RemotePageProps) {
  const {
    machine,
    state,
    label,
    tools,
    strip,
    aside,
    place,
    hasDesktop,
    className = '',
    words,
    reconnect,
    isBarHidden,
    setBarHidden,
    children,
  } = props
  // A press of a key has no detail: who uses the keyboard stays at the button.
  const afterClick = ({ detail }: MouseEvent) => detail > 0 && props.focusMachine?.()
  useEffect(() => {
    document.title = machine === null ? 'Remote access · Trainyard' : `${machine} · ${label}`
  }, [machine, label])
  useEffect(() => {
    // A file that is dropped beside the drawer must not replace the page.
    const prevent = (event: Event) => event.preventDefault()
    addEventListener('dragover', prevent)
    addEventListener('drop', prevent)
    return () => {
      removeEventListener('dragover', prevent)
      removeEventListener('drop', prevent)
    }
  }, [])
  return (
    <div className={styles.page}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- the clicks are those of its buttons */}
      <header className={styles.bar} hidden={isBarHidden} onClick={afterClick}>
        <Mark size={24} />
        <h1 className={styles.machine}>{machine ?? 'Remote access'}</h1>
        {state.kind !== 'desktop' && (
          <output className={styles.state} data-state={'isLost' in state && state.isLost ? 'connecting' : state.kind}>
            {machine !== null && label}
          </output>
        )}
        {tools}
        <button
          type="button"
          className={styles.icon}
          aria-label="Hide the bar"
          title="Hide the bar"
          onClick={() => setBarHidden(true)}
        >
          <IconChevronUp size={16} aria-hidden />
        </button>
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- as above */}
      <div className={styles.strip} onClick={afterClick}>
        {isBarHidden && (
          <button type="button" className={styles.unhide} onClick={() => setBarHidden(false)}>
            <IconChevronDown size={16} aria-hidden />
            Show the bar
          </button>
        )}
        {strip}
      </div>
      <div className={styles.beside}>
        {aside}
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
      </div>
      <Notices />
    </div>
  )
}

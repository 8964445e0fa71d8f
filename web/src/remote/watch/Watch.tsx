import { lazy, Suspense, useEffect } from 'react'
import { Mark } from '#src/shell/Logo.tsx'
import { NoticeBoard } from '#src/ui/NoticeBoard.tsx'
import type { RemoteAddress } from '../address.ts'
import styles from '../Remote.module.css'
import { NotConnected } from '../NotConnected.tsx'
import { labelOf, useWatch } from './useWatch.ts'

// Imported from Desktop.tsx so that both share one chunk.
const DesktopView = lazy(() => import('../desktop/Desktop.tsx').then((it) => ({ default: it.DesktopView })))

/** Page of an instructor who watches a learner's terminal or desktop. */
export function Watch({ address }: { address: RemoteAddress }) {
  const { machine } = address
  const { place, state, keyboard, pointer, reconnect, pictureConnected, wantKeyboard } = useWatch(address)
  const label = labelOf(state)
  const desktop = state.kind === 'open' ? state.desktop : undefined
  useEffect(() => {
    document.title = `${machine} · ${label}`
  }, [machine, label])
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <Mark size={24} />
        <h1 className={styles.machine}>{machine}</h1>
        <output className={styles.state} data-state={state.kind}>
          {label}
        </output>
        {state.kind === 'open' && (
          <div className={styles.keys}>
            <output className={styles.state}>{keyboardText(keyboard)}</output>
            {keyboard.state === 'none' ? (
              <button type="button" onClick={() => wantKeyboard(true)}>
                Ask for the keyboard
              </button>
            ) : (
              <button type="button" onClick={() => wantKeyboard(false)}>
                {keyboard.state === 'held' ? 'Return the keyboard' : 'Cancel the request'}
              </button>
            )}
          </div>
        )}
      </header>
      <main className={styles.main}>
        <section
          className={`${styles.terminal} ${styles.follows}`}
          aria-label={`Terminal of ${machine}`}
          hidden={desktop !== undefined}
        >
          <div ref={place} className={styles.screen} />
        </section>
        {desktop !== undefined && (
          <Suspense>
            <DesktopView
              key={desktop}
              machine={machine!}
              ticket={desktop}
              mayType={keyboard.state === 'held'}
              pointer={pointer}
              pictureConnected={pictureConnected}
            />
          </Suspense>
        )}
        <NotConnected
          machine={machine}
          state={state}
          reconnect={reconnect}
          words={{ waiting: `This tab is not watching ${machine}.`, connect: 'Watch', again: 'Watch again' }}
        />
      </main>
      <NoticeBoard />
    </div>
  )
}

function keyboardText({ state, heldByAnother }: ReturnType<typeof useWatch>['keyboard']): string {
  if (state === 'held') return 'You have the keyboard.'
  if (state === 'asked') return 'You asked for the keyboard.'
  return heldByAnother ? 'Another person has the keyboard.' : 'You are only watching.'
}

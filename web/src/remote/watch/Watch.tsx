import { lazy, Suspense, useEffect } from 'react'
import { Mark } from '#src/shell/Logo.tsx'
import { NoticeBoard } from '#src/ui/NoticeBoard.tsx'
import type { Asked } from '../address.ts'
import styles from '../Remote.module.css'
import { WithoutTerminal } from '../WithoutTerminal.tsx'
import { labelOf, useWatch } from './useWatch.ts'

// One file of the build with the desktop's own page.
const DesktopView = lazy(() => import('../desktop/Desktop.tsx').then((it) => ({ default: it.DesktopView })))

/** The lab remote-access page of an instructor who watches a learner: their terminal or desktop, as they see it. */
export function Watch({ asked }: { asked: Asked }) {
  const { machine } = asked
  const { place, state, keyboard, pointer, reconnect, stands, wantKeyboard } = useWatch(asked)
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
            <output className={styles.state}>{saidOf(keyboard)}</output>
            {keyboard.state === 'none' ? (
              <button type="button" onClick={() => wantKeyboard(true)}>
                Ask for the keyboard
              </button>
            ) : (
              <button type="button" onClick={() => wantKeyboard(false)}>
                {keyboard.state === 'held' ? 'Hand the keyboard back' : 'Ask no more'}
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
              stands={stands}
            />
          </Suspense>
        )}
        <WithoutTerminal
          machine={machine}
          state={state}
          reconnect={reconnect}
          words={{ waiting: `This tab does not watch ${machine}.`, connect: 'Watch', again: 'Watch again' }}
        />
      </main>
      <NoticeBoard />
    </div>
  )
}

function saidOf({ state, heldByAnother }: ReturnType<typeof useWatch>['keyboard']): string {
  if (state === 'held') return 'You have the keyboard.'
  if (state === 'asked') return 'You asked for the keyboard.'
  return heldByAnother ? 'Somebody else has the keyboard.' : 'You watch only.'
}

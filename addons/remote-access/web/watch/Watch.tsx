import { lazy, Suspense, useState } from 'react'
import type { RemoteAddress } from '../address.ts'
import styles from '../Remote.module.css'
import { RemotePage } from '../RemotePage.tsx'
import { labelOf, useWatch } from './useWatch.ts'

// Imported from Desktop.tsx so that both share one chunk.
const DesktopView = lazy(() => import('../desktop/Desktop.tsx').then((module) => ({ default: module.DesktopView })))

export function Watch({ address }: { address: RemoteAddress }) {
  const { machine } = address
  const { place, state, keyboard, pointer, reconnect, pictureConnected, wantKeyboard } = useWatch(address)
  const [isBarHidden, setBarHidden] = useState(false)
  const desktop = state.kind === 'open' ? state.desktop : undefined
  return (
    <RemotePage
      machine={machine}
      state={state}
      label={labelOf(state)}
      tools={
        state.kind === 'open' && (
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
        )
      }
      place={place}
      hasDesktop={desktop !== undefined}
      className={styles.follows}
      words={{ waiting: `This tab is not watching ${machine}.`, connect: 'Watch', again: 'Watch again' }}
      reconnect={reconnect}
      isBarHidden={isBarHidden}
      setBarHidden={setBarHidden}
    >
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
    </RemotePage>
  )
}

function keyboardText({ state, heldByAnother }: ReturnType<typeof useWatch>['keyboard']): string {
  if (state === 'held') return 'You have the keyboard.'
  if (state === 'asked') return 'You asked for the keyboard.'
  return heldByAnother ? 'Another person has the keyboard.' : 'You are only watching.'
}

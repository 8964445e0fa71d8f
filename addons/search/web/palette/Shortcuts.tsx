import { useState } from 'react'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { QUIET } from './command.ts'
import styles from './Shortcuts.module.css'

const SHORTCUTS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [
    ['Ctrl', 'K'],
    'Go to a screen, customer, lab module, instance, person or invoice, or start an action (⌘ K on a Mac)',
  ],
  [['?'], 'Show the keyboard shortcuts'],
  [['Enter'], 'Open the first result of a search'],
  [['↑', '↓'], 'Choose a result, or an entry of a menu'],
  [['Esc'], 'Close a dialog, menu or search'],
]

export default function Shortcuts({ close }: { close: () => void }) {
  const [isOff, setOff] = useState(() => localStorage.getItem(QUIET) !== null)
  const set = (off: boolean) => {
    setOff(off)
    if (off) localStorage.setItem(QUIET, '')
    else localStorage.removeItem(QUIET)
  }
  return (
    <Dialog title="Keyboard shortcuts" close={close}>
      <dl className={styles.list}>
        {SHORTCUTS.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className={styles.switch}>
        <input type="checkbox" checked={!isOff} onChange={({ target }) => set(!target.checked)} /> Open this list with
        the key ?
      </label>
    </Dialog>
  )
}

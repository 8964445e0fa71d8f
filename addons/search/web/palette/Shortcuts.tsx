import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
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
    </Dialog>
  )
}

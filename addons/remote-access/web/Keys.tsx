import { notify } from '@trainyard/platform/web/ui/notices.ts'
import styles from './Remote.module.css'

interface KeysProps {
  canCopy: boolean
  press: (keys: string) => void
  selection: () => string
  paste: (text: string) => void
  scale: (by: 1 | -1) => void
}

const MISSING = [
  { label: 'Esc', name: 'Esc', keys: '\x1b' },
  { label: 'Tab', name: 'Tab', keys: '\t' },
  { label: '^C', name: 'Control C', keys: '\x03' },
  { label: '^D', name: 'Control D', keys: '\x04' },
  { label: '↑', name: 'Up', keys: '\x1b[A' },
  { label: '↓', name: 'Down', keys: '\x1b[B' },
] as const

export function Keys({ canCopy, press, selection, paste, scale }: KeysProps) {
  return (
    <div className={styles.keys}>
      <fieldset className={styles.missing}>
        <legend className="visually-hidden">Keys</legend>
        {MISSING.map(({ label, name, keys }) => (
          <button key={label} type="button" aria-label={name} onClick={() => press(keys)}>
            {label}
          </button>
        ))}
      </fieldset>
      <button
        type="button"
        disabled={!canCopy}
        title={canCopy ? 'Copy (Ctrl-Shift-C)' : 'Select something to copy first'}
        onClick={() => void tryClipboard((clipboard) => clipboard.writeText(selection()))}
      >
        Copy
      </button>
      <button
        type="button"
        title="Paste (Ctrl-Shift-V)"
        onClick={() => void tryClipboard(async (clipboard) => paste(await clipboard.readText()))}
      >
        Paste
      </button>
      <button
        type="button"
        className={styles.wide}
        aria-label="A−, smaller text"
        title="Smaller text"
        onClick={() => scale(-1)}
      >
        A−
      </button>
      <button
        type="button"
        className={styles.wide}
        aria-label="A+, larger text"
        title="Larger text"
        onClick={() => scale(1)}
      >
        A+
      </button>
      {document.fullscreenEnabled && (
        <button
          type="button"
          className={styles.wide}
          onClick={() => void document.documentElement.requestFullscreen().catch(() => {})}
        >
          Full screen
        </button>
      )}
    </div>
  )
}

/** Browsers give no clipboard to pages without TLS (except localhost), or ask the user first. */
async function tryClipboard(use: (clipboard: Clipboard) => Promise<void>): Promise<void> {
  try {
    await use(navigator.clipboard)
  } catch {
    notify.alert(
      'This browser does not give this page access to the clipboard. Use Ctrl-Shift-C and Ctrl-Shift-V in the terminal.',
    )
  }
}

import type { RefObject } from 'react'
import { notify } from '@trainyard/platform/web/ui/notices.ts'
import styles from '../Remote.module.css'
import own from './Desktop.module.css'
import { chord, type Typing } from './input.ts'
import type { useDesktop } from './useDesktop.ts'

interface DesktopKeysProps {
  desktop: ReturnType<typeof useDesktop>
  field: RefObject<HTMLTextAreaElement | null>
}

/** Key combinations that the browser or the operating system intercepts. */
const SPECIAL = [
  { label: 'Ctrl+Alt+Del', keys: ['ControlLeft', 'AltLeft', 'Delete'] },
  { label: 'Windows key', keys: ['MetaLeft'] },
  { label: 'Alt+Tab', keys: ['AltLeft', 'Tab'] },
  { label: 'Alt+F4', keys: ['AltLeft', 'F4'] },
  { label: 'Ctrl+W', keys: ['ControlLeft', 'KeyW'] },
  { label: 'Escape', keys: ['Escape'] },
  { label: 'Print screen', keys: ['PrintScreen'] },
] as const

const NO_CLIPBOARD =
  'This browser does not give this page access to the clipboard. Allow it in the address bar and try again.'

export function DesktopKeys({ desktop, field }: DesktopKeysProps) {
  const { session, copied, typing, setTyping, offerText } = desktop
  const focusField = () => field.current?.focus({ preventScroll: true })
  const press = (label: string) => {
    const special = SPECIAL.find((each) => each.label === label)
    if (special && session.current) chord(session.current, ...special.keys)
    focusField()
  }
  const paste = async () => {
    try {
      await offerText(await navigator.clipboard.readText())
      if (session.current) chord(session.current, 'ControlLeft', 'KeyV')
    } catch {
      notify.alert(NO_CLIPBOARD)
    }
    focusField()
  }
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(copied)
    } catch {
      notify.alert(NO_CLIPBOARD)
    }
    focusField()
  }
  return (
    <div className={styles.keys}>
      <label className={own.choice}>
        Press
        <select value="" onChange={(event) => press(event.currentTarget.value)}>
          <option value="" disabled>
            a key...
          </option>
          {SPECIAL.map(({ label }) => (
            <option key={label}>{label}</option>
          ))}
        </select>
      </label>
      <label className={own.choice}>
        Keyboard
        <select value={typing} onChange={(event) => setTyping(event.currentTarget.value as Typing)}>
          <option value="characters">Layout of this computer</option>
          <option value="keys">Layout of the machine</option>
        </select>
      </label>
      <button
        type="button"
        disabled={copied === ''}
        title="Copy the text last copied on the machine"
        onClick={() => void copy()}
      >
        Copy
      </button>
      <button type="button" title="Paste the text copied on this computer" onClick={() => void paste()}>
        Paste
      </button>
      {document.fullscreenEnabled && (
        <button
          type="button"
          onClick={() => void document.documentElement.requestFullscreen().then(focusField, () => {})}
        >
          Full screen
        </button>
      )}
    </div>
  )
}

import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useState } from 'react'
import { Icon } from '#src/ui/Icon.tsx'
import styles from './PaletteKey.module.css'

const load = () => import('./Palette.tsx')
const Palette = lazy(load)

const isApple = /Mac|iP(hone|ad)/.test(navigator.platform)

/** The way to the command palette: Ctrl-K (or Cmd-K), from wherever one types, and a button for everybody else. */
export function PaletteKey() {
  const [open, setOpen] = useState(false)
  // A dialog that is open already keeps the keyboard to itself.
  useHotkeys([['mod+K', () => setOpen(document.querySelector('dialog[open]') === null)]], [])
  return (
    <>
      <button
        type="button"
        className={styles.key}
        aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
        onClick={() => setOpen(true)}
      >
        <Icon name="search" size={16} />
        <span className={styles.word}>Go to</span>
        <kbd className={styles.hint}>{isApple ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      {open && (
        <Suspense fallback={null}>
          <Palette close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

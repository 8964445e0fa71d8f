import IconSearch from '@tabler/icons-react/icons/IconSearch'
import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { COMMAND, QUIET } from './command.ts'
import styles from './PaletteKey.module.css'

const Palette = lazy(() => import('./Palette.tsx'))
const Shortcuts = lazy(() => import('./Shortcuts.tsx'))

const isApple = /Mac|iP(hone|ad)/.test(navigator.platform)

export default function PaletteKey() {
  /** Element that had the focus when the palette was opened; null while it is closed. */
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const [typed, setTyped] = useState('')
  const [entered, setEntered] = useState(false)
  const show = () => {
    setTyped('')
    setEntered(false)
    setOpener(document.activeElement as HTMLElement | null)
  }
  const close = () => setOpener(null)
  useEffect(() => () => opener?.focus(), [opener])
  /** Dialog of an action, which replaces the palette. */
  const [dialog, setDialog] = useState<ReactNode>(null)
  const closeDialog = () => setDialog(null)
  // The key is ignored while another dialog is open.
  const unlessDialog = (run: () => void) => () => document.querySelector('[aria-modal], dialog[open]') === null && run()
  useHotkeys([['mod+K', unlessDialog(show)]], [])
  // The key is ignored in fields, where it is typed text.
  const showShortcuts = unlessDialog(() => setDialog(<Shortcuts close={closeDialog} />))
  useHotkeys([['shift+?', () => localStorage.getItem(QUIET) === null && showShortcuts()]])
  return (
    <>
      <button type="button" className={styles.key} aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'} onClick={show}>
        <IconSearch size={16} aria-hidden />
        <span className={styles.word}>Go to</span>
        <kbd className={styles.hint}>{isApple ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      {opener && (
        <Suspense
          fallback={
            // Placeholder field while the palette loads, so that typed text is not lost.
            <input
              ref={(field) => field?.focus()}
              className={styles.early}
              aria-label={COMMAND}
              placeholder={COMMAND}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              onKeyDown={({ key }) => {
                if (key === 'Enter') setEntered(true)
                if (key === 'Escape') close()
              }}
            />
          }
        >
          <Palette
            typed={typed}
            setTyped={setTyped}
            entered={entered}
            close={close}
            openDialog={(dialogOf) => setDialog(dialogOf(closeDialog))}
          />
        </Suspense>
      )}
      <Suspense>{dialog}</Suspense>
    </>
  )
}

import { memo, useId, useRef, useState } from 'react'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { useMe } from '#src/session/me.ts'
import { Icon } from '#src/ui/Icon.tsx'
import { actionsOf } from './machine-actions.ts'
import styles from './MachineMenu.module.css'
import { MachineMenuItem } from './MachineMenuItem.tsx'

const WIDTH = 240

interface MachineMenuProps {
  machine: Machine
  /** -1 in a table, where the Tab key reaches one row at a time. */
  tabIndex?: number
}

/**
 * More actions for a machine, as `machine-actions.ts` lists them. The menu is the browser's own popover: it lies above
 * everything, a click beside it or Escape closes it, and the focus goes back to its button.
 */
export const MachineMenu = memo(function MachineMenu({ machine, tabIndex }: MachineMenuProps) {
  const { role } = useMe()
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const label = `More actions for ${machine.name}`

  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  const move = (key: string) => {
    const all = items()
    const now = all.indexOf(document.activeElement as HTMLElement)
    const goals: Readonly<Record<string, number>> = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: -1 }
    all.at((goals[key] ?? now) % all.length)?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`icon-button ${styles.button} no-print`}
        aria-label={label}
        title="More actions"
        aria-haspopup="menu"
        aria-expanded={open}
        popoverTarget={id}
        tabIndex={tabIndex}
        data-control=""
      >
        <Icon name="more" size={17} />
      </button>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the focus is on its items */}
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className={styles.menu}
        onBeforeToggle={(event) => {
          if (event.newState === 'open') place(menu.current!, button.current!)
        }}
        onToggle={(event) => setOpen(event.newState === 'open')}
        onKeyDown={(event) => {
          if (event.key === 'Tab') menu.current?.hidePopover()
          if (!['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(event.key)) return
          event.preventDefault()
          move(event.key)
        }}
      >
        {open &&
          actionsOf(role).map((action, index) => (
            <MachineMenuItem
              key={action.label}
              action={action}
              machine={machine}
              isFirst={index === 0}
              close={() => menu.current?.hidePopover()}
            />
          ))}
      </div>
    </>
  )
})

/** Puts the menu below its button, or above where there is more room. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const { top, bottom, right } = button.getBoundingClientRect()
  const below = bottom < innerHeight * 0.6
  Object.assign(menu.style, {
    width: `${WIDTH}px`,
    left: `${Math.max(8, Math.min(right - WIDTH, innerWidth - WIDTH - 8))}px`,
    top: below ? `${bottom + 4}px` : 'auto',
    bottom: below ? 'auto' : `${innerHeight - top + 4}px`,
  })
  // It does not move with the page: what scrolls away leaves no menu behind.
  addEventListener('scroll', () => menu.hidePopover(), { once: true, capture: true })
}

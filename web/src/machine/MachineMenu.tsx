import { memo, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { Icon } from '#src/ui/Icon.tsx'
import styles from './MachineMenu.module.css'
import { useMe } from '#src/session/me.ts'
import { actionsOf } from './machine-actions.ts'
import { MachineMenuItem } from './MachineMenuItem.tsx'

const WIDTH = 240

interface MachineMenuProps {
  machine: Machine
  /** -1 in a table, where the Tab key reaches only one row. */
  tabIndex?: number
  /** True on the Class screen, where a user acts as an instructor. */
  ofClass?: boolean
}

/** Native popover, rendered from the first click on so that rows scrolled into view need not create it. */
export const MachineMenu = memo(function MachineMenu({ machine, tabIndex, ofClass = false }: MachineMenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const [rendered, setRendered] = useState(false)
  const label = `More actions for ${machine.name}`

  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  const move = (key: string) => {
    const all = items()
    const now = all.indexOf(document.activeElement as HTMLElement)
    const targets: Readonly<Record<string, number>> = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: -1 }
    all.at((targets[key] ?? now) % all.length)?.focus()
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
        popoverTarget={rendered ? id : undefined}
        tabIndex={tabIndex}
        data-control=""
        // The browser opens the popover after the click handler, so it must exist by then.
        onClick={() => flushSync(() => setRendered(true))}
      >
        <Icon name="more" size={17} />
      </button>
      {rendered && (
        // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the focus is on its items
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
          {open && <MachineMenuItems machine={machine} ofClass={ofClass} close={() => menu.current?.hidePopover()} />}
        </div>
      )}
    </>
  )
})

function place(menu: HTMLElement, button: HTMLElement): void {
  const { top, bottom, right } = button.getBoundingClientRect()
  const below = bottom < innerHeight * 0.6
  Object.assign(menu.style, {
    width: `${WIDTH}px`,
    left: `${Math.max(8, Math.min(right - WIDTH, innerWidth - WIDTH - 8))}px`,
    top: below ? `${bottom + 4}px` : 'auto',
    bottom: below ? 'auto' : `${innerHeight - top + 4}px`,
  })
  // The popover does not scroll with the page.
  addEventListener('scroll', () => menu.hidePopover(), { once: true, capture: true })
}

interface MachineMenuItemsProps {
  machine: Machine
  ofClass: boolean
  close: () => void
}

function MachineMenuItems({ machine, ofClass, close }: MachineMenuItemsProps) {
  const { role } = useMe()
  return actionsOf(role, ofClass && role === 'user').map((action, index) => (
    <MachineMenuItem key={action.label} action={action} machine={machine} isFirst={index === 0} close={close} />
  ))
}

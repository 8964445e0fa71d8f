import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import styles from './PopoverMenu.module.css'

const WIDTH = 240

interface PopoverMenuProps {
  label: string
  title?: string
  className: string
  /** Tab index of the button: -1 in a table, where the Tab key reaches only one row. */
  tabIndex?: number
  button: ReactNode
  /** Renders the items, elements of role menuitem. */
  children: (close: () => void) => ReactNode
}

/**
 * Menu in a native popover. The popover is rendered from the first click on, so that rows that are scrolled into view
 * need not create it.
 */
export function PopoverMenu({ label, title, className, tabIndex, button: content, children }: PopoverMenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const [rendered, setRendered] = useState(false)

  // The popover does not scroll with the page. A scroll before it opened may be reported after that.
  useEffect(() => {
    if (!open) return undefined
    const topOf = () => button.current!.getBoundingClientRect().top
    const top = topOf()
    const hide = () => topOf() !== top && menu.current?.hidePopover()
    addEventListener('scroll', hide, true)
    return () => removeEventListener('scroll', hide, true)
  }, [open])

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
        className={className}
        aria-label={label}
        title={title}
        aria-haspopup="menu"
        aria-expanded={open}
        popoverTarget={rendered ? id : undefined}
        tabIndex={tabIndex}
        data-control=""
        // The browser opens the popover after the click handler, so the popover must exist when the click handler ends.
        onClick={() => flushSync(() => setRendered(true))}
      >
        {content}
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
          {open && <Items render={children} close={() => menu.current?.hidePopover()} />}
        </div>
      )}
    </>
  )
}

function place(menu: HTMLElement, button: HTMLElement): void {
  const { top, bottom, right } = button.getBoundingClientRect()
  const below = bottom < innerHeight * 0.6
  Object.assign(menu.style, {
    width: `${WIDTH}px`,
    left: `${Math.max(8, Math.min(right - WIDTH, innerWidth - WIDTH - 8))}px`,
    top: below ? `${bottom + 4}px` : 'auto',
    bottom: below ? 'auto' : `${innerHeight - top + 4}px`,
  })
}

interface ItemsProps {
  render: PopoverMenuProps['children']
  close: () => void
}

const Items = ({ render, close }: ItemsProps) => render(close)

interface MenuItemProps {
  label: string
  may: true | string
  destroys?: boolean | undefined
  isFirst: boolean
  onClick: () => void
}

export function MenuItem({ label, may, destroys, isFirst, onClick }: MenuItemProps) {
  const item = useRef<HTMLButtonElement>(null)
  const id = useId()
  useEffect(() => {
    if (isFirst) item.current?.focus()
  }, [isFirst])
  return (
    <button
      ref={item}
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={styles.item}
      data-destroys={destroys}
      aria-label={label}
      aria-disabled={may !== true || undefined}
      aria-describedby={may === true ? undefined : id}
      onClick={() => may === true && onClick()}
    >
      {label}
      {may !== true && (
        <span id={id} className={styles.reason}>
          {may}
        </span>
      )}
    </button>
  )
}

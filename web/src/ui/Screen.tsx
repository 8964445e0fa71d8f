import { createContext, use, useEffect, useRef, type ReactNode } from 'react'
import type { ScreenRow } from '#src/navigation/screen-row.ts'
import styles from './Screen.module.css'

export const RowContext = createContext<ScreenRow | null>(null)

/** The row of the screen that stands here. */
export const useRow = () => use(RowContext)

const startedAt = location.pathname
let moved = false

interface ScreenProps {
  /** Only where it is not the row's title. */
  title?: string
  /** What can be done here: buttons, at the heading's side. */
  actions?: ReactNode
  children: ReactNode
}

/** A screen: its heading (the title of its row in `screens.tsx`), its actions, and what it shows. */
export function Screen({ title, actions, children }: ScreenProps) {
  const row = useRow()
  const heading = title ?? row?.title ?? 'Trainyard'
  const h1 = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${heading} · Trainyard`
  }, [heading])
  useEffect(() => {
    // Going to another screen moves the focus with it; the first one leaves it where the browser put it.
    moved ||= location.pathname !== startedAt
    if (moved) h1.current?.focus()
  }, [])
  return (
    <article className={styles.screen}>
      <header className={styles.head}>
        <h1 ref={h1} tabIndex={-1} className={styles.heading}>
          {heading}
        </h1>
        {actions && <div className="row no-print">{actions}</div>}
      </header>
      {children}
    </article>
  )
}

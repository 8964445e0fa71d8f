import { createContext, use, useEffect, useRef, type ReactNode } from 'react'
import type { Route } from '#src/navigation/routes.ts'
import styles from './Screen.module.css'

export const RowContext = createContext<Route | null>(null)

/** Returns the row of the present screen. */
export const useRow = () => use(RowContext)

const startedAt = location.pathname
let moved = false

interface ScreenProps {
  /** Only where it is not the row's title. */
  title?: string
  /** Buttons beside the heading. */
  actions?: ReactNode
  children: ReactNode
}

/** A screen: its heading (the title of its row in `screens.tsx`), its actions, and its content. */
export function Screen({ title, actions, children }: ScreenProps) {
  const row = useRow()
  const heading = title ?? row?.title ?? 'Trainyard'
  const h1 = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${heading} · Trainyard`
  }, [heading])
  useEffect(() => {
    // Another screen takes the focus to its heading; the first one leaves it where the browser put it.
    moved ||= location.pathname !== startedAt
    if (moved) h1.current?.focus()
  }, [])
  return (
    <article className={styles.screen}>
      <header className={`ends ${styles.head}`}>
        <h1 ref={h1} tabIndex={-1} className={styles.heading}>
          {heading}
        </h1>
        {actions && <div className="row no-print">{actions}</div>}
      </header>
      {children}
    </article>
  )
}

import { createContext, use, useEffect, useRef, type ReactNode } from 'react'
import type { Screen as ScreenOfModule } from '../shell/module.ts'
import styles from './Screen.module.css'

export const ScreenRouteContext = createContext<ScreenOfModule | null>(null)

export const useScreenRoute = () => use(ScreenRouteContext)

const initialPath = location.pathname
let hasNavigated = false

let shownHeading: string | null = null
let shownCount = 0

function showTitle(): void {
  if (shownHeading === null) return
  document.title = `${shownCount > 0 ? `(${shownCount}) ` : ''}${shownHeading} · Trainyard`
}

/** Shows a number in the tab's title, such as the number of raised hands; 0 removes it. */
export function setTitleCount(count: number): void {
  shownCount = count
  showTitle()
}

interface ScreenProps {
  title?: string
  actions?: ReactNode
  children: ReactNode
}

export function Screen({ title, actions, children }: ScreenProps) {
  const route = useScreenRoute()
  const heading = title ?? route?.title ?? 'Trainyard'
  const h1 = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    shownHeading = heading
    showTitle()
  }, [heading])
  useEffect(() => {
    // Focus the heading after a navigation, but not on the first page load.
    hasNavigated ||= location.pathname !== initialPath
    if (hasNavigated) h1.current?.focus()
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

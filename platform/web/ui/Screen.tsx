import { createContext, use, useEffect, useRef, type ReactNode } from 'react'
import type { Screen as ScreenOfModule } from '../shell/module.ts'
import styles from './Screen.module.css'

/** The screen at the address, with what the application adds to it. */
export interface ShownScreen {
  readonly screen: ScreenOfModule
  /** The screen itself, or the screen whose tab it is. */
  readonly root: ScreenOfModule
  /** Below the heading. */
  readonly head: ReactNode
  /** List of tabs beside the content. */
  readonly aside: ReactNode
  /** Above the content. */
  readonly notice: ReactNode
}

export const ShownScreenContext = createContext<ShownScreen | null>(null)

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
  const shown = use(ShownScreenContext)
  const heading = title ?? shown?.root.title ?? 'Trainyard'
  const name = title ?? shown?.screen.title ?? heading
  const h1 = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    shownHeading = name === heading ? heading : `${name} · ${heading}`
    showTitle()
  }, [name, heading])
  useEffect(() => {
    // Focus the heading after a navigation, but not on the first page load.
    hasNavigated ||= location.pathname !== initialPath
    if (hasNavigated) h1.current?.focus()
  }, [])
  return (
    <article className={styles.screen}>
      <header className={styles.head}>
        <div className={`ends ${styles.line}`}>
          <h1 ref={h1} tabIndex={-1} className={styles.heading}>
            {heading}
            {name !== heading && <span className="visually-hidden">, {name}</span>}
          </h1>
          {actions && <div className={`row no-print ${styles.actions}`}>{actions}</div>}
        </div>
        {shown?.head}
      </header>
      {shown?.notice}
      {shown?.aside ? (
        <div className={styles.parts}>
          {shown.aside}
          <div className={styles.content}>{children}</div>
        </div>
      ) : (
        children
      )}
    </article>
  )
}

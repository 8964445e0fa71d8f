import { type ReactNode, useEffect, useRef } from 'react'
import { can } from '@trainyard/machines/contract/machine-words.ts'
import styles from './Remote.module.css'
import { useEndedMachine } from './useEndedMachine.ts'

interface EndingProps {
  machine: string
  /** Label of the button that connects again. */
  label: string
  reconnect: () => void
  /** Further actions. */
  others?: ReactNode
  children: ReactNode
}

/**
 * Shows why a connection ended and what to do next: reconnect to a running machine, start a stopped one, or go to the
 * console. The focus is on no button, because the user may still be typing into the terminal.
 */
export function Ending({ machine, label, reconnect, others, children }: EndingProps) {
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.focus(), [])
  const { found, console, powerOn } = useEndedMachine(machine)
  const mayStart = found ? can.powerOn(found) : null
  const isRunning = found?.isRunning === true && found.status !== 'Stopping'
  return (
    <section ref={section} tabIndex={-1} className={styles.ending}>
      {children}
      {found === undefined ? null : found === null || isRunning ? (
        <button type="button" className={styles.primary} onClick={reconnect}>
          {label}
        </button>
      ) : mayStart === true ? (
        <button type="button" className={styles.primary} onClick={powerOn}>
          Power On
        </button>
      ) : (
        <output>
          {found.status === 'Starting' ? `${machine} is starting. You can reconnect once it runs.` : mayStart}
        </output>
      )}
      {others}
      <a href={console}>Virtual Lab Console</a>
      <a href="/">Home</a>
    </section>
  )
}

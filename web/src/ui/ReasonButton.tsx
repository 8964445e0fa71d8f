import { Button, type ButtonProps } from '@mantine/core'
import { useId, useState, type ReactNode } from 'react'
import type { TrueOrReason } from '@trainyard/contract/words/machine.ts'
import styles from './ReasonButton.module.css'

interface ReasonButtonProps extends Omit<ButtonProps, 'disabled'> {
  /** True, or why the action is not allowed; the button is then disabled and shows the reason. */
  may: TrueOrReason
  /** The action is in progress: the button is disabled without a reason and keeps the focus. */
  busy?: boolean
  onClick: () => void
  children: ReactNode
  'aria-label'?: string
}

export function ReasonButton({ may, busy = false, onClick, children, ...button }: ReasonButtonProps) {
  const id = useId()
  const [hidden, setHidden] = useState(false)
  const reason = may === true || busy ? null : may
  const isDisabled = reason !== null || busy
  return (
    <span className={styles.place}>
      <Button
        {...button}
        aria-disabled={isDisabled || undefined}
        data-disabled={isDisabled || undefined}
        aria-describedby={reason === null ? undefined : id}
        onPointerEnter={() => setHidden(false)}
        onFocus={() => setHidden(false)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setHidden(true)
        }}
        onClick={(event) => {
          if (isDisabled) event.preventDefault()
          else onClick()
        }}
      >
        {children}
      </Button>
      {reason !== null && (
        <>
          <span id={id} className="visually-hidden">
            {reason}
          </span>
          {!hidden && (
            <span className={styles.reason} aria-hidden="true">
              {reason}
            </span>
          )}
        </>
      )}
    </span>
  )
}

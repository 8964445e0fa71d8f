import { Button, UnstyledButton } from '@mantine/core'
import { useId, useState, type ReactNode } from 'react'
import type { TrueOrReason } from '../../contract/words/true-or-reason.ts'
import styles from './ReasonButton.module.css'

/** Variables of Mantine's style sheet for buttons. */
const COLOURS = {
  accent: {},
  plain: {
    '--button-bg': 'var(--mantine-color-default)',
    '--button-hover': 'var(--mantine-color-default-hover)',
    '--button-color': 'var(--mantine-color-default-color)',
    '--button-bd': '1px solid var(--mantine-color-default-border)',
  },
  red: {
    '--button-bg': 'var(--mantine-color-red-filled)',
    '--button-hover': 'var(--mantine-color-red-filled-hover)',
  },
}

const CLASSES = `mantine-focus-auto mantine-active mantine-Button-root ${UnstyledButton.classes['root']} ${Button.classes['root']}`

export interface ReasonButtonProps {
  variant?: 'filled' | 'default'
  size?: 'xs' | 'sm' | 'md' | 'lg'
  color?: 'red' | undefined
  leftSection?: ReactNode
  /** True, or why the action is not allowed; the button is then disabled and shows the reason. */
  may: TrueOrReason
  /** The action is in progress: the button is disabled without a reason and keeps the focus. */
  busy?: boolean
  onClick: () => void
  children: ReactNode
  'aria-label'?: string
}

/**
 * Renders one element with Mantine's classes. Mantine's own button renders five components, and a screen can have a
 * hundred buttons.
 */
export function ReasonButton(props: ReasonButtonProps) {
  const { variant = 'filled', size = 'sm', color, leftSection, may, busy = false, onClick, children } = props
  const id = useId()
  const [hidden, setHidden] = useState(false)
  const reason = may === true || busy ? null : may
  const isDisabled = reason !== null || busy
  return (
    <span className={styles.place}>
      <button
        type="button"
        className={CLASSES}
        style={
          {
            '--button-height': `var(--button-height-${size})`,
            '--button-padding-x': `var(--button-padding-x-${size})`,
            '--button-fz': `var(--mantine-font-size-${size})`,
            ...COLOURS[variant === 'default' ? 'plain' : (color ?? 'accent')],
          } as object
        }
        data-with-left-section={leftSection !== undefined || undefined}
        aria-label={props['aria-label']}
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
        <span className={Button.classes['inner']}>
          {leftSection !== undefined && (
            <span className={`mantine-Button-section ${Button.classes['section']}`} data-position="left">
              {leftSection}
            </span>
          )}
          <span className={Button.classes['label']}>{children}</span>
        </span>
      </button>
      {reason !== null && (
        <>
          <span id={id} className="visually-hidden">
            {reason}
          </span>
          {!hidden && (
            // A click on what it covers hides it, so that the next click arrives there.
            <span className={styles.reason} aria-hidden="true" onPointerDown={() => setHidden(true)}>
              {reason}
            </span>
          )}
        </>
      )}
    </span>
  )
}

import type { ReactNode } from 'react'

/**
 * Returns a function that gives a text field its value, change handler and problem. No problems are shown while
 * `problems` is null.
 */
export function typedFields<Typed extends { readonly [Name in keyof Typed]: string }>(
  typed: Typed,
  change: (to: (before: Typed) => Typed) => void,
  problems: Readonly<Partial<Record<keyof Typed, string | false>>> | null,
) {
  return (name: keyof Typed & string) => ({
    value: typed[name],
    error: problems?.[name] && ((<span role="alert">{problems[name]}</span>) as ReactNode),
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      change((before) => ({ ...before, [name]: value }))
    },
  })
}

/** Returns the value and the change handler of a text field or select. */
export const controlledText = <Value extends string>(value: Value, change: (to: Value) => void) => ({
  value,
  onChange: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value as Value),
})

/** Returns the state and the change handler of a checkbox. */
export const controlledCheck = (checked: boolean, change: (to: boolean) => void) => ({
  checked,
  onChange: (event: { currentTarget: { checked: boolean } }) => change(event.currentTarget.checked),
})

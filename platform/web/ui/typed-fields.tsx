import type { ReactNode } from 'react'

/** Returns the props of fields. Shows no problems while `problems` is null. */
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

export const controlledText = <Value extends string>(value: Value, change: (to: Value) => void) => ({
  value,
  onChange: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value as Value),
})

export const controlledCheck = (checked: boolean, change: (to: boolean) => void) => ({
  checked,
  onChange: (event: { currentTarget: { checked: boolean } }) => change(event.currentTarget.checked),
})

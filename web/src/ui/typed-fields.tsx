import type { ReactNode } from 'react'

/** Returns what a field of a form is given: its text, what to do with another, and what is wrong once that is told. */
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

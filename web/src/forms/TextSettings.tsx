import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Answers } from '#src/api/queries.ts'
import { SettingsForm } from './SettingsForm.tsx'

/** A field of settings as it is typed, and as the call takes it. */
export interface TextField {
  readonly label: string
  readonly description?: string
  readonly inputMode?: 'numeric' | 'decimal' | 'email'
  /** The choices, where it is one of these: value and words. */
  readonly choices?: readonly (readonly [value: string, words: string])[]
  readonly type?: 'month' | 'date'
  /** Puts what was typed into the form that is sent; by default it is trimmed, and empty is null. */
  readonly read?: (typed: string) => unknown
  /** The sentence that says why it can't be sent; null: it can. Empty fields are not asked about. */
  readonly problem?: (typed: string) => string | null
}

interface TextSettingsProps<Name extends string> {
  /** The label of its button. */
  submit: string
  fields: Readonly<Record<Name, TextField>>
  /** As they are saved, as texts. */
  saved: Readonly<Record<Name, string>>
  send: (changes: Record<string, unknown>) => Promise<{ message: string }>
  renews: readonly Answers[]
}

/** A form of settings that are texts: it sends those that were changed. */
export function TextSettings<Name extends string>({ submit, fields, saved, send, renews }: TextSettingsProps<Name>) {
  const [typed, setTyped] = useState<Partial<Record<Name, string>>>({})
  const names = Object.keys(fields) as Name[]
  const shown = { ...saved, ...typed }
  const problemOf = (name: Name) =>
    shown[name].trim() === '' || shown[name] === saved[name] ? null : (fields[name].problem?.(shown[name]) ?? null)
  const changed = names.filter((name) => shown[name].trim() !== saved[name])
  const changes = names.some((name) => problemOf(name) !== null)
    ? null
    : Object.fromEntries(changed.map((name) => [name, (fields[name].read ?? textOrNull)(shown[name])]))
  return (
    <SettingsForm submit={submit} changes={changes} send={send} renews={renews} saved={() => setTyped({})}>
      {(tried) =>
        names.map((name) => {
          const { label, description, inputMode, choices, type } = fields[name]
          const field = {
            label,
            description,
            value: shown[name],
            error: tried && problemOf(name),
            onChange: (event: { currentTarget: { value: string } }) => {
              const { value } = event.currentTarget
              setTyped((now) => ({ ...now, [name]: value }))
            },
          }
          return choices === undefined ? (
            <TextInput key={name} autoComplete="off" inputMode={inputMode} type={type} {...field} />
          ) : (
            <NativeSelect key={name} {...field}>
              {choices.map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </NativeSelect>
          )
        })
      }
    </SettingsForm>
  )
}

const textOrNull = (typed: string): string | null => typed.trim() || null

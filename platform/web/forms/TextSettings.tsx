import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { CachedCalls } from '../api/queries.ts'
import { controlledText } from '../ui/typed-fields.tsx'
import type { Shape } from './problems.ts'
import { SettingsForm } from './SettingsForm.tsx'

export interface TextField {
  readonly label: string
  readonly description?: string
  readonly inputMode?: 'numeric' | 'decimal' | 'email'
  readonly choices?: readonly (readonly [value: string, words: string])[]
  readonly type?: 'month' | 'date'
  /** Converts the entered text to the value that is sent. Default: trimmed text, null if empty. */
  readonly read?: (entered: string) => unknown
}

interface TextSettingsProps<Name extends string> {
  submit: string
  fields: Readonly<Record<Name, TextField>>
  saved: Readonly<Record<Name, string>>
  /** Loads the shape of the call's body, which validates the changes. */
  shape: () => Promise<Shape>
  send: (changes: Record<string, unknown>) => Promise<{ message: string }>
  invalidates: readonly CachedCalls[]
}

export function TextSettings<Name extends string>({
  submit,
  fields,
  saved,
  shape,
  send,
  invalidates,
}: TextSettingsProps<Name>) {
  const [entered, setEntered] = useState<Partial<Record<Name, string>>>({})
  const names = Object.keys(fields) as Name[]
  const values = { ...saved, ...entered }
  const changed = names.filter((name) => values[name].trim() !== saved[name])
  const changes = Object.fromEntries(changed.map((name) => [name, (fields[name].read ?? textOrNull)(values[name])]))
  return (
    <SettingsForm
      submit={submit}
      changes={changes}
      shape={shape}
      entered={values}
      send={send}
      invalidates={invalidates}
      saved={() => setEntered({})}
    >
      {(problemOf) =>
        names.map((name) => {
          const { label, description, inputMode, choices, type } = fields[name]
          const field = {
            label,
            description,
            error: problemOf(name),
            ...controlledText(values[name], (text) => setEntered((now) => ({ ...now, [name]: text }))),
          }
          return choices === undefined ? (
            <TextInput key={name} autoComplete="off" inputMode={inputMode} type={type} {...field} />
          ) : (
            <NativeSelect
              key={name}
              data={choices.map(([value, choiceLabel]) => ({ value, label: choiceLabel }))}
              {...field}
            />
          )
        })
      }
    </SettingsForm>
  )
}

const textOrNull = (entered: string): string | null => entered.trim() || null
